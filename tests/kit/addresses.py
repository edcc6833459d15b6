"""How programs with a sanitizer in them must be started on this machine."""

import subprocess
from pathlib import Path

# gcc 12's and clang 14's sanitizers lose their shadow memory where the kernel spreads addresses
# further than this.
ADDRESS_BITS_MAX = 28


def fixed_addresses():
    """A command prefix for programs with a sanitizer in them."""
    try:
        bits = int(Path("/proc/sys/vm/mmap_rnd_bits").read_text())
    except (OSError, ValueError):
        bits = 0
    prefix = ["setarch", "-R"]
    usable = bits > ADDRESS_BITS_MAX and subprocess.run(
        [*prefix, "true"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        check=False).returncode == 0
    return prefix if usable else []
