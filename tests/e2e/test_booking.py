"""What people do to reservations with the client: book, choose an opening, list, change, cancel, submit a file."""

import os
import pty
import re
import select
import subprocess

from client_kit import BALEEN, Place, expect
from kit import PATIENCE, main, until

BOOK = ("reserve", "--from", "tomorrow 09:00")


def C1_gpus_are_booked_listed_changed_and_cancelled():
    with Place() as place:
        expect(place.run(*BOOK, "--gpus", 6, "--for", "3h", "-J", "训练", "--project", "nlp"), 0,
               "r1 训练: 6 GPUs on", "gpu0-5, tomorrow 09:00–12:00", "no group of this machine is named nlp")
        expect(place.run("res", "ls"), 0, "r1", "训练", "nlp ?", "booked", "tomorrow 09:00–12:00",
               "? no group of this machine")
        expect(place.run("res", "set", "r1", "for=4h", "gpus=8"), 0, "8 GPUs", "09:00–13:00")
        assert place.json("res", "ls", "--json")["reservations"][0]["gpus"] == 8
        expect(place.run("res", "rm", "r1"), 0, "r1 训练: cancelled")
        expect(place.run("res", "ls"), 0, "no reservations")
        expect(place.run("reserve", "--on", "gpu6-7", "--from", "tomorrow 09:00", "--to", "tomorrow 10:30"), 0,
               "gpu6-7", "09:00–10:30")
        expect(place.run("res", "rm", "r9"), 3, "r9")
        for words, said in ((("rm", "7"), "r17"), (("rm",), "which reservations?"), (("set", "r2"), "what is to be set?"),
                            (("set", "r2", "colour=red"), "gpus=8"), (("fly",), "ls, rm or set"),
                            (("set", "r2", "from="), "from: expected an instant like"),
                            (("set", "r2", "for=x"), "baleen: for: expected a time like"),
                            (("set", "r2", "to=x"), "baleen: to: expected an instant like"),
                            (("rm", "r2", "--following"), "r17.3")):
            expect(place.run("res", *words), 2, said)
        expect(place.run("res", "ls", "-u", "no-such"), 3, "knows no user 'no-such'")
        expect(place.run("res", "ls", "-u", "@"), 0, "r2")


