# Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.
"""The feeds of the API."""

from __future__ import annotations

from typing import Any, Dict, Tuple

from .feed import Feed
from .types import Call, Distribution, Document, EngagementEvent, EngagementView, Erasure, EsignDocument, Person, Room, RoomScore, WebhookDelivery

CALLS: Feed[Call] = Feed("calls")
ENGAGEMENT_EVENTS: Feed[EngagementEvent] = Feed("engagement/events")
ENGAGEMENT_VIEWS: Feed[EngagementView] = Feed("engagement/views")
DECISION_ROOMS: Feed[Room] = Feed("decision-rooms")
ROOM_SCORES: Feed[RoomScore] = Feed("room-scores")
PEOPLE: Feed[Person] = Feed("people")
DOCUMENTS: Feed[Document] = Feed("documents")
ESIGN_DOCUMENTS: Feed[EsignDocument] = Feed("esign-documents")
DISTRIBUTIONS: Feed[Distribution] = Feed("distributions")
ERASURES: Feed[Erasure] = Feed("erasures")
WEBHOOK_DELIVERIES: Feed[WebhookDelivery] = Feed("webhook-deliveries")

# ROOM_SCORES is in no list: scores are computed at the request, so reading on from a cursor misses those that fell.

#: The feeds that together form a copy of the workspace's data. Records that change are returned again, except events and
#: views, which never change.
DATA_FEEDS: Tuple[Feed[Any], ...] = (CALLS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, DECISION_ROOMS, PEOPLE, DOCUMENTS, ESIGN_DOCUMENTS, DISTRIBUTIONS, ERASURES)

#: Every feed. The delivery log lists what was sent: a delivery appears once, when it is queued, and is not returned again
#: when its status changes.
FEEDS: Tuple[Feed[Any], ...] = (CALLS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, DECISION_ROOMS, PEOPLE, DOCUMENTS, ESIGN_DOCUMENTS, DISTRIBUTIONS, ERASURES, WEBHOOK_DELIVERIES)

#: The query parameter of each feed that sets where reading begins. Feeds without one are missing.
START_PARAMETERS: Dict[Feed[Any], str] = {
    CALLS: "updated_since",
    ENGAGEMENT_EVENTS: "since",
    ENGAGEMENT_VIEWS: "since",
    DECISION_ROOMS: "updated_since",
    PEOPLE: "updated_since",
    DOCUMENTS: "updated_since",
    ESIGN_DOCUMENTS: "updated_since",
    DISTRIBUTIONS: "updated_since",
}
