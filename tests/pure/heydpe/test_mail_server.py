"""EMAIL_URL names the mail server; what cannot be read is reported, and mail is printed."""

import pytest

from heydpe.env import MailServer, read_environment


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("smtp://localhost", MailServer("smtp", "localhost", 25, "", "")),
        (
            "smtp+tls://olga%40example.org:a%3Ab@mail.example.org",
            MailServer("smtp+tls", "mail.example.org", 587, "olga@example.org", "a:b"),
        ),
        (
            "smtps://olga:secret@mail.example.org:2465",
            MailServer("smtps", "mail.example.org", 2465, "olga", "secret"),
        ),
        ("", None),
    ],
)
def test_a_mail_server_is_read(address: str, server: MailServer | None) -> None:
    read = read_environment({"EMAIL_URL": address})
    assert (read.mail_server, read.problems) == (server, ())


@pytest.mark.parametrize(
    "address", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp://host:port", "smtps://[::1"]
)
def test_what_is_no_mail_server_is_reported(address: str) -> None:
    read = read_environment({"EMAIL_URL": address})
    assert read.mail_server is None
    assert [name for name, _what, _hint in read.problems] == ["EMAIL_URL"]
