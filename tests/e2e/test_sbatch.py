"""Scripts as they are written for Slurm, run unchanged: each is a file of scripts/."""

import os
from pathlib import Path

from client_kit import Place
from kit import is_alive, main, until

SCRIPTS = Path(__file__).parent / "scripts"


def submit(place, name, *arguments, flags=(), **environment):
    """The id of the job, and what was warned about."""
    done = place.run("submit", "--parsable", *flags, SCRIPTS / name, *arguments,
                     env=dict(place.env, **environment))
    assert done.returncode == 0, f"{name}: exit {done.returncode}: {done.stderr}"
    return int(done.stdout), done.stderr


def run(place, name, *arguments, **more):
    """The job, ended, and what was warned about."""
    job, said = submit(place, name, *arguments, **more)
    return place.wait(job), said


def expect(job, state, code):
    assert (job["state"], job["exit_code"]) == (state, code), job


def A7_an_array_reads_its_line_of_a_table_and_writes_its_own_files():
    with Place() as place:
        job, said = run(place, "array-sweep.sh")
        assert job["state"] == "completed" and job["array"]["done"] == 5 and not said, (job, said)
        number = job["id"]
        rows = ["0.1,sgd", "0.01,sgd", "0.1,adam", "0.01,adam", "0.001,adam"]
        for index, row in enumerate(rows, 1):
            assert place.text(f"results/{number}_{index}.csv") == row + "\n"
            rate, name = row.split(",")
            assert place.text(f"logs/{number}_{index}.out") == \
                f"task {index} of 5 (1..5): lr={rate} opt={name}\n"
            assert place.text(f"logs/{number}_{index}.err") == "warning: seed not set\n"
        assert (place.here / "results/last").exists()
        assert job["array"]["running_max"] == 2, job


def A7_an_array_of_listed_indices_ends_as_its_elements_do():
    with Place() as place:
        job, _ = run(place, "array-list.sh")
        assert job["state"] == "failed" and job["name"] == "fold", job
        counts = {key: job["array"][key] for key in ("elements", "done", "failed")}
        assert counts == {"elements": 4, "done": 3, "failed": 1}, job
        codes = {element["array_index"]: (element["id"], element["exit_code"])
                 for element in place.jobs() if element["array_id"]}
        assert {index: code for index, (_, code) in codes.items()} == {0: 0, 4: 0, 8: 0, 15: 3}
        assert place.text("fold_4.log") == f"fold 4 step 4 job {codes[4][0]}\n"
        assert place.text("fold_0.log") == "" == place.text("fold_15.log")


def A21_a_training_on_two_gpus_finds_what_it_was_given():
    with Place() as place:
        job, said = run(place, "ddp-train.sbatch", "--epochs", "3 4")
        expect(job, "completed", 0)
        assert "--mail-type" in said and "--mail-user" in said, said
        assert (job["gpus"]["want"], job["limit_s"]) == (2, 86400), job
        assert (job["cpus"], job["mem_bytes"]) == (4, 8 << 30), job
        number = job["id"]
        assert place.text(f"slurm-{number}.out").splitlines() == [
            "nodes:   node1", f"workdir: {place.work}", "rank 0/2 on gpu 0, 4 threads",
            "rank 1/2 on gpu 1, 4 threads", f"port {10000 + number} args ['--epochs', '3 4']",
            "done with status 0"]


def A21_a_job_saves_itself_at_the_signal_and_goes_on_after_a_requeue():
    with Place() as place:
        job, _ = submit(place, "preemptible.sh")
        until(lambda: (place.here / "checkpoint.txt.running").exists(), "the first step is done")
        place.ok("requeue", job)
        until(lambda: place.job(job)["attempt"] == 2 and
              place.text("resume.log").count("restart") == 2, "it runs again")
        assert place.text("resume.log") == "fresh start, restart 0\nfresh start, restart 1\n"
        place.ok("set", job, "limit=61s")
        found = place.wait(job)
        expect(found, "completed", 0)
        assert place.text("resume.log").endswith("signal in attempt 1: saved step\n")
        saved = int(place.text("checkpoint.txt"))
        again, _ = submit(place, "preemptible.sh")
        until(lambda: int(place.text("checkpoint.txt.running") or 0) > saved and
              "resumed" in place.text("resume.log"), "another one goes on from there")
        place.cancel(again)
        assert place.wait(again)["state"] == "cancelled"
        assert place.text("resume.log").endswith("resumed, restart 0\n")


def P20_a_chain_of_scripts_follows_each_other_by_how_they_ended():
    with Place() as place:
        names = ["prepare", "fit", "cleanup", "report", "publish"]
        jobs = [submit(place, f"{name}.sh")[0] for name in names]
        assert jobs == [1, 2, 3, 4, 5], "the scripts name each other by these numbers"
        assert [place.job(job)["state"] for job in jobs[1:]] == ["waiting"] * 4
        (place.here / "data.ready").touch()
        ended = {name: place.wait(job) for name, job in zip(names, jobs)}
        states = {name: job["state"] for name, job in ended.items()}
        assert states == {"prepare": "completed", "fit": "failed", "cleanup": "completed",
                          "report": "completed", "publish": "cancelled"}, states
        assert ended["publish"]["reason"] == "dependency_failed", ended["publish"]
        assert place.text("cleanup.out") == "fit failed, model was 55\n"
        assert place.text("report.out").splitlines()[1:] == ["model: 55"]
        assert not (place.here / "published").exists()


