"""The simulator as a program: what it prints, writes, refuses, and with which exit status."""

import gzip
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from kit import SIM, data, figures, main, sim

SWF = ("; MaxProcs: 4\n"
       "1 0 -1 100 3 -1 -1 3 200 -1 1 1 -1 -1 -1 -1 -1 -1\n"
       "2 10 -1 50 2 -1 -1 2 60 -1 1 2 -1 -1 -1 -1 -1 -1\n"
       "3 20 -1 5 1 -1 -1 1 90 -1 1 1 -1 -1 -1 -1 -1 -1\n")
CLUSTER = ("nodes:\n"
           "  - {name: node-a, gpus: {type: A100, count: 8}}\n"
           "  - {name: node-b, gpus: {type: V100, count: 4}}\n")
JOBS = ("jobs:\n"
        "  prep: {submit: 0, work: 1m, resources: {gpus: 0, cpus: 4}}\n"
        "  train: {submit: 0, work: 1h, resources: {gpus: 8, nodes: 1}, after: [prep:ok]}\n"
        "  never: {submit: 10s, work: 1h, resources: {gpus: 1}, after: [prep:fail]}\n")


class Files:
    """A folder with files in it, gone at the end."""

    def __init__(self, **texts):
        self.texts = texts

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in self.texts.items():
            content = text if isinstance(text, bytes) else text.encode()
            self.path(name).write_bytes(content)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def path(self, name):
        return Path(self.folder.name, name)


def a_log_is_replayed_from_a_file_compressed_or_not_and_from_standard_input():
    with Files(plain=SWF, packed=gzip.compress(SWF.encode())) as files:
        rows = [figures("--trace", files.path("plain")), figures("--trace", files.path("packed")),
                figures("--trace", "-", stdin=SWF)]
    for row in rows:
        assert row["done"] == 3 and row["makespan_s"] == 150, row
        assert row["policy"] == "easy", row


def several_policies_are_several_rows():
    with Files(log=SWF) as files:
        rows = figures("--trace", files.path("log"), "--policy", "fifo", "--policy",
                       "easy:order=shortest")
        code, table, _ = sim("--trace", files.path("log"), "--policy", "fifo", "--policy", "easy")
    assert [row["policy"] for row in rows] == ["fifo", "easy:order=shortest"], rows
    assert [row["max_wait_s"] for row in rows] == [90, 90], rows
    assert code == 0 and len(table.splitlines()) == 3, table


def waits_and_log_are_written():
    with Files(log=SWF) as files:
        code, _, errors = sim("--trace", files.path("log"), "--policy", "easy", "--waits",
                              files.path("waits"), "--log", files.path("events"))
        waits = files.path("waits").read_text()
        events = [json.loads(line) for line in files.path("events").read_text().splitlines()]
    assert code == 0, errors
    assert waits == "id,submit,start,end\n3,20,20,25\n1,0,0,100\n2,10,100,150\n", waits
    starts = [event["job"] for event in events if event.get("action") == "start"]
    assert starts == [1, 3, 2], starts
    assert events[0]["event"] == "policy_set", events[0]


def a_pipeline_runs_in_its_order_and_what_cannot_run_is_cancelled():
    with Files(cluster=CLUSTER, jobs=JOBS) as files:
        code, _, errors = sim("--cluster", files.path("cluster"), "--trace", files.path("jobs"),
                              "--waits", files.path("waits"))
        row = figures("--cluster", files.path("cluster"), "--trace", files.path("jobs"))
        waits = files.path("waits").read_text()
    assert code == 0, errors
    assert waits == "id,submit,start,end\n1,0,0,60\n2,0,60,3660\n", waits
    assert (row["jobs"], row["done"]) == (3, 2), row


def verbose_tells_a_story_on_standard_error():
    with Files(log=SWF) as files:
        code, out, errors = sim("--trace", files.path("log"), "--json", "--verbose")
    assert code == 0 and json.loads(out)["done"] == 3, out
    assert "starts job 3, 1 GPU on slots: " in errors, errors


