"""The numbers of the embedded services, each with its unit and reason. Pure."""

# A Unix socket's path has room for 107 bytes on Linux; PostgreSQL's own is the longest we make.
SOCKET_PATH_LIMIT_BYTES = 107
POSTGRES_PORT = 5432  # only part of the socket's name: nothing listens on TCP
POSTGRES_MAJOR = 18

# Below this PostgreSQL's write-ahead log and one ingested handbook no longer fit.
FREE_DISK_LEAST_MB = 500

# Recovery after a kill replays at most max_wal_size; on a slow disk that takes minutes, not hours.
START_LIMIT_SECONDS = 300.0
STOP_LIMIT_SECONDS = 60.0
# How often the service manager looks at its servers and users: one small directory listing.
TICK_SECONDS = 0.1
READY_POLL_SECONDS = 0.03
# Longer waits than this are explained on the terminal.
PATIENCE_SECONDS = 2.0

# Restarting does not help a server that dies more often than this.
RESTARTS_MOST = 5
RESTART_WINDOW_SECONDS = 60.0

LOG_LIMIT_BYTES = 10 * 1024 * 1024

# PostgreSQL's shared_buffers; it takes no more than it has read. An index over 100,000 vectors has 205 MB, over a
# million 2 GB, and following one that is read piece by piece from files takes twice as long.
SHARED_MEMORY_SHARE = 8  # one part in so many of the machine's memory
SHARED_MEMORY_LEAST_MB, SHARED_MEMORY_MOST_MB = 256, 4096

POSTGRES_SETTINGS = {
    "maintenance_work_mem": "256MB",  # an HNSW index that does not fit is built ten times slower
    "max_wal_size": "2GB",  # loading a handbook without a checkpoint in its middle
    "max_connections": "200",  # a pool of 40 each for web, two workers and commands, with room
    "work_mem": "16MB",
    "random_page_cost": "1.1",  # no disk turns: a row by its index costs hardly more than the next one
    "log_line_prefix": "%m [%p] ",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
# For throwaway data (tests): a crash may lose it, so nothing waits for the disk.
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": f"{SHARED_MEMORY_LEAST_MB}MB",
}
