"""One view per widget: parameters in, a view model of plain JSON values out.

>>> from policygrad.views import VIEWS
>>> VIEWS["ppo-clip"].model({"ratio": 1.4, "advantage": -2})["outputs"][0]["text"]
'−2.80'
"""

from . import ppo_clip
from .model import Action, Control, Frame, Output, View
from .text import rounded

VIEWS = {view.id: view for view in (ppo_clip.VIEW,)}

__all__ = ["VIEWS", "Action", "Control", "Frame", "Output", "View", "rounded"]
