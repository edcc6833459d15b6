"""baleen report: who used what, through restarts, and what is missing of it."""

import csv
import io
import json
import sqlite3

from client_kit import Place, expect
from kit import main, until


def journal(place):
    """The records that are on disk."""
    with sqlite3.connect(f"file:{place.state}/journal.db?mode=ro", uri=True) as database:
        return [json.loads(row[0]) for row in
                database.execute("select bytes from record order by seq")]


def C6_users_and_projects_have_their_rows_in_every_form():
    with Place() as place:
        place.reach(place.queue("--project", "nlp", "--gpus", "2", "true"), "completed")
        place.reach(place.queue("--project", "nlp", "--gpus", "1", "false"), "failed")
        place.reach(place.queue("--project", "cv", "--gpus", "1", "true"), "completed")
        out = place.ok("report", "--by", "project")
        lines = [line.split() for line in out.splitlines()]
        assert lines[0][:3] == ["PROJECT", "JOBS", "GPU-HOURS"], out
        assert {line[0]: line[1] for line in lines[1:]} == {"nlp": "2", "cv": "1", "all": "3"}, out
        told = place.json("report", "--by", "project,node-type", "--json")
        assert told["by"] == ["project", "node_type"] and told["complete"] is True, told
        nlp = next(row for row in told["rows"] if row["project"] == "nlp")
        assert (nlp["jobs"], nlp["completed"], nlp["failed"]) == (2, 1, 1), nlp
        assert 0 < nlp["gpu_hours"] < 1 and nlp["wait_p90_s"] >= nlp["wait_p50_s"] >= 0, nlp
        assert abs(sum(row["gpu_hours"] for row in told["rows"]) - told["total"]["gpu_hours"]) < 1e-12
        rows = list(csv.DictReader(io.StringIO(place.ok("report", "--by", "project", "--csv"))))
        assert {row["project"]: row["jobs"] for row in rows} == {"nlp": "2", "cv": "1"}, rows
        before = place.json("report", "--by", "project", "--json")["rows"]
        place.restart()
        after = place.json("report", "--by", "project", "--json")["rows"]
        assert before == after, (before, after)


def the_window_is_that_which_is_asked_for():
    with Place() as place:
        place.reach(place.queue("--gpus", "1", "true"), "completed")
        assert place.json("report", "--to", "-1h", "--json")["rows"] == []
        assert place.json("report", "--from", "-1h", "--to", "+1h", "--json")["total"]["jobs"] == 1


def what_left_memory_is_told_to_be_missing():
    with Place() as place:
        place.stop()
        place.environment.update(BALEEN_SNAPSHOT_RECORDS="10")
        config = place.here / "keep.yaml"
        config.write_text("retention: {jobs: 2}\n")
        place.flags += ["--config", str(config)]
        place.start()
        for _ in range(6):
            place.reach(place.queue("true"), "completed")
        told = until(lambda: (now := place.json("report", "--json"))["complete"] is False and now,
                     "jobs leave memory")
        assert told["whole_since"] > told["from"], told
        assert "have left the daemon's memory" in place.ok("report")
        place.restart()
        again = place.json("report", "--json")
        assert again["complete"] is False and again["whole_since"] >= told["whole_since"], again


def P16_what_was_told_is_scored_and_survives_a_kill():
    """One GPU: the second job waits until a file lets the first go."""
    with Place("--declared", "1xA100") as place:
        until_go = ["sh", "-c", 'until [ -e go ]; do sleep 0.05; done', "until"]
        first = place.queue("--gpus", "1", "-t", "10", *until_go)
        second = place.queue("--gpus", "1", "-t", "10", "true")
        told = lambda: [row for row in journal(place) if row["event"] == "foretold"]
        until(told, "the second job is told when it starts")
        place.restart()
        (place.here / "go").touch()
        place.reach(first, "completed")
        place.reach(second, "completed")
        rows = until(lambda: [row for row in place.json("report", "--eta", "--json")["rows"]
                              if row["of"] == "end"], "its end is scored")
        starts = [row for row in place.json("report", "--eta", "--json")["rows"]
                  if row["of"] == "start" and row["told"] == "first"]
        assert rows and starts[0]["count"] == 1, (rows, starts)
        assert starts[0]["bias_s"] > 0, "the first job ended long before its limit"
        assert "SCORED" in place.ok("report", "--eta")
        rows = list(csv.DictReader(io.StringIO(place.ok("report", "--eta", "--csv"))))
        assert rows[0]["policy"] == "easy", rows
        before = place.json("report", "--eta", "--json")
        place.restart()
        assert place.json("report", "--eta", "--json") == before
        scored = [line for line in place.get("/metrics").body.decode().splitlines()
                  if line.startswith("baleen_eta_scored_total")]
        assert scored, "the scores are in /metrics"


def wrong_questions_are_answered_with_what_is_right():
    with Place() as place:
        rows = [(("--by", "colour"), "expected some of user, project, kind, class, node-type"),
                (("--by", ""), "expected some of user"),
                (("--by", "user,,kind"), "expected some of user"),
                (("--from", "yesterdayish"), "--from"),
                (("--eta", "--by", "user"), "takes no --by"),
                (("--from", "-1h", "--to", "-2h"), "after 'from'")]
        for words, said in rows:
            expect(place.run("report", *words), 2, said)


main([
    C6_users_and_projects_have_their_rows_in_every_form,
    the_window_is_that_which_is_asked_for,
    what_left_memory_is_told_to_be_missing,
    P16_what_was_told_is_scored_and_survives_a_kill,
    wrong_questions_are_answered_with_what_is_right,
])
