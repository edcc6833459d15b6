"""clang-format decides the layout of every C file."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from kit import ROOT, expect_found, expect_none, main, tree_files


def misplaced(paths):
    """Places that clang-format would change."""
    done = subprocess.run(["clang-format", "--dry-run", "--style=file", *paths], cwd=ROOT,
                          capture_output=True, text=True, check=True)
    return [line for line in done.stderr.splitlines() if "warning:" in line]


def every_c_file_is_laid_out_as_clang_format_would():
    files = [name for name in tree_files() if name.endswith((".c", ".h"))]
    assert len(files) > 20, "the list of files is empty: this test would find nothing"
    expect_none(misplaced(files))


def a_planted_brace_is_found():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / ".clang-format", folder)
        planted = Path(folder) / "planted.c"
        planted.write_text("int f(void) {\n  return 1; }\n")
        expect_found(misplaced([str(planted)]), "planted.c")


if not shutil.which("clang-format"):
    print("1..0 # SKIP clang-format is not installed")
    sys.exit(0)

main([every_c_file_is_laid_out_as_clang_format_would,
      a_planted_brace_is_found])
