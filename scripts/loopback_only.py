"""Bring up the loopback of a new network namespace, and make sure that nothing else can be reached from it.

`ip` may be missing on a small machine; two ioctls do the same.
"""

import errno
import fcntl
import socket
import struct
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
# Two public addresses and one of a private network: none may have a route.
OUTSIDE = ("1.1.1.1", "8.8.8.8", "10.0.0.1")


def bring_up_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | IFF_UP, b""))


def has_route(address: str) -> bool:
    """A datagram socket asks the kernel for a route and sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 53))
        except OSError as error:
            return error.errno != errno.ENETUNREACH
    return True


def main() -> int:
    interfaces = [name for _, name in socket.if_nameindex()]
    bring_up_loopback()
    reachable = [address for address in OUTSIDE if has_route(address)]
    print(f"Network interfaces: {', '.join(interfaces)}; routes out: {', '.join(reachable) or 'none'}")
    return 1 if reachable else 0


if __name__ == "__main__":
    sys.exit(main())
