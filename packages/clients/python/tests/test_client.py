from __future__ import annotations

import datetime
import json
import re
import threading
import unittest
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Optional

from deal_signals import ApiRefusal, ApiUnavailable, Client, MemoryStore, Repeats, follow_feed
from deal_signals.client import parse_base_url
from deal_signals.feeds import DATA_FEEDS, ENGAGEMENT_EVENTS, FEEDS
from deal_signals.waiting import backoff_seconds, retry_after_seconds

from .scripted_api import ScriptedApi, Step, hang_up, page, refuse, respond


#: The TypeScript client runs the same cases.
_CLIENT_TESTS = Path(__file__).parents[2] / "typescript/test"
REPEAT_CASES = _CLIENT_TESTS / "feeds/repeat-cases.json"
RETRY_AFTER_CASES = _CLIENT_TESTS / "feeds/retry-after-cases.json"
BASE_URL_CASES = _CLIENT_TESTS / "base-url-cases.json"


class Configuration(unittest.TestCase):
    def test_parses_the_base_url(self) -> None:
        for case in json.loads(BASE_URL_CASES.read_text(encoding="utf-8"))["cases"]:
            with self.subTest(case["given"]):
                if "used" in case:
                    self.assertEqual(parse_base_url(case["given"]), case["used"])
                    continue
                with self.assertRaisesRegex(ValueError, re.escape(case["refused"])) as raised:
                    Client(case["given"], "key")
                self.assertNotIn("hidden", str(raised.exception))

    def test_rejects_a_missing_url(self) -> None:
        with self.assertRaisesRegex(ValueError, "is missing"):
            Client("", "key")

    def test_rejects_an_invalid_key_without_printing_it(self) -> None:
        for key, message in [("", "is missing"), ("key\nwith a line break", "characters that are not valid in a key")]:
            with self.subTest(key), self.assertRaisesRegex(ValueError, message) as raised:
                Client("https://api.example.com/api/v1", key)
            self.assertNotIn("line break", str(raised.exception))


