"""GET /metrics: read by Prometheus' own programs, true to what happened, kept through restarts."""

import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from http_kit import Port, expect
from kit import Daemon, Skip, main, until

ONE = {"gpus": 1}
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"


def program(name):
    found = shutil.which(name)
    if not found:
        raise Skip(f"there is no {name} here")
    return found


def samples(text):
    """{'name{label="value"}': number} of what /metrics says."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            found[name] = float(value)
    return found


def metrics(daemon):
    answer = daemon.get("/metrics")
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return samples(answer.body.decode())


def on_gpus(found):
    """Jobs that hold resources. What has a process may not have been reported yet."""
    return sum(found[f'baleen_jobs{{state="{state}",class="batch"}}']
               for state in ("starting", "running"))


def A16_figures_tell_what_happened():
    with Daemon("--declared", "2xA100", "--declared", "2xV100") as daemon:
        good = daemon.submit(["true"], resources=ONE)
        bad = daemon.submit(["false"], resources=ONE)
        assert daemon.wait(good)["state"] == "completed"
        assert daemon.wait(bad)["state"] == "failed"
        runs = daemon.submit(["sleep", "600"], resources={"gpus": 2, "gpu": {"type": ["V100"]}})
        daemon.wait(runs, "started")
        waits = daemon.submit(["true"], resources={"gpus": 2, "gpu": {"type": ["V100"]}})
        found = metrics(daemon)
        rows = {
            'baleen_job_submissions_total': 4,
            'baleen_job_starts_total': 3,
            'baleen_job_ends_total{cause="completed"}': 1,
            'baleen_job_ends_total{cause="failed"}': 1,
            'baleen_job_ends_total{cause="cancelled"}': 0,
            'baleen_jobs{state="queued",class="batch"}': 1,
            'baleen_gpus{pool="default",type="V100",state="allocated"}': 2,
            'baleen_gpus{pool="default",type="V100",state="free"}': 0,
            'baleen_gpus{pool="default",type="A100",state="free"}': 2,
            'baleen_job_wait_seconds_count': 3,
            'baleen_job_wait_seconds_bucket{le="+Inf"}': 3,
            'baleen_job_run_seconds_count': 2,
        }
        for name, value in rows.items():
            assert found[name] == value, f"{name}: {found[name]}, expected {value}"
        assert on_gpus(found) == 1, found
        assert found["baleen_round_seconds_count"] >= 3, found
        assert found["baleen_rounds_total"] >= found["baleen_round_seconds_count"], found
        assert found["baleen_journal_commit_seconds_count"] > 0, found
        assert found["baleen_process_resident_memory_bytes"] > 1 << 20, found
        daemon.cancel(waits)
        until(lambda: metrics(daemon)['baleen_job_ends_total{cause="cancelled"}'] == 1,
              "the cancelled job is counted")


def A16_gpu_time_adds_up_and_goes_on_between_events():
    with Daemon("--declared", "4xA100") as daemon:
        job = daemon.submit(["sleep", "600"], resources={"gpus": 3})
        daemon.wait(job, "started")
        allocated, idle = ('baleen_gpu_seconds_total{state="allocated"}',
                           'baleen_gpu_seconds_total{state="idle"}')
        first, asked = metrics(daemon), time.monotonic()
        second = until(lambda: (now := metrics(daemon))[allocated] > first[allocated] and now,
                       "GPU time passes")
        # three GPUs run for each that idles, however long it was, and never for longer than it was
        grown = second[allocated] - first[allocated]
        assert abs(grown - 3 * (second[idle] - first[idle])) < 1e-4, (first, second)
        assert grown <= 3 * (time.monotonic() - asked + 5), grown


def elements_of_an_array_count_one_by_one():
    with Daemon("--declared", "1xA100") as daemon:
        daemon.submit(["sleep", "600"], resources=ONE, array="0-4")
        found = until(lambda: on_gpus(now := metrics(daemon)) and now, "an element has its GPU")
        assert found['baleen_jobs{state="queued",class="batch"}'] == 4, found
        assert on_gpus(found) == 1, found


def A16_counters_go_on_after_a_kill_and_after_a_snapshot():
    lasting = ["baleen_job_submissions_total", "baleen_job_starts_total",
               'baleen_job_ends_total{cause="completed"}', "baleen_job_wait_seconds_count",
               "baleen_job_wait_seconds_sum", "baleen_job_run_seconds_count", "baleen_rounds_total"]
    with Daemon("--declared", "1xA100",
                environment={"BALEEN_SNAPSHOT_RECORDS": "10"}) as daemon:
        for _ in range(6):
            daemon.wait(daemon.submit(["true"], resources=ONE))
        runs = daemon.submit(["sleep", "600"], resources=ONE)
        daemon.wait(runs, "started")
        before = metrics(daemon)
        daemon.restart()
        after = metrics(daemon)
        for name in lasting:
            assert after[name] >= before[name] > 0, f"{name}: {before[name]}, then {after[name]}"
        for name in lasting[:3]:
            assert after[name] == before[name], f"{name}: {before[name]}, then {after[name]}"
        assert after['baleen_gpus{pool="default",type="A100",state="allocated"}'] == 1
        assert after['baleen_gpu_seconds_total{state="allocated"}'] >= \
            before['baleen_gpu_seconds_total{state="allocated"}']
        assert after["baleen_round_seconds_count"] < after["baleen_rounds_total"]


def promtool_finds_nothing_to_complain_about():
    promtool = program("promtool")
    with Daemon() as daemon:
        daemon.wait(daemon.submit(["true"], resources=ONE))
        done = subprocess.run([promtool, "check", "metrics"], input=daemon.get("/metrics").body,
                              capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert not (done.stdout + done.stderr).strip(), done.stdout + done.stderr


def every_family_is_documented_and_every_documented_family_is_there():
    with Daemon() as daemon:
        text = daemon.get("/metrics").body.decode()
    told = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    rows = dict(re.findall(r"^\| `(baleen_\w+)(?:\{[^`]*\})?` \| (\w+) \|", DOCUMENT.read_text(),
                           re.M))
    assert told == rows, sorted(set(told.items()) ^ set(rows.items()))


def over_tcp_it_needs_a_token_unless_it_is_open():
    with Port() as daemon:
        expect(daemon.tcp("GET", "/metrics"), 401, "unauthorized")
        token = daemon.token("read")
        assert daemon.tcp("GET", "/metrics", token).status == 200
    with Port(listen={"open_metrics": "yes"}) as daemon:
        assert daemon.tcp("GET", "/metrics").status == 200
        expect(daemon.tcp("GET", "/metrics", headers={"Authorization": "Bearer x"}), 401,
               "unauthorized")
        expect(daemon.tcp("GET", "/api/v1/jobs"), 401, "unauthorized")
        expect(daemon.tcp("POST", "/metrics"), 401, "unauthorized")
        expect(daemon.tcp("GET", "/metrics", headers={"Host": "evil.example"}), 403, "forbidden")


class Prometheus:
    """A server that scrapes one address with a token."""

    def __init__(self, port, token):
        self.folder = tempfile.mkdtemp(prefix="baleen-prometheus-")
        Path(f"{self.folder}/token").write_text(token)
        Path(f"{self.folder}/prometheus.yml").write_text(f"""
