"""The base and core libraries reach nothing outside but memory, strings, maths and sorting.

    test_purity.py COMPILER BASE_ARCHIVE CORE_ARCHIVE
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from kit import expect_found, expect_none, main

ALLOWED = set("""
    malloc calloc realloc free abort __assert_fail
    memcpy memmove memset memcmp memchr
    strlen strnlen strcmp strncmp strchr strrchr strstr strspn strcspn strncat strndup strdup
    strtoll strtoull strtol strtoul strtod __errno_location
    qsort bsearch
    exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt fabs floor ceil trunc round rint nearbyint
    lround llround lrint llrint fmin fmax fmod hypot tanh erf erfc lgamma tgamma ldexp frexp
    nextafter copysign
""".split())

BASE_ONLY = {"vsnprintf", "strerror"}

# What compilers make out of calls that are on the list.
MADE_FROM_OTHERS = {"strcat", "stpcpy", "strcpy"}

# What compilers add on their own: stack protection, wide arithmetic, sanitizers, coverage.
HOOK = re.compile(r"__(asan|ubsan|tsan|sanitizer|llvm|gcov|gcc)_.*|__stack_chk_fail|"
                  r"_GLOBAL_OFFSET_TABLE_|__tls_get_addr|__[a-z]+[sdt]i[234]")
FORTIFIED = re.compile(r"__([a-z]+)_chk")


def symbols(archive, option):
    listed = subprocess.run(["nm", option, "--format=just-symbols", archive], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return {line.strip() for line in listed if line.strip() and not line.rstrip().endswith(":")}


def is_allowed(symbol, allowed):
    if symbol in allowed:
        return True
    fortified = FORTIFIED.fullmatch(symbol)
    if fortified:
        return fortified.group(1) in allowed | MADE_FROM_OTHERS
    return bool(HOOK.fullmatch(symbol))


def outside_symbols(archive, inside, allowed):
    """What the archive needs that neither it, nor `inside`, nor the list has."""
    needed = symbols(archive, "--undefined-only")
    own = symbols(archive, "--defined-only")
    return [f"{Path(archive).name} needs {symbol}" for symbol in sorted(needed - own - inside)
            if not is_allowed(symbol, allowed)]


def base_reaches_nothing_outside_the_list():
    assert symbols(BASE, "--defined-only"), "the base library has no symbols"
    expect_none(outside_symbols(BASE, set(), ALLOWED | BASE_ONLY))


def core_reaches_base_and_the_list_alone():
    assert symbols(CORE, "--defined-only"), "the core library has no symbols"
    expect_none(outside_symbols(CORE, symbols(BASE, "--defined-only"), ALLOWED))


def planted(body):
    """The findings for a core of one function with this body."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "planted.c"
        archive = str(Path(folder) / "libplanted.a")
        source.write_text("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                          "#include <time.h>\n#include <unistd.h>\n"
                          f"long planted(char *text);\nlong planted(char *text)\n{{ {body} }}\n")
        subprocess.run([COMPILER, "-c", "-O0", "-fno-builtin", str(source), "-o",
                        f"{source}.o"], check=True)
        subprocess.run(["ar", "rc", archive, f"{source}.o"], check=True)
        return outside_symbols(archive, set(), ALLOWED)


def a_planted_way_out_is_found():
    for symbol, body in [("time", "return time(0) + *text;"),
                         ("getenv", "return getenv(text) != 0;"),
                         ("puts", "return puts(text);"),
                         ("write", "return write(1, text, 1);"),
                         ("vsnprintf", "__builtin_va_list no = {0}; return vsnprintf(text, 1, text, no);")]:
        expect_found(planted(body), f"needs {symbol}")


def memory_and_strings_are_not_reported():
    expect_none(planted("free(text); return strlen(text) + (malloc(1) != 0);"))


COMPILER, BASE, CORE = sys.argv[1:4]

main([base_reaches_nothing_outside_the_list,
      core_reaches_base_and_the_list_alone,
      a_planted_way_out_is_found,
      memory_and_strings_are_not_reported])
