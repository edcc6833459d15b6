"""What the tests of the client share: the real client, talking to a real daemon."""

import json
import os
import subprocess
from pathlib import Path

from kit import PATIENCE, Daemon, until

BALEEN = os.environ.get("BALEEN_CLIENT", "")


class Place(Daemon):
    """A daemon, and the client run in its work folder."""

    def __init__(self, *flags):
        super().__init__(*flags)
        self.here = Path(self.work)
        self.env = {key: value for key, value in os.environ.items()
                    if key not in ("XDG_RUNTIME_DIR", "NO_COLOR")}
        self.env.update(BALEEN_SOCKET=self.socket, LC_ALL="C.UTF-8")

    def popen(self, *words, **more):
        """The client, running."""
        more = {"cwd": self.here, "env": self.env, "text": True, "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.Popen([BALEEN, *map(str, words)], **more)

    def run(self, *words, **more):
        """The client, ended."""
        process = self.popen(*words, **more)
        out, err = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def ok(self, *words, **more):
        """Standard output of a call that must succeed."""
        done = self.run(*words, **more)
        assert done.returncode == 0, f"{words}: exit {done.returncode}: {done.stderr}{done.stdout}"
        return done.stdout

    def json(self, *words):
        return json.loads(self.ok(*words))

    def queue(self, *words):
        """The id that `baleen run` gives."""
        return int(self.ok("run", "--parsable", *words))

    def reach(self, job, *states):
        """Waits until the job is in one of the states; gives the job."""
        def look():
            found = self.job(job)
            return found if found["state"] in states else None
        return until(look, f"job {job} is {' or '.join(states)}")

    def steps(self, name):
        """(attempt, GPUs, step) of each step that trainer.py did, in their order."""
        try:
            lines = self.text(f"{name}.steps").splitlines()
        except FileNotFoundError:
            return []
        return [tuple(map(int, line.split())) for line in lines if len(line.split()) == 3]


class Nobody(Place):
    """A place where no daemon is started."""

    def __enter__(self):
        return self


def expect(done, code, *words):
    """A call's exit code, and words that its messages must hold."""
    text = done.stdout + done.stderr
    assert done.returncode == code, f"exit {done.returncode}, expected {code}: {text}"
    for word in words:
        assert word in text, f"'{word}' is not in: {text}"
