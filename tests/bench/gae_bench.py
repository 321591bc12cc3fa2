"""Generalised advantages beside the loop in Stable-Baselines3's rollout buffer, and how their cost grows."""

from __future__ import annotations

import json

from compare_side import compare_python, run_of


def main() -> None:
    sizes = run_of(compare_python(), "gae_sides.py")
    rows = [
        [
            f"{size['steps']} × {size['envs']}",
            f"{size['ours']:.2f} ms",
            f"{size['theirs']:.2f} ms",
            f"{size['ours'] / size['theirs']:.2f}",
        ]
        for size in sizes
    ]
    report = {
        "name": "gae",
        "columns": ["steps × environments", "`generalized_advantages`", "SB3's buffer", "ratio"],
        "rows": rows,
        "settings": [
            "Fastest of 15 in turns, one thread; ours in float64 with all checks, theirs in float32."
        ],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
