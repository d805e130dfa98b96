"""Stores for rows and cursors: in memory, in files or in SQLite."""
