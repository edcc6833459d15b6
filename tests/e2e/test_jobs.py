"""What becomes of jobs: starts that fail, cancelling, dependencies, owners, limits."""

import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys

from kit import Daemon, is_alive, main, needs_root, until

SLEEP = ["sleep", "600"]


def D1_a_start_that_fails_is_held_with_its_reason_and_blocks_nobody():
    with Daemon("--declared", "1xA100") as daemon:
        os.mkdir(f"{daemon.work}/dir")
        rows = [
            (["true"], {"workdir": "/nonexistent"}, "/nonexistent"),
            (["/nonexistent/program"], {}, "/nonexistent/program"),
            (["no-such-program-anywhere"], {}, "no-such-program-anywhere"),
            ([daemon.work], {}, daemon.work),
            (["true"], {"log": "dir"}, "dir"),
            (["true"], {"log": "/dev/null/x.log"}, "/dev/null/x.log"),
        ]
        jobs = [daemon.submit(command, resources={"gpus": 1}, **more)
                for command, more, _ in rows]
        last = daemon.submit(["true"], resources={"gpus": 1})
        assert daemon.wait(last)["state"] == "completed"
        for job, (_, _, word) in zip(jobs, rows):
            until(lambda j=job: daemon.job(j)["state"] == "held", f"job {job} is given up")
            found = daemon.job(job)
            assert found["reason"] == "start_failed", found
            assert word in found["reason_text"], found["reason_text"]
            assert found["started_at"] is None and found["exit_code"] is None, found
            assert found["where"] == [] and found["gpus"]["now"] == 0, found
            assert daemon.cancel(job) == {"id": job, "state": "cancelled"}


def the_exit_code_is_the_one_that_the_job_had():
    with Daemon() as daemon:
        rows = [(["sh", "-c", "exit 0"], "completed", 0), (["sh", "-c", "exit 84"], "failed", 84),
                (["sh", "-c", "kill -9 $$"], "failed", 137)]
        for command, state, code in rows:
            found = daemon.wait(daemon.submit(command))
            assert (found["state"], found["exit_code"]) == (state, code), found


def a_job_can_be_cancelled_in_every_state_and_twice():
    with Daemon("--declared", "1xA100") as daemon:
        gpu = {"resources": {"gpus": 1}}
        running = daemon.submit(SLEEP, **gpu)
        queued = daemon.submit(SLEEP, **gpu)
        waiting = daemon.submit(SLEEP, after=[f"{queued}:ok"], **gpu)
        started = daemon.wait(running, "started")
        assert daemon.cancel(waiting) == {"id": waiting, "state": "cancelled"}
        assert daemon.cancel(queued) == {"id": queued, "state": "cancelled"}
        assert daemon.cancel(running)["state"] == "stopping"
        assert daemon.cancel(running)["state"] in ("stopping", "cancelled")
        found = daemon.wait(running)
        assert found["state"] == "cancelled" and found["reason"] == "user", found
        assert not is_alive(started["pid"])
        assert daemon.cancel(running) == {"id": running, "state": "cancelled"}
        starting = daemon.submit(SLEEP, **gpu)
        daemon.cancel(starting)
        assert daemon.wait(starting)["state"] == "cancelled"
        after = daemon.submit(["true"], **gpu)
        assert daemon.wait(after)["state"] == "completed"


def nothing_of_a_job_is_left_after_it_was_cancelled():
    script = """
        bash -c 'setsid bash -c "sleep 601 & sleep 602" & (sleep 603 &) ; python3 -c "
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open(\\"ready\\", \\"w\\").close()
        time.sleep(604)
    os._exit(0)
time.sleep(605)
"'
    """
    for flags in ([], ["--no-cgroup"]):
        with Daemon("--declared", "1xA100", *flags) as daemon:
            job = daemon.submit(["bash", "-c", script])
            until(lambda d=daemon: os.path.exists(f"{d.work}/ready"), "the grandchildren live")
            token = f"BALEEN_JOB_ID={job}\0".encode()
            mine = [pid for pid in processes_with(token) if cwd_of(pid) == daemon.work]
            assert len(mine) >= 6, mine
            daemon.cancel(job)
            assert daemon.wait(job)["state"] == "cancelled"
            assert [pid for pid in mine if is_alive(pid)] == []


