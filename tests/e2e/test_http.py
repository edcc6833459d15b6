"""The TCP port under wrong bytes, many connections and slow peers."""

import os
import re
import resource
import time
from pathlib import Path

from http_kit import Port, Stream
from kit import main, until

MANY_IDLE = 1000
MANY_STREAMS = 200


def healthy(daemon, token):
    assert daemon.tcp("GET", "/healthz", token).status == 200
    assert daemon.get("/healthz").status == 200


def wrong_bytes_end_their_own_connection_only():
    with Port(limits={"idle": "1s", "request": "1s"}) as daemon:
        token = daemon.token("admin")
        head = (f"Host: localhost\r\nConnection: close\r\n"
                f"Authorization: Bearer {token}\r\n").encode()
        post = b"POST /api/v1/jobs HTTP/1.1\r\n" + head
        get = b"GET /healthz HTTP/1.1\r\n" + head
        rows = [
            b"", b"\0" * 1000, b"\r\n" * 1000, b"GET", b"GET /", b"GET\r\n\r\n", b"\x16\x03\x01\x02",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"A" * 300000,
            b"GET /" + b"a" * 300000 + b" HTTP/1.1\r\n" + head + b"\r\n",
            get + b"X: " + b"b" * 300000 + b"\r\n\r\n", get + b"X: y\r\n" * 50000 + b"\r\n",
            get + b"X\0Y: z\r\n\r\n", get + b"X: \0\r\n\r\n", get + b": x\r\n\r\n",
            get + b"no colon\r\n\r\n", get + b" folded\r\n\r\n", get[:-5],
            b"GET /\0 HTTP/1.1\r\n" + head + b"\r\n", b"GET /%00 HTTP/1.1\r\n" + head + b"\r\n",
            b"GET /%zz%2 HTTP/1.1\r\n" + head + b"\r\n", b"OPTIONS * HTTP/1.1\r\n" + head + b"\r\n",
            b"GET http://localhost/healthz HTTP/1.1\r\n" + head + b"\r\n",
            b"CONNECT localhost:80 HTTP/1.1\r\n" + head + b"\r\n",
            post + b"Content-Length: -1\r\n\r\n{}", post + b"Content-Length: x\r\n\r\n{}",
            post + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
            post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            post + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            post + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
            post + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
            post + b"Transfer-Encoding: gzip\r\n\r\nxx", post + b"Expect: 100-continue\r\n\r\n",
            post + b"Content-Length: 100\r\n\r\n{", post + b"Content-Length: 2\r\n\r\n\0\0",
            post + b"Content-Length: 4\r\n\r\n\xff\xfe\0{",
        ]
        for data in rows:
            answer = daemon.raw(data)
            assert not answer or answer.startswith(b"HTTP/1."), f"{data[:80]!r}: {answer[:200]!r}"
            if answer.startswith(b"HTTP/1.1 201"):
                raise AssertionError(f"{data[:80]!r} was taken for a job")
            try:
                healthy(daemon, token)
            except (OSError, AssertionError) as why:
                raise AssertionError(f"after {data[:80]!r}: {why}") from why
        for data in (post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                     post + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     get + b"Host: evil\r\n\r\n",
                     get + b"Authorization: Bearer x\r\n\r\n"):
            answer = daemon.raw(data)
            assert answer.startswith(b"HTTP/1.1 400") and b"ambiguous" in answer, answer
        assert daemon.jobs() == []


def a_peer_that_will_send_no_more_is_let_go_long_before_its_time_is_up():
    # a quarter of the least limit is how often one looks
    with Port(limits={"idle": "10h", "request": "10h", "answer": "4s"}) as daemon:
        token = daemon.token("admin")
        head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n".encode()
        whole = b"GET /healthz HTTP/1.1\r\n" + head + b"\r\n"
        rows = [(b"", 0), (b"GET /hea", 0), (whole[:-2], 0), (whole + b"GET /hea", 1), (whole * 3, 3),
                (b"POST /api/v1/jobs HTTP/1.1\r\n" + head + b"Content-Length: 9\r\n\r\n{", 0)]
        for data, answers in rows:
            found = daemon.raw(data)
            assert found.count(b"HTTP/1.1 200") == answers, f"{data!r}: {found!r}"


