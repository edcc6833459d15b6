"""Words that do not belong into the repository: paths of one machine, addresses of mirrors, leavings."""

import re

from kit import expect_found, expect_none, main, read, tree_files

# (what, why, files that may). A class of one letter keeps each pattern from finding itself.
RULES = [
    (r"\.\./share[d]\b", "public data is found through BALEEN_DATA", {".ci/run"}),
    (r"(?<![\w.])/(wor[k]|roo[t]|User[s]|builddi[r])/", "a path of one machine", set()),
    (r"/tm[p]/[A-Za-z0-9](?!.*XXXXXX)", "a fixed place under the temporary folder: use mkdtemp or mktemp",
     set()),
    (r"(?<![a-z])(de[b]|securit[y]|cd[n]|mirro[r]s?)[.-][a-z0-9-]+\.[a-z]{2,}\b|npmj[s]\.|pyp[i]\.",
     "the address of a registry or mirror", set()),
    (r"\b(TOD[O]|FIXM[E]|XX[X])\b", "unfinished work is an issue, not a comment", set()),
    (r"\b[Ii]ssue\s+#?\d|(?<![\w&])#\d{1,4}\b(?!\s*define)", "a number of an issue", set()),
    (r"\bski[p]\(\)", "cmocka prints it as a failure: BL_SKIP(reason)",
     {"tests/kit/bl_test.h"}),
    (r"^(<{7}|={7}|>{7})( |$)", "left by a merge", set()),
]


def violations(name, text):
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, why, allowed in RULES:
            if name not in allowed and re.search(pattern, line):
                found.append(f"{name}:{number}: {why}: {line.strip()[:80]}")
    return found


def no_file_holds_a_word_that_does_not_belong():
    names = [name for name in tree_files() if name != "LICENSE"]
    assert len(names) > 20, "the list of files is empty: this test would find nothing"
    expect_none([line for name in names for line in violations(name, read(name))])


def planted_words_are_found():
    for text, why in [("cat ../" + "shared/data", "BALEEN_DATA"),
                      ("open /" + "work/x/y", "machine"), ("'/" + "root/a'", "machine"),
                      ("x = '/" + "tmp/baleen.sock'", "temporary"),
                      ("deb http://" + "deb.debian" + ".org/debian", "mirror"),
                      ("/* TO" + "DO: later */", "unfinished"),
                      ("see is" + "sue 12", "issue"), ("fixes #" + "12", "issue"),
                      ("sk" + "ip();", "BL_SKIP"), ("<" * 7 + " HEAD", "merge")]:
        expect_found(violations("src/x.c", text), why)


def innocent_words_are_not_reported():
    for text in ["{\"workdir\": \"/home/me/run\"}", "#define X 1", "%#010x", "a/work" + "/b",
                 "color #" + "ffaa00", "&#" + "39;", "mkdtemp(\"/tm" + "p/baleen-XXXXXX\")"]:
        expect_none(violations("docs/x.md", text))


def the_data_folder_may_be_named_in_one_place():
    expect_none(violations(".ci/run", "cd ../" + "shared/data"))


main([no_file_holds_a_word_that_does_not_belong,
      planted_words_are_found,
      innocent_words_are_not_reported,
      the_data_folder_may_be_named_in_one_place])
