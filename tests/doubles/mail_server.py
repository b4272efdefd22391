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
    """What was delivered to the server at `port`, what it answers to some recipients: "550 no such mailbox", and
    whether it hangs up without an answer when it has a mail."""

    port: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    hangs_up: bool = False
    connections: int = 0
    mails: list[EmailMessage] = field(default_factory=list)


@contextmanager
def mail_server() -> Iterator[MailBox]:
    box = MailBox()

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            box.connections += 1
            self._reply("220 mail.example.org")
            while line := self.rfile.readline().decode().strip():
                command = line.split(":")[0].split(" ")[0].upper()
                if command == "DATA":
                    self._reply("354 end with a dot")
                    lines = iter(self.rfile.readline, b".\r\n")
                    data = b"".join(line.removeprefix(b".") for line in lines)
                    box.mails.append(message_from_bytes(data, policy=policy.default))
                    if box.hangs_up:
                        return
                refusal = next((said for one, said in box.answers.items() if one in line), "")
                if refusal and command == "RCPT":
                    self._reply(refusal)
                else:
                    self._reply("221 bye" if command == "QUIT" else "250 ok")
                if command == "QUIT" or (command == "RCPT" and refusal.startswith("421")):
                    return

        def _reply(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield box
        server.shutdown()
