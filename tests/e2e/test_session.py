"""Signing in to the page: codes, cookies, what they open, and how it all ends."""

import json
import os
import pwd
import re
import socket
import stat

from http_kit import Port, expect
from kit import main, until

SLEEP = ["sleep", "600"]
MARK = {"X-Baleen": "1"}


class Browser:
    """Keeps cookies as a browser would, and nothing else."""

    def __init__(self, daemon, host=None):
        self.daemon = daemon
        self.host = host or f"127.0.0.1:{daemon.port}"
        self.cookie = None

    def ask(self, method, path, body=None, **headers):
        sent = {"Host": self.host}
        if method != "GET":
            sent.update(MARK)
        if self.cookie:
            sent["Cookie"] = self.cookie
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        answer = self.daemon.tcp(method, path, None, body,
                                 {name: value for name, value in sent.items() if value})
        given = answer.headers["Set-Cookie"]
        if given:
            name, value = given.partition(";")[0].split("=", 1)
            self.cookie = f"{name}={value}" if value else None
        return answer

    def sign_in(self, **wish):
        answer = self.ask("POST", "/api/v1/session", wish)
        expect(answer, 200)
        return answer

    @property
    def session(self):
        answer = self.ask("GET", "/api/v1/session")
        expect(answer, 200)
        return answer.json


def code(daemon):
    answer = daemon.post("/api/v1/session/codes")
    expect(answer, 201)
    return answer.json["code"]


def signed_in(daemon):
    browser = Browser(daemon)
    browser.sign_in(code=code(daemon))
    return browser


def public(**more):
    daemon = Port(**more)
    path = daemon.flags[daemon.flags.index("--config") + 1]
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**config, "web": {"public": True}}, file)
    return daemon


def who_signed_in_is_told_the_folder_that_their_last_job_used():
    with Port() as daemon:
        home = pwd.getpwuid(os.geteuid()).pw_dir
        browser = signed_in(daemon)
        assert (browser.session["home"], browser.session["workdir"]) == (home, home), browser.session
        daemon.submit("true", workdir=daemon.folder)
        daemon.submit("true", workdir=daemon.work)
        assert (browser.session["home"], browser.session["workdir"]) == (home, daemon.work), browser.session
        assert daemon.get("/api/v1/session").json["workdir"] == daemon.work


def without_a_sign_in_nothing_is_written_and_nothing_private_is_read():
    with Port() as daemon:
        job = daemon.submit(SLEEP, resources={"gpus": 1})
        guest = Browser(daemon)
        assert guest.session == {"user": None, "scope": None, "admin": False, "expires_at": None,
                                 "home": None, "workdir": None, "zone": guest.session["zone"], "public": False}
        for path in ("jobs", f"jobs/{job}", f"jobs/{job}/log", f"why/{job}", "nodes", "gpus",
                     "timeline", "reservations", "events", "tokens"):
            expect(guest.ask("GET", f"/api/v1/{path}"), 401, "unauthorized", "baleen web")
        for method, path in (("POST", "jobs"), ("POST", f"jobs/{job}/cancel"),
                             ("POST", "reservations"), ("POST", "tokens"),
                             ("POST", "nodes/node1/drain"), ("POST", "session/codes")):
            expect(guest.ask(method, f"/api/v1/{path}", {}), 401, "unauthorized")
        assert daemon.wait(job, "started")["state"] == "running"


def a_code_signs_in_once():
    with Port() as daemon:
        answer = daemon.post("/api/v1/session/codes")
        expect(answer, 201)
        assert answer.json["url"] == f"http://127.0.0.1:{daemon.port}"
        first, second = Browser(daemon), Browser(daemon)
        entered = first.sign_in(code=answer.json["code"])
        assert entered.json == first.session
        assert first.session["user"] and first.session["expires_at"]
        refused = second.ask("POST", "/api/v1/session", {"code": answer.json["code"]})
        expect(refused, 401, "unauthorized", "used already", "baleen web")
        assert second.cookie is None
        for wrong in ("", "x", answer.json["code"][:-1], answer.json["code"] + "x"):
            expect(second.ask("POST", "/api/v1/session", {"code": wrong}), 401, "unauthorized")
        expect(second.ask("POST", "/api/v1/session", {}), 400, "invalid")
        expect(second.ask("POST", "/api/v1/session", "not json"), 400, "invalid")


def the_cookie_is_out_of_reach_of_scripts_and_other_sites():
    with Port() as daemon:
        browser = Browser(daemon)
        cookie = browser.sign_in(code=code(daemon)).headers["Set-Cookie"]
        assert re.fullmatch(rf"baleen-{daemon.port}=bl_\d+_[\w-]{{43}}; Path=/; Max-Age=\d+; "
                            "HttpOnly; SameSite=Strict", cookie), cookie
        behind_tls = Browser(daemon)
        answer = behind_tls.ask("POST", "/api/v1/session", {"code": code(daemon)},
                                Origin=f"https://127.0.0.1:{daemon.port}")
        expect(answer, 200)
        assert answer.headers["Set-Cookie"].endswith("; Secure")
        kept = f"{daemon.state}/sessions.json"
        assert stat.S_IMODE(os.stat(kept).st_mode) == 0o600
        with open(kept, encoding="utf-8") as file:
            assert browser.cookie.split("_")[-1] not in file.read()


