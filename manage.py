#!/usr/bin/env python
"""The project's commands. What they need (database, Redis) is started by `heydpe.cli`."""

import sys

from heydpe.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv))
