"""One view per widget: parameters in, a view model of plain JSON values out.

>>> from policygrad.views import VIEWS
>>> VIEWS["ppo-clip"].model({"ratio": 1.4, "advantage": -2})["outputs"][0]["text"]
'−2.80'
"""

from . import clip_is_not_a_bound, kl, ppo_clip, two_action_reinforce
from .model import Action, Control, Frame, Output, View
from .text import rounded

VIEWS = {
    view.id: view for view in (two_action_reinforce.VIEW, ppo_clip.VIEW, kl.VIEW, clip_is_not_a_bound.VIEW)
}
"""Every widget by its id, in the order of the first lesson."""

__all__ = ["VIEWS", "Action", "Control", "Frame", "Output", "View", "rounded"]
