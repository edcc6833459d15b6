"""What the tests of the TCP port share: a daemon that listens there, tokens, raw requests."""

import http.client
import json
import re
import socket

from kit import PATIENCE, Answer, Daemon


class Port(Daemon):
    """A daemon with a port of its own; `limits` and `listen` go to its configuration."""

    def __init__(self, *flags, listen=None, limits=None, **more):
        super().__init__("--http", "127.0.0.1:0", *(flags or ["--declared", "8xA100:80GB"]), **more)
        path = f"{self.folder}/baleen.yaml"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"listen": {**(listen or {}), "limits": limits or {}}}, file)
        self.flags += ["--config", path]

    @property
    def port(self):
        """The one that it picked at its last start."""
        return int(re.findall(r"http://127\.0\.0\.1:(\d+)", self.said())[-1])

    def token(self, scope, **more):
        answer = self.post("/api/v1/tokens", {"scope": scope, **more})
        assert answer.status == 201, f"{answer.status}: {answer.body}"
        return answer.json["token"]

    def revoke(self, token):
        answer = self.post(f"/api/v1/tokens/{token.split('_')[1]}/revoke")
        assert answer.status == 200, f"{answer.status}: {answer.body}"

    def tcp(self, method, path, token=None, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = dict(headers or {})
            if token:
                headers["Authorization"] = f"Bearer {token}"
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return Answer(response.status, response.read(), response.headers)
        finally:
            connection.close()

    def dial(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def raw(self, data, shut=True):
        """Sends bytes and answers all that comes back; a reset ends it as well."""
        with self.dial() as connection:
            answer = b""
            try:
                connection.sendall(data)
                if shut:
                    connection.shutdown(socket.SHUT_WR)
                while True:
                    piece = connection.recv(65536)
                    if not piece:
                        return answer
                    answer += piece
            except TimeoutError:
                raise
            except OSError:
                return answer


class Stream:
    """A reader of events over TCP."""

    def __init__(self, daemon, token):
        self.socket = daemon.dial()
        self.socket.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n"
                            f"Authorization: Bearer {token}\r\n\r\n".encode())
        self.seen = b""
        self.read_until(b"id: ")

    def read_until(self, word):
        while word not in self.seen:
            piece = self.socket.recv(65536)
            assert piece, f"the stream ended before {word}: {self.seen[-500:]}"
            self.seen += piece

    def ends(self):
        """Reads on until the other end closes."""
        try:
            while self.socket.recv(65536):
                pass
        except ConnectionResetError:
            pass
        return True

    def close(self):
        self.socket.close()


def expect(answer, status, code=None, *words):
    assert answer.status == status, f"expected {status}, found {answer.status}: {answer.body}"
    if code:
        error = answer.error
        assert error["code"] == code, error
        for word in words:
            assert word in json.dumps(error, ensure_ascii=False), f"no '{word}' in {error}"