def a_write_with_the_cookie_needs_the_header_and_the_same_origin():
    with Port() as daemon:
        browser = signed_in(daemon)
        job = daemon.submit(SLEEP, resources={"gpus": 1})
        path = f"/api/v1/jobs/{job}/cancel"
        for headers, word in (({"X_Baleen": None}, "X-Baleen"),
                              ({"Origin": "http://evil.example"}, "evil.example"),
                              ({"Origin": "null"}, "null"),
                              ({"Origin": "http://127.0.0.1:1"}, "127.0.0.1:1"),
                              ({"Host": "evil.example"}, "evil.example")):
            expect(browser.ask("POST", path, {}, **headers), 403, "forbidden", word)
            expect(browser.ask("DELETE", "/api/v1/session", {}, **headers), 403, "forbidden")
        expect(browser.ask("GET", "/api/v1/jobs", Host="evil.example"), 403, "forbidden")
        expect(browser.ask("GET", "/api/v1/jobs", Origin="http://evil.example"), 403, "forbidden")
        assert daemon.wait(job, "started")["state"] == "running"
        expect(browser.ask("POST", path, {}, Origin=f"http://127.0.0.1:{daemon.port}"), 200)
        assert daemon.wait(job)["state"] == "cancelled"


def who_is_not_known_sends_no_more_than_a_sign_in_needs():
    with Port() as daemon:
        guest = Browser(daemon)
        wish = json.dumps({"code": code(daemon)})
        expect(guest.ask("POST", "/api/v1/session", wish + " " * 4096), 413, "too_large", "4096 bytes")
        expect(guest.ask("POST", "/api/v1/session", wish + " " * (4096 - len(wish))), 200)
        longer = json.dumps(daemon.job_body("# " + "x" * 10000))
        expect(guest.ask("POST", "/api/v1/jobs", longer), 201)


def a_foreign_page_cannot_sign_a_browser_in():
    with Port() as daemon:
        browser = Browser(daemon)
        wish = {"code": code(daemon)}
        expect(browser.ask("POST", "/api/v1/session", wish, X_Baleen=None), 403, "forbidden")
        expect(browser.ask("POST", "/api/v1/session", wish, Origin="http://evil.example"), 403,
               "forbidden")
        browser.sign_in(**wish)


def a_browser_may_do_what_its_scope_allows():
    with Port() as daemon:
        for scope, allowed in (("read", False), ("submit", True), ("admin", True)):
            browser = Browser(daemon)
            browser.sign_in(token=daemon.token(scope))
            assert browser.session["scope"] == scope
            assert browser.session["admin"] == (scope == "admin")
            expect(browser.ask("GET", "/api/v1/jobs"), 200)
            answer = browser.ask("POST", "/api/v1/jobs", daemon.job_body(["true"]))
            if allowed:
                expect(answer, 201)
            else:
                expect(answer, 403, "forbidden", "only look")
            expect(browser.ask("POST", "/api/v1/session/codes", {}), 403, "forbidden")
            expect(browser.ask("DELETE", "/api/v1/session"), 200)


def signing_out_ends_the_session_and_its_stream():
    with Port() as daemon:
        browser, other = signed_in(daemon), signed_in(daemon)
        kept = browser.cookie
        with daemon.dial() as stream:
            stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {browser.host}\r\n"
                           f"Cookie: {kept}\r\n\r\n".encode())
            assert b"id: " in read_until(stream, b"id: ")
            answer = browser.ask("DELETE", "/api/v1/session")
            expect(answer, 200)
            assert answer.json["user"] is None and "Max-Age=0" in answer.headers["Set-Cookie"]
            read_to_end(stream)
        browser.cookie = kept
        expect(browser.ask("GET", "/api/v1/jobs"), 401, "unauthorized")
        assert browser.session["user"] is None
        expect(browser.ask("DELETE", "/api/v1/session"), 200)
        expect(other.ask("GET", "/api/v1/jobs"), 200)


def read_until(stream, word):
    seen = b""
    while word not in seen:
        piece = stream.recv(65536)
        assert piece, seen
        seen += piece
    return seen


def read_to_end(stream):
    try:
        while stream.recv(65536):
            pass
    except ConnectionResetError:
        pass
    except socket.timeout as why:
        raise AssertionError("the stream goes on") from why


