"""Who sees whom: each #include "folder/..." of src against one table."""

import re

from kit import expect_found, expect_none, main, read, tree_files

SEES = {
    "base": "",
    "core": "base",
    "form": "base core",
    "os": "base",
    "calendar": "base core form os",
    "store": "base core form os",
    "engine": "base core form os",
    "notify": "base core form os",
    "daemon": "base core form os calendar store engine notify",
    "sim": "base core form os calendar store engine/engine engine/sim",
    "supervisor": "base os",
    "cli": "base form os calendar",
}

QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SYSTEM = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)

# Folders of pure code, and system headers that would open a way out of it.
PURE = ("base", "core", "form")
IMPURE = re.compile(r"(unistd|pthread|threads|time|signal|fcntl|sys/.*|netinet/.*|poll)\.h")


def may_see(folder, included):
    seen = [folder, *SEES[folder].split()]
    return any(included.startswith(f"{one}/") or included == f"{one}.h" for one in seen)


def violations(name, text):
    """What a file of src includes and must not."""
    folder = name.split("/")[1]
    if folder not in SEES:
        return [f"{name}: the folder {folder} is not in the table of who sees whom"]
    found = [f"{name}: includes {header}, which {folder} does not see"
             for header in QUOTED.findall(text) if not may_see(folder, header)]
    for header in SYSTEM.findall(text):
        if folder == "core" and header == "stdio.h":
            found.append(f"{name}: core includes no <stdio.h>: text is made in form")
        if folder in PURE and IMPURE.fullmatch(header):
            found.append(f"{name}: {folder} is pure and includes <{header}>")
    return found


def code_files():
    return [name for name in tree_files()
            if re.fullmatch(r"src/[^/]+/.*\.(c|h|in)", name)]


def every_include_of_src_is_one_its_folder_sees():
    assert len(code_files()) > 20, "the list of files is empty: this test would find nothing"
    expect_none([line for name in code_files() for line in violations(name, read(name))])


def a_planted_include_against_the_table_is_found():
    for folder, header in [("base", "core/job.h"), ("core", "form/tree.h"), ("form", "os/fs.h"),
                           ("os", "core/core.h"), ("store", "engine/engine.h"),
                           ("sim", "engine/local.h"), ("cli", "core/job.h"),
                           ("supervisor", "form/launch.h"), ("daemon", "sim/report.h"),
                           ("core", "../os/fs.h"), ("core", "core_private/x.h")]:
        expect_found(violations(f"src/{folder}/x.c", f'#include "{header}"\n'), header)


def what_the_table_allows_is_not_reported():
    for folder, header in [("core", "core/policy/x.h"), ("sim", "engine/sim.h"),
                           ("sim", "engine/engine.h"), ("daemon", "store/journal.h")]:
        expect_none(violations(f"src/{folder}/x.c", f'#include "{header}"\n'))


def a_planted_system_header_in_pure_code_is_found():
    expect_found(violations("src/core/x.c", "#include <stdio.h>\n"), "stdio.h")
    expect_found(violations("src/core/policy/x.c", "# include <time.h>\n"), "time.h")
    expect_found(violations("src/form/x.c", "#include <sys/stat.h>\n"), "sys/stat.h")
    expect_none(violations("src/base/x.c", "#include <stdio.h>\n#include <string.h>\n"))


def a_planted_folder_without_a_row_is_found():
    expect_found(violations("src/misc/x.c", ""), "misc")


main([every_include_of_src_is_one_its_folder_sees,
      a_planted_include_against_the_table_is_found,
      what_the_table_allows_is_not_reported,
      a_planted_system_header_in_pure_code_is_found,
      a_planted_folder_without_a_row_is_found])
