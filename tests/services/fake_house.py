"""A house of fake children: `python -m tests.services.fake_house DATA_DIR PAUSE` runs until a signal comes.

Each child writes its name and how it ended into `ended` there, and leaves a grandchild behind. A signal that whoever
started the tests ignores is heard here all the same, unless `--as-started` follows.
"""

import signal
import sys
from pathlib import Path

from heydpe.runtime.embedded import embedded_for
from heydpe.runtime.runner import StopSignals, held_services, keep_running, say
from heydpe.runtime.supervisor import ChildSpec, Supervisor

CHILD = """
import signal, subprocess, sys, time
name, folder, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])
def end(number, frame):
    time.sleep(pause)
    with open(folder + "/ended", "a") as file:
        file.write(name + " " + signal.Signals(number).name + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
subprocess.Popen(["sleep", "1000"])
with open(folder + "/started", "a") as file:
    file.write(name + "\\n")
while True:
    time.sleep(0.05)
"""


def child(name: str, data_dir: Path, pause: float = 0.0) -> ChildSpec:
    arguments = (sys.executable, "-c", CHILD, name, str(data_dir), str(pause))
    return ChildSpec(name=name, arguments=arguments, stop_seconds=30.0)


def main(data_dir: Path, pause: float) -> None:
    signals = StopSignals()
    embedded = embedded_for({"HEYDPE_DATA_DIR": str(data_dir)})
    with held_services(embedded) as held:
        specs = [child("worker", data_dir, pause), child("beat", data_dir), child("web", data_dir)]
        supervisor = Supervisor(specs, data_dir / "log", data_dir, {}, say, signals.is_hurried)
        keep_running(supervisor, held, signals, lambda: say("up"))


def hear_all() -> None:
    """What is ignored is so for all descendants: of tests run under nohup, too."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


if __name__ == "__main__":
    if "--as-started" not in sys.argv:
        hear_all()
    main(Path(sys.argv[1]), float(sys.argv[2]))