global: {{scrape_interval: 200ms, scrape_timeout: 200ms}}
scrape_configs:
  - job_name: baleen
    authorization: {{credentials_file: {self.folder}/token}}
    static_configs: [{{targets: ['127.0.0.1:{port}']}}]
""")
        self.log = open(f"{self.folder}/log", "ab+")
        self.process = subprocess.Popen(
            [program("prometheus"), f"--config.file={self.folder}/prometheus.yml",
             f"--storage.tsdb.path={self.folder}/data", "--web.listen-address=127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        self.address = until(self.find_address, "Prometheus listens")
        return self

    def __exit__(self, *why):
        self.process.kill()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def said(self):
        return Path(f"{self.folder}/log").read_text(errors="replace")

    def find_address(self):
        assert self.process.poll() is None, self.said()
        found = re.search(r"address=(127\.0\.0\.1:[1-9]\d*)", self.said())
        return found and found.group(1)

    def query(self, expression):
        """The values of the samples, or none."""
        words = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"http://{self.address}/api/v1/query?{words}",
                                        timeout=10) as answer:
                rows = json.load(answer)["data"]["result"]
        except (OSError, urllib.error.URLError):
            return []
        return [float(row["value"][1]) for row in rows]


def A16_prometheus_scrapes_a_live_daemon():
    with Port("--declared", "2xA100") as daemon, \
            Prometheus(daemon.port, daemon.token("read")) as prometheus:
        until(lambda: prometheus.query('up{job="baleen"}') == [1], "a scrape succeeds")
        daemon.wait(daemon.submit(["true"], resources=ONE))
        until(lambda: prometheus.query('baleen_job_ends_total{cause="completed"}') == [1],
              "the end of the job is seen")
        runs = daemon.submit(["sleep", "600"], resources=ONE)
        daemon.wait(runs, "started")
        until(lambda: prometheus.query('sum(baleen_gpus{state="allocated"})') == [1],
              "the busy GPU is seen")
        until(lambda: prometheus.query('baleen_job_wait_seconds_bucket{le="+Inf"}') == [2],
              "the histogram is seen")


main([
    A16_figures_tell_what_happened,
    A16_gpu_time_adds_up_and_goes_on_between_events,
    elements_of_an_array_count_one_by_one,
    A16_counters_go_on_after_a_kill_and_after_a_snapshot,
    promtool_finds_nothing_to_complain_about,
    every_family_is_documented_and_every_documented_family_is_there,
    over_tcp_it_needs_a_token_unless_it_is_open,
    A16_prometheus_scrapes_a_live_daemon,
])
