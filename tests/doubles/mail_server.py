"""A mail server on loopback that speaks SMTP and keeps what it gets, so that Django's own client talks to it."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class MailBox:
    """What was delivered to the server at `port`; one that is `full` refuses every recipient,
    another the one that is `refused`."""

    port: int = 0
    full: bool = False
    refused: str = ""
    mails: list[EmailMessage] = field(default_factory=list)


@contextmanager
def mail_server() -> Iterator[MailBox]:
    box = MailBox()

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._reply("220 mail.example.org")
            while line := self.rfile.readline().decode().strip():
                command = line.split(":")[0].split(" ")[0].upper()
                if command == "DATA":
                    self._reply("354 end with a dot")
                    lines = iter(self.rfile.readline, b".\r\n")
                    data = b"".join(line.removeprefix(b".") for line in lines)
                    box.mails.append(message_from_bytes(data, policy=policy.default))
                full = command == "RCPT" and (box.full or (bool(box.refused) and box.refused in line))
                self._reply(
                    "452 the mailbox is full" if full else "221 bye" if command == "QUIT" else "250 ok"
                )
                if command == "QUIT":
                    return

        def _reply(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield box
        server.shutdown()
