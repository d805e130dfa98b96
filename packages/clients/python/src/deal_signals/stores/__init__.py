"""Where a consumer keeps what it reads: rows and cursors, in memory, in files or in SQLite."""
