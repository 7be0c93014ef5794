"""The key for signatures: what cannot be used is said at the start, and never with the key."""

import subprocess
from pathlib import Path

import pytest

from service.config import ConfigError, Settings

KEY = {"EMERALD_SECRET_KEY": "k" * 40}


def with_key(file: Path, selector: str = "mail2026") -> Settings:
    return Settings.from_env({**KEY, "EMERALD_MAIL_DKIM_KEY_FILE": str(file), "EMERALD_MAIL_DKIM_SELECTOR": selector})


def written(file: Path, bits: int, *, traditional: bool = False) -> Path:
    options = ["-traditional"] if traditional else []
    subprocess.run(["openssl", "genrsa", *options, "-out", file, str(bits)], check=True, capture_output=True)
    return file


@pytest.mark.parametrize("traditional", [False, True], ids=["PKCS#8", "PKCS#1"])
def test_a_key_as_openssl_writes_it_is_taken(tmp_path: Path, traditional: bool) -> None:
    file = written(tmp_path / "key.pem", 2048, traditional=traditional)
    assert with_key(file).mail_dkim_key_file == str(file)


@pytest.mark.parametrize(
    "text", ["", "secret words", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"]
)
def test_what_is_no_key_is_named_and_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key.pem"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"EMERALD_MAIL_DKIM_KEY_FILE.*PEM") as refused:
        with_key(file)
    assert "secret" not in str(refused.value)
    assert "c2Vj" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"EMERALD_MAIL_DKIM_KEY_FILE.*cannot be read"):
        with_key(tmp_path / "none.pem")


def test_a_key_that_nobody_believes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="512 bits"):
        with_key(written(tmp_path / "key.pem", 512))


def test_key_and_selector_come_together(tmp_path: Path) -> None:
    file = written(tmp_path / "key.pem", 2048)
    for given in ({"MAIL_DKIM_KEY_FILE": str(file)}, {"MAIL_DKIM_SELECTOR": "mail2026"}):
        with pytest.raises(ConfigError, match="MAIL_DKIM_SELECTOR"):
            Settings.from_env({**KEY, **{f"EMERALD_{name}": value for name, value in given.items()}})


@pytest.mark.parametrize("selector", ["a b", "-a", "a..b", "ä", "a;d=evil"])
def test_a_selector_is_part_of_a_domain_name(tmp_path: Path, selector: str) -> None:
    with pytest.raises(ConfigError, match="EMERALD_MAIL_DKIM_SELECTOR"):
        with_key(written(tmp_path / "key.pem", 2048), selector)
