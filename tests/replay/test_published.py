"""Schedules that others have published for public logs, job for job (docs/benchmarks.md)."""

from kit import data, figures, main, published, waits

LOGS = ["KTH-SP2", "CTC-SP2", "SDSC-BLUE"]

# Policy -> column of the reference schedule.
SCHEDULES = {
    "easy": "wait_easy",
    "easy:durations=exact": "wait_easy_clairv",
    "easy:durations=exact,order=shortest": "wait_easysjbf_clairv",
}

# Mean bounded slowdown (to two decimals) of each log, in the order of LOGS.
SLOWDOWNS = {
    "easy": [92.58, 49.57, 36.52],
    "easy:order=shortest": [69.41, 30.04, 19.83],
    "easy:durations=exact,order=shortest": [49.85, 17.57, 13.18],
}

# Of EASY with the users' estimates.
MEAN_WAITS = [6836.87, 14272.59, 7690.84]
LARGEST_WAIT_KTH = 262194


def log_path(log):
    return data(f"traces/swf/{log}.sc15.swf.gz")


def compare(log, policy, column):
    """No job may start at another second than in the reference."""
    found, _ = waits("--trace", log_path(log), "--policy", policy)
    expected = published(f"traces/sched-ref/{log}.sc15.waits.csv.gz", column)
    different = sorted(job for job in expected if found.get(job) != expected[job])
    assert len(found) == len(expected), f"{len(found)} jobs ended, the log has {len(expected)}"
    assert not different, (f"{len(different)} of {len(expected)} jobs differ; job {different[0]} "
                           f"waits {found.get(different[0])} s, published are "
                           f"{expected[different[0]]} s")


def schedule_claims():
    for policy, column in SCHEDULES.items():
        for log in LOGS:
            yield (f"A10_no_job_of_{log}_differs_under_{policy}",
                   lambda log=log, policy=policy, column=column: compare(log, policy, column))


def slowdowns_are_as_published():
    for index, log in enumerate(LOGS):
        words = [word for policy in SLOWDOWNS for word in ("--policy", policy)]
        for row in figures("--trace", log_path(log), *words):
            expected = SLOWDOWNS[row["policy"]][index]
            assert abs(row["avg_bounded_slowdown"] - expected) < 0.0051, \
                f"{log}, {row['policy']}: {row['avg_bounded_slowdown']}, published are {expected}"


def mean_and_largest_waits_are_as_published():
    for index, log in enumerate(LOGS):
        row = figures("--trace", log_path(log), "--policy", "easy")
        assert abs(row["avg_wait_s"] - MEAN_WAITS[index]) < 0.0051, f"{log}: {row['avg_wait_s']}"
        if log == "KTH-SP2":
            assert row["max_wait_s"] == LARGEST_WAIT_KTH, f"{row['max_wait_s']}"


main([*schedule_claims(),
      ("A16_mean_bounded_slowdowns_are_as_published", slowdowns_are_as_published),
      ("A16_mean_and_largest_waits_are_as_published", mean_and_largest_waits_are_as_published)])
