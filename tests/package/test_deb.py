"""The Debian package: built, installed by dpkg on a copy of this system's root, run, removed.

The copy is an overlay in a mount namespace: nothing is changed on the machine."""

import functools
import os
import re
import shutil
import subprocess
import tempfile

from package_kit import ROOT, ok, run, temporary, unit_lines
from kit import PATIENCE, Skip, main, until

DEPENDENCIES_OF_ALL = {"gcc", "libc6-dev", "procps", "python3"}  # build-essential has the first two


def own_mounts():
    """The words before a command that is to have a mount namespace. In a chroot the root is no mount,
    and cannot be made private."""
    words = ["unshare", "--mount", "--propagation"]
    return [*words, "private" if run(*words, "private", "true").returncode == 0 else "unchanged"]


class Copy:
    """This system, in an overlay that takes all that is written."""

    def __init__(self):
        if os.geteuid() != 0:
            raise Skip("only root can mount an overlay and run dpkg")
        self.top = tempfile.mkdtemp(prefix="baleen-deb-")
        self.root = f"{self.top}/root"
        # A file system of its own: an overlay cannot lie on another one.
        mounts = (f"mount -t tmpfs none {self.top} && cd {self.top} && mkdir upper work root && "
                  f"mount -t overlay none -o lowerdir=/,upperdir=upper,workdir=work root && "
                  f"mount --rbind /proc root/proc && mount --rbind /dev root/dev && "
                  f"mount --rbind /sys root/sys && mount -t tmpfs none root/run && "
                  f"mkdir -p root/package && echo ready && exec sleep infinity")
        self.holder = subprocess.Popen([*own_mounts(), "sh", "-c", mounts], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self):
        if self.holder.stdout.readline() != "ready\n":
            raise Skip(f"no overlay of / can be mounted here: {self.holder.stderr.read().strip()}")
        return self

    def __exit__(self, *why):
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()
        self.holder.stderr.close()
        if os.path.ismount(self.top):
            ok("umount", "-l", self.top)
        shutil.rmtree(self.top)

    def words(self, *words):
        """A command in the copy, which only the holder sees below its name."""
        return ["env", "-i", "LC_ALL=C.UTF-8", "HOME=/root", "DEBIAN_FRONTEND=noninteractive",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "chroot",
                f"/proc/{self.holder.pid}/root{self.root}", *map(str, words)]

    def run(self, *words):
        return run(*self.words(*words))

    def ok(self, *words):
        return ok(*self.words(*words))

    def start(self, *words):
        return subprocess.Popen(self.words(*words), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def install(self):
        with open(package(), "rb") as bytes_:
            subprocess.run(self.words("sh", "-c", "cat >/package/baleen.deb"), stdin=bytes_,
                           check=True)
        self.ok("dpkg", "-i", "/package/baleen.deb")


BUILT = temporary()


@functools.cache
def attempt_to_build():
    return run(ROOT / "packaging/make-deb", BUILT.name)


def package():
    """The package, built once for all claims."""
    done = attempt_to_build()
    assert done.returncode == 0, done.stdout
    built = done.stdout.split()
    assert len(built) == 1, built
    return built[0]


def serve_as_the_unit_says(copy):
    """Makes the folders that systemd makes, and runs what it runs."""
    unit = unit_lines(copy.ok("cat", "/lib/systemd/system/baleend.service"))
    copy.ok("install", "-d", "-m", unit["StateDirectoryMode"], "/var/lib/" + unit["StateDirectory"])
    copy.ok("install", "-d", "-m", unit["RuntimeDirectoryMode"], "/run/" + unit["RuntimeDirectory"])
    daemon = copy.start("/bin/sh", "-c", "exec " + unit["ExecStart"] + " --declared 2xA100")
    until(lambda: copy.run("baleen", "q").returncode == 0 or daemon.poll() is not None,
          "the daemon answers")
    assert daemon.poll() is None, daemon.stdout.read()
    return daemon


def the_version_of_the_package_is_that_of_the_program():
    version = re.search(r"version: '(.*?)'", (ROOT / "meson.build").read_text()).group(1)
    assert (ROOT / "packaging/debian/changelog").read_text().startswith(f"baleen ({version}) ")


def the_package_is_built_with_what_make_installs():
    control = (ROOT / "packaging/debian/control").read_text()
    stated = set(re.search(r"Build-Depends:\n((?: .*\n)+)", control).group(1).replace(",", "").split())
    listed = {line for line in (ROOT / "packaging/debian-deps.txt").read_text().splitlines()
              if not line.startswith("#")}
    assert stated - {"debhelper-compat", "(=", "13)"} == listed - DEPENDENCIES_OF_ALL, \
        stated ^ listed


def what_is_installed_runs_and_serves_other_users():
    with Copy() as copy:
        copy.install()
        assert copy.ok("baleen", "--version").startswith("baleen ")
        daemon = serve_as_the_unit_says(copy)
        try:
            said = copy.ok("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups",
                           "baleen", "run", "-w", "-D", "/tmp", "--gpus", "1", "--", "id", "-un")
            log = re.search(r"log: (\S+)", said).group(1)
            assert copy.ok("cat", log) == "nobody\n", said
            assert "supervisor  /usr/bin/../libexec/baleen/" in copy.run("baleen", "doctor").stdout
        finally:
            daemon.terminate()
            daemon.communicate(timeout=PATIENCE)
        assert daemon.returncode == 0, daemon.returncode


def the_configuration_is_the_owners():
    with Copy() as copy:
        copy.install()
        conffiles = copy.ok("dpkg-query", "-W", "-f", "${Conffiles}", "baleen")
        assert conffiles.split()[0::2] == ["/etc/baleen/baleen.yaml"], conffiles
        copy.ok("baleend", "--check-config")
        copy.ok("sh", "-c", "echo 'policy: fifo' >>/etc/baleen/baleen.yaml")
        copy.ok("dpkg", "-i", "--force-confold", "/package/baleen.deb")
        assert "policy: fifo\n" in copy.ok("cat", "/etc/baleen/baleen.yaml")


def removing_keeps_the_state_and_purging_leaves_nothing():
    with Copy() as copy:
        copy.install()
        listed = [name for name in copy.ok("dpkg", "-L", "baleen").split()
                  if copy.run("test", "-f", name).returncode == 0]
        assert "/usr/libexec/baleen/baleen-supervisor" in listed, listed
        assert "/usr/share/man/man8/baleend.8.gz" in listed, listed
        copy.ok("sh", "-c", "mkdir -p /var/lib/baleen && touch /var/lib/baleen/journal.db")
        copy.ok("dpkg", "-r", "baleen")
        left = [name for name in listed if copy.run("test", "-e", name).returncode == 0]
        assert left == ["/etc/baleen/baleen.yaml"], left
        copy.ok("test", "-e", "/var/lib/baleen/journal.db")
        copy.ok("dpkg", "-P", "baleen")
        for name in ("/etc/baleen", "/var/lib/baleen"):
            assert copy.run("test", "-e", name).returncode == 1, name


def systemd_finds_no_fault_in_the_unit():
    if not shutil.which("systemd-analyze"):
        raise Skip("systemd-analyze is not installed")
    with Copy() as copy:
        copy.install()
        said = copy.ok("systemd-analyze", "verify", "--man=no",
                       "/lib/systemd/system/baleend.service")
        assert "baleend" not in said, said


main([the_version_of_the_package_is_that_of_the_program,
      the_package_is_built_with_what_make_installs,
      what_is_installed_runs_and_serves_other_users,
      the_configuration_is_the_owners,
      removing_keeps_the_state_and_purging_leaves_nothing,
      systemd_finds_no_fault_in_the_unit])
