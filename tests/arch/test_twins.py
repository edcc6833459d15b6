"""Every source file has its unit test, and every word of a word list its file and test."""

import re

from kit import expect_found, expect_none, main, read, tree_files

# Source folder -> the module its tests stand under.
TESTED = {
    "src/base": "base",
    "src/core": "core",
    "src/core/policy": "policy",
    "src/core/predictor": "predictor",
    "src/form": "form",
    "src/calendar": "calendar",
    "src/os": "os",
    "src/store": "store",
    "src/engine": "engine",
    "src/notify": "notify",
}

# Source files that have no unit test of their own, each with what tests them instead.
EXCEPTIONS = {}

WORD_LISTS = {
    "src/core/policy/meson.build": ("policies", "src/core/policy/{}.c"),
    "src/core/predictor/meson.build": ("predictors", "src/core/predictor/{}.c"),
    "src/engine/meson.build": ("engines", "src/engine/{}.c"),
    "src/notify/meson.build": ("channels", "src/notify/{}.c"),
}


# Modules whose tests are built from the word list itself.
BUILT_FROM_WORDS = {"policy": "policies", "predictor": "predictors", "engine": "engines",
                    "notify": "channels"}


def is_built(word, module, listing):
    words = BUILT_FROM_WORDS.get(module)
    if words and re.search(rf"foreach \w+ : {words}\b", listing):
        return True
    return re.search(rf"'(test_)?{re.escape(word)}(\.c)?'", listing) is not None


def missing_tests(files, listings):
    """Sources without a test; `listings` is module -> text of its tests' meson.build."""
    present = set(files)
    found = []
    for name in files:
        folder, _, leaf = name.rpartition("/")
        if not leaf.endswith(".c") or folder not in TESTED or name in EXCEPTIONS:
            continue
        module = TESTED[folder]
        test = f"tests/unit/{module}/test_{leaf}"
        if test not in present:
            found.append(f"{name}: there is no {test}")
        elif not is_built(leaf[:-2], module, listings.get(module, "")):
            found.append(f"{name}: {test} is not built: tests/unit/{module}/meson.build lacks it")
    return found


def words_of(text, variable):
    """The words of `variable = ['a', 'b']`; None when there is no such list."""
    match = re.search(rf"^{variable}\s*=\s*\[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"'([^']+)'", match.group(1)) if match else None


def broken_words(place, text, variable, pattern, files):
    """Words without a file, words out of two, and files of a pure plug-in folder without a word."""
    words = words_of(text, variable)
    if words is None:
        return [f"{place}: there is no list '{variable}'"]
    found = [f"{place}: '{word}' stands twice" for word in set(words) if words.count(word) > 1]
    found += [f"{place}: '{word}' has no {pattern.format(word)}" for word in words
              if pattern.format(word) not in files]
    folder = pattern.rpartition("/")[0]
    if folder.startswith("src/core/"):
        found += [f"{name}: its word is missing in {place}" for name in files
                  if name.startswith(f"{folder}/") and name.endswith(".c")
                  and name.rpartition("/")[2][:-2] not in words]
    return found


def every_source_file_has_a_unit_test_that_is_built():
    files = tree_files()
    listings = {module: read(f"tests/unit/{module}/meson.build") for module in TESTED.values()
                if f"tests/unit/{module}/meson.build" in files}
    expect_none(missing_tests(files, listings))


def every_exception_still_names_a_file_without_a_test():
    files = set(tree_files())
    expect_none([name for name in EXCEPTIONS if name not in files])


def every_word_of_a_word_list_has_its_file():
    files = tree_files()
    expect_none([line for place, (variable, pattern) in WORD_LISTS.items() if place in files
                 for line in broken_words(place, read(place), variable, pattern, files)])


def a_planted_source_without_a_test_is_found():
    expect_found(missing_tests(["src/core/new.c"], {"core": "foreach name : ['job']"}), "new.c")
    expect_found(missing_tests(["src/core/policy/new.c"], {}), "tests/unit/policy/test_new.c")
    expect_found(missing_tests(["src/core/new.c", "tests/unit/core/test_new.c"],
                               {"core": "foreach name : ['job']"}), "not built")
    expect_none(missing_tests(["src/core/new.c", "tests/unit/core/test_new.c"],
                              {"core": "foreach name : ['new']"}))
    expect_none(missing_tests(["src/core/policy/new.c", "tests/unit/policy/test_new.c"],
                              {"policy": "foreach name : policies"}))


def a_planted_word_without_a_file_is_found():
    pattern = "src/core/policy/{}.c"
    expect_found(broken_words("p", "policies = ['a', 'b']", "policies", pattern,
                              ["src/core/policy/a.c"]), "'b'")
    expect_found(broken_words("p", "policies = ['a']", "policies", pattern,
                              ["src/core/policy/a.c", "src/core/policy/b.c"]), "b.c")
    expect_found(broken_words("p", "policies = ['a', 'a']", "policies", pattern,
                              ["src/core/policy/a.c"]), "twice")
    expect_found(broken_words("p", "", "policies", pattern, []), "no list")


main([every_source_file_has_a_unit_test_that_is_built,
      every_exception_still_names_a_file_without_a_test,
      every_word_of_a_word_list_has_its_file,
      a_planted_source_without_a_test_is_found,
      a_planted_word_without_a_file_is_found])
