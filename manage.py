#!/usr/bin/env python
"""The project's commands. What they need (database, Redis) is started by `heydpe.runtime.cli`."""

import sys

from heydpe.runtime.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv))
