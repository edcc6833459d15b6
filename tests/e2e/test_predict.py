"""How long jobs run, as rules of the configuration have it."""

import subprocess

from kit import SIMULATOR, Daemon, main, until

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
    found = until(lambda: daemon.job(job)["start"] and daemon.job(job), "it is foretold")
    return found["end"]["p50"] - found["start"]["p50"]


def C2_rules_tell_how_long_jobs_run_and_a_restart_without_them_keeps_what_they_told():
    with Daemon("--declared", "1xA100:80GB", "--policy", "conservative:durations=predict") as daemon:
        daemon.stop()
        daemon.flags += ["--config", write(daemon, CONFIG)]
        daemon.start()
        one = {"resources": {"gpus": 1}, "time": {"limit": "10h"}}
        first = daemon.submit(["sleep", "600"], **one)
        daemon.wait(first, "started")
        rows = [
            (daemon.submit(["sleep", "1"], name="nightly-7", params={"model": "bert-large"}, **one), 20 * 60),
            (daemon.submit(["sleep", "1"], name="nightly-7", params={"model": "gpt"}, project="nlp", **one), 3600),
            (daemon.submit(["true"], project="nlp", **one), 3600),
            (daemon.submit(["true"], project="vision", **one), 10 * 3600),
        ]
        for job, seconds in rows:
            assert abs(foretold_run(daemon, job) - seconds) < 0.02 * seconds, (job, daemon.job(job))
        write(daemon, "predict: {rules: []}\n")
        daemon.restart()
        for job, seconds in rows:
            assert abs(foretold_run(daemon, job) - seconds) < 0.02 * seconds, (job, daemon.job(job))
        checked = subprocess.run([SIMULATOR, "--format", "journal", "--trace", daemon.state, "--check"],
                                 capture_output=True, text=True, timeout=120, check=False)
        assert checked.returncode == 0, checked.stderr


main([C2_rules_tell_how_long_jobs_run_and_a_restart_without_them_keeps_what_they_told])
