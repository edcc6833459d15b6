"""The client over TCP, with a token."""

import json
import os
import subprocess
from pathlib import Path

from client_kit import BALEEN, expect
from http_kit import Port
from kit import PATIENCE, main, needs_root, until


class Remote(Port):
    """A daemon with a port, and the client, which finds it only by what a test says."""

    def client(self, *words, **variables):
        home = f"{self.folder}/home"
        os.makedirs(home, exist_ok=True)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8", **variables}
        return subprocess.run([BALEEN, *map(str, words)], cwd=self.work, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)

    def by_tcp(self, token, *words, **variables):
        return self.client(*words, BALEEN_SERVER=f"127.0.0.1:{self.port}", BALEEN_TOKEN=token,
                           **variables)

    def by_socket(self, *words):
        return self.client(*words, BALEEN_SOCKET=self.socket)


def tokens_are_made_listed_and_revoked():
    with Remote() as daemon:
        done = daemon.by_socket("token", "create", "--scope", "submit", "--expires", "30d", "--name",
                                "laptop")
        expect(done, 0, "token 1, scope submit", "shown this once")
        token = done.stdout.strip()
        assert token.startswith("bl_1_") and token not in done.stderr, done
        assert daemon.client("token", "list", BALEEN_SOCKET=daemon.socket,
                             LC_ALL="zh_CN.UTF-8").returncode == 0
        expect(daemon.by_socket("token", "list"), 0, "laptop", "submit", "root")
        assert token not in daemon.by_socket("token", "list").stdout
        expect(daemon.by_tcp(token, "q"), 0)
        expect(daemon.by_tcp(token, "token", "revoke", 1), 0, "revoked")
        expect(daemon.by_tcp(token, "q"), 4, "not known here", "hint: ")
        expect(daemon.by_socket("token", "revoke", 1), 3, "there is no token 1")
        expect(daemon.by_socket("token", "list"), 0, "no tokens")


def wrong_uses_of_token_are_told_the_way_out():
    with Remote() as daemon:
        rows = [
            (("token",), 2, "expected create, list or revoke"),
            (("token", "make"), 2, "expected create, list or revoke"),
            (("token", "create"), 2, "--scope read, submit or admin"),
            (("token", "create", "--scope", "all"), 2, "expected one of read, submit, admin"),
            (("token", "create", "x", "--scope", "read"), 2, "for create"),
            (("token", "create", "--scope", "read", "--expires", "soon"), 2, "expires"),
            (("token", "create", "--scope", "read", "--user", "no-such"), 2, "no user 'no-such'"),
            (("token", "list", "--scope", "read"), 2, "for create"),
            (("token", "revoke"), 2, "expected create, list or revoke"),
            (("token", "revoke", "x"), 2, "baleen token list"),
            (("token", "revoke", "-1"), 2, "1"),
            (("token", "revoke", "7"), 3, "there is no token 7"),
        ]
        for words, code, text in rows:
            expect(daemon.by_socket(*words), code, text)


def the_client_does_by_tcp_what_it_does_on_the_socket():
    with Remote() as daemon:
        token = daemon.token("submit")
        done = daemon.by_tcp(token, "run", "-w", "--", "sh", "-c", "echo by tcp")
        expect(done, 0)
        expect(daemon.by_tcp(token, "log", "@"), 0, "by tcp")
        job = int(daemon.by_tcp(token, "run", "--parsable", "sleep", "600").stdout)
        expect(daemon.by_tcp(token, "show", "@"), 0, "sleep 600")
        expect(daemon.by_tcp(token, "why", job), 0)
        expect(daemon.by_tcp(token, "cancel", "@"), 0)
        assert daemon.wait(job)["state"] == "cancelled"
        for words in (("nodes",), ("gpus",), ("plan",), ("q", "-a")):
            expect(daemon.by_tcp(token, *words), 0)
        done = daemon.by_tcp(token, "doctor")
        assert f"http://127.0.0.1:{daemon.port}" in done.stdout, done


def what_a_token_does_not_allow_is_refused_with_exit_code_4():
    with Remote() as daemon:
        token = daemon.token("read")
        expect(daemon.by_tcp(token, "q"), 0)
        expect(daemon.by_tcp(token, "run", "true"), 4, "scope is read")
        expect(daemon.by_tcp("", "q"), 4, "needs a token", "BALEEN_TOKEN")
        expect(daemon.by_tcp("two words", "q"), 2, "BALEEN_TOKEN")


