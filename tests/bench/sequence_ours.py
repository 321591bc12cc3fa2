"""This project's sequence trainer, timed: `python sequence_ours.py SEED` prints one line of JSON.

The benchmark runs this very file in CPython and, as text, in the page's Python.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from policygrad import SequenceConfig, SequenceTrainer

UPDATES_IN_MEAN = 20


def reach(seed: int) -> dict[str, float]:
    """A whole run of the profile `full`."""
    start = time.perf_counter()
    trainer = SequenceTrainer(SequenceConfig.profile("full"), rng=np.random.default_rng(seed))
    frames = trainer.advance(trainer.config.num_updates)
    seconds = time.perf_counter() - start
    reward = float(np.mean([frame.reward for frame in frames[-UPDATES_IN_MEAN:]]))
    return {"seconds": seconds, "tokens": frames[-1].tokens, "reward": reward}


if __name__ == "__main__" and sys.argv[1:]:
    print(json.dumps(reach(int(sys.argv[1]))))
