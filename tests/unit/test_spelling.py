"""One spelling per idea, and the same shape of signature, docstring and result everywhere in the core."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import re
import sys
import tokenize
from pathlib import Path
from typing import Any

import pytest

import policygrad

CORE = Path(policygrad.__file__).parent
MODULES = sorted(path for path in CORE.rglob("*.py"))
FUNCTIONS = {n: f for n in policygrad.__all__ if inspect.isfunction(f := getattr(policygrad, n))}
RESULTS = {n: c for n in policygrad.__all__ if dataclasses.is_dataclass(c := getattr(policygrad, n))}

OTHER_SPELLINGS = {
    "gamma": "discount discount_factor",
    "gae_lambda": "lam lmbda lambda_ lambd trace_decay",
    "log_probs": "logprobs logprob log_prob logp logps",
    "old_log_probs": "old_logprobs old_logps log_probs_old behaviour_log_probs",
    "ref_log_probs": "ref_logprobs reference_log_probs log_probs_ref",
    "ratios": "prob_ratios importance_weights",
    "clip_epsilon": "clip_eps eps_clip epsilon clip_range clip_coef epsilon_low",
    "clip_epsilon_high": "epsilon_high clip_high eps_high",
    "advantages": "adv advs advantage_estimates gae",
    "td_errors": "deltas td_error tderrors",
    "rewards_to_go": "reward_to_go rtg returns_to_go discounted_returns",
    "scores": "log_prob_gradients grad_log_probs",
    "group_size": "num_generations samples_per_prompt group_count",
    "num_groups": "n_groups",
    "entropy_coef": "ent_coef entropy_coefficient entropy_weight",
    "kl_coef": "beta kl_coeff kl_coefficient kl_weight",
    "terminated": "done dones terminal terminals is_terminal",
    "truncated": "timeout timeouts time_limit_reached",
    "trace_cut": "cut cuts episode_ends",
    "learning_rate": "lr step_size alpha",
    "num_envs": "n_envs env_count",
    "num_resamples": "n_resamples reps",
    "max_norm": "max_grad_norm clip_norm",
    "values": "vals state_values_array",
    "next_values": "bootstrap_values values_next",
    "probs": "probabilities pi policy_probs",
    "logits": "preferences",
    "mask": "masks valid_mask attention_mask",
    "rng": "random_state generator",
}
"""The spelling that the core has for an idea, and others that would mean the same."""

HYPER_PARAMETERS = (
    "gamma",
    "gae_lambda",
    "n",
    "convention",
    "eps",
    "ddof",
    "clip_epsilon",
    "clip_epsilon_high",
    "value_clip",
    "max_norm",
    "target",
    "horizon",
    "num_steps",
    "damping",
    "max_kl",
    "iterations",
    "tolerance",
    "learning_rate",
    "beta_1",
    "beta_2",
    "epochs",
    "reduction",
    "max_length",
    "max_tokens",
    "estimator",
    "scale",
    "ratio_level",
    "kl_estimator",
    "kl_weighting",
    "decay",
    "cutoff_reward",
    "eos_id",
    "pad_id",
    "group_size",
    "num_groups",
    "statistic",
    "level",
    "num_resamples",
    "rng",
)
"""Always keyword-only, whatever function they belong to."""


def public_names() -> dict[str, list[str]]:
    """Every parameter and every field of a result, with the functions and classes that have it."""
    found: dict[str, list[str]] = {}
    for name, function in FUNCTIONS.items():
        for parameter in inspect.signature(function).parameters:
            found.setdefault(parameter, []).append(name)
    for name, result in RESULTS.items():
        for field in dataclasses.fields(result):
            found.setdefault(field.name, []).append(name)
    return found


def test_every_idea_has_one_spelling() -> None:
    names = public_names()
    wrong = [
        f"{other} in {', '.join(names[other])}: the core says {right}"
        for right, others in OTHER_SPELLINGS.items()
        for other in others.split()
        if other in names
    ]
    assert wrong == []


def test_the_spellings_are_in_use() -> None:
    missing = set(OTHER_SPELLINGS) - set(public_names()) - set(FUNCTIONS)
    assert missing == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_one_flag_for_two_questions_appears_nowhere(path: Path) -> None:
    """`done` mixes the end of a task with a time limit: the mistake that the lessons warn of."""
    names = {
        token.string
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
        if token.type == tokenize.NAME
    }
    assert names.isdisjoint({"done", "dones", "is_done"})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_hyper_parameters_are_keyword_only(name: str) -> None:
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        if parameter.name in HYPER_PARAMETERS:
            assert parameter.kind is parameter.KEYWORD_ONLY, parameter.name


WITHOUT_FORMULA = ("draw_shared_batch",)
"""They draw; there is nothing to compute and nothing to refuse."""


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in WITHOUT_FORMULA])
def test_docstrings_say_what_a_reader_needs(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    first, _, rest = text.partition("\n")
    assert re.match(r"[A-Z`].*[.:]", first), "begins with a sentence"
    if not re.search(r"(?i)\b(as|see) (in )?`\w+`", text) and not first.startswith("`"):
        assert re.search(r"^    +\S", rest, re.MULTILINE), "an equation on a line of its own"
        assert "Raises:" in rest, "what is an error"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_explained(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    if re.search(r"Args.*: as `|\n +\w.*: as `", text):
        return  # explained with that function
    missing = [p for p in inspect.signature(FUNCTIONS[name]).parameters if not re.search(rf"\b{p}\b", text)]
    assert missing == []


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n.endswith(("_objective", "_loss"))])
def test_objectives_are_maximised_and_losses_minimised(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    assert ("maximised" if name.endswith("_objective") else "minimised") in text


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen_and_slotted(name: str) -> None:
    result: Any = RESULTS[name]
    assert result.__dataclass_params__.frozen
    assert "__slots__" in vars(result)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_every_field_of_a_result_has_its_line(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ClassDef) or node.name not in RESULTS:
            continue
        for field, line in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign):
                is_text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
                assert is_text, f"{node.name}.{ast.unparse(field.target)} has no line that explains it"


def test_public_names_are_sorted_and_there() -> None:
    assert list(policygrad.__all__) == sorted(policygrad.__all__)
    assert all(hasattr(policygrad, name) for name in policygrad.__all__)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_the_core_needs_numpy_and_nothing_else(path: Path) -> None:

    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules = [node.module]
        for module in modules:
            root = module.split(".")[0]
            assert root in sys.stdlib_module_names or root in {"numpy", "policygrad"}, module


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300
