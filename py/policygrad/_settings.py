"""Configurations from settings by name, as they come over the bridge."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from . import _checks as check

if TYPE_CHECKING:
    from collections.abc import Mapping

Config = TypeVar("Config")


def config_of(kind: type[Config], settings: Mapping[str, Any]) -> Config:
    """A configuration with the settings given and its defaults for all others."""
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # every Config is a dataclass
    try:
        names = list(settings.keys())
    except AttributeError:
        raise ValueError(
            f"settings is {check.shown(settings)}; it must hold fields of {kind.__name__} by name"
        ) from None
    for name in names:
        check.option(name, "a name in settings", known)
    return kind(**settings)
