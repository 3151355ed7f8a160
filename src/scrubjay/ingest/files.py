"""Opens one file: its bytes, and the hash by which its content is known again.

Every way in which opening can fail is told here once, with its cure, so that adding a folder
can go on after a bad file.
"""

from __future__ import annotations

import errno

from scrubjay.errors import ReadError

HASH_BYTES = 16  # 128 bits: two different files of one person will not share it


def load(path: str, max_bytes: int | None = None) -> bytes:
    """The bytes of a file. Raises ReadError when they cannot be had."""
    try:
        with open(path, "rb") as file:
            data = file.read() if max_bytes is None else file.read(max_bytes + 1)
    except IsADirectoryError as problem:
        raise ReadError(f"{path} is a folder", "a file was expected", "add the folder itself") from problem
    except FileNotFoundError as problem:
        raise ReadError(f"{path} does not exist", "it may have been moved meanwhile", "add it again") from problem
    except PermissionError as problem:
        raise ReadError(f"{path} could not be read", "permission denied", "check its permissions") from problem
    except OSError as problem:
        cure = "make it available offline first" if problem.errno == errno.EIO else "check the disk it is on"
        raise ReadError(f"{path} could not be read", problem.strerror or str(problem), cure) from problem
    if max_bytes is not None and len(data) > max_bytes:
        raise ReadError(f"{path} is too large", f"it is over {max_bytes} bytes", "raise ingest.max_file_mb")
    return data


def content_hash(data: bytes) -> str:
    """A short hash of a file's bytes: the same content has the same hash, wherever it is."""
    from hashlib import blake2b

    return blake2b(data, digest_size=HASH_BYTES).hexdigest()
