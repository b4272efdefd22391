"""A program for `knowledge.ingestion.forking` that is killed while it is loaded."""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
