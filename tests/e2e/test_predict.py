"""How long jobs run, as rules of the configuration have it; what other policies would have made of that."""

import json
import subprocess

from kit import SIMULATOR, Daemon, main

CONFIG = """
predict:
  rules:
    - {name: "nightly-*", params: {model: "bert*"}, expect: 20m, final: yes}
    - {project: nlp, command: "*sleep*", expect: {p10: 30m, p50: 1h, p90: 50%}}
    - {project: nlp, expect: 10%}
"""


def write(daemon, text):
    path = f"{daemon.folder}/baleen.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def foretold_run(daemon, job):
    """How long it is to run, of a job that waits."""
    found = daemon.foretold(job)[0]
    return found["end"]["p50"] - found["start"]["p50"]


def C2_rules_tell_how_long_jobs_run_and_a_restart_without_them_keeps_what_they_told():
    with Daemon("--declared", "4xA100:80GB", "--policy", "conservative:durations=predict") as daemon:
        daemon.stop()
        daemon.flags += ["--config", write(daemon, CONFIG)]
        daemon.start()
        # No job waits for another: when each starts is known, and its range tells its length alone.
        one = {"resources": {"gpus": 1}, "time": {"limit": "10h"}, "not_before": "1h"}
        rows = [
            (daemon.submit(["sleep", "1"], name="nightly-7", params={"model": "bert-large"}, **one), 20 * 60),
            (daemon.submit(["sleep", "1"], name="nightly-7", params={"model": "gpt"}, project="nlp", **one), 3600),
            (daemon.submit(["true"], project="nlp", **one), 3600),
            (daemon.submit(["true"], project="vision", **one), 5 * 3600),  # any part of its limit
        ]
        for job, seconds in rows:
            assert 0.5 * seconds < foretold_run(daemon, job) < 1.7 * seconds, (job, daemon.job(job))
        write(daemon, "predict: {rules: []}\n")
        daemon.restart()
        for job, seconds in rows:
            assert 0.5 * seconds < foretold_run(daemon, job) < 1.7 * seconds, (job, daemon.job(job))
        checked = subprocess.run([SIMULATOR, "--format", "journal", "--trace", daemon.state, "--check"],
                                 capture_output=True, text=True, timeout=120, check=False)
        assert checked.returncode == 0, checked.stderr


def replay(daemon, *flags):
    done = subprocess.run([SIMULATOR, "--format", "journal", "--trace", daemon.state, *flags],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def A20_a_sites_own_history_is_replayed_under_other_policies_beside_what_happened():
    with Daemon("--declared", "1xA100:80GB", "--policy", "fifo") as daemon:
        one = {"gpus": 1}
        # A replay starts it sooner, by what starting a process took: it has to go on behind what is queued meanwhile.
        first = daemon.submit("while [ ! -e go ]; do sleep 0.02; done; sleep 1", resources=one, time={"limit": "1h"})
        daemon.wait(first, "started")
        long = daemon.submit(["sleep", "3"], resources=one, time={"limit": "10h"})
        short = daemon.submit(["true"], resources=one, time={"limit": "1m"})
        gone = daemon.submit(["true"], resources=one, time={"limit": "1m"})
        daemon.cancel(gone)
        open(f"{daemon.work}/go", "w").close()
        assert daemon.wait(short)["ended_at"] > daemon.wait(long)["ended_at"]
        for _ in range(2):  # beside the live daemon, and after it has stopped
            rows = json.loads(replay(daemon, "--policy", "fifo", "--policy", "sjf",
                                     "--policy", "predictive:order=shortest", "--json"))
            assert [row["policy"] for row in rows] == ["as it was: fifo", "fifo", "sjf",
                                                       "predictive:order=shortest"], rows
            assert all(row["jobs"] == 4 and row["done"] == 3 for row in rows), rows
            was, fifo, sjf, _ = rows
            assert abs(fifo["max_wait_s"] - was["max_wait_s"]) < 1, rows
            assert sjf["avg_wait_s"] < fifo["avg_wait_s"] - 0.5, rows
            if daemon.process:
                daemon.stop()
        table = replay(daemon, "--policy", "sjf").splitlines()
        assert len(table) == 3 and table[1].startswith("as it was: fifo"), table
        refused = subprocess.run([SIMULATOR, "--format", "journal", "--trace", daemon.state, "--policy", "sjf",
                                  "--check"], capture_output=True, text=True, timeout=60, check=False)
        assert refused.returncode == 2 and "--check" in refused.stderr, refused
        daemon.start()


main([C2_rules_tell_how_long_jobs_run_and_a_restart_without_them_keeps_what_they_told,
      A20_a_sites_own_history_is_replayed_under_other_policies_beside_what_happened])
