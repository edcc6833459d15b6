"""Sizes of files and functions, and functions of the C library that nobody calls."""

import re

from kit import (expect_found, expect_none, main, read, tree_files,
                 without_comments_and_strings)

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 6

# Functions whose parameters another library dictates: name -> whose.
DICTATED = {"on_request": "libmicrohttpd calls it"}

BANNED = re.compile(r"(?<![\w.>])(strcpy|strcat|v?sprintf|strtok|gets|ato[ifl]|atoll|localtime|gmtime|"
                    r"rand|srand|system|popen|qsort)\s*\(")
WRAPPED = {"qsort": "src/base/sort.h"}  # functions that one place may call, for all others
HEAD = re.compile(r"([A-Za-z_]\w*)\s*\(")
TEXT = re.compile(r"\.(c|h|in|py|sh|build|m?js|tsx?|css)$|^(Makefile|tests/run|tests/lint)$")


def is_c(name):
    return re.search(r"\.[ch](\.in)?$", name) is not None


def banned_calls(name, text):
    code = without_comments_and_strings(text)
    return [f"{name}:{code.count(chr(10), 0, match.start()) + 1}: {match.group(1)} is banned"
            for match in BANNED.finditer(code) if WRAPPED.get(match.group(1)) != name]


def long_files(name, text):
    lines = text.count("\n")
    return [f"{name}: {lines} lines, at most {FILE_LINES_MAX}"] if lines > FILE_LINES_MAX else []


def count_parameters(head):
    """Parameters of the function whose name and list stand in `head`."""
    match = HEAD.search(head)
    depth = count = 0
    for char in head[match.end() - 1:] if match else "":
        if char == "(":
            depth += 1
            count = count or 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                break
        elif char == "," and depth == 1:
            count += 1
    return match.group(1) if match else "?", count


def functions(text):
    """(line, head, body lines) of each function; the layout puts its braces in column one."""
    lines = without_comments_and_strings(text).split("\n")
    for at, line in enumerate(lines):
        if line.rstrip() != "{":
            continue
        first = at
        while first > 0 and lines[first - 1].strip() and not re.match(r"[#}]", lines[first - 1]):
            first -= 1
        end = next((i for i in range(at, len(lines)) if lines[i].startswith("}")), len(lines))
        yield first + 1, " ".join(lines[first:at]), end - at - 1


# A function or method of TypeScript, as the page lays them out: its brace ends the line.
TS_HEAD = re.compile(r"(?P<indent>\s*)(?:(?:export|default|async|private|static|override) )*"
                     r"(?:function )?(?P<head>(?!if\b|for\b|while\b|switch\b|catch\b|return\b|super\b)"
                     r"[A-Za-z_]\w*(?:<[^()]*>)?\(.*)\{$")


def ts_functions(text):
    """(line, head, body lines) of each function of TypeScript that ends with a brace of its indent."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        match = TS_HEAD.match(line)
        if not match:
            continue
        close = match.group("indent") + "}"
        end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith(close)), len(lines))
        # the names in a pattern {a, b} and the types in a type {…} are one parameter
        yield at + 1, re.sub(r"\{[^{}]*\}", "", match.group("head")), end - at - 1


def large_functions(name, text):
    found = []
    for line, head, length in functions(text) if is_c(name) else ts_functions(text):
        function, parameters = count_parameters(head)
        if length > FUNCTION_LINES_MAX:
            found.append(f"{name}:{line}: {function} has {length} lines, at most "
                         f"{FUNCTION_LINES_MAX}")
        if parameters > PARAMETERS_MAX and function not in DICTATED:
            found.append(f"{name}:{line}: {function} takes {parameters} parameters, at most "
                         f"{PARAMETERS_MAX}")
    return found


def over_all(check, chosen):
    names = [name for name in tree_files() if chosen(name)]
    assert len(names) > 20, "the list of files is empty: this test would find nothing"
    return [line for name in names for line in check(name, read(name))]


def no_file_is_longer_than_800_lines():
    expect_none(over_all(long_files, TEXT.search))


def no_function_is_longer_than_60_lines_or_takes_more_than_six_parameters():
    expect_none(over_all(large_functions, is_c))
    expect_none(over_all(large_functions, lambda name: re.match(r"web/src/.*\.tsx?$", name)))


def no_banned_function_is_called():
    expect_none(over_all(banned_calls, is_c))


def a_planted_banned_call_is_found_but_not_in_words():
    expect_found(banned_calls("x.c", "int f(char *t)\n{\n    return atoi(t);\n}\n"), "x.c:3", "atoi")
    expect_found(banned_calls("x.c", "    (void)system (t);\n"), "system")
    expect_found(banned_calls("x.c", "    qsort(t, n, 1, f);\n"), "qsort")
    expect_none(banned_calls("x.c", '/* atoi(t) */ puts("system(1)"); bl_rand(1); x.gets(2);\n'))


def a_planted_long_function_is_found():
    body = "    work();\n" * 61
    expect_found(large_functions("x.c", f"static int f(int a)\n{{\n{body}}}\n"), "x.c:1", "f has 61")
    body = "    work();\n" * 60
    expect_none(large_functions("x.c", f"static int f(int a)\n{{\n{body}}}\n"))


def a_planted_long_function_of_the_page_is_found():
    for head, close in [("export function f(a: number): void {", "}"), ("  private async f(a: number) {", "  }")]:
        expect_found(large_functions("x.ts", f"{head}\n" + "    work();\n" * 61 + f"{close}\n"),
                     "x.ts:1", "f has 61")
        expect_none(large_functions("x.ts", f"{head}\n" + "    work();\n" * 60 + f"{close}\n"))
    expect_none(large_functions("x.ts", "  if (a(b)) {\n" + "    work();\n" * 70 + "  }\n"))


def a_planted_seventh_parameter_is_found():
    head = "int f(int a, int b, int c,\n      int d, void (*e)(int, int), int g{})\n{{\n}}\n"
    expect_found(large_functions("x.c", head.format(", int h")), "takes 7")
    expect_none(large_functions("x.c", head.format("")))


def a_planted_long_file_is_found():
    expect_found(long_files("x.c", "\n" * 801), "801")
    expect_none(long_files("x.c", "\n" * 800))


main([no_file_is_longer_than_800_lines,
      no_function_is_longer_than_60_lines_or_takes_more_than_six_parameters,
      no_banned_function_is_called,
      a_planted_banned_call_is_found_but_not_in_words,
      a_planted_long_function_is_found,
      a_planted_long_function_of_the_page_is_found,
      a_planted_seventh_parameter_is_found,
      a_planted_long_file_is_found])
