"""A part of the core has a new fingerprint when something that it goes through has changed, and only then."""

from __future__ import annotations

import pytest
from store_workspace import ROOT

import policygrad
from lessonbuild.core_dependencies import CoreDependencies
from policygrad.views import VIEWS

PACKAGE = {
    "__init__.py": '''
"""The package."""
from .numbers import double, half
from .words import greeting
__version__ = "1.0.0"
__all__ = ["double", "half", "greeting"]
''',
    "_checks.py": '''
LIMIT = 10

def positive(x):
    """Check a number."""
    if x < 0 or x > LIMIT:
        raise ValueError("x must be positive")
    return x

def unused(x):
    return x
''',
    "numbers.py": '''
import math
from dataclasses import dataclass
from . import _checks as check

FACTOR = 2.0
"""What double multiplies with."""

@dataclass(frozen=True)
class Result:
    """A result."""
    value: float
    """Its value."""

def double(x):
    """Twice a number."""
    return Result(_times(check.positive(x), FACTOR))

def half(x):
    return Result(x / 2)

def _times(x, factor):
    return x * factor
''',
    "words.py": """
PARTS = {}
PARTS["hello"] = "Hello"

def greeting(name):
    return PARTS["hello"] + name
""",
    "bridge.py": """
import policygrad
from ._text import plain
from .views import VIEWS

def handle(request):
    return plain(getattr(policygrad, request)())
""",
    "_text.py": "def plain(x):\n    return str(x)\n",
    "views/__init__.py": """
from . import first, second
VIEWS = {view["id"]: view for view in (first.VIEW, second.VIEW)}
""",
    "views/model.py": "def make(id):\n    return {'id': id}\n",
    "views/first.py": """
from ..numbers import double
from . import model
STEP = 1
def draw(x):
    return double(x)
VIEW = model.make(id='the-first')
NAME = 'the-second'
""",
    "views/second.py": "from .model import make\nVIEW = make(id='the-second')\n",
}
USED = ["double", "half", "greeting", "view:the-first", "view:the-second"]


def changed(*edits: tuple[str, str, str]) -> set[str]:
    """Which used names (and `bridge`) have another fingerprint after the edits (file, old, new)."""
    sources = dict(PACKAGE)
    for file, old, new in edits:
        assert old in sources[file]
        sources[file] = sources[file].replace(old, new)
    before, after = CoreDependencies(PACKAGE), CoreDependencies(sources)
    names = {name for name in USED if before.fingerprint(name) != after.fingerprint(name)}
    return names | ({"bridge"} if before.bridge_fingerprint() != after.bridge_fingerprint() else set())


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        pytest.param("numbers.py", "x * factor", "factor * x", {"double", "view:the-first"}, id="helper"),
        pytest.param(
            "numbers.py", "FACTOR = 2.0", "FACTOR = 3.0", {"double", "view:the-first"}, id="constant"
        ),
        pytest.param("numbers.py", "x / 2", "x * 0.5", {"half"}, id="function"),
        pytest.param(
            "_checks.py", "LIMIT = 10", "LIMIT = 9", {"double", "view:the-first"}, id="other-module"
        ),
        pytest.param(
            "numbers.py", "value: float", "value: int", {"double", "half", "view:the-first"}, id="class"
        ),
        pytest.param("words.py", '"Hello"', '"Hi"', {"greeting"}, id="statement-without-a-name"),
        pytest.param("views/first.py", "STEP = 1", "STEP = 2", {"view:the-first"}, id="constant-of-a-view"),
        pytest.param(
            "views/model.py", "'id': id", "'id': id + ''", {"view:the-first", "view:the-second"}, id="model"
        ),
        pytest.param("_text.py", "str(x)", "repr(x)", {"bridge"}, id="helper-of-the-bridge"),
        pytest.param("bridge.py", "def handle(request)", "def handle(text)", {"bridge"}, id="bridge"),
        pytest.param("__init__.py", '"1.0.0"', '"1.1.0"', {"bridge"}, id="version"),
        pytest.param("_checks.py", "return x\n\ndef unused", "return x\n\ndef other", set(), id="unused"),
        pytest.param("__init__.py", '"greeting"]', '"greeting", "more"]', set(), id="one-more-public-name"),
        pytest.param("numbers.py", '"""Twice a number."""', '"""Two times."""', set(), id="docstring"),
        pytest.param("numbers.py", '"""Its value."""', '"""The value."""', set(), id="line-under-a-field"),
        pytest.param(
            "numbers.py", "    return x * factor", "    # why\n    return x * factor", set(), id="comment"
        ),
        pytest.param("numbers.py", "x * factor", "(x\n        * factor)", set(), id="layout"),
        pytest.param("numbers.py", "import math", "import math\nimport random", set(), id="import"),
    ],
)
def test_a_change_concerns_exactly_its_users(file: str, old: str, new: str, expected: set[str]) -> None:
    assert changed((file, old, new)) == expected


