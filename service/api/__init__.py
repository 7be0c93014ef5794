"""The REST API: a thin layer of contracts over ``service.usecases``.

``app.create_app(settings)`` builds it. A view in ``resources/`` is its contract and three lines: decode,
one use case, encode. What an error looks like is in ``errors``, who is asking in ``auth``, what the
document ``openapi.yaml`` says beyond the routes in ``openapi``.
"""
