"""What goes in and out, one module a subject: marshmallow schemas, which OpenAPI is generated from.

What comes in is strict: unknown keys are refused by name, texts are limited. What goes out is an allow-list:
a field that no schema names does not leave.
"""