def C1_a_series_is_booked_and_one_or_all_that_follow_are_changed():
    with Place() as place:
        expect(place.run(*BOOK, "--gpus", 2, "--for", "3h", "--every", "daily", "--until", "+10d"), 0, "every day")
        each = place.json("res", "ls", "--json")["reservations"]
        assert {item["id"] for item in each} == {"r1"} and len(each) >= 9, each
        assert place.ok("res", "ls").count("\n") == 2
        assert place.ok("res", "ls", "--each").count("\n") == 1 + len(each)
        expect(place.run("res", "set", "r1.2", "for=1h"), 0, "r1.2: 2 GPUs")
        expect(place.run("res", "set", "r1.3", "for=2h", "--following"), 0)
        found = place.json("res", "ls", "--json")["reservations"]
        assert [(item["end_at"] - item["start_at"]) // 3600 for item in found] == [3, 1] + (len(each) - 2) * [2]
        expect(place.run("res", "set", "r1.2", "every=weekly"), 2, "every")
        expect(place.run("res", "rm", "r1.4", "--following"), 0, "r1.4: cancelled")
        assert len(place.json("res", "ls", "--json")["reservations"]) == 3


def C3_a_conflict_lists_what_fits_with_exit_code_4():
    with Place() as place:
        place.ok(*BOOK, "--gpus", 6, "--for", "3h")
        done = place.run(*BOOK, "--gpus", 4, "--for", "6h")
        expect(done, 4, "refused: 2 of 4 GPUs are taken by r1", "It fits:", "  1  tomorrow 12:00–18:00  4 GPUs A100")
        assert not done.stdout
        done = place.run(*BOOK, "--gpus", 4, "--for", "6h", "--json")
        expect(done, 4, '"openings"')
        place.env["LC_ALL"] = "zh_CN.UTF-8"
        expect(place.run(*BOOK, "--gpus", 4, "--for", "6h"), 4, "被拒绝", "可选", "明天 12:00–18:00")
        place.ok(*BOOK, "--gpus", 1, "--for", "3h")
        expect(place.run(*BOOK, "--gpus", 4, "--for", "3h"), 4, "明天 09:00–12:00，r2")
        expect(place.run("res", "ls"), 0, "已预约")


def what_no_other_time_would_help_is_refused_with_its_cause():
    with Place() as place:
        place.ok(*BOOK, "--gpus", 6, "--for", "3h")
        place.ok("reserve", "--gpus", 2, "--from", "now", "--for", "1h")
        for words, said in ((("res", "set", "r1", "gpus=9"), "no more than 8 such GPUs"),
                            (("reserve", "--gpus", 9, "--from", "+2d", "--for", "1h"), "no more than 8 such GPUs"),
                            (("res", "set", "r2", "gpus=3"), "what has begun keeps the GPUs"),
                            (("res", "set", "r2", "on=gpu4-5"), "what has begun keeps the GPUs")):
            done = place.run(*words)
            expect(done, 4, said)
            assert "taken by" not in done.stderr, done.stderr
        place.ok("drain", place.json("nodes", "--json")["nodes"][0]["name"])
        expect(place.run("reserve", "--gpus", 1, "--from", "+2d", "--for", "1h"), 4, "no more of them that are up")


def on_terminal(place, answer, *words):
    """The exit code and the text of a call on a terminal, which is told `answer` (of what it said) when it asks."""
    master, slave = pty.openpty()
    process = subprocess.Popen([BALEEN, *map(str, words)], cwd=place.here, env=place.env, stdin=slave, stdout=slave,
                               stderr=slave, close_fds=True)
    os.close(slave)
    text = b""
    while True:
        ready, _, _ = select.select([master], [], [], PATIENCE)
        assert ready, f"nothing more came: {text}"
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
        if answer is not None and b"/N]" in text:
            os.write(master, answer(text.decode()) if callable(answer) else answer)
            answer = None
    os.close(master)
    return process.wait(PATIENCE), text.decode()


def C3_on_a_terminal_an_opening_is_chosen_by_its_number():
    with Place() as place:
        place.ok(*BOOK, "--gpus", 6, "--for", "3h")
        for answer in (b"N\n", b"\n", b"17\n", b"one\n", b"\x04"):
            code, text = on_terminal(place, answer, *BOOK, "--gpus", 4, "--for", "6h")
            assert code == 4 and "book which? [1/2/3/N]" in text, (answer, code, text)
        assert len(place.json("res", "ls", "--json")["reservations"]) == 1
        code, text = on_terminal(place, b"1\n", *BOOK, "--gpus", 4, "--for", "6h")
        assert code == 0 and "tomorrow 12:00–18:00" in text.splitlines()[-1], text

        def fewer(told):
            return re.search(r"  (\d)  tomorrow 09:00–10:00  2 GPUs", told)[1].encode() + b"\n"

        code, text = on_terminal(place, fewer, *BOOK, "--gpus", 4, "--to", "tomorrow 10:00")
        assert code == 0 and re.search("2 GPUs on .*09:00–10:00", text.splitlines()[-1]), text


def P12_times_are_those_of_the_zone_that_is_named():
    with Place() as place:
        place.env["TZ"] = "Asia/Shanghai"
        said = place.ok(*BOOK, "--gpus", 1, "--for", "3h", "--zone", "Europe/Berlin")
        assert re.search(r"tomorrow 09:00–12:00 Europe/Berlin \(here tomorrow 1[56]:00–1[89]:00\)", said), said
        whole = place.json("res", "set", "r1", "gpus=1", "--json")
        for key in ("start", "end"):
            local = subprocess.run(["date", "-d", f"@{whole[f'{key}_at']}", "+%Y-%m-%dT%H:%M%:z"], check=True, text=True,
                                   capture_output=True, env=dict(os.environ, TZ="Europe/Berlin")).stdout.strip()
            assert whole[f"{key}_local"] == whole["slots"][0][f"{key}_local"] == local, (whole, local)
        place.ok(*BOOK, "--gpus", 1, "--for", "3h")
        berlin, shanghai = sorted(place.json("res", "ls", "--json")["reservations"], key=lambda item: item["id"])
        assert (berlin["zone"], shanghai["zone"]) == ("Europe/Berlin", "Asia/Shanghai")
        for item, zone in ((berlin, "Europe/Berlin"), (shanghai, "Asia/Shanghai")):
            shown = subprocess.run(["date", "-d", f"@{item['start_at']}", "+%H:%M"], check=True, text=True,
                                   capture_output=True, env=dict(os.environ, TZ=zone)).stdout
            assert shown == "09:00\n", (item, shown)
        expect(place.run("reserve", "--gpus", 1, "--for", "1h", "--zone", "Europe/Berlin", "--from", "2027-03-28 02:30"),
               2, "2027-03-28 03:30")
        twice = ("reserve", "--gpus", 1, "--for", "1h", "--zone", "Europe/Berlin", "--from", "2027-10-31 02:30")
        expect(place.run(*twice), 2, "twice")
        expect(place.run(*twice, "--fold", "second"), 0, "r3: ")
        expect(place.run(*BOOK, "--gpus", 8, "--for", "3h", "--zone", "Europe/Berlin"), 4, "It fits, in times of Europe/Berlin:")
        expect(place.run("reserve", "--gpus", 1, "--for", "1h", "--zone", "Mars/X", "--from", "14:00"), 2, "Mars/X")


def the_queue_and_the_calendar_show_what_is_booked():
    with Place() as place:
        place.ok("reserve", "--gpus", 2, "--from", "+2h", "--for", "3h", "-J", "demo")
        place.ok("reserve", "--gpus", 2, "--from", "+30d", "--for", "3h", "-J", "later")
        out = place.ok("q")
        assert re.search(r"\n *r1 +demo +\S+ +– +RESV +– +2 +gpu0-1 +– +\S", out) and "later" not in out, out
        assert "RESV" not in place.ok("q", "--state", "R") and "RESV" in place.ok("q", "-u", "@")
        assert place.json("q", "--json") == {"jobs": []}
        assert place.ok("calendar", "--from", "now", "--to", "+6h").count("╱r1 ") == 2
        assert "/r1 " in place.ok("plan", "--ascii")


def C1_a_job_is_run_in_a_booking():
    with Place() as place:
        place.ok("reserve", "--gpus", 2, "--from", "now", "--for", "1h")
        expect(place.run("run", "--reservation", "r9", "true"), 2, "--reservation: there is no r9")
        expect(place.run("run", "--reservation", "17", "true"), 2, "r17")
        job = place.queue("--reservation", "r1", "--gpus", 2, "-t", "10m", "true")
        place.reach(job, "completed")
        assert place.json("show", job, "--json")["reservation"] == "r1"
        later = place.json("reserve", "--gpus", 2, "--from", "+2h", "--for", "1h", "--json")["id"]
        waits = place.queue("--reservation", later, "--gpus", 2, "-t", "10m", "true")
        until(lambda: f"reservation {later}" in place.ok("why", waits), "it waits for its reservation")


def what_could_never_run_in_a_booking_is_refused_with_both_numbers():
    with Place() as place:
        expect(place.run("reserve", "--gpus", 1, "--from", "+1h", "--for", "30s"), 2, "for: expected more than 30 s, found 30 s")
        place.ok("reserve", "--gpus", 6, "--from", "+1h", "--for", "3h")
        expect(place.run("res", "set", "r1", "for=20s"), 2, "for: expected more than 30 s, found 20 s")
        run = ("run", "--reservation", "r1")
        expect(place.run(*run, "--gpus", 7, "true"), 4, "needs 7 GPUs; its reservation r1 has 6")
        expect(place.run(*run, "--gpus", 1, "-t", "10h", "true"), 4, "its limit of 10h is too long", "r1 is 3h")
        expect(place.run(*run, "--gpus", 1, "--ckpt", "USR1@3h", "true"), 4, "stop 3h30s before the end", "r1 is 3h")
        job = place.queue("--reservation", "r1", "--gpus", 6, "-t", "3h", "true")
        expect(place.run("set", job, "gpus=7"), 4, "needs 7 GPUs; its reservation r1 has 6")
        expect(place.run("set", job, "limit=10h"), 4, "its limit of 10h is too long", "r1 is 3h")
        other = place.queue("--reservation", "r1", "--gpus", 2, "-t", "1h", "-H", "true")
        assert not place.json("res", "set", "r1", "name=x", "--json")["stranded"]
        expect(place.run("res", "set", "r1", "gpus=4"), 0, f"1 job that waits for it can never run in it now: {job};")
        expect(place.run("why", job), 0, "needs 6 GPUs; its reservation r1 has 4 that suit it")
        expect(place.run("res", "set", "r1", "for=2h"), 0, f"never run in it now: {job};")
        assert place.json("res", "set", "r1", "for=30m", "--json")["stranded"] == [job, other]
        expect(place.run("set", job, "gpus=1", "limit=10m"), 0)
        assert place.json("res", "set", "r1", "name=y", "--json")["stranded"] == [other]
        expect(place.run("res", "rm", "r1"), 0, f"2 jobs that wait for it can never run in it now: {job}, {other};")
        expect(place.run("why", job), 0, "its reservation r1 is over")


def C4_a_job_is_promised_a_latest_start():
    with Place() as place:
        until_go = ["sh", "-c", "until [ -e go ]; do sleep 0.05; done"]
        first = place.queue("--gpus", 8, "-t", "1h", *until_go)
        place.reach(first, "running")
        done = place.run("run", "--gpus", 4, "-t", "30m", "--promise", "true")
        expect(done, 0, "Promised to start by")
        promised = place.json("show", 2, "--json")["promised_at"]
        assert abs(promised - place.job(first)["started_at"] - 3600) < 60, promised
        expect(place.run("show", 2), 0, "promised")
        expect(place.run("reserve", "--gpus", 8, "--from", "+30m", "--for", "2h"), 4, "refused", "job 2", "It fits")
        place.queue("--gpus", 8, "-t", "10h", "--class", "interactive", "true")
        assert place.json("show", 2, "--json")["promised_at"] == promised
        expect(place.run("run", "--promise", "-t", "1h", "--after", first, "true"), 0, "while it waits for other jobs")
        expect(place.run("hold", 2), 0, "held", "No start is promised, and no GPUs are held for it, while it is held")
        assert place.json("show", 2, "--json")["promised_at"] is None
        expect(place.run("show", 2), 0, "No start is promised")
        expect(place.run("run", "-H", "--gpus", 1, "-t", "1h", "--promise", "true"), 0, "while it is held")
        done = place.run("release", 2)
        expect(done, 0, "released", "Promised to start by")
        promised = place.json("show", 2, "--json")["promised_at"]
        expect(place.run("run", "--gpus", 8, "-t", "401d", "--promise", "true"), 0, "limit over 400 days")
        (place.here / "go").touch()
        assert place.reach(2, "completed")["started_at"] <= promised
        expect(place.run("run", "--promise", "true"), 2, "--promise: a latest start needs a limit")
        expect(place.run("run", "--promise", "-t", "1h", "--array", "0-3", "true"), 2, "needs no array")


def a_file_that_books_is_submitted():
    with Place() as place:
        (place.here / "r.yaml").write_text("reservation:\n  gpus: 4\n  from: tomorrow 09:00\n  for: 3h\n"
                                           "  every: weekly\n  until: +60d\n  flex: 2h\n")
        expect(place.run("submit", "r.yaml"), 0, "r1: 4 GPUs", "tomorrow 09:00–12:00; every week")
        expect(place.run("submit", "--gpus", 2, "r.yaml"), 2, "a file that books")
        (place.here / "bad.yaml").write_text("reservation:\n  gpus: 4\n  frm: 14:00\n  for: 3h\n")
        expect(place.run("submit", "bad.yaml"), 2, "bad.yaml:3: frm", "from")
        (place.here / "both.yaml").write_text("reservation: {gpus: 4, from: '14:00', for: 3h}\nrun: 'true'\n")
        expect(place.run("submit", "both.yaml"), 2, "both.yaml:2: run")
        (place.here / "mine.yaml").write_text("reservation: {gpus: 9, from: '14:00', for: 3h}\n")
        expect(place.run("submit", "mine.yaml"), 4, "no more than 8 such GPUs")


def what_is_missing_is_asked_for_with_an_example():
    with Place() as place:
        for words, said in (((), "--gpus N"), (("--gpus", 4), "--from TIME"),
                            (("--gpus", 4, "--from", "now"), "--for TIME"),
                            (("--gpus", 0, "--from", "now", "--for", "1h"), "baleen: --gpus: expected"),
                            (("--gpus", 1, "--from", "now", "--for", "1h", "--gpu-type", "x"), "baleen: --gpu-type: "),
                            (("--gpus", 1, "--from", "now", "--to", "soon"), "baleen: --to: expected an instant"),
                            (("--gpus", 4, "--from", "yesterday", "--for", "1h"), "from"),
                            (("--gpus", 4, "--from", "now", "--for", "-1h"), "for")):
            expect(place.run("reserve", *words), 2, said)


main([
    C1_gpus_are_booked_listed_changed_and_cancelled,
    C1_a_series_is_booked_and_one_or_all_that_follow_are_changed,
    C3_a_conflict_lists_what_fits_with_exit_code_4,
    what_no_other_time_would_help_is_refused_with_its_cause,
    C3_on_a_terminal_an_opening_is_chosen_by_its_number,
    P12_times_are_those_of_the_zone_that_is_named,
    the_queue_and_the_calendar_show_what_is_booked,
    C1_a_job_is_run_in_a_booking,
    what_could_never_run_in_a_booking_is_refused_with_both_numbers,
    C4_a_job_is_promised_a_latest_start,
    a_file_that_books_is_submitted,
    what_is_missing_is_asked_for_with_an_example,
])
