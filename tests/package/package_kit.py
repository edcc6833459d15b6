"""What the tests of installed trees share."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/e2e"))
from kit import PATIENCE  # noqa: E402  pylint: disable=wrong-import-position

BUILD = Path(os.environ["BALEEN_BUILD"])


def run(*words, **more):
    return subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=PATIENCE * 5,
                          check=False, **more)


def ok(*words, **more):
    """What a command that must succeed has said."""
    done = run(*words, **more)
    assert done.returncode == 0, f"{words}: exit {done.returncode}: {done.stdout[-4000:]}"
    return done.stdout


def temporary():
    folder = tempfile.TemporaryDirectory(prefix="baleen-package-")
    os.chmod(folder.name, 0o755)
    return folder


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*")
                  if not path.is_dir())


def unit_lines(text):
    """The settings of a systemd unit."""
    return dict(line.split("=", 1) for line in text.splitlines()
                if "=" in line and not line.startswith("#"))
