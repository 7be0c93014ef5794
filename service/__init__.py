"""The Emerald service: tables, use cases, HTTP, mail. Layers and their directions are in docs/ARCHITECTURE.md."""
