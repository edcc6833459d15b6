"""Step times of public profiles against the fitted model: bench/curve's errors, bounded."""

import importlib.util
import sys
from pathlib import Path

from kit import data, main

CURVE = sys.argv[2]


def load_bench():
    """bench/curve.py as a module."""
    path = Path(__file__).resolve().parents[2] / "bench" / "curve.py"
    spec = importlib.util.spec_from_file_location("bench_curve", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measured():
    bench = load_bench()
    groups = bench.measure(CURVE, data("elastic/sia/profiles"))
    assert len(groups) >= 15, f"only {len(groups)} profiles were measured"
    return bench, groups


def mean_errors_stay_within_their_limits():
    bench, groups = measured()
    mean = bench.means(groups)
    for name, (least, most) in bench.LIMITS.items():
        if name != "fit_us":
            assert least <= mean[name] <= most, f"{name} is {mean[name]:.3f}"


def no_profile_is_far_off():
    for group in measured()[1]:
        place = f"{group['application']} on {group['type']}"
        assert group["inside_error"] < 0.35, f"{place}: {group['inside_error']:.3f} between points"
        assert group["next_error"] < 0.35, f"{place}: {group['next_error']:.3f} a doubling further"


def another_type_tells_more_than_one_gpu_alone():
    bench, groups = measured()
    mean = bench.means(groups)
    assert mean["other_error"] < mean["alone_error"], mean


main([("A2_mean_errors_of_public_profiles_stay_within_their_limits",
       mean_errors_stay_within_their_limits),
      ("A2_no_public_profile_is_far_off_the_fitted_curve", no_profile_is_far_off),
      ("A6_another_type_tells_more_than_one_gpu_alone",
       another_type_tells_more_than_one_gpu_alone)])
