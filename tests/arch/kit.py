"""What the tests of the tree's shape share: the list of files, C without its comments, TAP."""

import re
import subprocess
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = re.compile(r"(^|/)(build[^/]*|\.git|__pycache__|\.run)/")


def tree_files(root=ROOT):
    """Paths of the repository's files, relative to its root."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root,
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(name for name in listed.stdout.splitlines() if (root / name).is_file())
    found = (str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    return sorted(name for name in found if not BUILT.search(name))


def read(name, root=ROOT):
    """A file's text; empty for one that is not text."""
    data = (root / name).read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", errors="replace")


def without_comments_and_strings(text):
    """C with comments and the insides of literals blanked; line breaks stay where they are."""
    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] + re.sub(r"[^\n]", " ", found[1:-1]) + found[0]
        return re.sub(r"[^\n]", " ", found)

    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text,
                  flags=re.DOTALL)


def expect_none(found):
    """Fails with one line per finding."""
    assert not found, "\n".join(str(line) for line in found)


def expect_found(found, *words):
    """A planted violation must be named: one finding that holds all the words."""
    assert any(all(word in line for word in words) for line in found), \
        f"the planted violation ({', '.join(words)}) is not among {found}"


def main(claims):
    """Runs the functions whose names are claims and prints TAP."""
    failed = 0
    print(f"1..{len(claims)}")
    for number, claim in enumerate(claims, 1):
        try:
            claim()
            print(f"ok {number} - {claim.__name__}")
        except AssertionError as why:
            failed += 1
            print(f"not ok {number} - {claim.__name__}")
            print("\n".join(f"# {line}" for line in str(why).splitlines()))
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {claim.__name__}")
            print("\n".join(f"# {line}" for line in traceback.format_exc().splitlines()))
    sys.exit(1 if failed else 0)
