from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import threading
import time
import unittest
from email.message import Message
from pathlib import Path
from typing import Any, Dict, List, Optional

from deal_signals import RecentEvents, WebhookError, WebhookEvent, WebhookReceiver, verify_webhook

#: The TypeScript client runs the same cases.
VECTORS = Path(__file__).parents[2] / "typescript/test/webhooks/vectors.json"
SECRET = "whsec_" + base64.b64encode(b"\xfb" * 32).decode()


def signed(body: str, secret: str = SECRET) -> Dict[str, str]:
    """Returns the signature header of the service, with the current time."""
    t = int(time.time())
    v1 = hmac.new(secret.encode(), f"{t}.{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Service-Signature": f"t={t},v1={v1}"}


def body_of(event_id: str) -> str:
    """Returns a body whose bytes change if it is parsed and serialised again."""
    return f'{{ "type":"engagement.recorded", "id":"{event_id}","data":{{"n":1.0,"s":"\\u00e4"}} }}'


class Verification(unittest.TestCase):
    def test_the_shared_cases(self) -> None:
        vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
        self.assertGreater(len(vectors["cases"]), 50)
        for case in vectors["cases"]:
            with self.subTest(case["name"]):
                tolerance = case.get("toleranceSeconds", 300)
                try:
                    verify_webhook(
                        case["body"].encode(),
                        case["headers"],
                        case["secrets"],
                        tolerance_seconds=tolerance,
                        now=vectors["now"],
                    )
                    outcome = "valid"
                except WebhookError as error:
                    outcome = error.code
                self.assertEqual(outcome, case["expected"])

    def test_accepts_the_body_in_every_form_with_its_bytes(self) -> None:
        body = body_of("ä")
        for raw in (body, body.encode(), bytearray(body.encode()), memoryview(b"xx" + body.encode())[2:]):
            with self.subTest(type(raw).__name__):
                self.assertEqual(verify_webhook(raw, signed(body), SECRET), json.loads(body))

    def test_a_body_that_is_nested_too_deeply_names_its_event(self) -> None:
        body = '{"id":"a","type":"engagement.recorded","data":' + "[" * 20_000 + "]" * 20_000 + "}"
        with self.assertRaisesRegex(WebhookError, "the body of the event a is nested 20001 levels deep") as raised:
            verify_webhook(body, signed(body), SECRET)
        self.assertEqual(raised.exception.code, "BODY_INVALID")

    def test_accepts_the_headers_of_http_server_and_uses_the_first_of_each_name(self) -> None:
        headers = Message()
        for value in (signed(body_of("a"))["X-Service-Signature"], "t=1,v1=0"):
            headers.add_header("x-service-SIGNATURE", value)
        verify_webhook(body_of("a"), headers, SECRET)

    def test_programming_errors_differ_from_errors_of_deliveries(self) -> None:
        parsed: Any = json.loads(body_of("a"))
        with self.assertRaisesRegex(TypeError, "does not cover a parsed body"):
            verify_webhook(parsed, signed(body_of("a")), SECRET)
        for secret in ("", [], [""]):
            with self.subTest(secret), self.assertRaisesRegex(ValueError, "a signing secret is required"):
                verify_webhook(body_of("a"), signed(body_of("a")), secret)


class Receiver(unittest.TestCase):
    def setUp(self) -> None:
        self.handled: List[str] = []
        self.problems: List[BaseException] = []

    def on_event(self, event: WebhookEvent) -> None:
        self.handled.append(event["id"])

    def receiver(self, on_event: Any = None, memory: Any = None) -> WebhookReceiver:
        return WebhookReceiver(SECRET, on_event or self.on_event, memory=memory, on_problem=self.problems.append)

    def test_handles_an_event_once(self) -> None:
        receiver = self.receiver()
        statuses = [receiver.receive(body_of(one).encode(), signed(body_of(one))) for one in ("a", "a", "b")]
        self.assertEqual((statuses, self.handled), ([204, 204, 204], ["a", "b"]))

    def test_rejects_a_wrong_signature_and_reports_the_reason(self) -> None:
        self.assertEqual(self.receiver().receive(body_of("a").encode(), signed(body_of("b"))), 400)
        self.assertEqual(self.handled, [])
        [problem] = self.problems
        assert isinstance(problem, WebhookError)
        self.assertEqual(problem.code, "SIGNATURE_MISMATCH")

    def test_handles_an_event_again_after_a_failure(self) -> None:
        failures = [OSError("database away")]

        def fail_once(event: WebhookEvent) -> None:
            if failures:
                raise failures.pop()
            self.on_event(event)

        receiver = self.receiver(fail_once)
        statuses = [receiver.receive(body_of("a").encode(), signed(body_of("a"))) for _ in range(2)]
        self.assertEqual((statuses, self.handled), ([500, 204], ["a"]))

    def test_a_duplicate_that_arrives_during_the_handling_shares_its_outcome(self) -> None:
        handling, second_waits = threading.Event(), threading.Event()
        calls: List[str] = []
        statuses: List[Optional[int]] = [None, None]

        def fail_later(event: WebhookEvent) -> None:
            calls.append(event["id"])
            handling.set()
            second_waits.wait(30)
            raise OSError("no")

        receiver = self.receiver(fail_later)

        def deliver(index: int) -> None:
            statuses[index] = receiver.receive(body_of("a").encode(), signed(body_of("a")))

        first, second = (threading.Thread(target=deliver, args=(index,)) for index in range(2))
        first.start()
        handling.wait(30)
        second.start()
        second.join(0.1)
        # If the second were acknowledged at once, the event would be lost when the first fails.
        self.assertEqual(statuses, [None, None])
        second_waits.set()
        first.join()
        second.join()
        self.assertEqual((statuses, calls), ([500, 500], ["a"]))

    def test_a_custom_memory_decides_what_was_handled(self) -> None:
        class Memory:
            added: List[str] = []

            def has(self, event_id: str) -> bool:
                return event_id == "old"

            def add(self, event_id: str) -> None:
                self.added.append(event_id)

        receiver = self.receiver(memory=Memory())
        for one in ("old", "new"):
            self.assertEqual(receiver.receive(body_of(one).encode(), signed(body_of(one))), 204)
        self.assertEqual((self.handled, Memory.added), (["new"], ["new"]))

    def test_the_memory_forgets_the_oldest(self) -> None:
        memory = RecentEvents(2)
        for one in ("a", "b", "c"):
            memory.add(one)
        self.assertEqual([memory.has(one) for one in ("a", "b", "c")], [False, True, True])

    def test_problems_are_logged_unless_a_callback_receives_them(self) -> None:
        receiver = WebhookReceiver(SECRET, self.on_event)
        with self.assertLogs(logging.getLogger("deal_signals"), "WARNING") as logs:
            receiver.receive(b"{}", {})
        self.assertIn("delivery rejected: the request has no valid signature header", logs.output[0])
