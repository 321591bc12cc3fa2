"""TD errors, n-step and generalised advantages under two masks, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from expecting import close, refused

from policygrad import (
    generalized_advantages,
    n_step_advantages,
    normalize_advantages,
    td_errors,
    value_targets,
)

# Four steps: a time limit after the second (cut, not terminated), the end of the task after the fourth.
REWARDS = [1.0, 2.0, 3.0, 4.0]
VALUES = [0.5, 1.0, 1.5, 2.0]
NEXT_VALUES = [1.0, 6.0, 2.0, np.nan]  # 6 is the value of the final observation; the last is never read
TERMINATED = [0, 0, 0, 1]
TRACE_CUT = [0, 1, 0, 1]
ROLLOUT = (REWARDS, VALUES, NEXT_VALUES, TERMINATED)
# γ = 0.5:  δ = (1 + 0.5 − 0.5, 2 + 3 − 1, 3 + 1 − 1.5, 4 − 2) = (1, 4, 2.5, 2)
DELTAS = [1.0, 4.0, 2.5, 2.0]


def test_td_errors_bootstrap_unless_terminated() -> None:
    close(td_errors(*ROLLOUT, gamma=0.5), DELTAS, within=0)


def test_generalized_advantages_flow_back_up_to_a_cut() -> None:
    # γλ = 0.5·0.8 = 0.4:  Â₃ = 2;  Â₂ = 2.5 + 0.4·2 = 3.3;  Â₁ = 4 (cut);  Â₀ = 1 + 0.4·4 = 2.6
    close(generalized_advantages(*ROLLOUT, TRACE_CUT, gamma=0.5, gae_lambda=0.8), [2.6, 4.0, 3.3, 2.0])


def test_lambda_0_leaves_the_td_errors() -> None:
    close(generalized_advantages(*ROLLOUT, TRACE_CUT, gamma=0.5, gae_lambda=0), DELTAS, within=0)


def test_n_step_windows_end_at_a_cut() -> None:
    # n = 2: rows 0, 1: 1 + 0.5·2 + 0.25·6 − 0.5 = 3;  row 1 alone: 2 + 0.5·6 − 1 = 4
    #        rows 2, 3: 3 + 0.5·4 − 1.5 = 3.5 (terminated: no value);  row 3: 4 − 2 = 2
    close(n_step_advantages(*ROLLOUT, TRACE_CUT, gamma=0.5, n=2), [3.0, 4.0, 3.5, 2.0])
    # A longer window changes nothing: every window has reached its cut.
    close(n_step_advantages(*ROLLOUT, TRACE_CUT, gamma=0.5, n=50), [3.0, 4.0, 3.5, 2.0])
    close(n_step_advantages(*ROLLOUT, TRACE_CUT, gamma=0.5, n=1), DELTAS, within=0)


def test_the_last_row_is_cut_without_being_told() -> None:
    uncut = [0, 1, 0, 0]
    for last_terminated in (0, 1):
        rollout = (REWARDS, VALUES, [1, 6, 2, 8], [0, 0, 0, last_terminated])
        for gae in (TRACE_CUT, uncut):
            close(
                generalized_advantages(*rollout, gae, gamma=0.5, gae_lambda=0.8),
                generalized_advantages(*rollout, TRACE_CUT, gamma=0.5, gae_lambda=0.8),
                within=0,
            )
        close(
            n_step_advantages(*rollout, uncut, gamma=0.5, n=3),
            n_step_advantages(*rollout, TRACE_CUT, gamma=0.5, n=3),
            within=0,
        )


def test_a_rollout_in_pieces_gives_the_advantages_of_the_whole() -> None:
    rewards, values, next_values = np.random.default_rng(0).normal(size=(3, 6, 2))
    masks = np.zeros((2, 6, 2))
    masks[:, 1, 0] = 1
    whole = generalized_advantages(
        rewards, values, next_values, *masks, gamma=0.9, gae_lambda=0.7, next_advantage=[2.0, -1.0]
    )
    late = generalized_advantages(
        rewards[3:],
        values[3:],
        next_values[3:],
        *masks[:, 3:],
        gamma=0.9,
        gae_lambda=0.7,
        next_advantage=[2.0, -1.0],
    )
    early = generalized_advantages(
        rewards[:3],
        values[:3],
        next_values[:3],
        *masks[:, :3],
        gamma=0.9,
        gae_lambda=0.7,
        next_advantage=late[0],
    )
    close(np.concatenate([early, late]), whole, within=0)


def test_a_carried_advantage_stops_at_a_cut_last_row() -> None:
    # One step, cut: δ = 1 + 0.5·2 − 0 = 2, whatever is carried; not cut: 2 + 0.5·0.5·4 = 3.
    one = ([1.0], [0.0], [2.0], [0])
    gamma = {"gamma": 0.5, "gae_lambda": 0.5}
    assert generalized_advantages(*one, [1], **gamma, next_advantage=np.inf) == [2.0]
    assert generalized_advantages(*one, [0], **gamma, next_advantage=4.0) == [3.0]


def test_one_step_in_many_environments() -> None:
    # T = 1, N = 2: δ = (1 + 0.9·2 − 0.5, 1 − 0.5)
    close(
        generalized_advantages(
            [[1, 1]], [[0.5, 0.5]], [[2, np.inf]], [[0, 1]], [[0, 1]], gamma=0.9, gae_lambda=0.95
        ),
        [[2.3, 0.5]],
    )


def test_columns_are_independent_rollouts() -> None:
    # The hand-worked rollout beside itself reversed in time, as (T, N).
    stacked = [np.stack([a, a[::-1]], axis=1) for a in map(np.array, (REWARDS, VALUES, NEXT_VALUES))]
    ended = np.stack([TERMINATED, TERMINATED[::-1]], axis=1)
    cut = np.stack([TRACE_CUT, [1, 0, 1, 1]], axis=1)
    for function, options in (
        (generalized_advantages, {"gae_lambda": 0.8}),
        (n_step_advantages, {"n": 2}),
    ):
        together = function(*stacked, ended, cut, gamma=0.5, **options)  # type: ignore[operator]
        for column in range(2):
            alone = [a[:, column] for a in (*stacked, ended, cut)]
            close(together[:, column], function(*alone, gamma=0.5, **options), within=0)  # type: ignore[operator]


def test_value_targets_are_values_plus_advantages() -> None:
    close(value_targets([0.5, 1.0], [2.0, -1.0]), [2.5, 0.0], within=0)


def test_normalized_advantages() -> None:
    # (1, 3): mean 2, deviations ±1, std 1 (ddof 0) or √2 (ddof 1)
    close(normalize_advantages([1, 3], eps=0), [-1, 1])
    close(normalize_advantages([1, 3], ddof=1, eps=0), [-(0.5**0.5), 0.5**0.5])
    close(normalize_advantages([1, 3], eps=1), [-0.5, 0.5])


def test_normalization_reads_only_valid_entries() -> None:
    mask = [[1, 0], [1, 0]]
    close(normalize_advantages([[1, np.nan], [3, np.inf]], mask=mask, eps=0), [[-1, 0], [1, 0]])


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("eps", [0, 1e-8])
def test_nothing_to_normalize_gives_exact_zeros(ddof: int, eps: float) -> None:
    assert np.array_equal(normalize_advantages([0.1] * 3, ddof=ddof, eps=eps), np.zeros(3))
    assert np.array_equal(normalize_advantages([5], ddof=ddof, eps=eps), [0])
    assert np.array_equal(normalize_advantages([5, 7], mask=[0, 1], ddof=ddof, eps=eps), [0, 0])
    assert np.array_equal(normalize_advantages([5, 7], mask=[0, 0], ddof=ddof, eps=eps), [0, 0])


def test_inputs_are_not_changed() -> None:
    arrays = [np.array(a, dtype=np.float64) for a in (*ROLLOUT, [0, 1, 0, 0])]
    before = [a.copy() for a in arrays]
    generalized_advantages(*arrays, gamma=0.5, gae_lambda=0.8)
    n_step_advantages(*arrays, gamma=0.5, n=3)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_terminated_step_must_cut_the_trace() -> None:
    message = (
        "trace_cut[1] is 0 where terminated[1] is 1; it must be 1: "
        "nothing after the end of the task may flow back over it"
    )
    three = ([1, 1, 1], [0, 0, 0], [0, 0, 0], [0, 1, 0])
    with refused(message):
        generalized_advantages(*three, [0, 0, 0], gamma=0.9, gae_lambda=0.9)
    with refused(message):
        n_step_advantages(*three, [0, 0, 1], gamma=0.9, n=2)
    with refused(message.replace("[1]", "[0, 1]")):
        generalized_advantages(
            [[1, 1]], [[0, 0]], [[0, 0]], [[0, 1]], [[0, 0]], gamma=1, gae_lambda=1, next_advantage=[0, 0]
        )


def test_wrong_arguments_are_named() -> None:
    gae = {"gamma": 0.9, "gae_lambda": 0.9}
    two = ([1, 1], [0, 0], [0, 0], [0, 0])
    with refused("values has shape (3,); it must have the shape of rewards, (2,)"):
        td_errors([1, 1], [0, 0, 0], [0, 0], [0, 0], gamma=0.9)
    with refused("next_values has shape (1,); it must have the shape of rewards, (2,)"):
        td_errors([1, 1], [0, 0], [0], [0, 0], gamma=0.9)
    with refused("terminated has shape (2, 1); it must have the shape of rewards, (2,)"):
        td_errors([1, 1], [0, 0], [0, 0], [[0], [0]], gamma=0.9)
    with refused("rewards has shape (1, 1, 1); it must have shape (T,) or (T, N), time first"):
        td_errors([[[1]]], [[[0]]], [[[0]]], [[[0]]], gamma=0.9)
    with refused("next_values[0] is NaN; it must be finite"):
        td_errors([1, 1], [0, 0], [np.nan, np.nan], [0, 1], gamma=0.9)
    with refused("terminated[1] is 2; it must be 0 or 1"):
        td_errors([1, 1], [0, 0], [0, 0], [0, 2], gamma=0.9)
    with refused("trace_cut has shape (3,); it must have the shape of rewards, (2,)"):
        generalized_advantages(*two, [0, 0, 0], **gae)
    with refused("gae_lambda is -0.1; it must be at least 0 and at most 1"):
        generalized_advantages(*two, [0, 0], gamma=0.9, gae_lambda=-0.1)
    with refused("next_advantage has shape (2,); it must have the shape of one row of rewards, ()"):
        generalized_advantages(*two, [0, 0], **gae, next_advantage=[0, 0])
    with refused("next_advantage is NaN; it must be finite"):
        generalized_advantages(*two, [0, 0], **gae, next_advantage=np.nan)
    with refused("n is 0; it must be at least 1"):
        n_step_advantages(*two, [0, 0], gamma=0.9, n=0)
    with refused("n is 1.5; it must be a whole number"):
        n_step_advantages(*two, [0, 0], gamma=0.9, n=1.5)  # type: ignore[arg-type]
    with refused("advantages has shape (2,); it must have the shape of values, (3,)"):
        value_targets([1, 2, 3], [1, 2])
    with refused("advantages has shape (2,); it must have the shape of its mask, (3,)"):
        normalize_advantages([1, 2], mask=[1, 1, 1])
    with refused("advantages[0] is NaN; it must be finite"):
        normalize_advantages([np.nan, 2], mask=[1, 0])
    with refused("mask[0] is 0.5; it must be 0 or 1"):
        normalize_advantages([1, 2], mask=[0.5, 1])
