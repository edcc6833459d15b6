"""What the end-to-end tests share: a daemon in a folder of its own, its API, waiting for
conditions, TAP."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

DAEMON = os.environ.get("BALEEN_DAEMON", "")
SIMULATOR = os.environ.get("BALEEN_SIM", "")
PATIENCE = float(os.environ.get("BALEEN_PATIENCE", "120"))


class Skip(Exception):
    """This machine lacks something; the message says what."""


RUNS = 32  # on which a forecast rests when nothing happens for a while


def until(condition, what, patience=PATIENCE):
    """Waits until the condition holds, and answers what it answered."""
    ends = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < ends, f"waited {patience:.0f} s in vain: {what}"
        time.sleep(0.005)


class Connection(http.client.HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path, timeout=PATIENCE):
        super().__init__("baleen", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Answer:
    def __init__(self, status, body, headers):
        self.status = status
        self.body = body
        self.headers = headers

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json["error"]


class Daemon:
    """A daemon that a test starts, kills and starts again. `flags` go to every start."""

    def __init__(self, *flags, environment=None, prefix=()):
        self.prefix = list(prefix)  # a program that starts it
        self.folder = tempfile.mkdtemp(prefix="baleen-e2e-")
        os.chmod(self.folder, 0o755)
        self.state = f"{self.folder}/state"
        self.socket = f"{self.folder}/socket"
        self.work = f"{self.folder}/work"
        os.mkdir(self.work)
        self.flags = list(flags) or ["--declared", "8xA100:80GB"]
        self.environment = dict(os.environ, **(environment or {}))
        self.process = None
        self.log = open(f"{self.folder}/log", "ab+")

    def __enter__(self):
        return self.start()

    def __exit__(self, *why):
        try:
            if self.process and self.process.poll() is None:
                self.cancel_all()
        finally:
            self.kill()
            self.end_supervisors()
            self.log.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def end_supervisors(self):
        """Ends what a test that failed has left: a supervisor ends its job when asked."""
        for pid in self.supervisors():
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        until(lambda: not self.supervisors(), "the jobs that are left end")

    def supervisors(self):
        found = []
        for name in os.listdir("/proc"):
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            folder = f"{self.folder}/".encode()
            if name.isdigit() and is_alive(int(name)) and words[0].endswith(b"supervisor") and \
                    any(word.startswith(folder) for word in words[1:]):
                found.append(int(name))
        return found

    def listens(self):
        """Many run at a time: none has the standard port."""
        return ["--http", "none"]

    def spawn(self, *more):
        return subprocess.Popen(
            [*self.prefix, DAEMON, "--foreground", "--state", self.state, "--socket", self.socket, *self.listens(),
             *self.flags, *more], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            env=self.environment)

    def start(self):
        self.process = self.spawn()
        until(self.is_serving, "the daemon answers")
        return self

    def is_serving(self):
        assert self.process.poll() is None, f"the daemon ended:\n{self.said()}"
        try:
            return self.get("/healthz").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def said(self):
        return Path(f"{self.folder}/log").read_text(errors="replace")

    def kill(self, number=signal.SIGKILL):
        """Ends it by a signal and answers how it ended."""
        if not self.process:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.process = None
        return code

    def stop(self):
        return self.kill(signal.SIGTERM)

    def restart(self):
        self.kill()
        return self.start()

    # --- requests ---

    def connect(self):
        return Connection(self.socket)

    def request(self, method, path, body=None, headers=None):
        connection = self.connect()
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, response.read(), response.headers)
        finally:
            connection.close()

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body=None):
        return self.request("POST", path, body)

    def job_body(self, command, **more):
        body = {"workdir": self.work, "environment": [f"PATH={os.environ['PATH']}"]}
        if isinstance(command, str):
            body["run"] = command
        else:
            body["command"] = command
        body.update(more)
        return body

    def submit(self, command, **more):
        """The id of an accepted job; `command` is a list of words or the text of a script."""
        answer = self.post("/api/v1/jobs", self.job_body(command, **more))
        assert answer.status == 201, f"{answer.status}: {answer.body}"
        return answer.json["id"]

    def job(self, job):
        answer = self.get(f"/api/v1/jobs/{job}")
        assert answer.status == 200, f"{answer.status}: {answer.body}"
        return answer.json

    def foretold(self, *jobs):
        """The jobs, once nothing more is to be found out about when they will start and end."""
        def all_of_them():
            found = [self.job(job) for job in jobs]
            return found if all(job["eta"] and job["eta"]["runs"] == RUNS for job in found) else None
        return until(all_of_them, f"jobs {jobs} are told of by {RUNS} runs")

    def wait(self, job, until_state="ended"):
        """The job once it has started or ended."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            found = self.get(f"/api/v1/jobs/{job}?wait={until_state}&timeout=20").json
            if found["ended_at"] or (until_state == "started" and found["started_at"]):
                return found
        raise AssertionError(f"job {job} has not {until_state}: {found}")

    def jobs(self, query=""):
        """All jobs, page by page."""
        found, after = [], 0
        while after is not None:
            page = self.get(f"/api/v1/jobs?after={after}{query}").json
            found += page["jobs"]
            after = page["next"]
        return found

    def cancel(self, job):
        answer = self.post(f"/api/v1/jobs/{job}/cancel")
        assert answer.status == 200, f"{answer.status}: {answer.body}"
        return answer.json

    def cancel_all(self):
        for job in self.jobs("&state=active"):
            self.cancel(job["id"])
        for job in self.jobs("&state=active"):
            self.wait(job["id"])

    def text(self, name):
        """What a job wrote to a file in the work folder."""
        return Path(f"{self.work}/{name}").read_text()


def is_alive(pid):
    """Whether a process lives; one that only waits to be reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def needs_root():
    if os.geteuid() != 0:
        raise Skip("only root can start jobs of other users")


def as_user(user, call):
    """What the call answers when an ordinary user makes it on the socket."""
    os.setegid(user.pw_gid)
    os.seteuid(user.pw_uid)
    try:
        return call()
    finally:
        os.seteuid(0)
        os.setegid(0)


def main(claims):
    """Runs the functions whose names are claims and prints TAP."""
    if not DAEMON:
        sys.exit("BALEEN_DAEMON must name the daemon")
    failed = 0
    print(f"1..{len(claims)}", flush=True)
    for number, claim in enumerate(claims, 1):
        try:
            claim()
            print(f"ok {number} - {claim.__name__}", flush=True)
        except Skip as why:
            print(f"ok {number} - {claim.__name__} # SKIP {why}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {claim.__name__}")
            print("\n".join(f"# {line}" for line in traceback.format_exc().splitlines()),
                  flush=True)
    sys.exit(1 if failed else 0)
