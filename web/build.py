"""Makes the page with npm and says what came of it.

    build.py --out FOLDER --stamp FILE --depfile FILE --option auto|enabled

FOLDER gets the files of the page, `packed` beside it the same as gzip. FILE says in JSON `{"folder",
"packed", "files", "missing"}`: `missing` is null, or why there is no page, which only `auto` accepts: no npm,
or its packages cannot be had. What is wrong in the source fails always. The packages lie in node_modules beside this file, for all build folders.
"""

import argparse
import fcntl
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

WEB = Path(__file__).resolve().parent
INSTALLED = WEB / "node_modules/.baleen-lock.json"
NPM_CI = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=2",
          "--fetch-timeout=60000"]
NOT_INPUT = {"node_modules", "dist", "test"}


class Missing(Exception):
    """Why the page cannot be made on this machine."""


@contextmanager
def alone():
    """Build folders share the packages: one installs at a time."""
    folder = os.open(WEB, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def npm(*words, **more):
    program = shutil.which("npm")
    if not program or not shutil.which("node"):
        raise Missing("npm is not installed")
    return subprocess.run([program, *words], cwd=WEB, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **more)


def install():
    """Puts the packages of package-lock.json in place, unless they are."""
    wanted = (WEB / "package-lock.json").read_bytes()
    with alone():
        if INSTALLED.is_file() and INSTALLED.read_bytes() == wanted:
            return
        done = npm(*NPM_CI)
        if done.returncode:
            raise Missing("npm ci failed: " + (done.stdout.strip() or f"exit status {done.returncode}"))
        INSTALLED.write_bytes(wanted)


def bundle(out):
    done = npm("run", "--silent", "build", env={**os.environ, "BALEEN_WEB_OUT": str(out)})
    if done.returncode:
        sys.exit(f"{done.stdout}\nweb: the page cannot be built (see above)")


def inputs():
    return sorted(path for path in WEB.rglob("*")
                  if path.is_file() and path.relative_to(WEB).parts[0] not in NOT_INPUT)


def escape(path):
    return str(path).replace("\\", "\\\\").replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")


def write_depfile(path, target):
    path.write_text(f"{escape(target)}: " + " ".join(escape(name) for name in inputs()) + "\n")


def make(out):
    """The stamp: what lies in `out` now."""
    try:
        install()
        bundle(out)
    except Missing as why:
        shutil.rmtree(out, ignore_errors=True)
        return {"folder": str(out), "packed": None, "files": [], "missing": str(why)}
    files = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    return {"folder": str(out), "packed": str(out.parent / "packed"), "files": files, "missing": None}


def main():
    parser = argparse.ArgumentParser()
    for name in ("out", "stamp", "depfile"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--option", choices=["auto", "enabled"], required=True)
    asked = parser.parse_args()
    made = make(asked.out.resolve())
    if made["missing"]:
        print(f"web: {made['missing']}\nweb: baleend is built without its page; with npm and its "
              "registry at hand, touch web/package.json and build again", file=sys.stderr)
        if asked.option == "enabled":
            sys.exit(1)
    write_depfile(asked.depfile, asked.stamp)
    asked.stamp.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
