"""Every verb of the client against a real daemon: answers, exit codes, newcomers' mistakes."""

import json
import os
import re
import signal

from client_kit import Nobody, Place, expect
from kit import main, until

# Ends at once with a code; or when a file appears.
EXIT = ["sh", "-c", 'exit "$1"', "exit"]
UNTIL = ["sh", "-c", 'echo begun; until [ -e "$1" ]; do sleep 0.05; done; echo over', "until"]


def D1_run_tells_the_id_the_place_and_the_limit():
    with Place() as place:
        out = place.ok("run", "-J", "tiny", "--gpus", "2", "-t", "30", "--", *UNTIL, "go")
        assert re.fullmatch(r"job 1 tiny: running on node1 gpu0-1; limit 30 minutes, "
                            r"done by (tomorrow )?\d\d:\d\d\n", out), out
        assert place.ok("run", "--parsable", "true") == "2\n"


def D1_a_job_has_the_directory_the_environment_and_the_arguments_of_its_submitter():
    with Place() as place:
        place.env.update(COLOUR="blue grün", EMPTY="")
        (place.here / "here").mkdir()
        job = place.queue("-D", "here", "--log", "out", "--", "sh", "-c",
                           'pwd; echo "$COLOUR|$EMPTY|$1|$2"', "x", "a  b", "--json")
        place.reach(job, "completed")
        assert place.ok("log", job) == f"{place.here}/here\nblue grün||a  b|--json\n"
        assert (place.here / "here/out").exists()


def a_command_needs_no_dashes_and_keeps_its_own_flags():
    with Place() as place:
        job = place.queue("--gpus", "1", "echo", "-w", "--gpus", "9")
        place.reach(job, "completed")
        assert place.ok("log", job) == "-w --gpus 9\n"
        assert place.job(job)["name"] == "echo"


def waiting_passes_on_how_the_job_ended():
    with Place() as place:
        for code in (0, 1, 3, 77, 255):
            done = place.run("run", "-w", *EXIT, code)
            expect(done, code, "completed" if code == 0 else f"failed, exit code {code}")
        expect(place.run("run", "-w", "sh", "-c", "kill -9 $$"), 128 + 9, "exit code 137")
        done = place.run("run", "-w", "--json", *EXIT, 5)
        assert done.returncode == 5 and json.loads(done.stdout)["state"] == "failed", done


def an_interrupted_wait_leaves_the_job_alone_and_says_how_to_look_at_it():
    with Place() as place:
        process = place.popen("run", "-w", "--gpus", "1", *UNTIL, "go")
        assert "running on node1 gpu0" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130, process.returncode
        assert "baleen log -f 1" in err and "baleen cancel 1" in err, err
        assert place.job(1)["state"] == "running"


def waiting_outlives_a_restart_of_the_daemon():
    with Place() as place:
        process = place.popen("run", "-w", "sh", "-c", UNTIL[2] + "; exit 9", "x",
                              place.here / "go")
        assert "running" in process.stdout.readline()
        place.kill()
        until(lambda: "went away" in process.stderr.readline(), "the note on standard error")
        place.start()
        (place.here / "go").touch()
        process.communicate(timeout=60)
        assert process.returncode == 9, process.returncode


def a_log_that_is_followed_goes_on_when_the_daemon_comes_back():
    with Place() as place:
        job = place.queue("sh", "-c", "echo before; " + UNTIL[2], "x",
                          place.here / "go")
        process = place.popen("log", "-f", job)
        assert process.stdout.readline() == "before\n"
        place.kill()
        until(lambda: "went away" in process.stderr.readline(), "the note on standard error")
        place.start()
        (place.here / "go").touch()
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, "over\n"), (process.returncode, out)