def processes_with(token):
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and token in open(f"/proc/{name}/environ", "rb").read():
                found.append(int(name))
        except OSError:
            pass
    return found


def cwd_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return None


def A7_dependencies_are_met_by_success_failure_or_either():
    with Daemon() as daemon:
        good = daemon.submit(["sh", "-c", "while [ ! -e go ]; do sleep 0.02; done"])
        bad = daemon.submit(["sh", "-c", "while [ ! -e go ]; do sleep 0.02; done; exit 1"])
        rows = [(good, "ok", "completed"), (good, "any", "completed"), (good, "fail", "cancelled"),
                (bad, "ok", "cancelled"), (bad, "any", "completed"), (bad, "fail", "completed")]
        jobs = [daemon.submit(["true"], after=[f"{job}:{kind}"]) for job, kind, _ in rows]
        both = daemon.submit(["true"], after=[str(good), f"{bad}:any"])
        chain = daemon.submit(["true"], after=[f"{jobs[3]}:ok"])
        assert daemon.job(jobs[0])["state"] == "waiting"
        assert daemon.job(jobs[0])["reason"] == "dependency"
        assert daemon.job(jobs[0])["after"] == [{"job": good, "kind": "ok"}]
        open(f"{daemon.work}/go", "w").close()
        for job, row in zip(jobs, rows):
            found = daemon.wait(job)
            assert found["state"] == row[2], (row, found)
            if row[2] == "cancelled":
                assert found["reason"] == "dependency_failed", found
        assert daemon.wait(both)["state"] == "completed"
        assert daemon.wait(chain)["state"] == "cancelled"
        late = daemon.submit(["true"], after=[f"{bad}:ok"])
        assert daemon.wait(late)["state"] == "cancelled"


def jobs_submitted_in_one_breath_may_depend_on_each_other():
    with Daemon() as daemon:
        connections = []
        for number in range(1, 21):
            after = [str(number - 1)] if number > 1 else []
            connection = daemon.connect()
            connections.append(connection)
            connection.request("POST", "/api/v1/jobs",
                               json.dumps(daemon.job_body(["true"], after=after)))
        for connection in connections:
            response = connection.getresponse()
            assert response.status == 201, response.read()
        assert daemon.wait(20)["state"] == "completed"


def a_job_over_its_limit_ends_with_timeout():
    with Daemon() as daemon:
        found = daemon.wait(daemon.submit(SLEEP, time={"limit": "1s"}))
        assert found["state"] == "timeout" and found["reason"] == "time_limit", found
        assert found["ended_at"] - found["started_at"] >= 1


def a_job_finds_its_gpus_and_its_contract_in_the_environment():
    with Daemon("--declared", "4xA100") as daemon:
        other = daemon.submit(SLEEP, resources={"gpus": 1})
        daemon.wait(other, "started")
        job = daemon.submit("env > seen", resources={"gpus": 2}, env={"COLOUR": "red"})
        daemon.wait(job)
        seen = dict(line.split("=", 1) for line in daemon.text("seen").splitlines() if "=" in line)
        assert seen["BALEEN_JOB_ID"] == str(job) and seen["BALEEN_ATTEMPT"] == "1"
        assert seen["BALEEN_GPUS"] == "2" and seen["COLOUR"] == "red"
        assert seen["CUDA_VISIBLE_DEVICES"] == "1,2"


def a_job_runs_as_the_user_who_submitted_it():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    with Daemon() as daemon:
        os.chown(daemon.work, nobody.pw_uid, nobody.pw_gid)
        job = submit_as(nobody, daemon, "id -u; id -g; umask; cat /proc/self/status")
        found = daemon.wait(job)
        assert found["state"] == "completed" and found["user"] == "nobody", found
        log = daemon.text(os.path.basename(found["log"]))
        assert log.split()[:2] == [str(nobody.pw_uid), str(nobody.pw_gid)], log
        assert re.search(r"SigBlk:\s*0+\n", log), "signals are blocked in the job"
        assert os.stat(found["log"]).st_uid == nobody.pw_uid
        assert daemon.get(f"/api/v1/jobs/{job}/log").body.decode() == log


