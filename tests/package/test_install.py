"""`make install` with DESTDIR: all lands, runs from there, and goes again."""

import json
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

from package_kit import BUILD, ROOT, files_below, ok, temporary, unit_lines
import kit
from kit import Daemon, main

PROGRAMS = ["bin/baleen", "bin/baleen-sim", "bin/baleend", "libexec/baleen/baleen-supervisor"]
OTHERS = ["lib/systemd/system/baleend.service", "share/bash-completion/completions/baleen",
          "share/doc/baleen/examples/baleen.yaml", "share/fish/vendor_completions.d/baleen.fish",
          "share/man/man1/baleen-sim.1", "share/man/man1/baleen.1", "share/man/man8/baleend.8",
          "share/zsh/site-functions/_baleen"]


def prefix():
    options = json.loads(ok("meson", "introspect", "--buildoptions", BUILD))
    return next(option["value"] for option in options if option["name"] == "prefix")


@contextmanager
def installed():
    """The folder that DESTDIR names, and in it the prefix."""
    with temporary() as folder:
        ok("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet",
           env={**os.environ, "DESTDIR": folder})
        yield Path(folder), Path(folder + prefix())


def all_that_is_installed_lands_below_the_prefix():
    with installed() as (folder, top):
        found = files_below(folder)
        expected = sorted(str((top / name).relative_to(folder)) for name in PROGRAMS + OTHERS)
        assert found == expected, f"found {found}, expected {expected}"


def the_unit_names_the_installed_daemon():
    with installed() as (_, top):
        unit = unit_lines((top / "lib/systemd/system/baleend.service").read_text())
        assert unit["ExecStart"] == f"{prefix()}/bin/baleend --foreground", unit["ExecStart"]
        assert unit["Type"] == "notify" and unit["KillMode"] == "process", unit
        assert unit["Delegate"] == "yes" and unit["StateDirectory"] == "baleen", unit


def installed_programs_find_each_other():
    with installed() as (folder, top):
        # Elsewhere than it was built for, and with no build folder near.
        shutil.copytree(top, folder / "moved")
        kit.DAEMON = str(folder / "moved/bin/baleend")
        with Daemon() as daemon:
            environment = {**os.environ, "BALEEN_SOCKET": daemon.socket}
            baleen = folder / "moved/bin/baleen"
            ok(baleen, "run", "-w", "--gpus", "1", "--", "true", env=environment, cwd=daemon.work)
            job = daemon.submit("sleep 600")
            daemon.wait(job, "started")
            supervisors = [os.readlink(f"/proc/{pid}/exe") for pid in daemon.supervisors()]
            assert supervisors == [str(folder / "moved/libexec/baleen/baleen-supervisor")], \
                supervisors
            told = ok(baleen, "--version") + ok(baleen, "daemon", "--version")
            assert told.split()[0::2] == ["baleen", "baleend"], told
            assert "easy" in ok(baleen, "sim", "--list-policies")


def the_example_configuration_is_good():
    ok(os.environ["BALEEN_DAEMON"], "--check-config", "--config", ROOT / "packaging/baleen.yaml")


def the_manuals_name_every_flag_of_the_daemon_and_the_simulator():
    for program, page in ((os.environ["BALEEN_DAEMON"], "baleend.8"),
                          (os.environ["BALEEN_SIM"], "baleen-sim.1")):
        manual = (ROOT / f"docs/man/{page}.scd").read_text()
        flags = re.findall(r"^ +(?:-\w, )?(--[\w-]+)", ok(program, "--help"), re.MULTILINE)
        assert len(flags) > 5, flags
        assert not [flag for flag in flags if f"*{flag}*" not in manual], (page, flags)


def uninstalling_leaves_no_file():
    with installed() as (folder, _):
        assert files_below(folder)
        ok("ninja", "-C", BUILD, "uninstall")
        assert not files_below(folder), files_below(folder)


main([all_that_is_installed_lands_below_the_prefix, the_unit_names_the_installed_daemon,
      installed_programs_find_each_other, the_example_configuration_is_good,
      the_manuals_name_every_flag_of_the_daemon_and_the_simulator, uninstalling_leaves_no_file])