def A7_dependencies_wait_start_and_fail_as_asked():
    with Place() as place:
        first = place.queue(*UNTIL, "go")
        out = place.ok("run", "-J", "next", "--after", "@:ok", "true")
        assert out.startswith("job 2 next: waiting, "), out
        broken = place.queue(*EXIT, 1)
        after_fail = place.queue("--after", f"{broken}:fail", "true")
        never = place.queue("--after", broken, "true")
        either = place.queue("--after", f"{first}:any,{broken}:any", "true")
        place.reach(after_fail, "completed")
        ended = place.reach(never, "cancelled", "failed")
        assert ended["reason"] == "dependency_failed", ended
        assert place.job(either)["state"] == "waiting"
        (place.here / "go").touch()
        place.reach(2, "completed")
        place.reach(either, "completed")


def the_queue_shows_what_runs_and_why_the_rest_waits():
    with Place() as place:
        place.queue("-J", "big", "--gpus", "6", "-t", "1h", "--project", "nlp", *UNTIL, "go")
        place.queue("-J", "wide", "--gpus", "4", "-t", "1h", *UNTIL, "go")
        place.reach(1, "running")
        lines = place.ok("q").splitlines()
        assert lines[0].split() == ["ID", "NAME", "USER", "PROJ", "CLASS", "ST", "GPUS", "WHERE",
                                    "USED", "STARTS", "ENDS", "(P90)", "REASON"], lines
        assert re.match(r" 1  big +\S+ +nlp +batch +R +6 +gpu0-5 +\d+s +– .*", lines[1]), lines
        assert re.match(r" 2  wide .* PD +4 +\S+( \S+)? +– .*needs 4 GPUs", lines[2]), lines
        assert lines[3:] == ["8 GPUs: 6 busy, 2 free · 1 running · 1 queued",
                             "~ by limits alone: nothing is foreseen of these jobs yet"], lines
        assert place.ok("q", "--no-header", "-o", "id,st,gpus") == "1  R   6\n2  PD  4\n"
        assert place.ok("q", "-s", "PD", "--no-header", "-o", "name") == "wide\n"
        assert place.ok("q", "-u", "nobody-here") == "no such jobs\n"
        assert [job["id"] for job in place.json("q", "--json")["jobs"]] == [1, 2]


def ended_jobs_are_listed_on_request():
    with Place() as place:
        expect(place.run("q"), 0, "the queue is empty", "baleen run --")
        expect(place.run("q", "-a"), 0, "no jobs yet")
        place.run("run", "-w", *EXIT, 3)
        expect(place.run("q"), 0, "the queue is empty")
        assert place.ok("q", "-a", "--no-header", "-o", "id,state,exit") == "1  failed  3\n"
        assert place.json("q", "-a", "--json")["jobs"][0]["exit_code"] == 3
        assert place.json("q", "--json") == {"jobs": []}


def a_watched_queue_ends_at_once_when_interrupted():
    with Place() as place:
        process = place.popen("q", "--watch", "0.2", "-o", "id")
        seen = [process.stdout.readline() for _ in range(4)]
        assert "the queue is empty" in "".join(seen), seen
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0, process.returncode


def show_tells_all_about_one_job():
    with Place() as place:
        place.queue("-J", "tiny", "--gpus", "2", "--cpus", "4", "--mem", "8G", "-t", "90",
                     "--gpu-type", "A100", *UNTIL, "it's")
        place.reach(1, "running")
        out = place.ok("show", "@")
        for words in ("job 1 tiny", "running on node1 gpu0-1", "2 GPUs of type A100, 4 CPUs, 8GiB",
                      "1 hour 30 minutes, ends by", "attempt     1, process", "'it'\\''s'",
                      f"directory   {place.here}", f"log         {place.here}/tiny-1.1.log"):
            assert words in out, f"{words}: {out}"
        assert place.ok("describe", 1).splitlines()[0] == "job 1 tiny"
        assert place.json("show", "--json", 1)["command"][-1] == "it's"