def submit_as(user, daemon, script):
    """Submits from a process of that user, whom the kernel vouches for."""
    return int(ask_as(user, daemon, "POST", "/api/v1/jobs", daemon.job_body(script))[1]["id"])


def ask_as(user, daemon, method, path, body=None):
    program = ("import sys, json; sys.path.insert(0, sys.argv[1]); import kit\n"
               "c = kit.Connection(sys.argv[2]); c.request(sys.argv[3], sys.argv[4], sys.argv[5])\n"
               "r = c.getresponse(); print(json.dumps([r.status, json.loads(r.read())]))")
    folder = os.path.join(daemon.folder, "kit")
    if not os.path.exists(folder):
        os.mkdir(folder)
        shutil.copy(os.path.join(os.path.dirname(__file__), "kit.py"), folder)
        os.chmod(f"{folder}/kit.py", 0o644)
    done = subprocess.run(
        ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups",
         sys.executable, "-B", "-c", program, folder, daemon.socket, method, path,
         json.dumps(body) if body else ""], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def nobody_may_touch_the_job_of_another():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        daemon.wait(job, "started")
        status, answer = ask_as(nobody, daemon, "POST", f"/api/v1/jobs/{job}/cancel")
        assert (status, answer["error"]["code"]) == (403, "forbidden"), answer
        status, answer = ask_as(nobody, daemon, "GET", f"/api/v1/jobs/{job}/log")
        assert (status, answer["error"]["code"]) == (403, "forbidden"), answer
        status, answer = ask_as(nobody, daemon, "GET", f"/api/v1/jobs/{job}")
        assert status == 200 and "environment" not in answer, answer
        assert daemon.job(job)["state"] == "running"


def a_log_is_read_with_the_rights_of_its_owner():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    with Daemon() as daemon:
        os.chown(daemon.work, nobody.pw_uid, nobody.pw_gid)
        secret = f"{daemon.folder}/secret"
        with open(secret, "w") as file:
            file.write("root's own")
        os.chmod(secret, 0o600)
        job = submit_as(nobody, daemon, f"ln -sf {secret} nobody.log")
        found = daemon.wait(job)
        os.rename(f"{daemon.work}/nobody.log", found["log"])
        answer = daemon.get(f"/api/v1/jobs/{job}/log")
        assert answer.status == 403 and b"root's own" not in answer.body, answer.body


def what_was_kept_for_a_job_goes_when_it_ends():
    with Daemon() as daemon:
        job = daemon.submit(SLEEP)
        daemon.wait(job, "started")
        environment = f"{daemon.state}/env/{job}"
        assert stat.S_IMODE(os.stat(environment).st_mode) == 0o600
        daemon.cancel(job)
        daemon.wait(job)
        until(lambda: not os.path.exists(environment), "the environment goes")
        until(lambda: not os.path.exists(f"{daemon.state}/jobs/{job}"), "its folder goes")


main([D1_a_start_that_fails_is_held_with_its_reason_and_blocks_nobody,
      the_exit_code_is_the_one_that_the_job_had,
      a_job_can_be_cancelled_in_every_state_and_twice,
      nothing_of_a_job_is_left_after_it_was_cancelled,
      A7_dependencies_are_met_by_success_failure_or_either,
      jobs_submitted_in_one_breath_may_depend_on_each_other,
      a_job_over_its_limit_ends_with_timeout,
      a_job_finds_its_gpus_and_its_contract_in_the_environment,
      a_job_runs_as_the_user_who_submitted_it,
      nobody_may_touch_the_job_of_another,
      a_log_is_read_with_the_rights_of_its_owner,
      what_was_kept_for_a_job_goes_when_it_ends])