def the_server_and_the_token_are_found_by_flag_variable_or_file():
    with Remote() as daemon:
        token, port = daemon.token("read"), daemon.port
        address = f"127.0.0.1:{port}"
        path = Path(f"{daemon.folder}/token")
        path.write_text(f"{token}\n")
        path.chmod(0o600)
        own = Path(f"{daemon.folder}/home/.config/baleen")
        for words, variables in (
                (("--server", address, "q"), {"BALEEN_TOKEN": token}),
                ((f"--server=http://{address}/", "q"), {"BALEEN_TOKEN": token}),
                (("q", "--server", address), {"BALEEN_TOKEN_FILE": str(path)}),
                (("q",), {"BALEEN_SERVER": address, "BALEEN_SOCKET": "/nowhere",
                          "BALEEN_TOKEN": token})):
            expect(daemon.client(*words, **variables), 0)
        own.mkdir(parents=True)
        path.rename(own / "token")
        expect(daemon.client("q", "--server", address), 0)
        (own / "token").chmod(0o644)
        expect(daemon.client("q", "--server", address), 4, "chmod 600")
        expect(daemon.client("--server"), 2, "--server needs a value: HOST:PORT")
        expect(daemon.client("q", "--server", "ftp://x"), 2, "expected a server like")
        expect(daemon.client("q", "--server", address, "--socket", "/x"), 2, "not both")
        daemon.stop()
        done = daemon.client("q", "--server", address, BALEEN_TOKEN=token)
        expect(done, 5, f"http://{address}", "--http")


def an_admins_token_makes_tokens_for_others():
    needs_root()
    with Remote() as daemon:
        os.chmod(daemon.work, 0o777)
        admin = daemon.token("admin")
        token = daemon.by_tcp(admin, "token", "create", "--scope", "submit", "--user",
                              "nobody").stdout.strip()
        expect(daemon.by_tcp(token, "run", "-w", "true"), 0)
        job = until(lambda: daemon.jobs(), "the job is there")[0]
        assert job["user"] == "nobody"
        expect(daemon.by_tcp(token, "token", "create", "--scope", "read"), 4, "scope admin")
        expect(daemon.by_tcp(token, "token", "list"), 0, "nobody")
        assert "root" not in daemon.by_tcp(token, "token", "list").stdout


def web_prints_a_link_that_signs_in_once():
    with Remote() as daemon:
        done = daemon.by_socket("web")
        expect(done, 0, "as you, once")
        link = done.stdout.strip()
        url, code = link.split("/#/in/")
        assert url == f"http://127.0.0.1:{daemon.port}" and code not in done.stderr, done
        for status in (200, 401):
            answer = daemon.tcp("POST", "/api/v1/session", None, {"code": code},
                                {"X-Baleen": "1"})
            assert answer.status == status, answer.body
        token = daemon.token("submit")
        said = json.loads(daemon.by_tcp(token, "web", "--json", "--no-open").stdout)
        assert said["link"].startswith(f"{url}/#/in/") and said["expires_at"] > 0, said
        zh = daemon.client("web", BALEEN_SOCKET=daemon.socket, LC_ALL="zh_CN.UTF-8",
                           LC_MESSAGES="zh_CN.UTF-8", LANGUAGE="zh_CN")
        assert zh.returncode == 0 and zh.stdout != done.stdout
        expect(daemon.by_tcp(daemon.token("read"), "web"), 4, "only look")
        expect(daemon.by_socket("web", "x"), 2)


def web_opens_the_link_where_there_is_a_display():
    with Remote() as daemon:
        programs = f"{daemon.folder}/bin"
        opened = Path(f"{daemon.folder}/opened")
        os.mkdir(programs)
        Path(f"{programs}/xdg-open").write_text(f'#!/bin/sh\necho "$1" >{opened}.new\n'
                                                f"mv {opened}.new {opened}\n", encoding="utf-8")
        os.chmod(f"{programs}/xdg-open", 0o755)
        path = f"{programs}:{os.environ['PATH']}"
        for words, display in ((["--no-open"], ":0"), ([], "")):
            daemon.client("web", *words, BALEEN_SOCKET=daemon.socket, PATH=path, DISPLAY=display)
        assert not opened.exists()
        done = daemon.client("web", BALEEN_SOCKET=daemon.socket, PATH=path, DISPLAY=":0")
        until(opened.exists, "the browser is asked")
        assert opened.read_text(encoding="utf-8") == done.stdout
        without = daemon.client("web", BALEEN_SOCKET=daemon.socket, DISPLAY=":0",
                                PATH=os.path.dirname(BALEEN))
        expect(without, 0)


main([claim for name, claim in list(globals().items())
      if callable(claim) and getattr(claim, "__module__", "") == __name__ and
      name != "Remote"])
