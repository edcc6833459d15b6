"""What the replay tests share: running baleen-sim, reading what it writes, TAP."""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

SIM = sys.argv[1]
DATA = os.environ.get("BALEEN_DATA")
NO_DATA = "BALEEN_DATA names no folder of public logs"


class Skip(Exception):
    """Raised with what the machine lacks."""


def data(name):
    """The path of a public file."""
    path = Path(DATA, name) if DATA else None
    if not path or not path.exists():
        raise Skip(NO_DATA if not DATA else f"{name} is not in BALEEN_DATA")
    return str(path)


def sim(*words, stdin=""):
    """Runs the simulator; answers its exit status, output and errors."""
    done = subprocess.run([SIM, *map(str, words)], input=stdin, capture_output=True, text=True,
                          check=False, timeout=600)
    return done.returncode, done.stdout, done.stderr


def figures(*words, stdin=""):
    """The object, or list of objects, of a run that must succeed."""
    code, out, errors = sim(*words, "--json", stdin=stdin)
    assert code == 0, f"exit {code}: {errors}"
    return json.loads(out)


def waits(*words):
    """Start − submit of each job, by id, and the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "waits.csv")
        found = figures(*words, "--waits", path)
        with open(path, encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            return {int(row["id"]): float(row["start"]) - float(row["submit"])
                    for row in rows}, found


def published(name, column):
    """A column of a reference schedule, by job id."""
    with gzip.open(data(name), "rt", encoding="utf-8", newline="") as file:
        return {int(row["job_id"]): float(row[column]) for row in csv.DictReader(file)}


def main(claims):
    """Runs (name, function) pairs and prints TAP."""
    failed = 0
    print(f"1..{len(claims)}")
    for number, (name, claim) in enumerate(claims, 1):
        try:
            claim()
            print(f"ok {number} - {name}", flush=True)
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
        except Exception as why:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}", flush=True)
            text = str(why) if isinstance(why, AssertionError) else traceback.format_exc()
            print("\n".join(f"# {line}" for line in text.splitlines()), flush=True)
    sys.exit(1 if failed else 0)
