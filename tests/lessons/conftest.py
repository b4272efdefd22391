"""Each test has a cache of its own: what is kept of the rows of one test must be gone in the next."""

from tests.doubles.caches import cache_of_its_own

__all__ = ["cache_of_its_own"]
