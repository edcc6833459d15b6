"""Speed curves: what was learnt is shown, kept over a kill, and measured by `baleen profile`."""

import json
import subprocess

from client_kit import Place, expect
from kit import SIMULATOR, main

WORK = ["sh", "-c", "case $BALEEN_GPUS in 1) sleep 0.9;; 2) sleep 0.5;; 4) sleep 0.3;; esac"]
RANGE = {"gpus": "1-4", "cpus": 1, "mem": "1GB"}


def curve(place, job):
    answer = place.get(f"/api/v1/jobs/{job}/curve")
    assert answer.status == 200, f"{answer.status}: {answer.body}"
    return answer.json


def teach(place, job, status=200, **body):
    answer = place.post(f"/api/v1/jobs/{job}/curve", body)
    assert answer.status == status, f"{body}: {answer.status}: {answer.body}"
    return answer.json if status == 200 else answer.error


def ended(place, gpus, **more):
    job = place.submit(["true"], name="train", resources={"gpus": gpus}, **more)
    place.wait(job)
    return job


def A2_profile_measures_each_count_and_show_tells_the_curve():
    with Place("--declared", "4xA100") as place:
        place.ok("profile", "--gpus", "1-4", "-J", "train", "--work", "60", "--", *WORK)
        job = place.submit(["true"], name="train-2", resources=RANGE)
        found = curve(place, job)
        assert found["source"] == "learnt" and len(found["points"]) == 3, found
        rows = {row["gpus"]: row for row in found["counts"]}
        assert sorted(rows) == [1, 2, 3, 4], rows
        assert rows[1]["speed"] == 1 and rows[1]["gain"] is None, rows
        assert all(row["speed"] > 0 for row in rows.values()), rows
        assert all(row["rate_low"] < row["rate"] < row["rate_high"] for row in rows.values()), rows
        told = place.ok("show", job)
        assert "learnt as" in told and "measured 1 time" in told and "PER GPU MORE" in told, told


def profile_prints_its_runs():
    with Place("--declared", "2xA100") as place:
        told = place.ok("profile", "-J", "train", "--", "sh", "-c", "sleep 0.3")
        assert "1 GPU: " in told and "2 GPUs: " in told and "SPEED" in told, told
        runs = place.json("profile", "--json", "--gpus", "2", "--", "true")["runs"]
        assert [(run["gpus"], run["gpu_type"]) for run in runs] == [(2, "A100")], runs
        assert runs[0]["rate"] > 0 and runs[0]["took_s"] >= 0, runs


def a_run_that_fails_is_told_and_not_learnt():
    with Place("--declared", "2xA100") as place:
        done = place.run("profile", "-J", "train", "--", "sh", "-c", "test $BALEEN_GPUS = 1")
        assert done.returncode == 1 and "2 GPUs: not measured" in done.stderr, done
        job = place.submit(["true"], name="train", resources={"gpus": "1-2"})
        assert [point["gpus"] for point in curve(place, job)["points"]] == [1]
        done = place.run("profile", "--", "false")
        assert done.returncode == 4 and "no run was measured" in done.stderr, done


def a_command_that_cannot_be_started_is_tried_on_one_count_alone():
    with Place("--declared", "2xA100") as place:
        done = place.run("profile", "--", "./no-such-program")
        assert done.returncode == 4 and "no run was measured" in done.stderr, done
        assert "1 GPU: job 1 is held: cannot execute ./no-such-program" in done.stderr, done
        assert len(place.get("/api/v1/jobs").json["jobs"]) == 1


def profile_says_what_it_does_not_take():
    with Place("--declared", "2xA100") as place:
        for words, said in [(["--work", "0", "--", "true"], "--work: expected"),
                            (["--work", "x", "--", "true"], "--work: expected"),
                            (["--array", "0-3", "--", "true"], "--array"),
                            (["--gpus", "x", "--", "true"], "gpus"), ([], "command")]:
            done = place.run("profile", *words)
            assert done.returncode == 2 and said in done.stderr, (words, done)


def A2_what_was_learnt_outlives_a_kill():
    with Place("--declared", "4xA100") as place:
        for gpus, rate in [(1, 10), (2, 19), (4, 33)]:
            teach(place, ended(place, gpus), rate=rate)
        job = place.submit(["true"], name="train", resources=RANGE)
        place.wait(job)
        before = curve(place, job)
        place.restart()
        assert curve(place, job) == before
        rows = {row["gpus"]: row["speed"] for row in before["counts"]}
        assert abs(rows[4] - 3.3) < 0.2, rows


def a_given_curve_is_shown_as_it_is():
    with Place("--declared", "4xA100") as place:
        job = place.submit(["true"], name="train", resources=RANGE,
                           scaling={"points": {1: 1, 2: 1.9, 4: 3}})
        found = curve(place, job)
        assert found["source"] == "given" and found["points"] == [], found
        assert [row["speed"] for row in found["counts"]] == [1, 1.9, 2.45, 3], found
        assert "as given with the job" in place.ok("show", job)


def points_without_sense_are_refused():
    with Place("--declared", "4xA100") as place:
        job = ended(place, 1)
        for body in [{}, {"rate": 0}, {"rate": -1}, {"rate": "x"}, {"rate": 1e300},
                     {"rate": 1, "gpus": 2}, {"rat": 1}]:
            assert teach(place, job, status=400, **body)["message"], body
        waiting = place.submit(["true"], name="train", resources={"gpus": 1}, after=[f"{job}:fail"])
        assert "has not run" in teach(place, waiting, status=409, rate=1)["message"]
        cpu = place.submit(["true"], name="train", resources={"gpus": 0, "cpus": 1})
        place.wait(cpu)
        assert "has not run on GPUs" in teach(place, cpu, status=409, rate=1)["message"]
        assert place.get("/api/v1/jobs/999/curve").status == 404
        assert curve(place, job)["source"] == "none"


