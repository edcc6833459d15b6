"""Runs a test of the page where there is a browser, the page, and what drives it.

    run.py STAMP NAME      STAMP: web/page.json of the build folder

The packages that the tests need are fetched once, into node_modules beside this file."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FETCHED = HERE / "node_modules/.fetched.json"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def fetch():
    """What package-lock.json names, unless it is there; why not, or None."""
    wanted = (HERE / "package-lock.json").read_bytes()
    held = os.open(HERE, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        if FETCHED.is_file() and FETCHED.read_bytes() == wanted:
            return None
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=HERE,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            lines = done.stdout.strip().splitlines() or ["no reason given"]
            return f"npm ci failed: {lines[0]}"
        FETCHED.write_bytes(wanted)
        return None
    finally:
        os.close(held)


def main():
    missing = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["missing"]
    browser = os.environ.get("BALEEN_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if missing:
        skip(f"this build has no page: {missing.splitlines()[0]}")
    if not browser:
        skip("there is no Chromium")
    if not shutil.which("node") or not shutil.which("npm"):
        skip("node and npm are missing")
    failure = fetch()
    if failure:
        skip(failure)
    os.environ["BALEEN_CHROMIUM"] = browser
    os.execvp("node", ["node", str(HERE / f"{sys.argv[2]}.mjs")])


main()
