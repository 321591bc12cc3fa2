"""The clip widget of the sample lesson: a specification and its first frame."""

from __future__ import annotations

from typing import Any


def sample_widget() -> dict[str, Any]:
    """Specification, first frame, caption and ideas."""
    return {
        "id": "ppo-clip",
        "view": "ppo-clip",
        "params": {},
        "caption": [{"t": "text", "text": "What one sampled action contributes as the ratio changes."}],
        "try": [
            [{"t": "text", "text": "Drag the ratio and watch where the slope becomes zero."}],
            [{"t": "text", "text": "Flip the sign of the advantage."}],
        ],
        "spec": {
            "view": "ppo-clip",
            "title": "One sample under the clip",
            "controls": [
                control("ratio", "Probability ratio", "r", (0, 2, 1.4), stops=[0.8, 1, 1.2]),
                control("advantage", "Advantage", "A", (-3, 3, 2), unit="reward units", stops=[-2, 0, 2]),
                control("clip_epsilon", "Clip width", "ε", (0.05, 0.5, 0.2), stops=[0.1, 0.2, 0.3]),
            ],
            "outputs": [
                {"name": "objective", "label": "PPO term", "unit": "reward units", "decimals": 2},
                {"name": "slope", "label": "Slope in r", "unit": "", "decimals": 2},
            ],
            "actions": [{"control": "advantage", "label": "Set to minus two", "kind": "set", "to": -2}],
        },
        "frame": sample_frame(),
    }


def control(
    name: str, label: str, symbol: str, span: tuple[float, float, float], **more: Any
) -> dict[str, Any]:
    """A slider's specification; `span` is lowest, highest and default."""
    low, high, default = span
    return {
        "name": name,
        "label": label,
        "symbol": symbol,
        "min": low,
        "max": high,
        "step": 0.01,
        "page": 0.1,
        "default": default,
        "decimals": 2,
        "unit": "",
        "stops": [],
        **more,
    }


def sample_frame() -> dict[str, Any]:
    """The view model at the defaults."""
    xs = [0.0, 0.8, 1.2, 2.0]
    return {
        "view": "ppo-clip",
        "params": {"ratio": 1.4, "advantage": 2.0, "clip_epsilon": 0.2},
        "notices": [],
        "outputs": [
            {"name": "objective", "label": "PPO term", "value": 2.4, "text": "2.40", "unit": "reward units"},
            {"name": "slope", "label": "Slope in r", "value": 0.0, "text": "0.00", "unit": ""},
        ],
        "spoken": {
            "ratio": "ratio 1.40, clipped at 1.20",
            "advantage": "advantage 2.00",
            "clip_epsilon": "0.20",
        },
        "state": {"case": "above-positive", "label": "A > 0, ratio above the interval"},
        "summary": "Ratio 1.40 lies above the interval: the clipped branch, 2.40, is the minimum; slope 0.",
        "figure": {
            "panels": [
                {
                    "id": "objective",
                    "title": "Contribution of one sample",
                    "x": {
                        "label": "probability ratio r",
                        "unit": "",
                        "range": [0, 2],
                        "ticks": [0, 0.5, 1, 1.5, 2],
                    },
                    "y": {"label": "contribution", "unit": "reward units", "range": [-6.6, 6.6]},
                    "bands": [{"role": "clip", "from": 0.8, "to": 1.2, "label": "1 − ε to 1 + ε"}],
                    "lines": [
                        {
                            "role": "unclipped",
                            "label": "unclipped",
                            "x": [0.0, 2.0],
                            "y": [0.0, 4.0],
                            "label_at": 0.95,
                        },
                        {
                            "role": "objective-positive",
                            "label": "objective",
                            "x": xs,
                            "y": [0.0, 1.6, 2.4, 2.4],
                            "label_at": 0.9,
                        },
                    ],
                    "points": [{"role": "new", "x": 1.4, "y": 2.4, "label": "r = 1.40"}],
                    "segments": [],
                    "rules": [{"role": "old", "axis": "x", "at": 1, "label": "old policy"}],
                    "bars": [],
                }
            ]
        },
        "table": {
            "caption": "Contribution at some ratios",
            "columns": [{"label": "ratio r", "unit": ""}, {"label": "contribution", "unit": "reward units"}],
            "rows": [
                [
                    {"value": x, "text": f"{x:.2f}"},
                    {"value": 2 * min(x, 1.2), "text": f"{2 * min(x, 1.2):.2f}"},
                ]
                for x in xs
            ],
        },
    }
