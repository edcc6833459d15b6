"""What a service manager is told, over the datagram socket that it names."""

import os
import signal
import socket

from kit import PATIENCE, Daemon, main, until


class Manager:
    """The socket of a service manager, and a daemon that was given it."""

    def __init__(self, daemon, address, name, **environment):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE)
        daemon.environment.update(NOTIFY_SOCKET=name, **environment)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.socket.close()

    def hear(self, word):
        """Messages up to the one that holds the line."""
        heard = []
        while not heard or word not in heard[-1]:
            heard.append(self.socket.recv(4096).decode().split("\n"))
        return heard


def hears_of_readiness_and_of_the_end(daemon, manager):
    try:
        daemon.process = daemon.spawn()
        heard = manager.hear("READY=1")
        assert "STATUS=Reading the journal" in heard[0], heard
        assert daemon.is_serving()
        daemon.process.send_signal(signal.SIGTERM)
        assert "STATUS=Stopping; jobs go on" in manager.hear("STOPPING=1")[-1]
        assert daemon.process.wait(PATIENCE) == 0
    finally:
        daemon.__exit__()


def readiness_and_the_end_are_told_to_a_socket_with_a_path():
    daemon = Daemon()
    path = f"{daemon.folder}/notify"
    with Manager(daemon, path, path) as manager:
        hears_of_readiness_and_of_the_end(daemon, manager)


def readiness_and_the_end_are_told_to_an_abstract_socket():
    daemon = Daemon()
    name = f"baleen-test-{os.getpid()}"
    with Manager(daemon, f"\0{name}", f"@{name}") as manager:
        hears_of_readiness_and_of_the_end(daemon, manager)


def the_watchdog_is_fed_while_the_loop_turns_and_not_while_it_hangs():
    daemon = Daemon()
    path = f"{daemon.folder}/notify"
    with Manager(daemon, path, path, WATCHDOG_USEC="300000") as manager, daemon:
        for _ in range(3):
            manager.hear("WATCHDOG=1")
        daemon.process.send_signal(signal.SIGSTOP)
        until(lambda: not drained(manager), "nothing more is heard")
        daemon.process.send_signal(signal.SIGCONT)
        manager.hear("WATCHDOG=1")


def drained(manager):
    """Whether something was heard for twice the time between two meals."""
    manager.socket.settimeout(0.6)
    try:
        return bool(manager.socket.recv(4096))
    except TimeoutError:
        return False
    finally:
        manager.socket.settimeout(PATIENCE)


def jobs_do_not_find_the_socket_of_the_service_manager():
    daemon = Daemon()
    path = f"{daemon.folder}/notify"
    with Manager(daemon, path, path, WATCHDOG_USEC="60000000"), daemon:
        job = daemon.submit("env > seen")
        assert daemon.wait(job)["state"] == "completed"
        assert "NOTIFY_SOCKET" not in daemon.text("seen")
        assert "WATCHDOG" not in daemon.text("seen")


main([readiness_and_the_end_are_told_to_a_socket_with_a_path,
      readiness_and_the_end_are_told_to_an_abstract_socket,
      the_watchdog_is_fed_while_the_loop_turns_and_not_while_it_hangs,
      jobs_do_not_find_the_socket_of_the_service_manager])
