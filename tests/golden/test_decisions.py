"""The whole decision log of each policy on one small trace, as it stands in this folder.

A change here is a change of what is decided: explain it in the commit. `test_decisions.py SIM --write`
writes the logs anew."""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIM = sys.argv[1]
POLICIES = ["fifo", "priority", "easy", "easy:order=shortest", "easy:durations=exact",
            "easy:durations=predict", "conservative", "predictive", "pack", "pack:fit=first",
            "sjf", "equal", "equal:hold=0s", "whale"]
ELASTIC = {"equal", "equal:hold=0s", "whale"}  # on a trace of jobs that are resized


def golden(policy):
    return HERE / (policy.replace(":", "-").replace("=", "-") + ".jsonl")


def decisions(policy):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        trace = "elastic.yaml" if policy in ELASTIC else "jobs.yaml"
        subprocess.run([SIM, "--cluster", str(HERE / "cluster.yaml"), "--trace",
                        str(HERE / trace), "--policy", policy, "--log", str(log), "--json"],
                       check=True, stdout=subprocess.DEVNULL)
        lines = log.read_text().splitlines(keepends=True)
    return "".join(line for line in lines if '"action"' in line)


def first_difference(found, expected):
    for number, (left, right) in enumerate(zip(found.splitlines(), expected.splitlines()), 1):
        if left != right:
            return f"line {number}: {left}, expected {right}"
    return "one log is longer"


def main():
    if "--write" in sys.argv:
        for policy in POLICIES:
            golden(policy).write_text(decisions(policy))
        return 0
    print(f"1..{len(POLICIES)}")
    failed = 0
    for number, policy in enumerate(POLICIES, 1):
        found, expected = decisions(policy), golden(policy).read_text()
        failed += found != expected
        print(f"{'ok' if found == expected else 'not ok'} {number} - decisions_of_{policy}")
        if found != expected:
            print(f"# {first_difference(found, expected)}")
    return failed > 0


sys.exit(main())