def a_bound_is_below_every_policy_and_shared_by_all():
    empty = "submit_s,run_s,gpus\n"
    with Files(log=SWF, empty=empty) as files:
        rows = figures("--trace", files.path("log"), "--bound", "--policy", "fifo", "--policy",
                       "easy")
        none = figures("--trace", files.path("empty"), "--slots", "4", "--bound")
        without = figures("--trace", files.path("log"))
    for row in rows:
        assert 51.6 < row["bound_avg_jct_s"] <= row["avg_jct_s"], row
    assert rows[0]["bound_avg_jct_s"] == rows[1]["bound_avg_jct_s"], rows
    assert none["bound_avg_jct_s"] is None and "bound_avg_jct_s" not in without, none


def the_bound_of_a_public_log_is_below_every_policy():
    words = [word for name in ("fifo", "easy", "easy:order=shortest", "conservative", "sjf", "pack")
             for word in ("--policy", name)]
    rows = figures("--trace", data("traces/swf/KTH-SP2.sc15.swf.gz"), "--bound", *words)
    for row in rows:
        assert 4216 < row["bound_avg_jct_s"] < row["avg_jct_s"], row


def whale_takes_the_best_course_of_the_small_example():
    found = figures("--cluster", data("seed/cluster.yaml"), "--trace", data("seed/jobs.yaml"),
                    "--policy", "whale", "--bound")
    assert found["done"] == 4 and abs(found["avg_jct_s"] / 3600 - 8.511) < 0.001, found
    assert found["bound_avg_jct_s"] <= found["avg_jct_s"], found


def lists_and_help_are_printed():
    for word, expected in [("--help", "baleen sim --trace"), ("--list-policies", "order=fcfs"),
                           ("--list-formats", "swf: "), ("--version", "baleen-sim ")]:
        code, out, errors = sim(word)
        assert code == 0 and expected in out and not errors, (word, code, out, errors)


def mistakes_in_usage_exit_with_2():
    for words in [[], ["--trace"], ["--eta=1", "--trace", "x"], ["--trace", "x", "--policy", "q"],
                  ["--trace", "x", "--slots", "-1"]]:
        code, out, errors = sim(*words)
        assert code == 2 and not out and errors.startswith("baleen-sim: "), (words, code, errors)


def wrong_input_exits_with_1_and_names_its_place():
    rows = [
        (SWF + "4 30 -1\n", ":5: expected 18 fields"),
        (SWF.replace("20 -1 5", "2 -1 5"), ":4: field 2 (submit): expected jobs in order"),
        (SWF.replace("200", "2o0"), ":2: field 9 (requested time): expected a number"),
        (SWF.replace("MaxProcs: 4", "MaxProcs: 2"), "at most the machine's 2 processors"),
        ("nonsense\n", "of no format that is known"),
        (gzip.compress(SWF.encode())[:60], "cut short"),
        ("jobs:\n  a: {work: 1h, colour: red}\n", "jobs:2: colour"),
        ("jobs:\n  a: &x {work: 1h}\n", "log:2"),
        (b"submit_s,run_s,gpus\n0,1,\xff\n", "log:2: the text is not UTF-8"),
        ("jobs: " + "[" * 10000 + "]" * 10000, "log:1"),
        ("jobs:\n  a: {work: 1h, resources: {gpus: 1}, after: [b]}\n"
         "  b: {work: 1h, resources: {gpus: 1}, after: [a]}\n", "in a circle"),
    ]
    for text, message in rows:
        with Files(log=text) as files:
            words = ["--slots", "8"] if "MaxProcs" not in str(text) else []
            code, out, errors = sim("--trace", files.path("log"), *words)
        message = message.replace("jobs:2", "log:2")
        assert code == 1 and not out, (text[:60], code, out)
        assert message in errors, f"expected '{message}' in: {errors}"


