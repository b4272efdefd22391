"""Django's PostgreSQL backend with a pool that outlives a restart of the server."""