def what_a_job_is_called_and_runs_cannot_steer_the_terminal():
    with Place() as place:
        expect(place.run("run", "-J", "x\x1b[31my", "true"), 2, "--name: ", "control characters")
        place.queue("-J", "训练", "true", "a\x1b[31mb\n")
        place.reach(1, "completed")
        out = place.ok("show", 1)
        assert "\x1b" not in out and "'a\\x1b[31mb\\n'" in out, repr(out)
        assert "  训练  " in place.ok("q", "-a")


def a_log_is_followed_from_before_the_start_to_the_end():
    with Place() as place:
        first = place.queue("--gpus", "8", *UNTIL, "first")
        place.queue("--gpus", "8", *UNTIL, "second")
        place.reach(first, "running")
        expect(place.run("log", 2), 1, "has no log yet", "baleen log -f 2")
        process = place.popen("log", "-f", 2)
        until(lambda: "has not started" in process.stderr.readline(), "the note")
        (place.here / "first").touch()
        assert process.stdout.readline() == "begun\n"
        (place.here / "second").touch()
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, "over\n"), out
        told = place.json("log", "--json", 2)
        assert (told["text"], told["complete"], told["attempt"]) == ("begun\nover\n", True, 1), told


def a_large_log_with_any_bytes_comes_whole():
    with Place() as place:
        job = place.queue("sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' '\\377'; printf end")
        place.reach(job, "completed")
        done = place.run("log", job, text=False)
        assert len(done.stdout) == 3000003 and done.stdout.endswith(b"\xffend"), len(done.stdout)


def cancel_takes_ids_ranges_and_the_last_job():
    with Place() as place:
        for _ in range(5):
            place.queue("--gpus", "8", *UNTIL, "go")
        place.reach(1, "running")
        expect(place.run("cancel", "2-3", "5"), 0, "job 2: cancelled", "job 3: cancelled",
               "job 5: cancelled")
        expect(place.run("cancel", "@"), 0, "job 5: cancelled")
        assert place.json("cancel", "--json", 4) == {"jobs": [{"id": 4, "state": "cancelled"}]}
        place.ok("cancel", 1)
        assert place.reach(1, "cancelled")["reason"] == "user"
        expect(place.run("cancel", 1, 77, 78, 2), 3, "job 1: cancelled", "job 2: cancelled", "77",
               "78")
        place.run("run", "-w", "true")
        expect(place.run("cancel", 6), 0, "nothing to cancel, it is completed")


def gpus_and_nodes_tell_who_has_what():
    with Place("--declared", "2xA100:80GB", "--declared", "1xV100:16GB,cpus=4,mem=32GB") as place:
        place.queue("-J", "tiny", "--gpu-type", "A100", "--gpus", "1", *UNTIL, "go")
        place.reach(1, "running")
        gpus = place.ok("gpus").splitlines()
        assert len(gpus) == 4 and gpus[0].startswith("NODE   GPU  TYPE"), gpus
        assert re.match(r"node1 +0 +A100 .* 80GiB  busy +1 tiny \(\S+\)$", gpus[1]), gpus
        assert re.match(r"node2 +0 +V100 .* 16GiB  free +–$", gpus[3]), gpus
        assert len(place.json("gpus", "--json")["gpus"]) == 3
        nodes = place.ok("nodes").splitlines()
        assert re.match(r"node1  up .* A100 +1 / 2 +31 / 32 .* 1$", nodes[1]), nodes
        assert re.match(r"node2  up .* V100 +1 / 1 +4 / 4 +32GiB / 32GiB  –$", nodes[2]), nodes
        assert [node["name"] for node in place.json("nodes", "--json")["nodes"]] == ["node1",
                                                                                      "node2"]
        assert "  node1:0  " in place.ok("q")