def A21_only_the_variables_that_a_script_exports_are_seen():
    with Place() as place:
        for name in ("none", "some", "named"):
            expect(run(place, f"export-{name}.sh", SECRET="s", OTHER="o")[0], "completed", 0)
        assert place.text("clean-env.out") == "secret=unset\njob=clean-env\npath works\n"
        assert place.text("some-env.out") == "secret=s lr=0.1 tag=v=2\n"
        assert place.text("named-env.out") == "secret=s other=unset epochs=3\n"


def A21_a_script_that_was_saved_on_windows_runs():
    with Place() as place:
        job, said = run(place, "windows.sh", "x y")
        expect(job, "completed", 0)
        assert "CR LF" in said and said.count("\n") == 1, said
        assert (job["name"], job["limit_s"]) == ("windows", 300), job
        assert place.text("windows.out") == "hello from windows\nargument kept\n"


def A21_a_login_shell_with_functions_and_flags_of_another_site_runs():
    with Place() as place:
        job, said = run(place, "modules.sh")
        expect(job, "completed", 0)
        for flag in ("--partition", "--qos", "--exclusive"):
            assert flag in said, said
        assert (job["project"], job["limit_s"]) == ("proj-42", 300), job
        lines = place.text(f"modules.{job['id']}.node1.out").splitlines()
        assert lines == ["account proj-42 partition gpu", "loaded cuda/12.4", "loaded gcc/12",
                         "loaded openmpi", "same modules", "env torch", "no srun here"], lines


def A21_directives_behind_the_first_command_are_words_of_the_script():
    with Place() as place:
        job, said = run(place, "late-directives.sh")
        expect(job, "completed", 0)
        assert ":12: #SBATCH behind the first command" in said and said.count("\n") == 1, said
        assert job["name"] == "early" and job["gpus"]["want"] == 1, job
        assert place.text("early.out") == "first command\nname early gpus 1\n" \
            "#SBATCH --output=in-a-document.out\n"
        assert os.listdir(place.here) == ["early.out"]


def A21_workers_on_four_gpus_pass_on_their_failure():
    with Place() as place:
        job, said = run(place, "four-gpus.sh")
        expect(job, "failed", 7)
        assert not said and (job["gpus"]["want"], job["cpus"]) == (4, 8), (job, said)
        assert job["mem_bytes"] == 8 << 30 and job["gpu_types"] == ["A100"], job
        number = job["id"]
        assert place.text(f"four-{number}.out") == "4 gpus, 4 tasks, 2 cpus each\n"
        assert place.text(f"four-{number}.err") == "worker 3 failed\n"
        assert [place.text(f"worker-{i}.txt") for i in range(4)] == \
            [f"worker {i}\n" for i in range(4)]


def A21_a_script_in_python_carries_its_own_directives():
    with Place() as place:
        job, _ = run(place, "analysis.py", "-n", "two words")
        expect(job, "completed", 0)
        number = job["id"]
        assert job["limit_s"] == 1800, job
        assert place.text(f"analysis-{number:04}.out") == f"{number} ['-n', 'two words'] True\n"


def A21_a_script_cleans_up_when_it_is_cancelled():
    with Place() as place:
        job, _ = submit(place, "graceful.sh")
        until(lambda: (place.here / "graceful.out").exists() and
              "ready" in place.text("graceful.out"), "it is ready")
        scratch = place.text("scratch").strip()
        pid = place.job(job)["pid"]
        assert os.path.isdir(scratch)
        place.ok("cancel", job)
        found = place.wait(job)
        assert found["state"] == "cancelled" and found["exit_code"] == 143, found
        assert not os.path.exists(scratch) and not is_alive(pid)
        assert place.text("graceful.out").endswith("asked to stop\ncleaned up\n")


def A21_a_held_script_waits_and_fails_where_its_command_does():
    with Place() as place:
        job, said = submit(place, "retry.sh")
        found = place.job(job)
        assert (found["state"], found["priority"], found["requeue"]) == ("held", -100, False), found
        place.ok("release", job)
        expect(place.wait(job), "failed", 1)
        assert place.text("stage.out") == "restart 0\n" and not said, said


def A21_times_mean_what_they_mean_to_slurm():
    rows = [("5", 300), ("90", 5400), ("5:30", 330), ("1:02:03", 3723), ("2-0", 172800),
            ("2-12", 216000), ("1-02:03", 93780), ("1-02:03:04", 93784), ("0", None),
            ("UNLIMITED", None), ("00:00:45", 45)]
    with Place() as place:
        for text, seconds in rows:
            script = place.here / "time.sh"
            script.write_text(f"#!/bin/sh\n#SBATCH --hold -t {text}\ntrue\n")
            job = int(place.ok("submit", "--parsable", script))
            assert place.job(job)["limit_s"] == seconds, (text, place.job(job)["limit_s"])
            place.cancel(job)


main([A7_an_array_reads_its_line_of_a_table_and_writes_its_own_files,
      A7_an_array_of_listed_indices_ends_as_its_elements_do,
      A21_a_training_on_two_gpus_finds_what_it_was_given,
      A21_a_job_saves_itself_at_the_signal_and_goes_on_after_a_requeue,
      P20_a_chain_of_scripts_follows_each_other_by_how_they_ended,
      A21_only_the_variables_that_a_script_exports_are_seen,
      A21_a_script_that_was_saved_on_windows_runs,
      A21_a_login_shell_with_functions_and_flags_of_another_site_runs,
      A21_directives_behind_the_first_command_are_words_of_the_script,
      A21_workers_on_four_gpus_pass_on_their_failure,
      A21_a_script_in_python_carries_its_own_directives,
      A21_a_script_cleans_up_when_it_is_cancelled,
      A21_a_held_script_waits_and_fails_where_its_command_does,
      A21_times_mean_what_they_mean_to_slurm])
