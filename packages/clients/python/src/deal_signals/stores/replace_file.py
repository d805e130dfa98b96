from __future__ import annotations

import os


def replace_file(path: str, text: str) -> None:
    """Replaces a small file atomically: readers see the old content or the new one, also after a power failure."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)
    if os.name != "nt":  # Windows cannot open a folder.
        folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