def wrong_words_exit_2_with_the_way_out():
    rows = [
        (["run"], "no command", "baleen run --gpus 1 -- python train.py"),
        (["run", "--"], "no command", "usage"),
        (["run", "--gpus", "1"], "no command", "usage"),
        (["run", "--gpus", "many", "true"], "--gpus: ", "found 'many'"),
        (["run", "--gpus", "-1", "true"], "--gpus: ", "'-1'"),
        (["run", "-t", "soon", "true"], "--time: ", "'soon'"),
        (["run", "-t", "0", "true"], "--time: ", "over zero"),
        (["run", "--mem", "lots", "true"], "--mem: ", "'lots'"),
        (["run", "--cpus", "x", "true"], "--cpus: ", "'x'"),
        (["run", "--after", "prep", "true"], "--after: ", "7:ok"),
        (["run", "--class", "vip", "true"], "--class: ", "preemptible"),
        (["run", "--gpsu", "1", "true"], "no flag '--gpsu'", "did you mean --gpus?"),
        (["run", "--name"], "--name needs a value", ""),
        (["run", "python train.py --epochs 3"], "no program called", "quotes"),
        (["run", "--gpu-type", "A100", "true"], "--gpu-type", "GPU"),
        (["show"], "which job?", "baleen q -a"),
        (["show", "tiny"], "expected a job id", "7, 3-9"),
        (["show", "1", "2"], "takes one job", "usage"),
        (["log", "1-3"], "one job id", ""),
        (["cancel"], "which job?", "usage"),
        (["cancel", "9-3"], "range", "3-9"),
        (["q", "extra"], "takes no words", "usage"),
        (["q", "-s", "happy"], "no state 'happy'", "running"),
        (["q", "-o", "id,size"], "no column 'size'", "columns are"),
        (["q", "--watch=-1"], "--watch", "'-1'"),
        (["gpus", "--all"], "no flag '--all'", "--help"),
        (["cancle", "3"], "'cancle' is not a verb", "did you mean 'baleen cancel'?"),
        (["--sokcet", "x"], "'--sokcet' is not a verb", ""),
        (["--socket"], "needs a value", ""),
        (["help", "nothing"], "'nothing' is not a verb", ""),
    ]
    with Place() as place:
        for words, *expected in rows:
            done = place.run(*words)
            expect(done, 2, "baleen: ", *expected)
            assert done.stdout == "", f"{words}: {done.stdout}"
        assert place.json("q", "-a", "--json") == {"jobs": []}


def what_is_not_there_exits_3():
    with Place() as place:
        for words in (["show", 99], ["log", 99], ["log", "-f", 99], ["cancel", 99], ["show", "@"],
                      ["cancel", "@"]):
            expect(place.run(*words), 3, "baleen: ")
        place.run("run", "-w", "true")
        expect(place.run("log", "-a", 2, 1), 3, "attempt")


def what_no_state_of_the_machine_can_meet_exits_4_with_the_nearest_possible():
    with Place() as place:
        expect(place.run("run", "--gpus", "9", "true"), 4, "8")
        expect(place.run("run", "--gpus", "1", "--gpu-type", "H100", "true"), 4, "A100")
        expect(place.run("run", "--gpus", "1", "--gpu-mem", "96GB", "true"), 4, "80")
        assert place.json("q", "-a", "--json") == {"jobs": []}


def without_a_daemon_every_verb_exits_5_and_says_how_to_start_one():
    with Nobody() as place:
        for words in (["run", "true"], ["q"], ["show", 1], ["log", 1], ["cancel", 1], ["gpus"],
                      ["nodes"], ["show", "@"], ["q", "--watch"], ["q", "--json"]):
            expect(place.run(*words), 5, place.socket, "baleen daemon")
        expect(place.run("q", "--socket", "/nowhere/s"), 5, "/nowhere/s")
        expect(place.run("--socket", "/nowhere/t", "q"), 5, "/nowhere/t")
        expect(place.run("q", "--socket", "x" * 200), 2, "107 bytes")