def requests_behind_each_other_are_answered_in_order():
    with Port() as daemon:
        token = daemon.token("submit")
        head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
        ask = f"GET /api/v1/jobs/{{}} HTTP/1.1\r\n{head}\r\n"
        body = '{"workdir": "/", "command": ["true"], "hold": true}'
        post = f"POST /api/v1/jobs HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}"
        chunked = f"POST /api/v1/jobs HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n"
        chunked += "".join(f"{len(piece):x}\r\n{piece}\r\n" for piece in (body[:7], body[7:]))
        text = ask.format(7) + post + ask.format(1) + chunked + "0\r\n\r\n" + ask.format(2) + \
            f"GET /nowhere HTTP/1.1\r\n{head}Connection: close\r\n\r\n"
        answer = daemon.raw(text.encode(), shut=False)
        found = [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", answer)]
        assert found == [404, 201, 200, 201, 200, 404], answer
        assert [job["id"] for job in daemon.jobs()] == [1, 2]


def a_token_of_one_request_is_not_that_of_the_next():
    with Port() as daemon:
        token = daemon.token("admin")
        answer = daemon.raw(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            f"{token}\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n"
                            f"Connection: close\r\n\r\n".encode(), shut=False)
        assert answer.count(b"HTTP/1.1 200") == 1 and answer.count(b"HTTP/1.1 401") == 1, answer


def limits_of_the_configuration_bound_headers_and_bodies():
    with Port(limits={"header": "8KiB", "body": "4KiB"}) as daemon:
        token = daemon.token("submit")
        for size, good in ((1000, True), (30000, False)):
            answer = daemon.tcp("GET", "/healthz", token, headers={"X": "x" * size})
            assert (answer.status == 200) == good, f"{size}: {answer.status}"
            assert good or answer.status in (400, 413, 431), answer.status
        assert daemon.tcp("POST", "/api/v1/jobs", token, b" " * 4096).status == 400
        answer = daemon.tcp("POST", "/api/v1/jobs", token, b" " * 4097)
        assert answer.status == 413 and "4096 bytes" in answer.error["message"], answer.body
        healthy(daemon, token)


def a_peer_that_sends_drop_by_drop_is_cut_off_and_others_do_not_wait():
    with Port(limits={"request": "1s", "idle": "1s"}) as daemon:
        token = daemon.token("read")
        silent, begun, body = daemon.dial(), daemon.dial(), daemon.dial()
        begun.sendall(b"GET /healthz HTT")
        body.sendall(f"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n"
                     f"Authorization: Bearer {token}\r\n\r\n{{".encode())
        healthy(daemon, token)
        assert silent.recv(1) == b"" and begun.recv(1) == b""
        assert body.recv(65536).startswith(b"HTTP/1.1 408")
        drops = daemon.dial()
        try:
            for _ in range(100000):
                drops.sendall(b"\r\n" if _ == 0 else b"G")
                time.sleep(0.01)
        except (BrokenPipeError, ConnectionResetError):
            drops = None
        assert drops is None, "drops were taken without end"


def a_peer_that_does_not_read_its_answer_is_cut_off():
    with Port(limits={"answer": "1s", "connections": 100}) as daemon:
        token = daemon.token("read")
        body = daemon.job_body(["true"], hold=True, name="x" * 200)
        assert daemon.post("/api/v1/jobs", {"jobs": [body] * 5000}).status == 201
        lazy = daemon.dial()
        lazy.sendall((f"GET /api/v1/jobs?limit=10000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                      f"Bearer {token}\r\n\r\n").encode())
        healthy(daemon, token)
        until(lambda: descriptors(daemon) <= 1, "the daemon closes it")


def descriptors(daemon):
    """How many TCP connections the daemon holds."""
    port = f":{daemon.port:04X}"
    return sum(words[1].endswith(port) and words[3] == "01"
               for words in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:]))


def over_the_limit_of_connections_503_is_answered_and_the_machines_own_get_in():
    with Port(limits={"connections": 16}) as daemon:
        token = daemon.token("read")
        held = [daemon.dial() for _ in range(12)]  # the others are the socket's
        until(lambda: daemon.tcp("GET", "/healthz", token).status == 503, "it is full")
        answer = daemon.tcp("GET", "/healthz", token)
        assert answer.error["code"] == "unavailable", answer.body
        assert "16 at once, 12 over TCP" in answer.error["hint"], answer.body
        assert answer.headers["Retry-After"] == "1"
        assert daemon.get("/healthz").status == 200
        held.pop().close()
        until(lambda: daemon.tcp("GET", "/healthz", token).status == 200, "there is room again")


def without_descriptors_connections_are_refused_and_nothing_spins():
    with Port(prefix=["prlimit", "--nofile=96:96"]) as daemon:
        token = daemon.token("read")
        held, refused = [], 0
        while refused < 5:
            held.append(daemon.dial())
            answer = daemon.tcp("GET", "/healthz", token)
            refused += answer.status == 503
            assert answer.status in (200, 503) and len(held) < 500, answer.status
        assert daemon.get("/healthz").status == 200
        before = cpu_seconds(daemon)
        time.sleep(1)
        assert cpu_seconds(daemon) - before < 0.5
        for connection in held:
            connection.close()
        until(lambda: daemon.tcp("GET", "/healthz", token).status == 200, "there is room again")


def cpu_seconds(daemon):
    words = Path(f"/proc/{daemon.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def a_thousand_idle_and_two_hundred_streaming_clients_are_served_at_once():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with Port() as daemon:
        token = daemon.token("submit")
        idle = [daemon.dial() for _ in range(MANY_IDLE)]
        streams = [Stream(daemon, token) for _ in range(MANY_STREAMS)]
        healthy(daemon, token)
        job = daemon.tcp("POST", "/api/v1/jobs", token, daemon.job_body(["true"])).json["id"]
        assert daemon.wait(job)["state"] == "completed"
        for stream in streams:
            stream.read_until(b'"completed"')
        # those that only waited are served as well
        for connection in idle[::100]:
            connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                               f"{token}\r\n\r\n".encode())
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        for connection in idle + streams:
            connection.close()
        healthy(daemon, token)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


main([claim for name, claim in list(globals().items())
      if callable(claim) and getattr(claim, "__module__", "") == __name__ and
      name not in ("healthy", "descriptors", "cpu_seconds")])
