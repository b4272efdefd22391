"""Everything that runs the house on one machine: the embedded PostgreSQL and Redis, their manager, the child processes
of `make run`, and the command line. Only `bootstrap` and `cli` know Django."""
