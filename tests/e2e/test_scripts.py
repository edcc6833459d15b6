"""Scripts: run from a file, with what Slurm's scripts look for, and warned before their limit."""

import os

from kit import Daemon, is_alive, main, until

ONE = {"gpus": 1}


def a_script_is_run_by_what_its_first_line_names_with_its_arguments():
    with Daemon() as daemon:
        job = daemon.submit("#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:], 'ü')\n",
                            arguments=["a b", "c"], log="out")
        assert daemon.wait(job)["state"] == "completed", daemon.job(job)
        assert daemon.text("out") == "['a b', 'c'] ü\n"
        until(lambda: not os.path.exists(f"{daemon.state}/jobs/{job}"), "its folder goes")


def a_script_whose_interpreter_is_missing_says_so():
    with Daemon() as daemon:
        job = daemon.submit("#!/nonexistent/shell\necho\n")
        found = until(lambda: (lambda f: f if f["reason"] == "retry" else None)(daemon.job(job)),
                      "the first start has failed")
        assert "cannot execute" in found["reason_text"], found
        daemon.cancel(job)


def standard_error_goes_where_it_is_asked_to():
    with Daemon() as daemon:
        job = daemon.submit("echo out; echo err >&2", log="%x-%j.out", error="deep/%j.err",
                            name="two")
        found = daemon.wait(job)
        assert (daemon.text(f"two-{job}.out"), daemon.text(f"deep/{job}.err")) == ("out\n", "err\n")
        assert found["error_log"] == f"{daemon.work}/deep/{job}.err", found


def a_slurm_script_finds_its_variables_and_not_those_of_an_outer_job():
    with Daemon() as daemon:
        outer = ["SLURM_JOB_ID=77777", "SLURM_OUTER=1", f"PATH={os.environ['PATH']}"]
        script = "#!/bin/bash\nenv | grep ^SLURM | sort > $SLURM_JOB_NAME-$SLURM_ARRAY_TASK_ID\n"
        array = daemon.submit(script, name="sweep", array="2-8:3", slurm_env=True, resources=ONE,
                              environment=outer)
        assert daemon.wait(array)["state"] == "completed"
        found = dict(line.split("=", 1) for line in daemon.text("sweep-5").splitlines())
        expected = {"SLURM_JOB_ID": f"{array + 2}", "SLURM_ARRAY_JOB_ID": f"{array}",
                    "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "3",
                    "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_MAX": "8",
                    "SLURM_SUBMIT_DIR": daemon.work, "SLURM_NTASKS": "1",
                    "SLURM_JOB_NODELIST": "node1", "SLURM_CPUS_ON_NODE": "1", "SLURM_GPUS": "1"}
        assert {name: found.get(name) for name in expected} == expected, found
        assert "SLURM_OUTER" not in found
        plain = daemon.submit("env > plain", environment=outer)
        daemon.wait(plain)
        assert "SLURM_JOB_ID=77777" in daemon.text("plain").splitlines()


def expect_warned(daemon, signal, script, expected):
    job = daemon.submit(script, resources=ONE, time={"limit": "2h"},
                        checkpoint={"signal": signal, "lead": "119m"})
    until(lambda: os.path.exists(f"{daemon.work}/signals"), "the job is ready")
    answer = daemon.request("PATCH", f"/api/v1/jobs/{job}", {"limit": "118m"})
    assert answer.status == 200, answer.body
    until(lambda: expected <= set(daemon.text("signals").split()), "it is warned")
    assert daemon.job(job)["state"] == "running"
    assert is_alive(int(daemon.text("sleeper")))
    daemon.cancel(job)
    daemon.wait(job)
    assert set(daemon.text("signals").split()) == expected | {"end"}


HANDLERS = """#!/bin/bash
%s
trap 'echo end >> signals; exit 7' TERM
bash -c 'trap "echo child >> signals" USR1; touch armed; while :; do sleep 0.05; done' &
sleep 600 &
echo $! > sleeper
while [ ! -e armed ]; do sleep 0.02; done
echo ready >> signals
while :; do sleep 0.05; done
"""
SHELL = "trap 'echo shell >> signals' USR1"


def P18_the_topmost_process_that_handles_the_warning_gets_it_and_nobody_dies_of_it():
    for signal, own, expected in (("B:USR1", SHELL, {"ready", "shell"}),
                                  ("USR1", SHELL, {"ready", "shell"}),
                                  ("USR1", "", {"ready", "child"})):
        with Daemon() as daemon:
            expect_warned(daemon, signal, HANDLERS % own, expected)


main([a_script_is_run_by_what_its_first_line_names_with_its_arguments,
      a_script_whose_interpreter_is_missing_says_so,
      standard_error_goes_where_it_is_asked_to,
      a_slurm_script_finds_its_variables_and_not_those_of_an_outer_job,
      P18_the_topmost_process_that_handles_the_warning_gets_it_and_nobody_dies_of_it])
