"""Opens one file: its bytes, and the hash by which its content is known again.

Every way in which opening can fail is told here once, with its cure, so that adding a folder
can go on after a bad file.
"""

from __future__ import annotations

import errno

from scrubjay.errors import ReadError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HASH_BYTES = 16  # 128 bits: two different files of one person will not share it


def load(path: str, head_bytes: int, wanted: Callable[[bytes], bool], max_bytes: int) -> bytes | None:
    """The bytes of a file; None when its first `head_bytes` are not `wanted`. Raises ReadError when they cannot be had.

    A film is seen to be one by its name and its head: most of what lies in a folder is never read whole.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(head_bytes)
            if not wanted(head):
                return None
            data = head + file.read(max_bytes + 1 - len(head))
    except IsADirectoryError as problem:
        raise ReadError(f"{path} is a folder", "a file was expected", "add the folder itself") from problem
    except FileNotFoundError as problem:
        raise ReadError(f"{path} does not exist", "it may have been moved meanwhile", "add it again") from problem
    except PermissionError as problem:
        raise ReadError(f"{path} could not be read", "permission denied", "check its permissions") from problem
    except OSError as problem:
        cure = "make it available offline first" if problem.errno == errno.EIO else "check the disk it is on"
        raise ReadError(f"{path} could not be read", problem.strerror or str(problem), cure) from problem
    if len(data) > max_bytes:
        why = f"it is more than the {max_bytes / 1e6:g} MB allowed, or grew while it was read"
        raise ReadError(f"{path} is too large", why, "raise ingest.max_file_mb")
    return data


def content_hash(data: bytes) -> str:
    """A short hash of a file's bytes: the same content has the same hash, wherever it is."""
    from hashlib import blake2b

    return blake2b(data, digest_size=HASH_BYTES).hexdigest()
