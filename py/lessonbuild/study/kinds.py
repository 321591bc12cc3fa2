"""What a study is: settings by profile, one run per seed, and what the core knows about the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Config = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeedRun:
    """What one seed gave."""

    curve: dict[str, list[float]]
    """Column by name, all of one length; the first is what the others are drawn against."""
    measures: dict[str, float]
    """One number per final measure; the seeds' numbers are what statistics are taken over."""


@dataclass(frozen=True, slots=True)
class Study:
    """A question that more than one seed must answer."""

    name: str
    title: str
    """What is measured, in a sentence."""
    profiles: Mapping[str, Config]
    """Settings by name, as JSON holds them."""
    run: Callable[[Config, int], SeedRun]
    """The run of one seed; nothing but its two arguments decides the result."""
    core: tuple[str, ...]
    """Public names of the core that `run` uses: a change of anything they reach makes old results stale."""
    units: Callable[[Config], dict[str, str]]
    """Unit of each measure."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Measure → the value that counts as reached."""
    exact: Callable[[Config], dict[str, float]] = lambda _: {}
    """Measure → the value that its mean over all draws has, where that is known without sampling."""