def a_start_that_fails_says_why_and_exits_1():
    with Place() as place:
        rows = [(["-D", "/nowhere", "true"], "/nowhere"), (["no-such-program"], "no-such-program")]
        for words, expected in rows:
            expect(place.run("run", "-w", *words), 1, expected)
        expect(place.run("q", "-a"), 0, "/nowhere", "no-such-program")
        expect(place.run("log", 1), 1, "/nowhere")
        expect(place.run("run", "-w", "--gpus", "8", "true"), 0, "completed")


def a_start_that_is_tried_again_says_why_in_both_languages():
    with Place() as place:
        for language, words in (
                ("C.UTF-8", r"cannot execute nosuch: No such file or directory; failed \d times?, will"),
                ("zh_CN.UTF-8", r"无法执行命令：.*；已失败 \d 次")):
            place.env["LC_ALL"] = language
            job = place.queue("nosuch")
            until(lambda job=job, words=words: re.search(words, place.ok("show", job)),
                  f"the wait for another try is explained: {words}")


def every_verb_has_help_with_an_example():
    with Nobody() as place:
        for verb in ("run", "submit", "q", "show", "why", "plan", "predict", "calendar", "log", "cancel", "hold", "release",
                     "requeue", "set", "move", "top", "gpus", "nodes", "report", "drain", "resume", "doctor",
                     "daemon", "sim"):
            for words in ((verb, "--help"), ("help", verb)):
                out = place.ok(*words)
                assert re.search("examples:", out, re.IGNORECASE), f"{words}: {out}"
                assert "baleen" in out, out
        for words in ((), ("--help",), ("help",)):
            assert "  cancel " in place.ok(*words)
        assert re.fullmatch(r"baleen \d+\.\d+\.\d+\n", place.ok("--version"))


def a_closed_pipe_and_a_full_disk_are_no_crash():
    with Place() as place:
        read, write = os.pipe()
        os.close(read)
        process = place.popen("gpus", stdout=write)
        os.close(write)
        process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGPIPE), process.returncode
        for words in (["gpus"], ["nodes", "--json"], ["help"], ["--version"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                process = place.popen(*words, stdout=full)
                _, err = process.communicate(timeout=60)
            assert process.returncode == 1, process.returncode
            assert "cannot write the output: No space left on device" in err, (words, err)


main([D1_run_tells_the_id_the_place_and_the_limit,
      D1_a_job_has_the_directory_the_environment_and_the_arguments_of_its_submitter,
      a_command_needs_no_dashes_and_keeps_its_own_flags,
      waiting_passes_on_how_the_job_ended,
      an_interrupted_wait_leaves_the_job_alone_and_says_how_to_look_at_it,
      waiting_outlives_a_restart_of_the_daemon,
      a_log_that_is_followed_goes_on_when_the_daemon_comes_back,
      A7_dependencies_wait_start_and_fail_as_asked,
      the_queue_shows_what_runs_and_why_the_rest_waits,
      ended_jobs_are_listed_on_request,
      a_watched_queue_ends_at_once_when_interrupted,
      show_tells_all_about_one_job,
      what_a_job_is_called_and_runs_cannot_steer_the_terminal,
      a_log_is_followed_from_before_the_start_to_the_end,
      a_large_log_with_any_bytes_comes_whole,
      cancel_takes_ids_ranges_and_the_last_job,
      gpus_and_nodes_tell_who_has_what,
      wrong_words_exit_2_with_the_way_out,
      what_is_not_there_exits_3,
      what_no_state_of_the_machine_can_meet_exits_4_with_the_nearest_possible,
      without_a_daemon_every_verb_exits_5_and_says_how_to_start_one,
      a_start_that_fails_says_why_and_exits_1,
      a_start_that_is_tried_again_says_why_in_both_languages,
      every_verb_has_help_with_an_example,
      a_closed_pipe_and_a_full_disk_are_no_crash])