def the_lenient_skip_and_say_so():
    with Files(log=SWF + "4 30 -1\n5 40 -1 99 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n") as files:
        code, out, errors = sim("--trace", files.path("log"), "--lenient", "--json")
    assert code == 0 and json.loads(out)["done"] == 4, (code, out, errors)
    assert "skipped 1 jobs; the first: " in errors and ":5: expected 18 fields" in errors, errors
    assert "1 jobs ran longer than their limit; they end at it" in errors, errors


def a_hundred_megabytes_of_nothing_are_refused_quickly():
    line = b"x" * (1 << 20)
    with Files(one_line=b"; MaxProcs: 4\n" + line * 100) as files:
        code, _, errors = sim("--trace", files.path("one_line"))
    assert code == 1 and ":2: the line is longer than 1048576 bytes" in errors, (code, errors)


def a_machine_is_asked_for_when_nobody_names_one():
    with Files(jobs=JOBS) as files:
        code, _, errors = sim("--trace", files.path("jobs"))
    assert code == 1 and "give --cluster FILE or --slots N" in errors, (code, errors)


def a_job_larger_than_the_machine_is_refused_by_name():
    with Files(jobs=JOBS.replace("gpus: 8", "gpus: 9"), cluster=CLUSTER) as files:
        code, _, errors = sim("--trace", files.path("jobs"), "--cluster", files.path("cluster"))
    assert code == 1, errors
    assert "jobs:3: train: needs 9 GPUs, the machine can give it at most 8" in errors, errors


def files_that_cannot_be_written_are_told():
    with Files(log=SWF) as files:
        for words in [["--waits", "/dev/full"], ["--log", "/dev/null/x"]]:
            code, out, errors = sim("--trace", files.path("log"), *words)
            assert code == 1 and not out and "cannot" in errors, (words, code, errors)


def peak_bytes(text):
    """Of the program's own memory when it has read all but the end: what getrusage says holds that
    of whoever spawned it, too. Freed memory that AddressSanitizer keeps aside is kept small."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
    with subprocess.Popen([SIM, "--trace", "-", "--format", "swf", "--json"], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          env={**os.environ, "ASAN_OPTIONS": options}) as process:
        process.stdin.write(text)
        process.stdin.flush()
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            peak = int(re.search(r"VmHWM:\s*(\d+)", status.read())[1]) * 1024
        process.stdin.close()
        assert process.wait() == 0
    return peak


def a_long_log_streams():
    """A hundred times the jobs take little more memory: two numbers a job."""
    def peak(jobs):
        return peak_bytes("; MaxProcs: 64\n" + "".join(
            f"{i} {i * 10} -1 300 2 -1 -1 2 600 -1 1 {i % 50} -1 -1 -1 -1 -1 -1\n"
            for i in range(1, jobs + 1)))

    few, many = peak(10000), peak(200000)
    assert many - few < 190000 * 100, f"{few} and {many} bytes"


main([(f"D4_{claim.__name__}", claim) for claim in [
    a_log_is_replayed_from_a_file_compressed_or_not_and_from_standard_input,
    several_policies_are_several_rows,
    waits_and_log_are_written,
    a_pipeline_runs_in_its_order_and_what_cannot_run_is_cancelled,
    verbose_tells_a_story_on_standard_error,
    a_bound_is_below_every_policy_and_shared_by_all,
    the_bound_of_a_public_log_is_below_every_policy,
    whale_takes_the_best_course_of_the_small_example,
    lists_and_help_are_printed,
    mistakes_in_usage_exit_with_2,
    wrong_input_exits_with_1_and_names_its_place,
    the_lenient_skip_and_say_so,
    a_hundred_megabytes_of_nothing_are_refused_quickly,
    a_machine_is_asked_for_when_nobody_names_one,
    a_job_larger_than_the_machine_is_refused_by_name,
    files_that_cannot_be_written_are_told,
    a_long_log_streams,
]])
