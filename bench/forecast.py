#!/usr/bin/env python3
"""How well durations are foreseen, and what a queue ordered by that reaches, beside published rows.

    bench/forecast.py [BUILD] [--json] [--seeds N] [--logs NAME,…]
                      [--only durations|queue|eta|learning]

Durations: each public log is replayed online, jobs that ended before another was submitted being
all that is known of it; beside it stand user estimates and last-2 (the usual baselines), and last-2
with the residuals that it had lately, as a distribution. Queue: the policy predictive, with its
defaults for every log, on logs whose submit times are shifted at random by up to two minutes (such
replays are chaotic), beside EASY on the same and published results. ETA: the start that jobs which
have to wait under EASY are told when they are submitted, beside plans with estimates and with
last-2. Learning: GPU jobs of a deep-learning log, queued by predictions alone.

Exit 1 when a figure is worse than it must be. The logs are found by BALEEN_DATA."""

import csv
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SHIFT_S = 120
DATA = Path(os.environ.get("BALEEN_DATA", "/nowhere"), "traces")

# name: (file, accuracy of user estimates, of last-2 per user, per user and size; must, stretch)
DURATIONS = {
    "KTH": ("swf/KTH-SP2.sc15.swf.gz", 0.473, 0.529, 0.537, 0.605, 0.62),
    "CTC": ("swf/CTC-SP2.sc15.swf.gz", 0.392, 0.555, 0.566, 0.605, 0.62),
    "SDSC-BLUE": ("swf/SDSC-BLUE.sc15.swf.gz", 0.313, 0.576, 0.587, 0.64, 0.66),
    "LLNL-Atlas": ("swf/LLNL-Atlas-2006-2.1-cln.swf.gz", 0.254, 0.511, 0.532, 0.58, 0.60),
    "Helios": ("dl/helios_15k_first12k.csv.gz", None, 0.525, 0.543, 0.58, 0.60),
    "Philly": ("dl/philly_15k.csv.gz", None, 0.471, 0.475, 0.515, 0.53),
    "Blue Waters": ("dl/bw_15k.csv.gz", 0.321, 0.477, 0.498, 0.54, 0.56),
    "Theta": ("dl/theta_15k_first12k.csv.gz", 0.444, 0.492, 0.591, 0.63, 0.65),
}
COVERAGE_OFF = {"Philly": 0.05, "Blue Waters": 0.05}  # else .03
LEAST_GAIN = 0.2  # of the pinball loss over that of last-2 with its residuals
PREDICT_US = 20

# name: published bounded slowdowns (EASY, EASY-SJBF, EASY++, SC'15 E-loss, clairvoyant SJBF); must,
# stretch of the mean over the seeds
QUEUE = {
    "KTH": (92.58, 69.41, 63.50, 51.44, 49.85, 52, 47),
    "CTC": (49.57, 30.04, 85.77, 20.55, 17.57, 27, 23),
    "SDSC-BLUE": (36.52, 19.83, 20.99, None, 13.18, 15, 13),
}
LARGEST_WAIT = 1.25  # times that of EASY
SEEDS = {"KTH": 6, "CTC": 3, "SDSC-BLUE": 3}  # unless --seeds says how many

# name: (jobs of the log, median error in seconds of a plan with estimates and with last-2; must,
# stretch; pinball loss in seconds: must, stretch)
ETA = {
    "KTH": (None, 5648, 4063, 2000, 1600, 1550, 1450),
    "CTC": (15000, 28351, 8014, 4000, 3300, None, None),
}
ETA_BIAS = 0.08  # of the mean wait
ETA_COVERAGE = (0.77, 0.83)
ETA_COVERAGE_OF_TENTHS = (0.7, 0.9)

# policy: (what it is, must, stretch) of the mean queueing time in seconds, 640 GPUs
LEARNING = {
    "fifo": ("first come", None, None),
    "sjf:durations=exact,order=service,head=strict": ("oracle; published 2,071", None, None),
    "sjf:durations=predict,predictor=last2,order=service,head=strict": ("last-2; published 10,253", None, None),
    "sjf:durations=predict,order=service,head=strict": ("least expected service, strict head", 9000, 6000),
    "sjf:durations=predict,order=service": ("the same, who does not fit is passed over", 5500, 4500),
    "sjf:durations=predict": ("shortest, who does not fit is passed over", 5500, 4500),
    "predictive": ("backfilling, latest starts promised", 5500, 4500),
}


