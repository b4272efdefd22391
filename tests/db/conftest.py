"""Each test has a cache of its own: what is kept of the rows of one test must be gone in the next.

`demo` is the demo library with its three accounts; `enter` opens the room of an exam;
`schools` is two schools and their people, one of whom is in both.
"""

from tests.doubles.caches import cache_of_its_own
from tests.doubles.demo_library import demo, demo_rows
from tests.doubles.rooms import enter
from tests.doubles.schools import schools

__all__ = ["cache_of_its_own", "demo", "demo_rows", "enter", "schools"]