def a_session_ends_with_the_token_that_began_it():
    with Port() as daemon:
        token = daemon.token("submit")
        browser, other = Browser(daemon), signed_in(daemon)
        browser.sign_in(token=token)
        answer = daemon.tcp("POST", "/api/v1/session/codes", token, {})
        expect(answer, 201)
        late, entered = Browser(daemon), Browser(daemon)
        entered.sign_in(code=daemon.tcp("POST", "/api/v1/session/codes", token, {}).json["code"])
        with daemon.dial() as stream:
            stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {browser.host}\r\n"
                           f"Cookie: {browser.cookie}\r\n\r\n".encode())
            read_until(stream, b"id: ")
            daemon.revoke(token)
            read_to_end(stream)
        for one in (browser, entered):
            expect(one.ask("GET", "/api/v1/jobs"), 401, "unauthorized")
        expect(late.ask("POST", "/api/v1/session", {"code": answer.json["code"]}), 401)
        expect(late.ask("POST", "/api/v1/session", {"token": token}), 401, "unauthorized")
        expect(other.ask("GET", "/api/v1/jobs"), 200)


def a_session_survives_a_restart_and_a_code_does_not():
    with Port() as daemon:
        browser, wish = signed_in(daemon), {"code": code(daemon)}
        before = browser.session
        was = daemon.port
        daemon.restart()
        browser.cookie = browser.cookie.replace(str(was), str(daemon.port))
        browser.host = f"127.0.0.1:{daemon.port}"
        assert browser.session == before
        expect(Browser(daemon).ask("POST", "/api/v1/session", wish), 401, "unauthorized")


def signing_in_anew_ends_the_session_before():
    with Port() as daemon:
        browser = signed_in(daemon)
        before = browser.cookie
        browser.sign_in(code=code(daemon))
        assert browser.cookie != before
        browser.cookie = before
        expect(browser.ask("GET", "/api/v1/jobs"), 401, "unauthorized")


def the_public_view_shows_the_calendar_and_nothing_of_a_command():
    with public() as daemon:
        job = daemon.submit(["sh", "-c", "sleep 600", "hidden-word"], name="shown", resources={"gpus": 1},
                            environment=["PATH=/usr/bin:/bin", "HIDDEN_NAME=hidden-value"],
                            log="hidden-log-%j")
        daemon.wait(job, "started")
        until(lambda: daemon.job(job)["state"] == "running", "it runs")
        guest = Browser(daemon)
        assert guest.session["public"] and guest.session["user"] is None
        seen = ""
        for path in ("jobs", f"jobs/{job}", f"why/{job}", "nodes", "gpus", "timeline",
                     "reservations"):
            answer = guest.ask("GET", f"/api/v1/{path}")
            expect(answer, 200)
            seen += answer.body.decode()
        assert "shown" in seen and "hidden" not in seen.lower() and daemon.work not in seen
        one = guest.ask("GET", f"/api/v1/jobs/{job}").json
        assert set(one) == set(daemon.job(job)), "the keys are the same"
        for key in ("command", "workdir", "log", "error_log", "pid"):
            assert one[key] is None, key
        waited = guest.ask("GET", f"/api/v1/jobs/{job}?wait=ended&timeout=0")
        assert waited.json["command"] is None
        for path in (f"jobs/{job}/log", f"jobs/{job}/curve", "tokens"):
            expect(guest.ask("GET", f"/api/v1/{path}"), 401, "unauthorized")
        for method, path in (("POST", "jobs"), ("POST", f"jobs/{job}/cancel"),
                             ("PATCH", f"jobs/{job}"), ("POST", "reservations"),
                             ("DELETE", "reservations/r1"), ("POST", "session/codes")):
            expect(guest.ask(method, f"/api/v1/{path}", {}), 401, "unauthorized")
        known = signed_in(daemon)
        assert not known.session["public"]
        assert known.ask("GET", f"/api/v1/jobs/{job}").json["command"][-1] == "hidden-word"


def events_of_the_public_view_say_nothing_of_a_command():
    with public() as daemon:
        with daemon.dial() as stream:
            stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\n"
                           "\r\n".encode())
            read_until(stream, b"id: ")
            job = daemon.submit(["true", "hidden-word"], name="shown", log="hidden-log")
            daemon.wait(job)
            daemon.submit(["true"], name="last-one")
            seen = read_until(stream, b"last-one")
            assert b"shown" in seen and b"hidden" not in seen


def a_daemon_without_a_port_makes_no_link():
    with Port() as daemon:
        daemon.stop()
        daemon.flags = ["--declared", "1xA100"]
        daemon.start()
        expect(daemon.post("/api/v1/session/codes"), 409, "refused", "socket alone", "--http")


main([without_a_sign_in_nothing_is_written_and_nothing_private_is_read,
      who_signed_in_is_told_the_folder_that_their_last_job_used,
      a_code_signs_in_once,
      the_cookie_is_out_of_reach_of_scripts_and_other_sites,
      a_write_with_the_cookie_needs_the_header_and_the_same_origin,
      who_is_not_known_sends_no_more_than_a_sign_in_needs,
      a_foreign_page_cannot_sign_a_browser_in,
      a_browser_may_do_what_its_scope_allows,
      signing_out_ends_the_session_and_its_stream,
      a_session_ends_with_the_token_that_began_it,
      a_session_survives_a_restart_and_a_code_does_not,
      signing_in_anew_ends_the_session_before,
      the_public_view_shows_the_calendar_and_nothing_of_a_command,
      events_of_the_public_view_say_nothing_of_a_command,
      a_daemon_without_a_port_makes_no_link])
