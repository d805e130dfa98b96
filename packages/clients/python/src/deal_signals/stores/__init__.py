"""Stores of a consumer: its rows and cursors, in memory, in files or in SQLite."""
