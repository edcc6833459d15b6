"""What people do to jobs and nodes with the client: hold, release, requeue, set, move, drain; what
they are told of starts and ends; scripts and pipelines; both languages."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

from client_kit import BALEEN, Nobody, Place, expect
from kit import main, until

UNTIL = ["sh", "-c", 'echo begun; until [ -e "$1" ]; do sleep 0.05; done; echo over', "until"]


def hold_keeps_a_job_from_starting_until_it_is_released():
    with Place() as place:
        first = place.queue("--gpus", 8, *UNTIL, "go")
        second = place.queue("--gpus", 8, "true")
        expect(place.run("hold", second), 0, f"job {second}: held", f"baleen release {second}")
        assert place.job(second)["state"] == "held"
        expect(place.run("hold", second), 0, "held")
        expect(place.run("hold", first), 4, "job 1 runs", "requeue")
        (place.here / "go").touch()
        place.reach(first, "completed")
        assert place.job(second)["state"] == "held"
        expect(place.run("release", second), 0, f"job {second}: released")
        place.reach(second, "completed")
        expect(place.run("hold", second), 4, "has ended")


def a_job_can_be_submitted_held():
    with Place() as place:
        expect(place.run("run", "--hold", "true"), 0, "job 1 true: held")
        expect(place.run("why", "@"), 0, "held", "baleen release 1")
        expect(place.run("release", "@"), 0, "released")
        place.reach(1, "completed")


def requeue_gives_a_job_a_new_attempt_and_keeps_the_log_of_the_old():
    with Place() as place:
        job = place.queue("--gpus", 1, *UNTIL, "go")
        place.reach(job, "running")
        until(lambda: "begun" in place.run("log", job).stdout, "the first attempt has begun")
        expect(place.run("requeue", job), 0, f"job {job}: stopping", "back into the queue")
        until(lambda: place.job(job)["attempt"] == 2, "the second attempt")
        (place.here / "go").touch()
        place.reach(job, "completed")
        assert place.ok("log", "-a", 1, job) == "begun\n"
        assert place.ok("log", job).endswith("over\n")


def set_changes_what_may_be_changed_and_says_what_may_not():
    with Place() as place:
        place.queue("--gpus", 8, *UNTIL, "go")
        job = place.queue("--gpus", 8, "-t", "1h", "true")
        expect(place.run("set", job, "time=3h", "gpus=4", "priority=-2"), 0, f"job {job}: changed")
        changed = place.job(job)
        assert (changed["limit_s"], changed["gpus"]["want"], changed["priority"]) == \
            (10800, 4, -2), changed
        expect(place.run("set", job, "time=none", "begin=tomorrow 09:00"), 0, "changed")
        changed = place.job(job)
        assert changed["limit_s"] is None and changed["not_before_at"], changed
        expect(place.run("set", 1, "gpus=1"), 4, "job 1 runs")
        expect(place.run("set", job, "gpus=9"), 4, "8")
        expect(place.run("set", job), 2, "what is to be set?")
        expect(place.run("set", job, "colour=red"), 2, "'colour=red'", "time=2h")
        expect(place.run("set", job, "time=soon"), 2, "time: ", "'soon'")


def move_puts_a_job_before_another():
    with Place() as place:
        place.queue("--gpus", 8, *UNTIL, "go")
        place.queue("--gpus", 8, "true")
        place.queue("--gpus", 8, "true")
        expect(place.run("move", 3, "--before", 2), 0, "job 3: stands before job 2 now")
        until(lambda: "behind job 3" in place.ok("show", 2), "job 2 waits for job 3")
        expect(place.run("move", 3), 2, "before which job?")
        expect(place.run("move", 99, "--before", 2), 3, "99")


def P24_a_drained_node_lets_running_jobs_end_and_starts_none():
    with Place() as place:
        place.queue("--gpus", 1, *UNTIL, "go")
        place.reach(1, "running")
        expect(place.run("drain", "node1"), 0, "node node1: draining", "1 job runs on",
               "baleen resume node1")
        job = place.queue("--gpus", 1, "true")
        until(lambda: place.job(job)["reason"] == "nodes_down", "the new job waits for the node")
        expect(place.run("why", job), 0, "node1", "drained")
        (place.here / "go").touch()
        place.reach(1, "completed")
        expect(place.run("drain", "node1"), 0, "nothing runs there any more")
        assert place.job(job)["state"] == "queued"
        expect(place.run("resume", "node1"), 0, "node node1: open for jobs")
        place.reach(job, "completed")


def P24_a_drain_at_a_time_keeps_jobs_away_that_would_run_longer():
    with Place() as place:
        expect(place.run("drain", "node1", "--at", "+1h"), 0, "will drain at")
        expect(place.run("nodes"), 0, "up, will be drained at")
        short = place.queue("--gpus", 1, "-t", "30", "true")
        long = place.queue("--gpus", 1, "-t", "2h", "true")
        place.reach(short, "completed")
        until(lambda: place.job(long)["reason"] == "drain", "the long job waits for the drain")
        expect(place.run("drain", "node1", "--at", "today 00:00"), 2, "has passed")
        expect(place.run("drain", "nowhere"), 3, "nowhere")
        expect(place.run("drain"), 2, "which node?", "baleen nodes")
        expect(place.run("resume", "node1"), 0, "open")
        place.reach(long, "completed")


def P15_every_waiting_job_has_an_expected_start_and_a_reason():
    with Place() as place:
        place.queue("-J", "first", "--gpus", 6, "-t", "2h", *UNTIL, "go")
        place.reach(1, "running")
        out = place.ok("run", "-J", "wide", "--gpus", 4, "-t", "1h", "true")
        assert re.search(r"queued, needs 4 GPUs.*Starts about .*\d\d:\d\d.*, done about .*\d\d:\d\d.* "
                         r"\(by limits alone\)", out), out
        place.queue("-J", "last", "--gpus", 8, "-t", "1h", "true")
        until(lambda: all(len(re.findall(r"\d\d:\d\d", line)) == 4 for line in
                          place.ok("q", "--no-header", "-s", "PD", "-o", "id,starts,ends,where").splitlines()),
              "each has a range of its start and of its end")
        assert "~ by limits alone" in place.ok("q")
        out = place.ok("why", 2)
        for words in ("2 wide: queued since", "Next start: ", "needs      4 GPUs",
                      "blocked by 1 (", "6 GPUs, until about ", "nodes      node1: 2 of 8 GPUs free",
                      "in line    place 1"):
            assert words in out, f"{words}: {out}"
        assert "ahead      2 (" in place.ok("why", 3)
        assert place.json("why", "--json", 3)["ahead"][0]["id"] == 2
        assert "starts      about" in place.ok("show", 3)


def P22_cancel_ends_a_job_in_every_state_and_twice_is_once():
    with Place() as place:
        running = place.queue("--gpus", 8, *UNTIL, "go")
        place.reach(running, "running")
        queued = place.queue("--gpus", 8, "true")
        held = place.queue("--hold", "true")
        waiting = place.queue("--after", queued, "true")
        for job in (waiting, held, queued, running):
            expect(place.run("cancel", job), 0, f"job {job}: ")
            expect(place.run("cancel", job), 0, f"job {job}: ")
            assert place.reach(job, "cancelled")


def A7_an_array_is_one_line_and_its_elements_have_their_own_names():
    with Place() as place:
        array = place.queue("-J", "sweep", "--array", "0-9%2", "--gpus", 1, "sh", "-c",
                            'echo "index $BALEEN_ARRAY_INDEX"; '
                            'until [ -e "$1" ]; do sleep 0.05; done', "x", place.here / "go")
        until(lambda: place.job(array)["array"]["running"] == 2, "two elements run")
        out = place.ok("q", "--no-header", "-o", "id,st,reason")
        assert f"{array}_[0-9%2]" in out and f"{array}_0" in out, out
        assert "10 elements: 8 wait, 2 run, 0 done, at most 2 at once" in out, out
        assert "2 running · 8 queued" in place.ok("q")
        until(lambda: place.run("log", f"{array}_1").stdout == "index 1\n", "the element's log")
        expect(place.run("show", f"{array}_1"), 0, f"job {array}_1 sweep", "running on node1")
        expect(place.run("show", array), 0, "10 elements")
        expect(place.run("cancel", f"{array}_0"), 0, f"job {array}_0: stopping")
        until(lambda: place.job(f"{array}_0")["state"] == "cancelled", "one element is cancelled")
        (place.here / "go").touch()
        until(lambda: place.job(array)["array"]["done"] == 9, "the others complete")
        second = place.queue("--array", "0-1", *UNTIL, "never")
        until(lambda: place.job(second)["array"]["running"] == 2, "both elements run")
        expect(place.run("cancel", second), 0, f"job {second}: stopping")
        place.reach(second, "cancelled")
        expect(place.run("cancel", second), 0, f"job {second}: cancelled")


def the_plan_is_drawn_for_each_gpu():
    with Place() as place:
        place.queue("--gpus", 6, "-t", "2h", *UNTIL, "go")
        place.queue("--gpus", 4, "-t", "1h", "true")
        place.reach(1, "running")
        lines = place.ok("plan", "--next", "4h", "--ascii").splitlines()
        assert "now" in lines[1], lines
        assert re.match("gpu0 A100 =1 ", lines[2]) and ".2 " in lines[2], lines
        assert lines[9] == "gpu7 A100", lines
        assert "a forecast" in lines[10], lines
        assert "█1 " in place.ok("plan")
        assert [bar["ref"] for bar in place.json("plan", "--json")["bars"]] == ["1", "2"]
        expect(place.run("plan", "--next", "never"), 2, "--next")


def C7_the_calendar_shows_what_was_is_and_will_be():
    with Place() as place:
        place.reach(place.queue("--gpus", 8, "-J", "past", "true"), "completed")
        place.reach(place.queue("--gpus", 6, "-t", "2h", "-J", "训练", *UNTIL, "go"), "running")
        place.queue("--gpus", 4, "-t", "1h", "--project", "nlp", "-J", "next", "true")
        out = place.ok("calendar", "--from", "-30m", "--to", "+4h")
        assert out.count("gpu") == 8 and "now" in out and "▓" in out and "█2 " in out, out
        out = place.ok("calendar", "--from", "now", "--to", "+4h", "--by", "user")
        assert "█2 训练 x6█" in out and "·3 next" in out, out
        assert "nlp" in place.ok("calendar", "--by", "project", "--ascii")
        assert place.ok("calendar", "--ascii").isascii()
        assert "\033" not in out
        berlin = place.ok("calendar", "--tz", "Europe/Berlin").splitlines()[0]
        assert re.search(" CES?T$", berlin), berlin
        for words, said in ((("--tz", "Mars/X"), "Europe/Berlin"), (("--by", "me"), "gpu, user or project"),
                            (("--from", "now", "--to", "now"), "--to after --from"), (("--to", "soon"), "'soon'"),
                            (("--from", "-2000d", "--to", "now"), "366 days"), (("7",), "'7'")):
            expect(place.run("calendar", *words), 2, said)
        place.ok("cancel", 2, 3)
        place.reach(2, "cancelled")
        ics = place.ok("calendar", "--ics")
        assert ics.startswith("BEGIN:VCALENDAR") and "CATEGORIES:job" in ics, ics
        told = place.json("calendar", "--to", "+1d", "--json")
        assert [bar["ref"] for bar in told["bars"]] == ["1", "2"], told


def A21_a_script_with_slurms_lines_is_submitted_as_it_is():
    with Place() as place:
        (place.here / "job.sh").write_text(
            "#!/bin/bash\n#SBATCH -J tiny --gres=gpu:2\n#SBATCH -t 30\n#SBATCH -o out-%j.txt\n"
            "#SBATCH --mail-user=a@b\necho \"$SLURM_JOB_ID $1 $CUDA_VISIBLE_DEVICES\"\n")
        done = place.run("submit", "job.sh", "argument")
        expect(done, 0, "job 1 tiny: ", "limit 30 minutes")
        assert "--mail-user" in done.stderr and "job.sh:5" in done.stderr, done.stderr
        place.reach(1, "completed")
        assert (place.here / "out-1.txt").read_text() == "1 argument 0,1\n"
        assert place.ok("submit", "--parsable", "--gpus", 1, "-J", "other", "job.sh") == "2\n"
        place.reach(2, "completed")
        assert place.job(2)["name"] == "other" and place.job(2)["gpus"]["want"] == 1
        exported = place.ok("submit", "--export", "yaml", "job.sh")
        assert "name: tiny" in exported and "run: |" in exported, exported
        (place.here / "again.yaml").write_text(exported)
        expect(place.run("submit", "-w", "again.yaml"), 0, "completed")


def A21_standard_input_a_job_file_and_a_pipeline_are_submitted():
    with Place() as place:
        with open(place.here / "in", "w+", encoding="utf-8") as text:
            text.write("#!/bin/sh\necho from a pipe\n")
            text.seek(0)
            expect(place.run("submit", "-w", "-", stdin=text), 0, "completed")
        assert place.ok("log", 1) == "from a pipe\n"
        (place.here / "p.yaml").write_text(
            "jobs:\n"
            "  train: {run: 'cat data; echo trained > model', after: ['prep:ok']}\n"
            "  prep: {run: echo prepared > data}\n"
            "  eval: {run: cat model, after: [train]}\n")
        out = place.ok("submit", "p.yaml")
        assert [line.split(":")[0] for line in out.splitlines()] == \
            ["job 2 prep", "job 3 train", "job 4 eval"], out
        place.reach(4, "completed")
        assert place.ok("log", 4) == "trained\n"
        expect(place.run("submit", "-w", "p.yaml"), 0, "job 7 eval: completed")
        expect(place.run("submit", "--gpus", 1, "p.yaml"), 2, "pipeline")


def wrong_files_exit_with_their_place_and_submit_nothing():
    with Place() as place:
        (place.here / "bad.yaml").write_text("run: 'true'\ncolour: red\n")
        (place.here / "bad.sh").write_text("echo hello\n")
        rows = [
            (["submit"], 2, "which file?"),
            (["submit", "nothing.yaml"], 3, "'nothing.yaml'"),
            (["submit", "bad.yaml"], 2, "bad.yaml:2: "),
            (["submit", "bad.sh"], 2, "bad.sh:1: "),
            (["submit", "--export", "xml", "bad.sh"], 2, "expected yaml"),
            (["run", "--array", "9-0", "true"], 2, "--array"),
            (["run", "--signal", "HELLO@3", "true"], 2, "--signal"),
            (["run", "--begin", "soon", "true"], 2, "--begin"),
            (["run", "--priority", "high", "true"], 2, "--priority"),
            (["run", "--retries", "-1", "true"], 2, "--retries"),
        ]
        for words, code, expected in rows:
            expect(place.run(*words), code, "baleen: ", expected)
        assert place.json("q", "-a", "--json") == {"jobs": []}


def a_job_is_warned_before_its_limit_and_tried_again_when_it_fails():
    with Place() as place:
        job = place.queue("-t", "2s", "--signal", "B:USR1@1", "bash", "-c",
                          "trap 'echo warned; exit 0' USR1; while :; do sleep 0.05; done")
        place.reach(job, "completed")
        assert place.ok("log", job) == "warned\n"
        again = place.queue("--retries", 1, "--requeue", "sh", "-c", "exit 3")
        until(lambda: place.job(again)["state"] in ("failed", "held"), "it has given up")
        assert place.job(again)["attempt"] == 2


def both_languages_say_the_same_with_the_same_exit_codes():
    with Place() as place:
        place.queue("-J", "big", "--gpus", 6, "-t", "2h", *UNTIL, "go")
        place.reach(1, "running")
        place.env["LC_ALL"] = "zh_CN.UTF-8"
        out = place.ok("run", "-J", "wide", "--gpus", 4, "-t", "1h", "true")
        for words in ("作业 2 wide：排队", "需要 4 块 GPU", "时限 1 小时", "预计"):
            assert words in out, f"{words}: {out}"
        expect(place.run("q"), 0, "编号", "预计开始", "8 块 GPU：忙 6，空闲 2 · 运行 1 · 排队 1")
        expect(place.run("show", 2), 0, "状态", "排队，需要 4 块 GPU", "所有者")
        expect(place.run("why", 2), 0, "被占用     1（", "第 1 位")
        expect(place.run("hold", 2), 0, "作业 2：已挂起")
        expect(place.run("cancel", 2), 0, "作业 2：已取消")
        expect(place.run("plan"), 0, "现在", "运行")
        expect(place.run("show", 99), 3, "baleen：")
    with Nobody() as place:
        place.env.update(LC_ALL="", LANG="zh_CN.UTF-8")
        expect(place.run("q"), 5, "没有守护进程应答", "提示")


def top_shows_the_gpus_and_the_queue_until_it_is_interrupted():
    with Place() as place:
        place.queue("-J", "tiny", "--gpus", 1, *UNTIL, "go")
        place.reach(1, "running")
        out = place.ok("top", "--once")
        assert "1 tiny (" in out and "1 running · 0 queued" in out, out
        process = place.popen("top", "-d", "0.2")
        assert "NODE" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0, process.returncode


def the_doctor_says_what_must_be_mended_and_exits_by_it():
    with Place() as place:
        expect(place.run("doctor", "--state", place.state), 0, "ok    daemon", place.socket,
               "supervisor", "nothing must be mended")
        found = place.json("doctor", "--json", "--state", place.state)
        assert found["ok"] and {check["check"] for check in found["checks"]} >= \
            {"daemon", "supervisor", "state", "cgroup", "gpus", "clock", "zone"}, found
    with Nobody() as place:
        expect(place.run("doctor"), 1, "MEND  daemon", "baleen daemon", "run 'baleen doctor' again")
        expect(place.run("doctor", "now"), 2, "takes no words")


def help_and_refused_calls_are_told_in_the_language_of_the_caller():
    with Nobody() as place:
        verbs = re.findall(r"^  (\w+) ", place.ok("help").split("examples:")[0], re.MULTILINE)
        place.env["LC_ALL"] = "zh_CN.UTF-8"
        overview = place.ok("help")
        assert "用法：baleen" in overview and "提交一个命令" in overview, overview
        for verb in set(verbs) - {"daemon", "sim"}:
            told = place.ok("help", verb)
            assert re.search(r"\n选项：\n", told) and "示例：" in told, told
            for line in re.findall(r"^ .*--(?:[\w-]+).*$", told.split("选项：")[1], re.MULTILINE):
                assert re.search(r"[\u4e00-\u9fff]|interactive", line), (verb, line)
        for words, code, what in ((["show"], 2, "哪个作业？"), (["run"], 2, "没有要运行的命令"),
                                  (["run", "--gpsu", "1", "x"], 2, "是否指 --gpus？"),
                                  (["run", "-Z", "x"], 2, "没有选项 '-Z'"),
                                  (["rnu"], 2, "不是 baleen 的动词"),
                                  (["submit", "none.yaml"], 3, "没有文件 'none.yaml'"),
                                  (["cancel", "x"], 2, "期望作业编号"),
                                  (["run", "--begin", "soon", "x"], 2, "期望时刻")):
            expect(place.run(*words), code, what)


def the_completions_in_the_repository_are_those_of_the_program():
    folder = Path(__file__).resolve().parents[2] / "packaging/completions"
    with Nobody() as place:
        for shell, name in (("bash", "baleen.bash"), ("zsh", "_baleen"), ("fish", "baleen.fish")):
            assert place.ok("completion", shell) == (folder / name).read_text(), \
                f"make it anew: baleen completion {shell} > packaging/completions/{name}"
        expect(place.run("completion", "dos"), 2, "'dos'")


def the_manual_names_every_verb_and_every_flag():
    manual = (Path(__file__).resolve().parents[2] / "docs/man/baleen.1.scd").read_text()
    with Nobody() as place:
        verbs = re.findall(r"^  (\w+) ", place.ok("help").split("examples:")[0], re.MULTILINE)
        assert len(verbs) > 15, verbs
        for verb in verbs:
            assert re.search(rf"^(## {verb} |\*{verb}\*$)", manual, re.MULTILINE), verb
            if verb not in ("daemon", "sim"):
                for flag in re.findall(r"^[ \w,-]{2,6}(--[\w-]+)", place.ok("help", verb),
                                       re.MULTILINE):
                    assert f"*{flag}*" in manual, f"{verb} {flag}"


def the_manual_names_what_a_job_finds_in_its_environment():
    manual = (Path(__file__).resolve().parents[2] / "docs/man/baleen.1.scd").read_text()
    with Place() as place:
        for name in [name for name in place.env if name.startswith("BALEEN_")]:
            if name != "BALEEN_SOCKET":
                del place.env[name]
        (place.here / "job.yaml").write_text(
            "run: env >found.$BALEEN_ARRAY_INDEX\narray: 0\nresources: {gpus: 1}\n"
            "checkpoint: {every: 30m, resume: --again}\n")
        place.ok("submit", "-w", "job.yaml")
        found = [line.partition("=")[0] for line in
                 (place.here / "found.0").read_text().splitlines()]
        own = [name for name in found if re.match(r"BALEEN_|CUDA_|\w+_VISIBLE_DEVICES", name)
               and name not in place.env]
        assert len(own) > 10, found
        assert not [name for name in own if f"*{name}*" not in manual], own


def P23_whose_a_job_is_comes_from_the_kernel_and_not_from_the_environment():
    with Place() as place:
        place.env.update(USER="somebody", LOGNAME="somebody")
        job = place.queue("true")
        assert place.job(job)["user"] != "somebody"
        assert place.job(job)["user"] in json.dumps(place.json("show", "--json", job))


def files_of_a_job_get_the_umask_of_whoever_submits():
    with Place() as place:
        for words, mode in (("umask 027; exec \"$@\"", 0o640),
                            ("umask 002; exec \"$@\"", 0o664)):
            name = f"made-{mode:o}"
            done = subprocess.run(["sh", "-c", words, "sh", BALEEN, "run", "-w", "--", "sh", "-c",
                                   f"echo x >{name}"], cwd=place.here, env=place.env, check=False,
                                  capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done
            assert os.stat(place.here / name).st_mode & 0o777 == mode, name
        (place.here / "job.yaml").write_text("run: echo x >own\numask: 0077\n")
        place.ok("submit", "-w", "job.yaml")
        assert os.stat(place.here / "own").st_mode & 0o777 == 0o600


def P12_times_of_a_file_are_those_of_whoever_submits_it():
    with Place() as place:
        place.env["TZ"] = "Asia/Tokyo"
        script = "#!/bin/sh\n#SBATCH --begin=2030-01-01T09:00:00\ntrue\n"
        for name, text in (("a.yaml", "run: 'true'\nnot_before: 2030-01-01T09:00\n"),
                           ("a.sh", script)):
            (place.here / name).write_text(text)
            job = place.ok("submit", "--parsable", name).strip()
            assert place.job(job)["not_before_at"] == 1893456000, place.job(job)


def each_job_of_a_pipeline_is_told_of_once_it_was_looked_at():
    with Place() as place:
        (place.here / "two.yaml").write_text("jobs:\n  a: {run: sleep 600}\n"
                                             "  b: {run: 'true', after: [a:ok]}\n")
        said = place.ok("submit", "two.yaml").splitlines()
        assert "running on node1" in said[0] and "waits for job 1" in said[1], said


def a_job_that_ends_before_the_answer_is_told_of_once():
    with Place() as place:
        for _ in range(5):
            said = place.ok("run", "-w", "true").splitlines()
            assert len([line for line in said if "completed" in line]) == 1, said


def a_wait_for_an_array_ends_with_its_last_element():
    with Place() as place:
        said = place.ok("run", "-w", "--array", "0-3", "true")
        assert said.splitlines()[-1].endswith("completed"), said
        process = place.popen("run", "-w", "--hold", "true")
        assert "held" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 130, process.returncode


main([hold_keeps_a_job_from_starting_until_it_is_released,
      a_job_can_be_submitted_held,
      requeue_gives_a_job_a_new_attempt_and_keeps_the_log_of_the_old,
      set_changes_what_may_be_changed_and_says_what_may_not,
      move_puts_a_job_before_another,
      P24_a_drained_node_lets_running_jobs_end_and_starts_none,
      P24_a_drain_at_a_time_keeps_jobs_away_that_would_run_longer,
      P15_every_waiting_job_has_an_expected_start_and_a_reason,
      P22_cancel_ends_a_job_in_every_state_and_twice_is_once,
      A7_an_array_is_one_line_and_its_elements_have_their_own_names,
      the_plan_is_drawn_for_each_gpu,
      C7_the_calendar_shows_what_was_is_and_will_be,
      A21_a_script_with_slurms_lines_is_submitted_as_it_is,
      A21_standard_input_a_job_file_and_a_pipeline_are_submitted,
      wrong_files_exit_with_their_place_and_submit_nothing,
      a_job_is_warned_before_its_limit_and_tried_again_when_it_fails,
      both_languages_say_the_same_with_the_same_exit_codes,
      top_shows_the_gpus_and_the_queue_until_it_is_interrupted,
      the_doctor_says_what_must_be_mended_and_exits_by_it,
      help_and_refused_calls_are_told_in_the_language_of_the_caller,
      the_completions_in_the_repository_are_those_of_the_program,
      the_manual_names_every_verb_and_every_flag,
      the_manual_names_what_a_job_finds_in_its_environment,
      P23_whose_a_job_is_comes_from_the_kernel_and_not_from_the_environment,
      files_of_a_job_get_the_umask_of_whoever_submits,
      P12_times_of_a_file_are_those_of_whoever_submits_it,
      each_job_of_a_pipeline_is_told_of_once_it_was_looked_at,
      a_job_that_ends_before_the_answer_is_told_of_once,
      a_wait_for_an_array_ends_with_its_last_element])
