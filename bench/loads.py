#!/usr/bin/env python3
"""Mean completion times under made-up loads of elastic jobs, beside a bound for any scheduler.

    bench/loads.py [BUILD] [--rho 0.6,0.9,1.2] [--seeds 4] [--jobs 2500] [--gpus 64]
                   [--policy NAME[:KEY=VALUE,...]]... [--noise SIGMA,...|unknown] [--json]
    bench/loads.py --write FILE --rho 0.9 --seed 3

Jobs come at random; half of them are small, three tenths of middle size, the others large; a fifth
are rigid. Speeds follow from compute and synchronisation times and from the noise of gradients, as
in training with adaptive batches. Rho is the work at the requested GPU counts by the capacity. All
is drawn from printed seeds, so that figures can be compared. One line for each policy: mean
completion time by the bound, averaged over the seeds, its range, restarts a job and CPU seconds a
replay. --noise tells policies of each job's work times a log-normal factor of this sigma, or nothing of it, and
prints what that costs them. --write leaves a trace in baleen's own format instead."""

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COUNTS = [1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64]
NODE = 8  # GPUs
# share, least counts, largest counts, median seconds at the requested count
SIZES = [(0.5, [1], [8, 16], 20 * 60),
         (0.3, [1, 2], [16, 32, 64], 2.2 * 3600),
         (0.2, [4, 8], [64], 8 * 3600)]
SIGMA = 1.7
SHORTEST, LONGEST = 30, 35 * 86400
RIGID = 0.2
BATCHES = 8
# What is compared where it is there; the first row of those asked for is the one to beat.
POLICIES = ["easy:durations=exact", "easy:durations=exact,order=shortest", "sjf:durations=exact",
            "equal", "sia", "las", "optimus", "two_phase", "whale"]
# Mean completion time by the bound, as a prototype reached it.
REACHED = {"rigid first come with backfill": (2.22, 4.38, 9.91),
           "rigid shortest remaining with backfill": (1.89, 1.90, 2.03),
           "equal share": (1.24, 1.62, 5.51),
           "two-phase": (1.11, 1.21, 1.45),
           "adaptive heSRPT": (1.11, 1.19, 1.28)}


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


class Curve:
    """Goodput of a training job over its GPUs."""

    def __init__(self, rng):
        self.batch = log_uniform(rng, 32, 1024)
        self.most = self.batch * rng.uniform(1, 2)
        self.compute = log_uniform(rng, 0.05, 1.5)
        self.fixed = rng.uniform(0.05, 0.20)
        self.local = self.compute * log_uniform(rng, 0.02, 0.25)
        self.growth = rng.uniform(0, 0.02)
        self.across = rng.uniform(1.5, 6)
        self.overlap = rng.uniform(1.2, 5.2)
        self.noise = self.batch * log_uniform(rng, 1, 100)

    def sync(self, gpus):
        if gpus == 1:
            return 0
        return self.local * (1 + self.growth * (gpus - 2)) * (self.across if gpus > NODE else 1)

    def at_batch(self, gpus, batch):
        compute = self.compute * (self.fixed + 0.85 * batch / gpus / self.batch)
        step = (compute ** self.overlap + self.sync(gpus) ** self.overlap) ** (1 / self.overlap)
        return batch / step * (self.noise + self.batch) / (self.noise + batch)

    def speed(self, gpus):
        """Of the best of some batch sizes."""
        ratio = max(1, gpus * self.most / self.batch)
        return max(self.at_batch(gpus, self.batch * ratio ** (i / (BATCHES - 1)))
                   for i in range(BATCHES))


def nearest_count(gpus, low, high):
    return min((count for count in COUNTS if low <= count <= high),
               key=lambda count: (abs(count - gpus), count))


