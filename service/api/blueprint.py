"""The blueprint all resources are made with: flask-smorest's, reading requests strictly."""

from __future__ import annotations

import flask_smorest

from service.api.body import StrictParser


class Blueprint(flask_smorest.Blueprint):
    """A group of routes: its name is the tag, its description the tag's."""

    ARGUMENTS_PARSER = StrictParser()
