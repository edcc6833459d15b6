#!/usr/bin/env python3
"""How much GPU time real jobs leave idle before reservations: eight declared GPUs, real processes that save their
work when asked, three times the reserved GPUs of preemptible work queued, one reservation of four GPUs after the other.

    bench/lending.py BUILD [--slots N] [--length SECONDS]      5 slots of 60 s

Prints the GPU time that was reserved, what was idle before the slots (baleen_reservation_idle_seconds_total), what of
that saving took, and the share of the rest; exit 1 when that is over 1 %."""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 0.01
GPUS = 4
WORKERS = 20
LEAD = 15  # from booking to start


def read_words():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--slots", type=int, default=5)
    parser.add_argument("--length", type=int, default=60)
    return parser.parse_args()


def main():
    words = read_words()
    os.environ["BALEEN_DAEMON"] = f"{os.path.abspath(words.build)}/src/daemon/baleend"
    os.environ["BALEEN_CLIENT"] = f"{os.path.abspath(words.build)}/src/cli/baleen"
    sys.path.insert(0, str(ROOT / "tests/e2e"))
    from lending_kit import Lent  # pylint: disable=import-outside-toplevel,import-error

    idle = saving = 0.0
    with Lent() as place:
        place.teach("lent")
        place.put_to_work("lent", WORKERS)
        for _ in range(words.slots):
            one = place.measure_slot(f"gpu{8 - GPUS}-7", LEAD, words.length)
            idle += one.idle_gpu_s
            saving += one.saving_gpu_s
            place.end_slot(one)
    reserved = GPUS * words.length * words.slots
    share = max(0.0, idle - saving) / reserved
    print(f"{words.slots} slots of {GPUS} GPUs for {words.length} s: {reserved} GPU-s reserved, {idle:.2f} GPU-s idle "
          f"before them, {saving:.2f} of these to save; beyond that {100 * share:.2f} % (at most {100 * LIMIT:.0f} %)")
    return share > LIMIT


if __name__ == "__main__":
    sys.exit(main())
