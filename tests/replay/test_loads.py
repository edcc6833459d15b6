"""Made-up loads of elastic jobs (bench/loads.py): what is drawn is what is said, and replays."""

import sys
import tempfile
from pathlib import Path

from kit import figures, main

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import loads  # noqa: E402  pylint: disable=wrong-import-position

JOBS, GPUS, RHO = 400, 64, 0.9


def drawn():
    return loads.draw_jobs(5, RHO, JOBS, GPUS)


def a_seed_always_draws_the_same_jobs():
    assert drawn() == drawn()
    assert drawn() != loads.draw_jobs(6, RHO, JOBS, GPUS)


def the_work_offered_is_rho_of_the_machine():
    jobs = drawn()
    work = sum(job["run"] * job["want"] for job in jobs)
    span = jobs[-1]["submit"]
    assert 0.85 * RHO < work / (span * GPUS) < 1.15 * RHO, work / (span * GPUS)


def speeds_are_one_at_the_least_count_and_what_was_wanted_is_legal():
    rigid = 0
    for job in drawn():
        assert job["speeds"][0] == 1 and min(job["speeds"]) > 0, job
        assert job["want"] in job["counts"] and job["counts"] == sorted(set(job["counts"])), job
        assert job["counts"][-1] <= GPUS and 30 <= job["restart"] <= 60, job
        rigid += len(job["counts"]) == 1
    assert 0.1 * JOBS < rigid < 0.35 * JOBS, rigid


def every_job_of_a_load_ends_and_none_before_its_bound():
    with tempfile.TemporaryDirectory() as folder:
        cluster, trace = Path(folder, "cluster.yaml"), Path(folder, "trace.yaml")
        loads.write_cluster(cluster, GPUS)
        loads.write_trace(trace, drawn())
        rows = figures("--cluster", cluster, "--trace", trace, "--bound", "--policy", "fifo",
                       "--policy", "sjf:durations=exact")
    for row in rows:
        assert row["done"] == JOBS, row
        assert 0 < row["bound_avg_jct_s"] < row["avg_jct_s"], row


def mean_over_seeds(seeds, noise=None, policies=("whale",)):
    """By policy: mean completion times over the seeds, by the bound of an exact world."""
    with tempfile.TemporaryDirectory() as folder:
        cluster, trace = Path(folder, "cluster.yaml"), Path(folder, "trace.yaml")
        words = [word for policy in policies for word in ("--policy", policy)]
        loads.write_cluster(cluster, GPUS)
        sums = dict.fromkeys(policies, 0)
        for seed in seeds:
            loads.write_trace(trace, loads.draw_jobs(seed, RHO, JOBS, GPUS), noise)
            rows = figures("--cluster", cluster, "--trace", trace, "--bound", *words)
            for policy, row in zip(policies, rows if isinstance(rows, list) else [rows]):
                sums[policy] += row["avg_jct_s"] / row["bound_avg_jct_s"] / len(seeds)
    return sums


def A3_whale_is_near_the_bound_and_far_below_rigid_policies():
    whale, shortest, easy = mean_over_seeds(
        range(1, 5), policies=("whale", "sjf:durations=exact", "easy:durations=exact")).values()
    assert 1 <= whale <= 1.22, whale
    assert whale <= 0.65 * shortest and whale <= 0.65 * easy, (whale, shortest, easy)


def A3_wrong_and_missing_guesses_of_work_cost_whale_little():
    exact = mean_over_seeds(range(1, 5))["whale"]
    for noise, most in (("1", 1.04), ("unknown", 1.09)):
        noisy = mean_over_seeds(range(1, 5), noise)["whale"]
        assert 0.98 <= noisy / exact <= most, (noise, exact, noisy)


def what_policies_are_told_changes_what_they_do_and_not_what_jobs_take():
    with tempfile.TemporaryDirectory() as folder:
        cluster, trace = Path(folder, "cluster.yaml"), Path(folder, "trace.yaml")
        loads.write_cluster(cluster, GPUS)
        bounds, means = [], []
        for noise in (None, "1", "unknown"):
            loads.write_trace(trace, drawn(), noise)
            row = figures("--cluster", cluster, "--trace", trace, "--bound", "--policy", "whale")
            assert row["done"] == JOBS, row
            bounds.append(row["bound_avg_jct_s"])
            means.append(row["avg_jct_s"])
        # jobs that were put back are bounded as such
        assert max(bounds) < 1.01 * min(bounds) and max(bounds) < min(means), (bounds, means)
        assert len(set(means)) == 3 and means[0] == min(means), means


main([(claim.__name__, claim) for claim in [
    a_seed_always_draws_the_same_jobs,
    the_work_offered_is_rho_of_the_machine,
    speeds_are_one_at_the_least_count_and_what_was_wanted_is_legal,
    every_job_of_a_load_ends_and_none_before_its_bound,
    A3_whale_is_near_the_bound_and_far_below_rigid_policies,
    A3_wrong_and_missing_guesses_of_work_cost_whale_little,
    what_policies_are_told_changes_what_they_do_and_not_what_jobs_take,
]])
