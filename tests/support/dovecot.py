"""Dovecot, where it is installed: IMAP with IDLE and MOVE, and LMTP, on free ports with a configuration of its own.

It takes mail by LMTP only, so a small post office stands before it. Its configuration is that of Dovecot 2.3; 2.4
speaks another language, and counts as not installed.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.imap import PASSWORD, SERVICE, post
from tests.support.mta import Lmtp, PostOffice
from tests.support.ports import HOST, accepts, free_port
from tests.support.processes import DataServer

#: Debian puts it where only root's PATH leads.
_PLACES: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))

_CONFIGURATION: Final = """
base_dir = {root}/run
state_dir = {root}/run
log_path = {root}/log
protocols = imap lmtp
listen = {host}
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
default_internal_user = {login_user}
default_internal_group = {login_group}
default_login_user = {login_user}
mail_location = maildir:{root}/mail/%u
mail_uid = {uid}
mail_gid = {gid}
first_valid_uid = {uid}
first_valid_gid = {gid}
auth_username_format = %Lu
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
mail_fsync = never
mail_max_userip_connections = 100
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
protocol lmtp {{
  postmaster_address = postmaster@example.org
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/mail/%u allow_all_users=yes
}}
"""


def why_not() -> str:
    """Why there is no Dovecot for the tests here; empty if there is one."""
    binary = _binary()
    if binary is None:
        return "dovecot is not installed (Debian: apt-get install dovecot-imapd dovecot-lmtpd)"
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    if not version.startswith("2.3."):
        return f"these tests know the configuration of dovecot 2.3; this one is {version or 'not usable'}"
    if not (Path("/usr/lib/dovecot/lmtp").exists() or Path("/usr/libexec/dovecot/lmtp").exists()):
        return "dovecot has no LMTP here (Debian: apt-get install dovecot-lmtpd)"
    return ""


class Dovecot(DataServer):
    """The server; a mailbox for every address, made when it is first used, and one password for all.

    ``listener``: the port of a service that takes its own mail by LMTP; without one that lies in a mailbox too.
    """

    def __init__(self, listener: int | None = None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="emerald-dovecot-"))
        self.imap_port = free_port()
        self.lmtp_port = free_port()
        self.listener = listener
        self.post_office = PostOffice(self._route)
        root = os.geteuid() == 0
        # Mail never belongs to root; where we are not root, everything belongs to us.
        owner = pwd.getpwnam("nobody") if root else pwd.getpwuid(os.geteuid())
        login_user = "dovenull" if root else owner.pw_name
        configuration = self.root / "dovecot.conf"
        configuration.write_text(
            _CONFIGURATION.format(
                root=self.root,
                host=HOST,
                login_user=login_user,
                login_group=grp.getgrgid(pwd.getpwnam(login_user).pw_gid).gr_name,
                uid=owner.pw_uid,
                gid=owner.pw_gid,
                imap_port=self.imap_port,
                lmtp_port=self.lmtp_port,
                password=PASSWORD,
            )
        )
        mail = self.root / "mail"
        mail.mkdir()
        self.root.chmod(0o755)
        if root:
            os.chown(mail, owner.pw_uid, owner.pw_gid)
        binary = _binary()
        assert binary is not None, why_not()
        super().__init__(
            [binary, "-F", "-c", configuration],
            log=self.root / "log",
            ready=lambda: accepts(self.imap_port) and accepts(self.lmtp_port),
            cwd=self.root,
        )

    @property
    def smtp_url(self) -> str:
        """The value of EMERALD_MAIL_URL for the post office before this server."""
        return self.post_office.url

    def post(self, raw: bytes, *, sender: str, to: Sequence[str]) -> None:
        """Hand in a mail by SMTP, as a mail program does."""
        post(self.post_office.port, raw, sender=sender, to=to, client=smtplib.SMTP)

    def deliver(self, raw: bytes, *, sender: str, to: Sequence[str]) -> None:
        """Put a mail into its mailboxes by LMTP, past the post office."""
        post(self.lmtp_port, raw, sender=sender, to=to, client=Lmtp)

    def start(self, *, seconds: float = 30.0) -> None:
        """Start it, and the post office with it."""
        super().start(seconds=seconds)
        self.post_office.start()

    def kill(self) -> None:
        """SIGKILL to it and everything it started; the post office closes."""
        self.post_office.stop()
        super().kill()

    def stop(self, *, seconds: float = 15.0) -> int | None:
        """SIGTERM, and the post office closes."""
        self.post_office.stop()
        return super().stop(seconds=seconds)

    def _route(self, address: str) -> int:
        name, domain = SERVICE.split("@")
        local, _, host = address.lower().rpartition("@")
        if self.listener is not None and host == domain and local.split("+")[0] == name:
            return self.listener
        return self.lmtp_port


def _binary() -> str | None:
    return shutil.which("dovecot", path=_PLACES)