def swf_rows(path):
    """submit, run, limit, size, user, command, CPUs of each job that ran."""
    with gzip.open(path, "rt", errors="replace") as file:
        for line in file:
            field = line.split()
            if not field or line.startswith(";"):
                continue
            submit, run, limit = float(field[1]), float(field[3]), float(field[8])
            size = int(float(field[7])) if float(field[7]) > 0 else int(float(field[4]))
            if run > 0 and size > 0:
                yield (submit, min(run, limit) if limit > 0 else run, limit, size, int(field[11]),
                       int(field[13]), -1)


def table_rows(path):
    submit = 0.0
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    gpus = any(float(row["gpu_num"]) > 0 for row in rows)
    for row in rows:
        submit += float(row["interval"])
        size = float(row["gpu_num"] if gpus else row["node_num"])
        yield (submit, float(row["run_time"]), float(row["wall_time"]) or -1, int(size),
               int(float(row["user"])), -1, int(float(row["cpu_num"])))


def rows_of(name):
    path = DATA / DURATIONS[name][0]
    rows = swf_rows(path) if path.name.endswith(".swf.gz") else table_rows(path)
    return sorted(rows, key=lambda row: row[0])


def foresee(program, name):
    lines = "".join(" ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in row) + "\n"
                    for row in rows_of(name))
    done = subprocess.run([program, "last2", "mixture"], input=lines, check=True, text=True,
                          capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def durations(build, names):
    """One row a log."""
    for name in names:
        last2, ours = foresee(build / "bench" / "durations", name)
        _, estimate, per_user, per_size, must, stretch = DURATIONS[name]
        gain = 1 - ours["pinball_s"] / last2["pinball_s"]
        off = COVERAGE_OFF.get(name, 0.03)
        good = {
            "accuracy": ours["guess_accuracy"] >= must,
            "coverage": abs(ours["coverage"] - 0.8) <= off,
            "pinball": gain >= LEAST_GAIN,
            "time": ours["predict_us"] <= PREDICT_US,
        }
        yield {"log": name, "estimate": estimate, "last2": per_user, "last2_size": per_size,
               "accuracy": ours["guess_accuracy"], "accuracy_p50": ours["accuracy"], "must": must,
               "stretch": stretch, "mae_s": ours["mae_s"], "coverage": ours["coverage"],
               "pinball_s": ours["pinball_s"], "pinball_last2_s": last2["pinball_s"],
               "predict_us": ours["predict_us"],
               "missed": [what for what, is_good in good.items() if not is_good]}


def shifted(name, seed, folder):
    """The log with each submit time moved by up to two minutes; seed 0 = as it is."""
    path = DATA / DURATIONS[name][0]
    if seed == 0:
        return path
    rng = random.Random(seed)
    header, jobs = [], []
    with gzip.open(path, "rt", errors="replace") as file:
        for line in file:
            field = line.split()
            if line.startswith(";"):
                header.append(line)
            elif field:
                jobs.append((float(field[1]) + rng.uniform(0, SHIFT_S), field))
    jobs.sort(key=lambda job: job[0])
    out = Path(folder, f"{name}-{seed}.swf")
    with open(out, "w", encoding="ascii") as file:
        file.writelines(header)
        for number, (submit, field) in enumerate(jobs, 1):
            file.write(" ".join([str(number), f"{submit:.3f}", *field[2:]]) + "\n")
    return out


def simulate(build, path, *policies, options=()):
    command = [build / "src" / "sim" / "baleen-sim", "--trace", path, "--lenient", "--json",
               *options]
    for policy in policies:
        command += ["--policy", policy]
    done = subprocess.run(command, check=True, text=True, capture_output=True)
    found = json.loads(done.stdout)
    return found if isinstance(found, list) else [found]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def queue(build, names, seeds):
    """One row a log: means over the seeds; 0 = as many as SEEDS says."""
    for name in names:
        last = seeds or SEEDS[name]
        with tempfile.TemporaryDirectory() as folder:
            runs = [simulate(build, shifted(name, seed, folder), "easy", "predictive")
                    for seed in range(1, last + 1)]
        *published, must, stretch = QUEUE[name]
        slowdown = mean(ours["avg_bounded_slowdown"] for _, ours in runs)
        largest = mean(ours["max_wait_s"] for _, ours in runs)
        largest_easy = mean(easy["max_wait_s"] for easy, _ in runs)
        broken = sum(ours.get("promises_broken", 0) for _, ours in runs)
        good = {"slowdown": slowdown <= must, "promises": broken == 0,
                "largest wait": largest <= LARGEST_WAIT * largest_easy}
        yield {"log": name, "published": published, "must": must, "stretch": stretch,
               "easy": mean(easy["avg_bounded_slowdown"] for easy, _ in runs),
               "slowdown": slowdown,
               "slowdowns": [ours["avg_bounded_slowdown"] for _, ours in runs],
               "max_wait_s": largest, "easy_max_wait_s": largest_easy, "broken": broken,
               "cpu_s": mean(ours["cpu_s"] for _, ours in runs),
               "missed": [what for what, is_good in good.items() if not is_good]}


def first_jobs(name, count, folder):
    """The log, or its first jobs; submit times as they are."""
    path = DATA / DURATIONS[name][0]
    if count is None:
        return path
    out = Path(folder, f"{name}.swf")
    with gzip.open(path, "rt", errors="replace") as file, open(out, "w", encoding="ascii") as to:
        for line in file:
            count -= not line.startswith(";")
            if count < 0:
                break
            to.write(line)
    return out


def eta(build, names):
    """One row a log."""
    for name in names:
        count, estimates, last2, must, stretch, pinball_must, pinball_stretch = ETA[name]
        with tempfile.TemporaryDirectory() as folder:
            found = simulate(build, first_jobs(name, count, folder), "easy", options=["--eta"])[0]
        mean_wait = found["avg_wait_s"] * found["jobs"] / found["eta_jobs"]
        bias = found["eta_bias_s"] / mean_wait
        tenths = found["eta_coverage_of_tenths"]
        good = {"median error": found["eta_median_error_s"] <= must,
                "pinball": pinball_must is None or found["eta_pinball_s"] <= pinball_must,
                "coverage of tenths": ETA_COVERAGE_OF_TENTHS[0] <= min(tenths) and
                max(tenths) <= ETA_COVERAGE_OF_TENTHS[1],
                "bias": abs(bias) < ETA_BIAS,
                "coverage": ETA_COVERAGE[0] <= found["eta_coverage"] <= ETA_COVERAGE[1]}
        yield {"log": name, "jobs": found["eta_jobs"], "mean_wait_s": mean_wait,
               "median_error_s": found["eta_median_error_s"], "mae_s": found["eta_mae_s"],
               "bias": bias, "coverage": found["eta_coverage"], "tenths": tenths,
               "pinball_s": found["eta_pinball_s"], "pinball_must": pinball_must,
               "pinball_stretch": pinball_stretch,
               "estimates_s": estimates, "last2_s": last2, "must": must, "stretch": stretch,
               "cpu_s": found["cpu_s"],
               "missed": [what for what, is_good in good.items() if not is_good]}


def learning(build):
    """One row a policy, on the GPU jobs of Helios on 640 GPUs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "helios.swf")
        with open(path, "w", encoding="ascii") as file:
            file.write("; MaxProcs: 640\n")
            number = 0
            for submit, run, _, gpus, user, _, _ in rows_of("Helios"):
                if gpus > 0 and run > 0:
                    number += 1
                    file.write(f"{number} {submit:.0f} -1 {run:.0f} {gpus} -1 -1 {gpus} -1 -1 1 "
                               f"{user} -1 -1 -1 -1 -1 -1\n")
        for policy, (what, must, stretch) in LEARNING.items():
            found = simulate(build, path, policy)[0]
            missed = must is not None and found["avg_wait_s"] > must
            yield {"policy": policy, "what": what, "must": must, "stretch": stretch,
                   "avg_wait_s": found["avg_wait_s"], "max_wait_s": found["max_wait_s"],
                   "missed": ["wait"] if missed else []}


def number(value, form):
    return "-" if value is None else format(value, form)


def tell_durations(row):
    print(f"{row['log']:12} accuracy {row['accuracy']:.3f} (p50 {row['accuracy_p50']:.3f}; "
          f"estimates {number(row['estimate'], '.3f')}, last-2 {row['last2']:.3f}, with size "
          f"{row['last2_size']:.3f}; must {row['must']}, stretch {row['stretch']}), MAE "
          f"{row['mae_s']:,.0f} s, p10-p90 {100 * row['coverage']:.1f} %, pinball "
          f"{row['pinball_s']:,.0f} s (last-2 {row['pinball_last2_s']:,.0f}), "
          f"{row['predict_us']:.1f} us")


def tell_queue(row):
    names = ("EASY", "SJBF", "EASY++", "E-loss", "clairvoyant SJBF")
    beside = ", ".join(f"{what} {number(value, '.2f')}"
                       for what, value in zip(names, row["published"]))
    each = " ".join(f"{value:.1f}" for value in row["slowdowns"])
    print(f"{row['log']:12} slowdown {row['slowdown']:.2f} [{each}] (EASY so shaken "
          f"{row['easy']:.2f}; must {row['must']}, stretch {row['stretch']}; published: {beside}), "
          f"largest wait {row['max_wait_s']:,.0f} s (EASY {row['easy_max_wait_s']:,.0f}), promises broken "
          f"{row['broken']}, {row['cpu_s']:.1f} CPU s")


def tell_eta(row):
    print(f"{row['log']:12} median error {row['median_error_s']:,.0f} s of {row['jobs']:,} jobs "
          f"that wait {row['mean_wait_s']:,.0f} s on average (plan with estimates "
          f"{row['estimates_s']:,}, with last-2 {row['last2_s']:,}; must {row['must']:,}, stretch "
          f"{row['stretch']:,}), MAE {row['mae_s']:,.0f} s, bias {100 * row['bias']:+.1f} %, p10-p90 "
          f"{100 * row['coverage']:.1f} % (of tenths by foreseen wait {100 * min(row['tenths']):.0f} to "
          f"{100 * max(row['tenths']):.0f} %), pinball {row['pinball_s']:,.0f} s (must "
          f"{number(row['pinball_must'], ',')}, stretch {number(row['pinball_stretch'], ',')}), "
          f"{row['cpu_s']:.0f} CPU s")


def tell_learning(row):
    print(f"{row['policy']:40} mean queue {row['avg_wait_s']:,.0f} s, largest "
          f"{row['max_wait_s']:,.0f} s ({row['what']}; must {number(row['must'], ',')}, stretch "
          f"{number(row['stretch'], ',')})")


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def main():
    if not DATA.exists():
        print("BALEEN_DATA has no traces: nothing to measure", file=sys.stderr)
        return 0
    words = sys.argv[1:]
    root = Path(__file__).resolve().parent.parent
    build = Path(words[0] if words and not words[0].startswith("--") else root / "build").resolve()
    subprocess.run(["ninja", "-C", build, "bench/durations", "src/sim/baleen-sim"], check=True,
                   stdout=subprocess.DEVNULL)
    logs = option("--logs", ",".join(DURATIONS)).split(",")
    only = option("--only", "")
    parts = {
        "durations": (durations(build, logs), tell_durations),
        "queue": (queue(build, [log for log in logs if log in QUEUE], int(option("--seeds", "0"))),
                  tell_queue),
        "eta": (eta(build, [log for log in logs if log in ETA]), tell_eta),
        "learning": (learning(build), tell_learning),
    }
    missed, all_rows = False, {}
    for part, (rows, tell) in parts.items():
        if only and part != only:
            continue
        all_rows[part] = []
        for row in rows:
            all_rows[part].append(row)
            missed = missed or bool(row["missed"])
            if "--json" not in words:
                tell(row)
                if row["missed"]:
                    print(f"{'':12} MISSED: {', '.join(row['missed'])}")
                sys.stdout.flush()
    if "--json" in words:
        print(json.dumps(all_rows))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
