"""Where the daemon listens when nobody says so. Each runs in a network of its own, so that the standard port is
nobody else's; BALEEN_DAEMON is run there by this program itself."""

import ctypes
import fcntl
import json
import os
import socket
import struct
import sys

from http_kit import expect
from kit import Daemon, Skip, main

CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1
PORT = 7420


def enter_own_network():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "cannot have a network of its own")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def run_there(words, is_taken):
    """Becomes the program, in a network where its port may be taken."""
    enter_own_network()
    if is_taken:
        other = socket.socket()
        other.bind(("127.0.0.1", PORT))
        other.listen()
        other.set_inheritable(True)
    os.execv(words[0], words)


def check_network():
    pid = os.fork()
    if pid == 0:
        try:
            enter_own_network()
            os._exit(0)
        except OSError:
            os._exit(1)
    if os.waitpid(pid, 0)[1] != 0:
        raise Skip("this machine gives no network of its own")


class Alone(Daemon):
    """In a network of its own, without a word about where to listen."""

    def __init__(self, *flags, is_taken=False):
        check_network()
        super().__init__("--declared", "1xA100", *flags)
        self.find_port(is_taken)

    def find_port(self, is_taken):
        """What it finds at its next start."""
        self.prefix = [sys.executable, os.path.abspath(__file__), "taken" if is_taken else "free"]

    def sign_in(self):
        self.post("/api/v1/session", {"code": self.post("/api/v1/session/codes").json["code"]})

    def sessions(self):
        with open(f"{self.state}/sessions.json", encoding="utf-8") as file:
            return json.load(file)["tokens"]

    def listens(self):
        return []


def a_daemon_that_was_told_nothing_listens_on_the_standard_port_and_the_page_is_there():
    with Alone() as daemon:
        assert f"http://127.0.0.1:{PORT}" in daemon.said(), daemon.said()
        answer = daemon.post("/api/v1/session/codes")
        expect(answer, 201)
        assert answer.json["url"] == f"http://127.0.0.1:{PORT}", answer.json


def where_the_standard_port_is_taken_it_warns_and_serves_on_its_socket():
    with Alone(is_taken=True) as daemon:
        said = daemon.said()
        assert "level=warning" in said and f"cannot listen on 127.0.0.1:{PORT}" in said, said
        assert "socket alone" in said and "--http ADDR:PORT" in said and "http://127" not in said, said
        expect(daemon.post("/api/v1/session/codes"), 409, "refused", "socket alone", "--http")
        daemon.wait(daemon.submit("true"))


def a_port_that_was_asked_for_and_is_taken_is_an_error():
    daemon = Alone("--http", f"127.0.0.1:{PORT}", is_taken=True)
    process = daemon.spawn()
    assert process.wait(120) == 1, daemon.said()
    assert "something else listens there" in daemon.said(), daemon.said()
    daemon.__exit__()


def who_takes_the_port_gains_nothing_by_the_cookies_that_pages_send_there():
    for flags in ([], ["--http", f"127.0.0.1:{PORT}"]):
        with Alone(*flags) as daemon:
            daemon.sign_in()
            daemon.stop()
            daemon.start()
            assert len(daemon.sessions()) == 1, "a restart alone ends none"
            daemon.stop()
            daemon.find_port(is_taken=True)
            if flags:
                assert daemon.spawn().wait(120) == 1, daemon.said()
            else:
                daemon.start()
            assert daemon.sessions() == [] and "its sessions (1) are ended" in daemon.said(), daemon.said()


def none_is_the_socket_alone_by_flag_and_by_configuration():
    with Alone("--http", "none") as daemon:
        assert "http://" not in daemon.said(), daemon.said()
    daemon = Alone()
    path = f"{daemon.folder}/baleen.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write("listen: {http: none}\n")
    daemon.flags += ["--config", path]
    with daemon:
        assert "http://" not in daemon.said() and "cannot listen" not in daemon.said(), daemon.said()


if len(sys.argv) > 2:
    run_there(sys.argv[2:], sys.argv[1] == "taken")
main([a_daemon_that_was_told_nothing_listens_on_the_standard_port_and_the_page_is_there,
      where_the_standard_port_is_taken_it_warns_and_serves_on_its_socket,
      a_port_that_was_asked_for_and_is_taken_is_an_error,
      who_takes_the_port_gains_nothing_by_the_cookies_that_pages_send_there,
      none_is_the_socket_alone_by_flag_and_by_configuration])