def test_a_definition_may_move_or_be_imported_in_another_way_without_losing_its_helpers() -> None:
    whole = ("views/first.py", "from ..numbers import double", "import policygrad.numbers as numbers")
    used = ("views/first.py", "double(x)", "numbers.double(x)")
    moved = dict(PACKAGE)
    for file, old, new in (whole, used):
        moved[file] = moved[file].replace(old, new)
    before = CoreDependencies(moved)
    moved["numbers.py"] = moved["numbers.py"].replace("x * factor", "factor * x")
    assert CoreDependencies(moved).fingerprint("view:the-first") != before.fingerprint("view:the-first")


def test_a_module_used_as_a_value_counts_as_a_whole() -> None:
    sources = PACKAGE | {
        "words.py": "from . import numbers\ndef greeting(name):\n    return getattr(numbers, name)\n"
    }
    before = CoreDependencies(sources)
    sources["_checks.py"] = sources["_checks.py"].replace("LIMIT = 10", "LIMIT = 9")
    assert CoreDependencies(sources).fingerprint("greeting") != before.fingerprint("greeting")


def test_of_an_unknown_name_everything_counts() -> None:
    before = CoreDependencies(PACKAGE)
    sources = PACKAGE | {"words.py": PACKAGE["words.py"].replace("Hello", "Hi")}
    after = CoreDependencies(sources)
    for name in ("nothing", "view:nothing"):
        assert before.fingerprint(name) != after.fingerprint(name)


def test_fields_and_indices_belong_to_their_function() -> None:
    found = CoreDependencies(PACKAGE)
    assert found.fingerprint("double.value") == found.fingerprint("double") == found.fingerprint("double[0]")


def test_every_public_name_and_view_of_the_core_is_found_by_its_own_text() -> None:
    found = CoreDependencies.of(ROOT / "py" / "policygrad")
    everything = found.fingerprint("no such name")
    names = [*policygrad.__all__, *(f"view:{view}" for view in VIEWS)]
    prints = {name: found.fingerprint(name) for name in names}
    assert everything not in prints.values()
    assert len(set(prints.values())) == len(names)


INIT = "from .m import f\n__all__ = ['f']\n"
CALL = "def f():\n    return g()\n"
ONE = "def g():\n    return 1\n"
ROUNDABOUT = {
    "an import inside a function": ({"m.py": "def f():\n    from .h import g\n    return g()\n"}, "h.py"),
    "a module imported inside a function": (
        {"m.py": "def f():\n    from . import h\n    return h.g()\n"},
        "h.py",
    ),
    "an import inside a class": (
        {"m.py": "class K:\n    from .h import g\ndef f():\n    return K.g()\n"},
        "h.py",
    ),
    "a star": ({"m.py": "from .h import *\n" + CALL}, "h.py"),
    "an import with something else instead": (
        {"m.py": "try:\n    from .h import g\nexcept ImportError:\n    g = None\n" + CALL},
        "h.py",
    ),
    "a name that is looked up": ({"m.py": "def f():\n    return globals()['g']()\n" + ONE}, "m.py"),
    "a module that is looked up": (
        {"m.py": "import importlib\ndef f():\n    return importlib.import_module('policygrad.h').g()\n"},
        "h.py",
    ),
    "a module changed from outside": (
        {"m.py": "g = None\n" + CALL, "h.py": "import policygrad.m as m\nm.g = lambda: 1\n"},
        "h.py",
    ),
    "the package that changes a module": (
        {"m.py": "g = None\n" + CALL, "__init__.py": INIT + "from . import m\nm.g = lambda: 1\n"},
        "__init__.py",
    ),
}


@pytest.mark.parametrize("way", ROUNDABOUT)
def test_a_helper_reached_by_a_roundabout_way_counts(way: str) -> None:
    files, changed_file = ROUNDABOUT[way]
    sources = {"__init__.py": INIT, "h.py": ONE} | files
    after = sources | {
        changed_file: sources[changed_file].replace("return 1", "return 2").replace("lambda: 1", "lambda: 2")
    }
    assert sources != after
    assert CoreDependencies(sources).fingerprint("f") != CoreDependencies(after).fingerprint("f")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import numpy as np\ndef f():\n    return np.exp(1)\n",
            "import cmath as np\ndef f():\n    return np.exp(1)\n",
        ),
        ("from math import exp as g\n" + CALL, "from math import log as g\n" + CALL),
        ("C = 1\nD = C\nC = 2\ndef f():\n    return D\n", "C = 1\nC = 2\nD = C\ndef f():\n    return D\n"),
    ],
    ids=["another library by the same name", "another function of a library", "order of two definitions"],
)
def test_what_a_name_means_counts(before: str, after: str) -> None:
    one, other = ({"__init__.py": INIT, "m.py": text} for text in (before, after))
    assert CoreDependencies(one).fingerprint("f") != CoreDependencies(other).fingerprint("f")
