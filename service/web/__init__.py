"""The few pages that links in mails open: play one move, turn one kind of mail off. No JavaScript, no cookies.

GET only shows; what changes something is a button. So programs that follow every link of a mail change nothing, and a
page that is gone back to or sent twice does no harm.
"""

from service.web.pages import blueprint_for

__all__ = ["blueprint_for"]
