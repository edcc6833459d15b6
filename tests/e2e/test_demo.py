"""What `make run` does: a workload that runs, a queue that is shown, nothing left at the end."""

import re
import signal
import subprocess
from pathlib import Path

from client_kit import BALEEN, Nobody, Place, expect
from kit import PATIENCE, is_alive, main, until

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(BALEEN).resolve().parents[2]


def start(place):
    place.env["BALEEN_RUN"] = f"{place.folder}/run"
    return subprocess.Popen([ROOT / "packaging/demo.sh", BUILD], env=place.env, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, start_new_session=True)


def read_until(process, words):
    """Output up to the line that holds the words."""
    text = ""
    while words not in text:
        line = process.stdout.readline()
        assert line, f"the demonstration ended: {text}"
        text += line
    return text


def the_demonstration_shows_its_queue_and_leaves_nothing_behind():
    with Nobody() as place:
        process = start(place)
        text = read_until(process, " running · ")
        assert "From a second terminal" in text and "train-large" in text, text
        assert re.search(r"http://127\.0\.0\.1:\d+/#/in/\S{43}\n", text), text
        jobs = place.json("q", "-a", "--json")["jobs"]
        assert len(jobs) >= 10, jobs
        pids = [place.json("show", "--json", job["id"])["pid"] for job in jobs
                if job["state"] == "running"]
        assert pids, jobs
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"{process.returncode}: {rest}"
        expect(place.run("q"), 5)
        for pid in pids:
            assert not is_alive(pid), f"process {pid} lives on"


def a_daemon_that_already_runs_is_used_and_left_running():
    with Place("--declared", "4xA100:80GB") as place:
        process = start(place)
        text = read_until(process, " running · ")
        assert "already running" in text, text
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        until(lambda: not place.ok("q", "--no-header", "-o", "id").split(),
              "the demonstration's jobs have ended")


main([the_demonstration_shows_its_queue_and_leaves_nothing_behind,
      a_daemon_that_already_runs_is_used_and_left_running])