class Calls(unittest.TestCase):
    def start(self, *script: Step, timeout_seconds: float = 60, repeats: Optional[Repeats] = None) -> Client:
        self.api = ScriptedApi(*script)
        self.addCleanup(self.api.close)
        client = Client(f"{self.api.url}/", "key", timeout_seconds=timeout_seconds, repeats=repeats)
        self.addCleanup(client.close)
        return client

    def test_sends_the_key_and_the_parameters_over_one_connection(self) -> None:
        client = self.start(
            respond(200, '{"data":{"id":"x","title":"Demo"}}'), respond(200, '{"company":{"id":1}}'), page([1])
        )
        self.assertEqual(client.get_call("a/ü")["title"], "Demo")
        self.assertEqual(client.get_status()["company"]["id"], 1)
        calls = client.list_calls(cursor="c", limit=7, kind="demo", has_summary=True)
        self.assertEqual((calls.data[0]["id"], calls.next_cursor, calls.has_more), ("1", "1", False))
        self.assertEqual(
            self.api.requests,
            [
                "/api/v1/calls/a%2F%C3%BC",
                "/api/v1/status",
                "/api/v1/calls?kind=demo&has_summary=true&limit=7&cursor=c",
            ],
        )
        self.assertEqual({headers["Authorization"] for headers in self.api.headers}, {"Bearer key"})
        self.assertEqual(self.api.connections, 1)

    def test_a_refusal_contains_the_message_of_the_api(self) -> None:
        client = self.start(refuse(404, "NOT_FOUND", {"X-Request-Id": "r1"}))
        with self.assertRaises(ApiRefusal) as raised:
            client.get_room("x")
        refusal = raised.exception
        self.assertEqual(str(refusal), "decision-rooms/x: 404 NOT_FOUND about NOT_FOUND")
        self.assertEqual((refusal.status, refusal.code, refusal.request_id), (404, "NOT_FOUND", "r1"))
        self.assertIsNone(refusal.field)

    def test_a_refusal_names_the_input_that_it_is_about(self) -> None:
        body = {"error": "limit: must be a whole number from 1 to 500", "code": "INVALID_REQUEST", "field": "limit"}
        client = self.start(respond(400, json.dumps(body)))
        with self.assertRaises(ApiRefusal) as raised:
            client.get_room("x")
        self.assertEqual((raised.exception.code, raised.exception.field), ("INVALID_REQUEST", "limit"))

    def test_distinguishes_errors_that_can_be_retried(self) -> None:
        client = self.start(refuse(429, "RATE_LIMITED", {"Retry-After": "7"}), respond(408, ""), refuse(500, "INTERNAL_ERROR"), hang_up)
        with self.assertRaises(ApiUnavailable) as raised:
            client.get_status()
        limited = raised.exception
        self.assertEqual((limited.status, limited.code, limited.retry_after_seconds), (429, "RATE_LIMITED", 7))
        for status in (408, 500):
            with self.assertRaises(ApiUnavailable) as raised:
                client.get_status()
            self.assertEqual((raised.exception.status, raised.exception.retry_after_seconds), (status, None))
        with self.assertRaises(ApiUnavailable) as raised:
            client.get_status()
        self.assertIsNone(raised.exception.status)

    def test_follows_no_redirect_so_no_other_server_gets_the_key(self) -> None:
        other = ScriptedApi(respond(200, '{"company":{"id":1}}'))
        self.addCleanup(other.close)
        for status in (301, 302, 303, 307, 308):
            client = self.start(respond(status, "", {"Location": f"{other.url.replace('127.0.0.1', 'localhost')}/status"}))
            with self.subTest(status), self.assertRaises(ApiRefusal) as raised:
                client.get_status()
            self.assertEqual((raised.exception.status, len(self.api.requests), other.requests), (status, 1, []))

    def test_recognises_another_server(self) -> None:
        for body in ["<html>Welcome</html>", '{"hello":"world"}', "[]", "null", '{"data":[],"nextCursor":1,"hasMore":false}']:
            client = self.start(respond(200, body))
            with self.subTest(body), self.assertRaisesRegex(ApiRefusal, "did not respond like the Deal Signals API"):
                client.read_page(ENGAGEMENT_EVENTS)
            with self.subTest(body), self.assertRaisesRegex(ApiRefusal, "did not respond like the Deal Signals API"):
                client.get_status()

    def test_ends_a_response_that_arrives_too_slowly(self) -> None:
        def drip(request: object) -> None:
            handler = getattr(request, "wfile")
            handler.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            try:
                for _ in range(1000):
                    handler.write(b" ")
                    handler.flush()
                    finished.wait(0.02)
            except OSError:
                finished.set()

        finished = threading.Event()
        client = self.start(drip, timeout_seconds=2)
        with self.assertRaisesRegex(ApiUnavailable, "the response took too long"):
            client.get_status()
        finished.set()


    def test_the_shared_cases_of_repeats(self) -> None:
        cases = json.loads(REPEAT_CASES.read_text(encoding="utf-8"))["cases"]
        # This client only reads.
        cases = [case for case in cases if case["method"] == "GET"]
        self.assertGreater(len(cases), 10)
        for case in cases:
            with self.subTest(case["name"]):
                attempts = case.get("attempts", 5)
                repeats = None if attempts is None else Repeats(attempts)
                client = self.start(*map(scripted, case["responses"]), repeats=repeats)
                ends: object = 200
                try:
                    client.get_status()
                except (ApiRefusal, ApiUnavailable) as error:
                    ends = error.status or "error"
                self.assertEqual((len(self.api.requests), ends), (case["sent"], case["ends"]))

    def test_repeats_calls_unless_repeats_are_disabled(self) -> None:
        api = ScriptedApi(refuse(503, "SERVICE_UNAVAILABLE", {"Retry-After": "0"}), page([1]))
        self.addCleanup(api.close)
        with Client(api.url, "key") as client:
            self.assertEqual(client.read_page(ENGAGEMENT_EVENTS).next_cursor, "1")

    def test_a_caller_that_waits_by_itself_waits_only_once(self) -> None:
        waits = []
        client = self.start(refuse(503, "SERVICE_UNAVAILABLE", {"Retry-After": "0"}), page([1]), repeats=Repeats())
        follow_feed(
            client, ENGAGEMENT_EVENTS, MemoryStore(), stop_at_end=True, on_wait=lambda problem, _seconds: waits.append(problem)
        )
        self.assertEqual(waits, ["engagement/events: 503 SERVICE_UNAVAILABLE about SERVICE_UNAVAILABLE"])


def scripted(response: Any) -> Step:
    """Converts the response of a shared case to a step."""
    if response == "close":
        return hang_up
    if response == "cut":
        return cut
    status, headers = response, {}
    if not isinstance(response, int):
        status, headers = response["status"], {"Retry-After": response["retryAfter"]}
    return respond(status, '{"company":{}}', headers)


def cut(request: BaseHTTPRequestHandler) -> None:
    """Closes the connection in the middle of the body."""
    request.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"company":')
    request.close_connection = True


class Waiting(unittest.TestCase):
    def test_retry_after(self) -> None:
        now = datetime.datetime(2026, 9, 1, 12, 0, tzinfo=datetime.timezone.utc)
        cases = json.loads(RETRY_AFTER_CASES.read_text(encoding="utf-8"))["cases"]
        for case in [*cases, {"header": None, "waitMs": None}]:
            with self.subTest(case["header"]):
                expected = None if case["waitMs"] is None else case["waitMs"] / 1_000
                self.assertEqual(retry_after_seconds(case["header"], now), expected)

    def test_the_backoff_doubles_up_to_a_minute_minus_up_to_a_half(self) -> None:
        longest = [backoff_seconds(failures, 1) for failures in range(1, 11)]
        self.assertEqual(longest, [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60])
        self.assertEqual([backoff_seconds(n, 0) for n in range(1, 11)], [one / 2 for one in longest])
        self.assertEqual(backoff_seconds(100_000, 1), 60)


class Feeds(unittest.TestCase):
    def test_the_delivery_log_is_not_part_of_the_data(self) -> None:
        self.assertEqual([feed for feed in FEEDS if feed not in DATA_FEEDS], ["webhook-deliveries"])
        self.assertEqual(ENGAGEMENT_EVENTS.table, "engagement_events")
        self.assertEqual(len({feed.table for feed in FEEDS}), len(FEEDS))
