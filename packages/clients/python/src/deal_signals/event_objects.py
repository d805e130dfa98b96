# Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.
from typing import Any, Dict, Optional, Tuple

from .feed import Feed
from .feeds import CALLS, DECISION_ROOMS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, ERASURES, ESIGN_DOCUMENTS

#: For each event type, the feed of its object, and the field of `data` that holds it; None if `data` is the object.
EVENT_OBJECTS: Dict[str, Tuple[Feed[Any], Optional[str]]] = {
    "engagement.recorded": (ENGAGEMENT_EVENTS, None),
    "call.summary.created": (CALLS, None),
    "decision_room.updated": (DECISION_ROOMS, None),
    "decision_room.esign.updated": (ESIGN_DOCUMENTS, "document"),
    "decision_room.created": (DECISION_ROOMS, None),
    "call.recorded": (CALLS, None),
    "engagement.view.recorded": (ENGAGEMENT_VIEWS, None),
    "person.erased": (ERASURES, None),
    "room.erased": (ERASURES, None),
}
