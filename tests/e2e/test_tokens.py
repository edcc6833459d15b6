"""The TCP port: who is let in, and what a token may do."""

import os
import pwd
import stat
import subprocess
from pathlib import Path

from http_kit import Port, Stream, expect
from kit import DAEMON, Daemon, as_user, main, needs_root, until

SLEEP = ["sleep", "600"]
ONE = {"gpus": 1}


def refusal(flags):
    """What a daemon says that does not start."""
    with Daemon("--declared", "1xA100") as place:
        place.stop()
        done = subprocess.run(
            [DAEMON, "--foreground", "--state", f"{place.folder}/other", "--socket",
             f"{place.folder}/other.sock", "--declared", "1xA100", *flags],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode in (1, 2), done
        return done.stderr


def P23_a_request_over_tcp_needs_a_token_that_is_known():
    with Port() as daemon:
        good = daemon.token("read")
        other = daemon.token("read")
        number, secret = good.split("_", 2)[1:]
        rows = [
            (None, "needs a token"),
            ("", "another scheme"),
            ("Basic cm9vdDpyb290", "another scheme"),
            (f"Token {good}", "another scheme"),
            ("Bearer ", "not known"),
            ("Bearer x", "not known"),
            (f"Bearer {good[:-1]}", "not known"),
            (f"Bearer {good}x", "not known"),
            (f"Bearer bl_{number}_", "not known"),
            (f"Bearer bl_{number}_{secret.swapcase()}", "not known"),
            (f"Bearer bl_2_{secret}", "not known"),
            (f"Bearer bl_99_{secret}", "not known"),
            (f"Bearer {good} {good}", "not known"),
            ("Bearer " + "x" * 20000, "not known"),
            ("Bearer bl_1_\xff\xfe", "not known"),
        ]
        for header, words in rows:
            headers = {} if header is None else {"Authorization": header}
            for path in ("/api/v1/jobs", "/healthz", "/nowhere", "/api/v1/events"):
                answer = daemon.tcp("GET", path, headers=headers)
                try:
                    expect(answer, 401, "unauthorized", words, "baleen token create")
                except AssertionError as why:
                    raise AssertionError(f"{header!r} {path}: {why}") from why
                assert answer.headers["WWW-Authenticate"] == "Bearer"
        for token in (good, other):
            expect(daemon.tcp("GET", "/healthz", token), 200)
            expect(daemon.tcp("GET", "/healthz", headers={"Authorization": f"bearer {token}"}), 200)
        answer = daemon.tcp("POST", "/api/v1/jobs", None, daemon.job_body(["true"]))
        expect(answer, 401, "unauthorized")
        assert daemon.jobs() == []


def each_scope_may_do_its_own_and_no_more():
    with Port() as daemon:
        job = daemon.submit(SLEEP, resources=ONE)
        daemon.wait(job, "started")
        tokens = {scope: daemon.token(scope) for scope in ("read", "submit", "admin")}
        body = daemon.job_body(["true"])
        rows = [
            ("GET", "/api/v1/jobs", None, {"read", "submit", "admin"}),
            ("GET", f"/api/v1/jobs/{job}", None, {"read", "submit", "admin"}),
            ("GET", f"/api/v1/why/{job}", None, {"read", "submit", "admin"}),
            ("GET", f"/api/v1/jobs/{job}/log", None, {"read", "submit", "admin"}),
            ("GET", "/api/v1/nodes", None, {"read", "submit", "admin"}),
            ("GET", "/api/v1/gpus", None, {"read", "submit", "admin"}),
            ("GET", "/api/v1/tokens", None, {"read", "submit", "admin"}),
            ("POST", "/api/v1/jobs", body, {"submit", "admin"}),
            ("PATCH", f"/api/v1/jobs/{job}", {"limit": "9h"}, {"submit", "admin"}),
            ("POST", f"/api/v1/jobs/{job}/set", {"priority": -1}, {"submit", "admin"}),
            ("POST", f"/api/v1/jobs/{job}/set", {"priority": 5}, {"admin"}),
            ("POST", "/api/v1/jobs", {**body, "priority": 5}, {"admin"}),
            ("POST", "/api/v1/nodes/node1/drain", None, {"admin"}),
            ("POST", "/api/v1/nodes/node1/resume", None, {"admin"}),
            ("POST", "/api/v1/tokens", {"scope": "read"}, {"admin"}),
            ("POST", f"/api/v1/jobs/{job}/cancel", None, {"submit", "admin"}),
        ]
        for method, path, data, allowed in rows:
            for scope, token in tokens.items():
                answer = daemon.tcp(method, path, token, data)
                try:
                    if scope in allowed:
                        assert answer.status in (200, 201), f"{answer.status} {answer.body}"
                    else:
                        expect(answer, 403, "forbidden")
                except AssertionError as why:
                    raise AssertionError(f"{scope}: {method} {path}: {why}") from why


def P23_a_token_acts_as_its_user_and_on_that_users_jobs_alone():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    with Port() as daemon:
        os.chmod(daemon.work, 0o777)
        token = daemon.token("submit", user="nobody", name="ci")
        others = daemon.submit(SLEEP, resources=ONE)
        daemon.wait(others, "started")
        for method, path, data in (("POST", "cancel", None), ("POST", "hold", None),
                                   ("PATCH", "", {"limit": "1h"}), ("GET", "log", None)):
            answer = daemon.tcp(method, f"/api/v1/jobs/{others}/{path}".rstrip("/"), token, data)
            expect(answer, 403, "forbidden", "belongs to root")
        body = daemon.job_body("id -u > who; exec sleep 600")
        answer = daemon.tcp("POST", "/api/v1/jobs", token, body)
        expect(answer, 201)
        job = answer.json["id"]
        assert answer.json["user"] == "nobody"
        until(lambda: Path(f"{daemon.work}/who").exists() and daemon.text("who"), "the job runs")
        assert daemon.text("who") == f"{nobody.pw_uid}\n"
        assert [row["id"] for row in daemon.tcp("GET", "/api/v1/jobs?user=@", token).json["jobs"]] \
            == [job]
        assert [row["id"] for row in daemon.get("/api/v1/jobs?user=@").json["jobs"]] == [others]
        expect(daemon.tcp("POST", f"/api/v1/jobs/{job}/cancel", token), 200)
        assert daemon.wait(job)["state"] == "cancelled"


def an_admins_token_acts_as_root_on_what_is_not_its_users():
    needs_root()
    with Port() as daemon:
        os.chmod(daemon.work, 0o777)
        admin = daemon.token("admin", user="daemon")
        token = daemon.token("submit", user="nobody")
        body = daemon.job_body(SLEEP, not_before="2099-01-01")
        jobs = [daemon.tcp("POST", "/api/v1/jobs", bearer, body).json["id"]
                for bearer in (token, admin)]
        for job, bearer, status in ((jobs[0], token, 403), (jobs[1], admin, 200)):
            expect(daemon.tcp("POST", f"/api/v1/jobs/{job}/hold", admin), 200)
            expect(daemon.tcp("POST", f"/api/v1/jobs/{job}/release", bearer), status)
        expect(daemon.tcp("POST", f"/api/v1/jobs/{jobs[0]}/release", admin), 200)


def users_make_see_and_revoke_tokens_of_their_own_only():
    needs_root()
    nobody = pwd.getpwnam("nobody")
    with Port() as daemon:
        daemon.token("read", name="root's")

        def ask(method, path, body=None):
            return as_user(nobody, lambda: daemon.request(method, path, body))

        rows = [
            ({"scope": "admin"}, 403), ({"scope": "read", "user": "root"}, 403),
            ({"scope": "read", "user": "no-such-user"}, 400), ({"scope": "write"}, 400),
            ({"scope": "read", "expires": "yesterday"}, 400), ({}, 400), ([], 400),
            ({"scope": "read", "expires": "2001-01-01"}, 400),
            ({"scope": "read", "uid": 0}, 400), ({"scope": "read", "name": "x" * 300}, 400),
            ({"scope": "read"}, 201), ({"scope": "submit", "user": "nobody"}, 201),
        ]
        made = []
        for body, status in rows:
            answer = ask("POST", "/api/v1/tokens", body)
            assert answer.status == status, f"{body}: {answer.status} {answer.body}"
            made += [answer.json] if status == 201 else []
        listed = ask("GET", "/api/v1/tokens").json["tokens"]
        assert [token["id"] for token in listed] == [token["id"] for token in made], listed
        assert len(daemon.get("/api/v1/tokens").json["tokens"]) == 3
        assert all("token" not in token and "hash" not in token for token in listed)
        assert ask("POST", "/api/v1/tokens/1/revoke").status == 404
        assert ask("POST", f"/api/v1/tokens/{made[0]['id']}/revoke").status == 200
        assert ask("POST", f"/api/v1/tokens/{made[0]['id']}/revoke").status == 404
        # a token makes no further tokens, so that revoking it is the end of it
        expect(daemon.tcp("POST", "/api/v1/tokens", made[1]["token"], {"scope": "read"}), 403,
               "forbidden", "scope admin")
        expect(daemon.tcp("GET", "/healthz", made[0]["token"]), 401)


def a_revoked_token_ends_its_streams_and_gets_no_answer_any_more():
    with Port() as daemon:
        kept, gone = daemon.token("read"), daemon.token("admin")
        job = daemon.submit(SLEEP)
        streams = [Stream(daemon, gone) for _ in range(3)]
        other = Stream(daemon, kept)
        waiting = daemon.dial()
        waiting.sendall(f"GET /api/v1/jobs/{job}?wait=ended&timeout=60 HTTP/1.1\r\nHost: localhost"
                        f"\r\nAuthorization: Bearer {gone}\r\n\r\n".encode())
        half = daemon.dial()
        half.sendall(f"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                     f"Authorization: Bearer {gone}\r\n\r\n{{".encode())
        expect(daemon.tcp("GET", "/healthz", gone), 200)  # what was sent before has arrived
        daemon.revoke(gone)
        assert all(stream.ends() for stream in streams)
        expect(daemon.tcp("GET", "/healthz", gone), 401, "unauthorized", "revoked")
        half.sendall(b"}")
        assert half.recv(65536).startswith(b"HTTP/1.1 401"), "a half sent request was taken"
        daemon.cancel(job)
        answer = waiting.recv(65536)
        assert answer.startswith(b"HTTP/1.1 401") and b"sleep" not in answer, answer
        other.read_until(b"cancelled")
        daemon.restart()
        expect(daemon.tcp("GET", "/healthz", gone), 401)
        expect(daemon.tcp("GET", "/healthz", kept), 200)


def an_expired_token_ends_its_streams():
    with Port(limits={"idle": "1s"}) as daemon:
        token = daemon.token("read", expires="2s")
        stream = Stream(daemon, token)
        assert stream.ends()
        expect(daemon.tcp("GET", "/healthz", token), 401, "unauthorized", "expired")
        listed = daemon.get("/api/v1/tokens").json["tokens"]
        assert listed[0]["expires_at"] > listed[0]["created_at"]


def tokens_are_kept_hashed_and_outlive_a_kill():
    with Port() as daemon:
        token = daemon.token("read", name="数据板")
        daemon.restart()
        expect(daemon.tcp("GET", "/healthz", token), 200)
        path = Path(f"{daemon.state}/tokens.json")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        secret = token.split("_", 2)[2].encode()
        for file in (path for path in Path(daemon.folder).rglob("*") if path.is_file()):
            assert secret not in file.read_bytes(), f"{file} holds a token"
        assert daemon.get("/api/v1/tokens").json["tokens"][0]["name"] == "数据板"


def a_page_that_has_its_name_led_here_gets_nothing():
    with Port(listen={"hosts": ["gpu.example.org"]}) as daemon:
        token = daemon.token("admin")
        port = daemon.port
        rows = [
            ({"Host": f"localhost:{port}"}, 200), ({"Host": f"127.0.0.1:{port}"}, 200),
            ({"Host": "gpu.example.org"}, 200), ({"Host": "evil.example"}, 403),
            ({"Host": f"evil.example:{port}"}, 403),
            ({"Host": "localhost", "Origin": "http://localhost"}, 200),
            ({"Host": "localhost", "Origin": "http://evil.example"}, 403),
            ({"Host": "localhost", "Origin": "null"}, 403),
        ]
        for headers, status in rows:
            answer = daemon.tcp("GET", "/healthz", token, headers=headers)
            assert answer.status == status, f"{headers}: {answer.status} {answer.body}"


def addresses_that_cannot_be_listened_on_are_refused_with_a_way_out():
    rows = [
        (["--http", "7420"], "expected an address like 127.0.0.1:7420"),
        (["--http", "127.0.0.1:70000"], "expected an address like"),
        (["--http", "gpu.example.org:80"], "expected an address of this machine"),
        (["--http", "0.0.0.0:0"], "can be reached from other machines"),
        (["--http", "[::]:0"], "listen: {remote: yes}"),
    ]
    for flags, words in rows:
        said = refusal(flags)
        assert words in said, f"{flags}: {said}"
    with Port() as daemon:
        said = refusal(["--http", f"127.0.0.1:{daemon.port}"])
        assert "something else listens there" in said and "--http none" in said, said


def a_daemon_listens_elsewhere_when_it_is_told_so():
    with Daemon("--declared", "1xA100", "--http", "none") as daemon:
        assert "http://" not in daemon.said()
    with Port(listen={"remote": True}) as daemon:
        daemon.stop()
        daemon.flags[daemon.flags.index("--http") + 1] = "0.0.0.0:0"
        daemon.start()
        assert "http://0.0.0.0:" in daemon.said()


main([claim for name, claim in list(globals().items())
      if callable(claim) and getattr(claim, "__module__", "") == __name__ and
      name != "refusal"])