def draw_job(rng, gpus):
    """Everything of a job but when it comes."""
    pick, curve = rng.random(), Curve(rng)
    for share, least, largest, median in SIZES:
        if pick < share or share == SIZES[-1][0]:
            break
        pick -= share
    low, high = min(rng.choice(least), gpus), min(rng.choice(largest), gpus)
    want = nearest_count(low * rng.uniform(1, 4), low, high)
    run = min(max(rng.lognormvariate(math.log(median), SIGMA), SHORTEST), LONGEST)
    if rng.random() < RIGID:
        low = high = want
    counts = [count for count in COUNTS if low <= count <= high]
    speeds = [curve.speed(count) / curve.speed(low) for count in counts]
    return {"counts": counts, "speeds": speeds, "want": want, "run": run,
            "work": run * speeds[counts.index(want)], "restart": rng.uniform(30, 60)}


def draw_jobs(seed, rho, count, gpus):
    """Jobs with their instants, in order."""
    rng = random.Random(f"loads {seed}")
    jobs = [draw_job(rng, gpus) for _ in range(count)]
    span = sum(job["run"] * job["want"] for job in jobs) / (rho * gpus)
    gaps = [rng.expovariate(1) for _ in jobs]
    now = 0
    for job, gap in zip(jobs, gaps):
        job["submit"] = now
        now += gap * span / sum(gaps)
    return jobs


def told_of(job, noise, number):
    """What policies are told of the work, as a trace says it; a number draws the same whatever sigma."""
    if noise == "unknown":
        return "told: nothing, "
    error = random.Random(f"noise {number}").gauss(0, 1)
    return f"told: {max(job['work'] * math.exp(float(noise) * error), 0.001):.3f}s, "


def write_trace(path, jobs, noise=None):
    with open(path, "w", encoding="ascii") as file:
        file.write("jobs:\n")
        for number, job in enumerate(jobs):
            told = told_of(job, noise, number) if noise else ""
            points = ", ".join(f"{count}: {speed:.9g}"
                               for count, speed in zip(job["counts"], job["speeds"]))
            file.write(f"- {{submit: {job['submit']:.3f}s, work: {job['work']:.3f}s, {told}"
                       f"restart: {job['restart']:.3f}s, "
                       f"resources: {{gpus: {job['counts']}, want: {job['want']}}}, "
                       f"scaling: {{points: {{{points}}}}}}}\n")


def write_cluster(path, gpus):
    nodes, rest = divmod(gpus, NODE)
    with open(path, "w", encoding="ascii") as file:
        file.write("nodes:\n")
        for number, size in enumerate([NODE] * nodes + [rest] * (rest > 0)):
            file.write(f"- {{name: n{number}, gpus: {{type: A100, count: {size}}}}}\n")


def known_policies(program):
    out = subprocess.run([program, "--list-policies"], check=True, capture_output=True, text=True)
    return {line.split(":")[0] for line in out.stdout.splitlines() if line[:1].strip()}


