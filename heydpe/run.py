"""`make run`: start the whole system on this machine. Run as `python -m heydpe.run [--with-parent]`."""

import sys

from .runtime.runner import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
