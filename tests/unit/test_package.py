"""The public face of the core: names, version, what it imports."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import policygrad
from policygrad._late import LATER

PACKAGE = Path(policygrad.__file__).parent


def test_public_names_are_sorted_and_exist() -> None:
    assert policygrad.__all__ == sorted(policygrad.__all__)
    assert len(set(policygrad.__all__)) == len(policygrad.__all__)
    for name in policygrad.__all__:
        assert hasattr(policygrad, name)


def test_every_public_name_is_documented() -> None:
    for name in policygrad.__all__:
        documentation = inspect.getdoc(getattr(policygrad, name))
        assert documentation, name
        assert not documentation.startswith(f"{name}("), (
            f"{name} has only the docstring that dataclasses write"
        )


def test_functions_take_data_by_position_and_hyper_parameters_by_name() -> None:
    hyper_parameters = {
        "clip_epsilon",
        "clip_epsilon_high",
        "gamma",
        "kl_coef",
        "learning_rate",
        "eps",
        "ddof",
        "rng",
    }
    exceptions = {("adaptive_kl_coef", "kl_coef")}  # there it is the data: the value that is adapted
    for name in policygrad.__all__:
        function = getattr(policygrad, name)
        if not inspect.isfunction(function):
            continue
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name in hyper_parameters and (name, parameter.name) not in exceptions:
                assert parameter.kind is inspect.Parameter.KEYWORD_ONLY, f"{name}({parameter.name})"


def test_importing_the_bridge_loads_numpy_and_the_standard_library_only() -> None:
    program = (
        "import sys, numpy; before = set(sys.modules); import policygrad.bridge; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert set(run.stdout.split()) - set(sys.stdlib_module_names) == {"policygrad"}


def test_importing_does_not_load_the_random_numbers() -> None:
    program = "import sys, policygrad.bridge; print('numpy.random' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"


def test_modules_that_train_are_read_when_one_of_their_names_is_used() -> None:
    program = """
import sys
from policygrad.bridge import call
def trains():
    heads = ("ppo", "sequence_", "decoder", "recurrent", "rloo")
    return [name for name in sys.modules if name.removeprefix("policygrad.").startswith(heads)]
call("softmax", {"logits": [0, 1]})
print(trains())
call("decoder_params", {"rng": 0})
print(trains())
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    before, after = run.stdout.splitlines()
    assert before == "[]"
    assert "'policygrad.decoder'" in after
    assert "ppo" not in after


def test_what_a_type_checker_sees_is_what_is_read_later() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    branch = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        node.module: tuple(alias.name for alias in node.names)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
    }
    assert seen == LATER


def test_a_misspelt_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'policygrad' has no attribute 'rlooo'"):
        _ = policygrad.rlooo