def replay(program, cluster, trace, policies):
    words = [word for policy in policies for word in ("--policy", policy)]
    done = subprocess.run([program, "--cluster", cluster, "--trace", trace, "--bound", "--json",
                           *words], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    return found if isinstance(found, list) else [found]


def measure(program, options, rho, folder, noise=None):
    """Rows of all policies for each seed."""
    rows = []
    cluster = Path(folder, "cluster.yaml")
    write_cluster(cluster, options.gpus)
    for seed in range(1, options.seeds + 1):
        trace = Path(folder, f"load-{rho}-{seed}.yaml")
        write_trace(trace, draw_jobs(seed, rho, options.jobs, options.gpus), noise)
        rows.append(replay(program, cluster, trace, options.policies))
    return rows


def summary(rows):
    """By policy, over the seeds."""
    table = []
    for of_policy in zip(*rows):
        ratios = [row["avg_jct_s"] / row["bound_avg_jct_s"] for row in of_policy]
        table.append({"policy": of_policy[0]["policy"], "ratio": sum(ratios) / len(ratios),
                      "least": min(ratios), "most": max(ratios),
                      "jct_h": sum(row["avg_jct_s"] for row in of_policy) / 3600 / len(ratios),
                      "restarts": sum(row["restarts"] / row["jobs"]
                                      for row in of_policy) / len(ratios),
                      "cpu_s": sum(row["cpu_s"] for row in of_policy) / len(ratios)})
    return table


def print_table(rho, table):
    print(f"\nrho {rho}\n{'policy':40} {'JCT/bound':>9} {'range':>12} {'mean h':>8} "
          f"{'restarts':>8} {'CPU s':>7}")
    for row in table:
        print(f"{row['policy']:40} {row['ratio']:9.3f} {row['least']:5.2f}-{row['most']:5.2f} "
              f"{row['jct_h']:8.2f} {row['restarts']:8.2f} {row['cpu_s']:7.2f}")


def losses(exact, noisy):
    """By policy: how much longer jobs take in the mean, by seed; the mean of it and its range."""
    table = []
    for before, after in zip(zip(*exact), zip(*noisy)):
        loss = [b["avg_jct_s"] / a["avg_jct_s"] - 1 for a, b in zip(before, after)]
        table.append({"policy": before[0]["policy"], "loss": sum(loss) / len(loss),
                      "median": statistics.median(loss), "least": min(loss), "most": max(loss)})
    return table


def print_losses(rho, noise, table):
    what = "work unknown" if noise == "unknown" else f"work told with sigma {noise}"
    print(f"\nrho {rho}, {what}\n{'policy':40} {'loss %':>9} {'median':>7} {'range':>15}")
    for row in table:
        print(f"{row['policy']:40} {100 * row['loss']:9.1f} {100 * row['median']:7.1f} "
              f"{100 * row['least']:6.1f} - {100 * row['most']:6.1f}")


def print_reached():
    print("\nto compare: a prototype on loads of this kind, by its own bound")
    for name, figures in REACHED.items():
        print(f"{name:40} " + "  ".join(f"{figure:.2f}" for figure in figures))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", nargs="?", default=str(ROOT / "build"))
    parser.add_argument("--rho", default="0.6,0.9,1.2")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1, help="with --write")
    parser.add_argument("--jobs", type=int, default=2500)
    parser.add_argument("--gpus", type=int, default=64)
    parser.add_argument("--policy", action="append", dest="policies")
    parser.add_argument("--noise", default="", help="SIGMA,... or unknown")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.rho = [float(word) for word in options.rho.split(",")]
    options.noise = [word for word in options.noise.split(",") if word]
    return options


def measure_all(program, options, rho, folder):
    """The table of a load, and what each noise costs; printed unless all is for machines."""
    exact = measure(program, options, rho, folder)
    found = {"exact": summary(exact)}
    if not options.json:
        print_table(rho, found["exact"])
    for noise in options.noise:
        found[noise] = losses(exact, measure(program, options, rho, folder, noise))
        if not options.json:
            print_losses(rho, noise, found[noise])
    return found


def main():
    options = parse()
    if options.write:
        write_trace(options.write, draw_jobs(options.seed, options.rho[0], options.jobs,
                                             options.gpus), *options.noise[:1])
        return 0
    program = Path(options.build, "src", "sim", "baleen-sim")
    subprocess.run(["ninja", "-C", options.build, "src/sim/baleen-sim"], check=True,
                   stdout=subprocess.DEVNULL)
    known = known_policies(program)
    options.policies = options.policies or [name for name in POLICIES
                                            if name.split(":")[0] in known]
    tables = {}
    print(f"{options.jobs} jobs, {options.gpus} GPUs, seeds 1 to {options.seeds}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for rho in options.rho:
            found = measure_all(program, options, rho, folder)
            tables[rho] = found if options.noise else found["exact"]
    if options.json:
        print(json.dumps(tables))
    else:
        print_reached()
    return 0


if __name__ == "__main__":
    sys.exit(main())