# (resources, scaling, what is said of it); a text in `resources` stands for the GPUs.
SENSELESS = [
    ("8-2", "auto", "expected a number of GPUs like 4, a range like 2-8"),
    ("0-4", "auto", "expected a number of GPUs like 4, a range like 2-8"),
    ([4, 2], "auto", "numbers of GPUs in rising order"),
    ([2, 2], "auto", "numbers of GPUs in rising order"),
    ([], "auto", "found an empty list"),
    ("nan", "auto", "expected a whole number, found 'nan'"),
    ({"gpus": "2-4", "want": 5}, "auto", "want: expected a whole number from 2 to 4"),
    ({"gpus": [1, 4], "want": 2}, "auto", "want: expected one of the numbers of GPUs"),
    (5, "auto", "at most 4"),
    ("5-6", "auto", "at most 4"),
    ({"gpus": [3, 8], "nodes": 1}, "auto", "at most 4"),
    (10**12, "auto", "expected a whole number from 0 to 16777216"),
    ("1-4", {"points": {"1": 1, "2": float("nan")}}, "NaN"),
    ("1-4", {"points": {"1": 1, "2": "nan"}}, "expected a number, found 'nan'"),
    ("1-4", {"points": {"1": 1, "2": 0}}, "expected a speed over 0"),
    ("1-4", {"points": {"1": 1, "2": -1}}, "expected a speed over 0"),
    ("1-4", {"points": {}}, "expected 1 to 16 points"),
    ("1-4", {"efficiency": 0}, "efficiency: expected a number over 0"),
    ("1-4", {"efficiency": 1.5}, "efficiency: expected a number over 0"),
]


def simulate(place, text, *flags):
    (place.here / "cluster.yaml").write_text("nodes: [{name: n, gpus: {type: A100, count: 4}}]")
    (place.here / "trace.yaml").write_text(text)
    return subprocess.run([SIMULATOR, "--cluster", place.here / "cluster.yaml", "--trace",
                           place.here / "trace.yaml", "--json", *flags],
                          capture_output=True, text=True, check=False)


def A2_ranges_and_curves_without_sense_are_told_at_every_door():
    with Place("--declared", "4xA100") as place:
        for gpus, scaling, said in SENSELESS:
            spec = {"resources": gpus if isinstance(gpus, dict) else {"gpus": gpus},
                    "scaling": scaling}
            answer = place.post("/api/v1/jobs", place.job_body(["true"], **spec))
            assert answer.status in (400, 409), f"{spec}: {answer.status} {answer.body}"
            assert said in str(answer.error), f"{spec}: {answer.body}"
            (place.here / "job.yaml").write_text(json.dumps({**spec, "command": ["true"]}))
            done = place.run("submit", "job.yaml")
            assert done.returncode in (2, 4) and said in done.stderr, f"{spec}: {done}"
            done = simulate(place, json.dumps({"jobs": [{**spec, "submit": 0, "work": "1h"}]}),
                            "--policy", "whale")
            assert done.returncode == 1 and said in done.stderr, f"{spec}: {done}"
        assert place.jobs() == []


def work_without_sense_is_told_by_the_simulator():
    with Place("--declared", "4xA100") as place:
        for work in ("work: 0", "work: -1h", "work: .nan", "work: .inf", "restart: -1, work: 1h",
                     "submit: .nan, work: 1h", "nothing: 1, work: 1h", "gpus: 1"):
            done = simulate(place, "jobs: [{%s}]" % work, "--policy", "whale")
            assert done.returncode == 1 and "trace.yaml:1: " in done.stderr, f"{work}: {done}"


def A2_points_that_fall_mean_that_fewer_gpus_are_better():
    falling = "jobs: [{submit: 0, work: 1h, resources: {gpus: 1-4}, " \
        "scaling: {points: {1: 1, 2: 0.8, 4: 0.6}}}]"
    with Place("--declared", "4xA100", "--policy", "whale") as place:
        for policy in ("whale", "equal", "optimus", "sia", "two_phase"):
            found = json.loads(simulate(place, falling, "--policy", policy, "--bound").stdout)
            assert found["avg_jct_s"] == 3600 and found["gpu_hours"] == 1, (policy, found)
            assert 0 < found["bound_avg_jct_s"] <= 3600, (policy, found)
        for gpus, rate in [(1, 10), (2, 7), (4, 3)]:
            teach(place, ended(place, gpus), rate=rate)
        job = place.submit(["sleep", "1000"], name="train", resources=RANGE)
        assert place.wait(job, "started")["gpus"]["now"] == 1, place.job(job)
        expect(place.run("show", job), 0, "learnt as")


main([A2_profile_measures_each_count_and_show_tells_the_curve,
      profile_prints_its_runs,
      a_run_that_fails_is_told_and_not_learnt,
      profile_says_what_it_does_not_take,
      A2_what_was_learnt_outlives_a_kill,
      a_given_curve_is_shown_as_it_is,
      points_without_sense_are_refused,
      a_command_that_cannot_be_started_is_tried_on_one_count_alone,
      A2_ranges_and_curves_without_sense_are_told_at_every_door,
      work_without_sense_is_told_by_the_simulator,
      A2_points_that_fall_mean_that_fewer_gpus_are_better])
