#!/usr/bin/env python3
"""What each option leaves out of the build, and that all else is still there.

Meson configures into a folder of its own; compiled is nothing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from kit import ROOT, main  # noqa: E402

PROGRAMS = {"baleen", "baleend", "baleen-sim", "baleen-supervisor"}
MESON = os.environ.get("MESON") or shutil.which("meson")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def introspect(folder, what):
    return json.loads(run(MESON, "introspect", folder, f"--{what}"))


def configured(folder, *options):
    """What is built by itself, by name, what is installed of it, and the names of the suites."""
    run(MESON, "setup", folder, str(ROOT), *options)
    built = [target for target in introspect(folder, "targets") if target["build_by_default"]]
    suites = {suite.rpartition(":")[2] for test in introspect(folder, "tests")
              for suite in test["suite"]}
    return {target["name"] for target in built}, \
        {target["name"] for target in built if target["installed"]}, suites


def without_a_page_the_programs_are_built_with_an_empty_table():
    with tempfile.TemporaryDirectory() as folder:
        built, installed, suites = configured(folder, "-Dweb=disabled", "-Dtests=enabled")
        assert PROGRAMS <= installed, f"not installed: {PROGRAMS - installed}"
        assert "web_page" not in built, "the page is built although it was disabled"
        assert "web" not in suites and {"unit", "e2e", "arch"} <= suites, suites
        run("ninja", "-C", folder, "src/daemon/page_assets.c")
        table = (Path(folder) / "src/daemon/page_assets.c").read_text(encoding="utf-8")
        assert "bl_page_assets" in table, table
        assert not re.search(r"index\.html|\.js\b", table), "a page came from somewhere"


def without_tests_the_programs_and_the_page_are_built_alone():
    with tempfile.TemporaryDirectory() as folder:
        built, installed, suites = configured(folder, "-Dtests=disabled")
        assert PROGRAMS <= installed, f"not installed: {PROGRAMS - installed}"
        assert "web_page" in built, "the page is not built although nobody disabled it"
        assert not suites, f"there are tests: {suites}"
        assert not any(name.startswith(("test_", "kit_")) for name in built), built


CLAIMS = [without_a_page_the_programs_are_built_with_an_empty_table,
          without_tests_the_programs_and_the_page_are_built_alone]

if not (MESON and shutil.which("ninja")):
    print("1..0 # SKIP meson or ninja is not on the path")
    sys.exit(0)
main(CLAIMS)
