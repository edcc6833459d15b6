"""The closing line of tests/run: nothing that failed, died or ran nothing may go uncounted."""

import json
import tempfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from kit import ROOT, expect_found, expect_none, main


def load_runner():
    loader = SourceFileLoader("runner", str(ROOT / "tests/run"))
    module = module_from_spec(spec_from_loader("runner", loader))
    loader.exec_module(module)
    return module


RUNNER = load_runner()


def counted(stdout, result="OK", returncode=0):
    """The tally after one test program with this output."""
    tally = RUNNER.Tally()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.json"
        log.write_text(json.dumps({"name": "t", "stdout": stdout, "result": result,
                                   "returncode": returncode}) + "\n")
        RUNNER.read_log(log, tally)
    return tally


def figures(tally):
    return tally.passed, len(tally.failed), len(tally.skipped)


def each_line_of_a_test_counts():
    assert figures(counted("1..2\nok 1 - a\nok 2 - b\n")) == (2, 0, 0)
    assert figures(counted("1..2\nok 1 - a\nnot ok 2 - b\n", "FAIL", 1)) == (1, 1, 0)


def a_program_that_dies_after_good_lines_counts_as_failed():
    tally = counted("1..2\nok 1 - a\n", "ERROR", -6)
    assert figures(tally) == (1, 1, 0)
    expect_found(tally.failed, "t:", "error", "-6")


def a_program_that_runs_nothing_counts_as_failed():
    assert figures(counted("", "SKIP", 0)) == (0, 1, 0)


def a_program_past_its_time_counts_as_failed():
    assert figures(counted("1..1\n", "TIMEOUT", -15)) == (0, 1, 0)


def skips_are_counted_with_their_reason():
    tally = counted("1..2\n# skipped: no GPU here\nok 1 - a\nok 2 - b # SKIP no network\n")
    assert figures(tally) == (0, 0, 2)
    expect_found(tally.skipped, "t: a: no GPU here")
    expect_found(tally.skipped, "t: b: no network")
    tally = counted("1..0 # SKIP BALEEN_DATA is not set\n", "SKIP")
    assert figures(tally) == (0, 0, 1)
    expect_found(tally.skipped, "BALEEN_DATA")


def a_skipped_line_that_failed_is_a_failure():
    assert figures(counted("1..1\nnot ok 1 # SKIP a\n", "FAIL", 1)) == (0, 1, 0)


def a_program_without_lines_counts_by_its_exit_status():
    assert figures(counted("hello\n", "OK", 0)) == (1, 0, 0)
    assert figures(counted("hello\n", "FAIL", 1)) == (0, 1, 0)
    assert figures(counted("", "SKIP", 77)) == (0, 0, 1)


def a_run_without_a_log_is_a_failure():
    tally = RUNNER.Tally()
    RUNNER.read_log(Path("no-such-folder/log.json"), tally)
    assert figures(tally) == (0, 1, 0)


def text_that_only_looks_like_a_test_line_is_not_counted():
    expect_none(counted("1..1\nok 1 - a\n# not ok 2 - b\nbook 3 - c\n").failed)
    assert counted("1..1\nok 1 - a\n# ok 2 - b\n").passed == 1


main([each_line_of_a_test_counts,
      a_program_that_dies_after_good_lines_counts_as_failed,
      a_program_that_runs_nothing_counts_as_failed,
      a_program_past_its_time_counts_as_failed,
      skips_are_counted_with_their_reason,
      a_skipped_line_that_failed_is_a_failure,
      a_program_without_lines_counts_by_its_exit_status,
      a_run_without_a_log_is_a_failure,
      text_that_only_looks_like_a_test_line_is_not_counted])
