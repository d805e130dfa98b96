# Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Dict, Literal, Mapping, Optional, Tuple, TypeVar, cast
from urllib.parse import quote

from .feed import Feed, Page
from .feeds import CALLS, DECISION_ROOMS, DISTRIBUTIONS, DOCUMENTS, ENGAGEMENT_EVENTS, ENGAGEMENT_VIEWS, ERASURES, ESIGN_DOCUMENTS, PEOPLE, ROOM_SCORES, WEBHOOK_DELIVERIES
from .types import Call, Distribution, Document, EngagementEvent, EngagementView, Erasure, EsignDocument, Heatmap, Person, Room, RoomMetrics, RoomScore, Status, WebhookDelivery, WebhookDeliveryDetail

R = TypeVar("R")


class Operations(ABC):
    """One method for each operation that reads with an API key."""

    @abstractmethod
    def _read(self, path: str, query: Mapping[str, object], expected: Tuple[str, type]) -> Dict[str, Any]:
        """Returns the JSON object of a path. The object must have the expected field."""

    @abstractmethod
    def read_page(
        self,
        feed: Feed[R],
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        query: Optional[Mapping[str, object]] = None,
    ) -> Page[R]:
        """Reads a page of a feed."""

    def get_status(self) -> Status:
        """Get the status of the key and its workspace.

        Returns the key, the workspace it belongs to, the state of the workspace's webhooks, and the rate limit. Any
        API key may call it.
        """
        return cast(Status, self._read("/status", {}, ("company", dict)))

    def list_calls(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        kind: Optional[Literal["demo", "qualifying_call", "meeting"]] = None,
        has_summary: Optional[bool] = None,
        buyer_space_id: Optional[str] = None,
    ) -> Page[Call]:
        """List calls.

        Returns the calls of the workspace, in the order they last changed. A call that changes, for example because
        its summary is regenerated, is returned again at its new position, so store calls by `id`. An API key needs
        the scope `read:calls`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only calls that changed at or after this time.
            kind: Only calls of this kind.
            has_summary: `true`: only calls that have a summary; `false`: no filter.
            buyer_space_id: Only calls that belong to this Decision Room.
        """
        return self.read_page(
            CALLS,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "kind": kind,
                "has_summary": has_summary,
                "buyer_space_id": buyer_space_id,
            },
        )

    def get_call(self, id: str) -> Call:
        """Get a call.

        An API key needs the scope `read:calls`.
        """
        return cast(Call, self._read(f"/calls/{quote(id, safe='')}", {}, ("data", dict))["data"])

    def list_engagement_events(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        types: Optional[str] = None,
        since: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
        demo_id: Optional[str] = None,
    ) -> Page[EngagementEvent]:
        """List engagement events.

        Returns what prospects did, in the order it was recorded. An API key needs the scope `read:engagement`.

        Args:
            cursor: The `nextCursor` of an earlier response; the last id received works as well. Never expires.
                Omit it, or leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            types: Only events of these types: at most 20, separated by commas. An unknown type matches nothing.
            since: Only events that occurred at or after this time.
            buyer_space_id: Only events in this Decision Room.
            demo_id: Only events of this recording.
        """
        return self.read_page(
            ENGAGEMENT_EVENTS,
            cursor=cursor,
            limit=limit,
            query={
                "types": types,
                "since": since,
                "buyer_space_id": buyer_space_id,
                "demo_id": demo_id,
            },
        )

    def list_engagement_views(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        since: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
        demo_id: Optional[str] = None,
        distribution_id: Optional[str] = None,
    ) -> Page[EngagementView]:
        """List views.

        Returns the finished viewing sessions of recordings and documents, in the order they were recorded. A view
        never changes, except by an erasure. An API key needs the scope `read:engagement`.

        Args:
            cursor: The `nextCursor` of an earlier response; the last id received works as well. Never expires.
                Omit it, or leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            since: Only views that started at or after this time.
            buyer_space_id: Only views in this Decision Room.
            demo_id: Only views of this recording.
            distribution_id: Only views through this share link.
        """
        return self.read_page(
            ENGAGEMENT_VIEWS,
            cursor=cursor,
            limit=limit,
            query={
                "since": since,
                "buyer_space_id": buyer_space_id,
                "demo_id": demo_id,
                "distribution_id": distribution_id,
            },
        )

    def list_rooms(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        status: Optional[Literal["open", "won", "lost", "dormant"]] = None,
    ) -> Page[Room]:
        """List Decision Rooms.

        Returns the rooms of the workspace, in the order of their last activity. A room with new activity is
        returned again at its new position, so store rooms by `id`. An API key needs the scope `read:rooms`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only rooms with activity at or after this time.
            status: Only rooms with this status.
        """
        return self.read_page(
            DECISION_ROOMS,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "status": status,
            },
        )

    def get_room(self, id: str) -> Room:
        """Get a Decision Room.

        An API key needs the scope `read:rooms`.
        """
        return cast(Room, self._read(f"/decision-rooms/{quote(id, safe='')}", {}, ("data", dict))["data"])

    def get_room_metrics(self, id: str) -> RoomMetrics:
        """Get the metrics of a Decision Room.

        Returns what happened in the room and who did it, aggregated at the time of the request. An API key needs
        the scope `read:rooms`.
        """
        return cast(RoomMetrics, self._read(f"/decision-rooms/{quote(id, safe='')}/metrics", {}, ("data", dict))["data"])

    def list_room_scores(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        status: Optional[Literal["open", "won", "lost", "dormant"]] = None,
    ) -> Page[RoomScore]:
        """List the engagement scores of Decision Rooms.

        Returns the score of each room with its terms and totals, computed at the time of the request, in the order
        of the feed of rooms. A score falls while nothing happens, so read the list from its beginning whenever you
        need current scores; a stored cursor returns only the rooms with new activity. An API key needs the scope
        `read:rooms`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only rooms with activity at or after this time.
            status: Only rooms with this status.
        """
        return self.read_page(
            ROOM_SCORES,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "status": status,
            },
        )

    def list_people(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
    ) -> Page[Person]:
        """List people.

        Returns the stakeholders of all Decision Rooms, in the order they last changed: the people in the People
        section of a room, those that share links are addressed to, and those who were active. A person who is in
        several rooms is returned once for each. A person who changes is returned again at a new position, so store
        people by `id`. What they did is part of the metrics of a room. An API key needs the scope `read:rooms`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only people that changed at or after this time.
            buyer_space_id: Only people of this Decision Room.
        """
        return self.read_page(
            PEOPLE,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "buyer_space_id": buyer_space_id,
            },
        )

    def get_person(self, id: str) -> Person:
        """Get a person.

        An API key needs the scope `read:rooms`.
        """
        return cast(Person, self._read(f"/people/{quote(id, safe='')}", {}, ("data", dict))["data"])

    def list_documents(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
    ) -> Page[Document]:
        """List documents.

        Returns the documents of all Decision Rooms, in the order they last changed. A document that changes is
        returned again at its new position, so store documents by `id`. Who read them is part of the metrics of a
        room. An API key needs the scope `read:rooms`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only documents that changed at or after this time.
            buyer_space_id: Only documents of this Decision Room.
        """
        return self.read_page(
            DOCUMENTS,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "buyer_space_id": buyer_space_id,
            },
        )

    def get_document(self, id: str) -> Document:
        """Get a document.

        An API key needs the scope `read:rooms`.
        """
        return cast(Document, self._read(f"/documents/{quote(id, safe='')}", {}, ("data", dict))["data"])

    def list_esign_documents(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
    ) -> Page[EsignDocument]:
        """List contracts.

        Returns the tracked contracts of all Decision Rooms, in the order they last changed. A contract whose status
        changes is returned again at its new position, so store contracts by `id`. An API key needs the scope
        `read:rooms`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only contracts that changed at or after this time.
            buyer_space_id: Only contracts of this Decision Room.
        """
        return self.read_page(
            ESIGN_DOCUMENTS,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "buyer_space_id": buyer_space_id,
            },
        )

    def get_esign_document(self, id: str) -> EsignDocument:
        """Get a contract.

        An API key needs the scope `read:rooms`.
        """
        return cast(EsignDocument, self._read(f"/esign-documents/{quote(id, safe='')}", {}, ("data", dict))["data"])

    def list_distributions(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        updated_since: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
        demo_id: Optional[str] = None,
    ) -> Page[Distribution]:
        """List share links.

        Returns the share links of the workspace, in the order they last changed, with the person that each is
        currently addressed to. A link whose person or recording changes is returned again at its new position, so
        store links by `id`. An API key needs the scope `read:engagement`.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            updated_since: Only share links that changed at or after this time.
            buyer_space_id: Only share links of this Decision Room.
            demo_id: Only share links to this recording.
        """
        return self.read_page(
            DISTRIBUTIONS,
            cursor=cursor,
            limit=limit,
            query={
                "updated_since": updated_since,
                "buyer_space_id": buyer_space_id,
                "demo_id": demo_id,
            },
        )

    def get_distribution(self, id: str) -> Distribution:
        """Get a share link.

        An API key needs the scope `read:engagement`.
        """
        return cast(Distribution, self._read(f"/distributions/{quote(id, safe='')}", {}, ("data", dict))["data"])

    def get_heatmap(self, id: str) -> Heatmap:
        """Get the heat-map of a share link.

        Returns which parts of the recording behind a share link were watched, in at most 200 buckets of equal
        length; the last one may be shorter. There are no buckets if the link has only documents or if the length of
        the recording is unknown. An API key needs the scope `read:engagement`.
        """
        return cast(Heatmap, self._read(f"/distributions/{quote(id, safe='')}/heatmap", {}, ("data", dict))["data"])

    def list_erasures(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Page[Erasure]:
        """List erasures.

        Returns what was erased in the workspace, in the order in which the erasures finished. A system that keeps
        copies follows this feed and erases the same data in them: see the guide on erasure. The feed contains no
        names. Keys with neither of the scopes `read:rooms` and `read:engagement` get null as `emailSha256`. Any API
        key may call it.

        Args:
            cursor: The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or
                leave it empty, to start from the beginning.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
        """
        return self.read_page(
            ERASURES,
            cursor=cursor,
            limit=limit,
            query={
            },
        )

    def list_deliveries(
        self,
        *,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        status: Optional[Literal["pending", "delivered", "dead"]] = None,
        event_type: Optional[Literal["engagement.recorded", "call.summary.created", "decision_room.updated", "decision_room.esign.updated", "decision_room.created", "call.recorded", "engagement.view.recorded", "person.erased", "room.erased", "webhook.endpoint.disabled", "integration.ping"]] = None,
        event_id: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        buyer_space_id: Optional[str] = None,
        call_id: Optional[str] = None,
        person: Optional[str] = None,
        endpoint_id: Optional[int] = None,
    ) -> Page[WebhookDelivery]:
        """List webhook deliveries.

        Returns the delivery log of the workspace. The order is that in which the deliveries were created or, with
        `order=desc`, the reverse. Each delivery appears once. To follow the log after you have read it newest
        first, continue in ascending order with the id of the newest delivery as `cursor`. A key with limited scopes
        needs `read:engagement` for the filter `person`, `read:rooms` for `buyer_space_id`, and `read:calls` for
        `call_id`. An API key needs the scope `read:deliveries`.

        Args:
            order: The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the
                oldest. A cursor continues in the order that it comes from.
            cursor: The `nextCursor` of an earlier response in the same order; one of the other order is an
                `INVALID_CURSOR`. In ascending order it is the last id received, so the id of any record also works.
                Never expires. Omit it, or leave it empty, to start from the first record of the order.
            limit: Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB.
            status: Only deliveries with this status.
            event_type: Only deliveries of this event type.
            event_id: Only deliveries of this event.
            since: Only deliveries that were created at or after this time.
            until: Only deliveries that were created before this time.
            buyer_space_id: Only deliveries of events about this Decision Room.
            call_id: Only deliveries of events about this call, or about this recording where it was shared.
            person: Only deliveries of what the person with this email address did. Case is ignored.
            endpoint_id: Only deliveries to this endpoint.
        """
        return self.read_page(
            WEBHOOK_DELIVERIES,
            cursor=cursor,
            limit=limit,
            query={
                "order": order,
                "status": status,
                "event_type": event_type,
                "event_id": event_id,
                "since": since,
                "until": until,
                "buyer_space_id": buyer_space_id,
                "call_id": call_id,
                "person": person,
                "endpoint_id": endpoint_id,
            },
        )

    def get_delivery(self, id: str) -> WebhookDeliveryDetail:
        """Get a delivery of the workspace with its payload and attempts.

        Returns the delivery, the payload that every attempt sends, and the outcome of each attempt so far. A key
        with limited scopes also needs the scope of the object in the payload: `read:engagement` for `engagement.*`,
        `read:calls` for `call.*`, `read:rooms` for `decision_room.*`, one of `read:rooms` and `read:engagement` for
        `person.erased`. An API key needs the scope `read:deliveries`.
        """
        return cast(WebhookDeliveryDetail, self._read(f"/webhook-deliveries/{quote(id, safe='')}", {}, ("data", dict))["data"])
