"""A View as a picture: SVG for pages, PNG for mails, text for everyone."""
