from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict, List

from deal_signals import SqliteStore, StoreConflict, WebhookError, apply_webhook
from deal_signals.feeds import ENGAGEMENT_EVENTS

from .pages import event, page_of, room
from .test_webhooks import SECRET, signed

#: The TypeScript client runs the same cases.
CASES = Path(__file__).parents[2] / "typescript/test/webhooks/apply-cases.json"


def body_of(number: int, event_type: str, data: object, company_id: int = 1) -> str:
    """Returns the body of a delivery."""
    envelope = {"id": f"00000000-0000-4000-8000-{number:012}", "type": event_type, "companyId": company_id, "data": data}
    return json.dumps({**envelope, "apiVersion": "2026-09-01", "createdAt": "2026-09-01T12:00:00.000Z"})


class Applying(unittest.TestCase):
    def setUp(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.store = SqliteStore(":memory:")
        self.addCleanup(self.store.close)

    def apply(self, number: int, event_type: str, data: object, company_id: int = 1, handle: Any = None) -> str:
        body = body_of(number, event_type, data, company_id)
        return apply_webhook(self.store, body, signed(body), SECRET, handle).applied

    def rows(self, sql: str) -> List[Any]:
        return self.store.connection.execute(sql).fetchall()

    def test_the_shared_cases(self) -> None:
        cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
        self.assertGreater(len(cases), 5)
        for case in cases:
            self.begin()
            handled: List[str] = []

            def handle(event: Dict[str, Any], _transaction: object) -> None:
                handled.append(event["id"])

            with self.subTest(case["name"]):
                for delivery in case["deliveries"]:
                    record = {**room("open"), **delivery["record"]}
                    applied = self.apply(delivery["event"], delivery["type"], record, handle=handle)
                    self.assertEqual(applied, delivery["applied"])
                if case["rows"]:
                    self.assertEqual([name for (name,) in self.rows("SELECT name FROM decision_rooms")], case["rows"])
                self.assertEqual(len(handled), len({delivery["event"] for delivery in case["deliveries"]}))

    def test_stores_a_contract_and_an_engagement_event_and_accepts_them_again_from_the_feed(self) -> None:
        contract = {"id": "c1", "buyerSpaceId": room("open")["id"], "status": "sent", "updatedAt": "2026-09-01"}
        self.apply(1, "decision_room.esign.updated", {"buyerSpaceId": contract["buyerSpaceId"], "document": contract})
        self.apply(2, "engagement.recorded", event(7))
        self.store.save_page(ENGAGEMENT_EVENTS, page_of(event(7), event(8)), None)
        self.assertEqual(self.rows("SELECT id, status FROM esign_documents"), [("c1", "sent")])
        self.assertEqual(self.apply(3, "engagement.recorded", event(8)), "kept")
        self.assertEqual(self.rows("SELECT id FROM engagement_events"), [(7,), (8,)])

    def test_stores_a_delivery_at_the_next_attempt_if_its_handler_fails(self) -> None:
        def fail(_event: object, _transaction: object) -> None:
            raise LookupError("no")

        with self.assertRaises(LookupError):
            self.apply(1, "decision_room.created", room("open"), handle=fail)
        self.assertEqual(self.rows("SELECT id FROM decision_rooms"), [])
        self.assertEqual(self.apply(1, "decision_room.created", room("open")), "written")

    def test_rejects_a_delivery_that_is_not_signed_or_is_of_another_workspace(self) -> None:
        body = body_of(1, "decision_room.created", room("open"))
        with self.assertRaises(WebhookError) as raised:
            apply_webhook(self.store, body, signed(body, "whsec_b3RoZXI="), SECRET)
        self.assertEqual(raised.exception.code, "SIGNATURE_MISMATCH")
        self.apply(1, "decision_room.created", room("open"))
        with self.assertRaises(StoreConflict):
            self.apply(2, "decision_room.updated", {**room("won"), "lastActivityAt": "2027-01-01T00:00:00.000Z"}, 2)
        self.assertEqual(self.rows("SELECT status FROM decision_rooms"), [("open",)])

    def test_rejects_a_signed_delivery_whose_object_has_no_id(self) -> None:
        for event_type, data in (("call.recorded", {}), ("call.recorded", None), ("decision_room.esign.updated", [])):
            with self.subTest(event_type), self.assertRaises(WebhookError) as raised:
                self.apply(1, event_type, data)
            self.assertEqual(raised.exception.code, "BODY_INVALID")

    def test_removes_events_after_90_days(self) -> None:
        self.apply(1, "integration.ping", {})
        self.store.connection.execute("UPDATE deal_signals_events SET stored_at = stored_at - 90 * 86400000 - 1")
        self.apply(2, "integration.ping", {})
        self.assertEqual(self.apply(1, "integration.ping", {}), "ignored")
        self.assertEqual(self.apply(2, "integration.ping", {}), "repeated")
