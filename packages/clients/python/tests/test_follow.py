from __future__ import annotations

import tempfile
import threading
import unittest
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import parse_qs, urlsplit

from deal_signals import (
    ApiRefusal,
    ApiUnavailable,
    Client,
    FileStore,
    MemoryStore,
    Page,
    RecordTooDeep,
    SqliteStore,
    StoreConflict,
    follow_feed,
    skip_to_now,
)
from deal_signals.feeds import CALLS, ENGAGEMENT_EVENTS, ERASURES, WEBHOOK_DELIVERIES
from deal_signals.types import EngagementEvent

from .scripted_api import ScriptedApi, Step, hang_up, page, page_text, refuse, respond


class FollowFeed(unittest.TestCase):
    def follow(self, *script: Step, **options: Any) -> List[List[str]]:
        """Follows the events of a scripted API to their end. Returns the ids that `on_page` received, page by page."""
        self.api = ScriptedApi(*script)
        self.addCleanup(self.api.close)
        pages: List[List[str]] = []

        def on_page(one: Page[EngagementEvent], _transaction: None) -> None:
            pages.append([event["id"] for event in one.data])

        settings: Dict[str, Any] = {"store": MemoryStore(), "stop_at_end": True, "on_page": on_page, **options}
        timeout_seconds = settings.pop("timeout_seconds", 60)
        with Client(self.api.url, "key", timeout_seconds=timeout_seconds) as client:
            follow_feed(client, ENGAGEMENT_EVENTS, **settings)
        return pages

    def test_reads_from_the_beginning_to_the_end_over_one_connection(self) -> None:
        pages = self.follow(page([1, 2], has_more=True), page([3], has_more=True), page([]))
        self.assertEqual(pages, [["1", "2"], ["3"]])
        self.assertEqual(self.api.cursors(), [None, "2", "3"])
        self.assertEqual(self.api.connections, 1)

    def test_stores_the_cursor_of_an_empty_first_page(self) -> None:
        store = MemoryStore()
        self.assertEqual(self.follow(page([], cursor=17), store=store, query={"since": "2026-09-01"}), [])
        self.assertEqual(self.follow(page([], cursor=17), store=store, query={"since": "2026-09-01"}), [])
        self.assertEqual(self.api.cursors(), ["17"])

    def test_continues_after_an_empty_page_with_more_to_come(self) -> None:
        store = MemoryStore()
        script = [page([1], has_more=True), page([], has_more=True, cursor=9), page([12])]
        self.assertEqual(self.follow(*script, store=store, query={"since": "2026-09-01"}), [["1"], ["12"]])
        self.assertEqual(self.api.cursors(), [None, "1", "9"])
        self.assertEqual(store.read_cursor(ENGAGEMENT_EVENTS), "12")

    def test_sends_the_page_size_and_the_filters(self) -> None:
        self.follow(page([]), limit=7, query={"types": "a,b"})
        self.assertEqual(self.api.requests, ["/api/v1/engagement/events?types=a%2Cb&limit=7"])

    def test_polls_at_the_end_delivers_no_record_twice_and_ends_when_stop_is_set(self) -> None:
        stop = threading.Event()
        pages: List[List[str]] = []

        def on_page(one: Page[EngagementEvent], _transaction: None) -> None:
            pages.append([event["id"] for event in one.data])
            if len(pages) == 2:
                stop.set()

        script = [page([1]), page([], cursor=1), page([2]), page([])]
        self.follow(*script, stop_at_end=False, poll_seconds=0.001, stop=stop, on_page=on_page)
        self.assertEqual(pages, [["1"], ["2"]])
        self.assertEqual(self.api.cursors(), [None, "1", "1"])

    def test_ends_while_it_waits_for_the_api(self) -> None:
        stop = threading.Event()
        pages = self.follow(
            refuse(503, "SERVICE_UNAVAILABLE", {"Retry-After": "800"}),
            stop=stop,
            on_wait=lambda _problem, _seconds: stop.set(),
        )
        self.assertEqual(pages, [])

    def test_delivers_nothing_after_stop_is_set(self) -> None:
        stop = threading.Event()

        def stop_then_respond(request: Any) -> None:
            stop.set()
            page([1])(request)

        self.assertEqual(self.follow(stop_then_respond, stop=stop), [])

    def test_waits_after_a_429_as_long_as_retry_after_asks(self) -> None:
        waits: List[Tuple[str, float]] = []
        pages = self.follow(
            refuse(429, "RATE_LIMITED", {"Retry-After": "1"}),
            page([1]),
            on_wait=lambda problem, seconds: waits.append((problem, seconds)),
        )
        self.assertEqual(pages, [["1"]])
        self.assertEqual(waits, [("engagement/events: 429 RATE_LIMITED about RATE_LIMITED", 1)])

    def test_repeats_a_request_that_failed(self) -> None:
        def cut_off(request: Any) -> None:
            respond(200, '{"data":[', {"Content-Length": "1000"})(request)
            request.close_connection = True

        for name, step in [
            ("a 503", refuse(503, "SERVICE_UNAVAILABLE", {"Retry-After": "0"})),
            ("a 500", refuse(500, "INTERNAL_ERROR")),
            ("a 502 of a proxy", respond(502, "<html>Bad gateway</html>")),
            ("a connection that was closed", hang_up),
            ("a body that was cut off", cut_off),
        ]:
            with self.subTest(name):
                waits: List[float] = []
                pages = self.follow(step, page([1]), on_wait=lambda _problem, seconds: waits.append(seconds))
                self.assertEqual(pages, [["1"]])
                # There is always a wait, even if the response asks for none.
                self.assertEqual([seconds >= 0.25 for seconds in waits], [True])
                self.assertEqual(self.api.cursors(), [None, None])

    def test_repeats_a_request_that_takes_too_long(self) -> None:
        finished = threading.Event()
        self.addCleanup(finished.set)

        def hang(_request: Any) -> None:
            finished.wait(30)

        self.assertEqual(self.follow(hang, page([1]), timeout_seconds=0.1), [["1"]])

    def test_gives_up_after_the_time_limit(self) -> None:
        with self.assertRaisesRegex(ApiUnavailable, "engagement/events: 503 SERVICE_UNAVAILABLE"):
            self.follow(refuse(503, "SERVICE_UNAVAILABLE"), give_up_after_seconds=0.2)

    def test_gives_up_at_once_if_the_api_refuses_permanently(self) -> None:
        for status, code in [(401, "API_KEY_INVALID"), (403, "FEATURE_NOT_ENABLED"), (400, "INVALID_CURSOR")]:
            with self.subTest(code), self.assertRaises(ApiRefusal) as raised:
                self.follow(refuse(status, code))
            self.assertEqual((raised.exception.code, len(self.api.requests)), (code, 1))

    def test_does_not_store_a_page_whose_handler_fails_and_reads_it_again(self) -> None:
        store = MemoryStore()

        def fail(_page: Page[EngagementEvent], _transaction: None) -> None:
            raise OSError("disk full")

        with self.assertRaisesRegex(OSError, "disk full"):
            self.follow(page([1], has_more=True), store=store, on_page=fail)
        self.assertEqual(self.follow(page([1]), store=store), [["1"]])
        self.assertEqual(self.api.cursors(), [None])

    def test_another_program_that_moves_the_cursor_is_a_conflict(self) -> None:
        class Contended(MemoryStore):
            def save_page(self, feed: Any, page: Any, previous_cursor: Optional[str], handle: Any = None) -> None:
                if previous_cursor == "1":
                    super().save_page(feed, Page([], "9", False), "1")
                super().save_page(feed, page, previous_cursor, handle)

        with self.assertRaisesRegex(StoreConflict, "another program has moved the cursor of engagement/events"):
            self.follow(page([1], has_more=True), page([2]), store=Contended())


class Skipping(unittest.TestCase):
    def test_skips_a_feed_to_its_end_and_continues_from_a_stored_cursor(self) -> None:
        for feed, since in ((ENGAGEMENT_EVENTS, "since"), (CALLS, "updated_since")):
            api = ScriptedApi(page([], cursor=17), page([18, 19]))
            self.addCleanup(api.close)
            store = MemoryStore()
            with Client(api.url, "key") as client:
                skip_to_now(client, feed, store)
                skip_to_now(client, feed, store)
            self.assertEqual(store.read_cursor(feed), "19")
            queries = [parse_qs(urlsplit(path).query) for path in api.requests]
            self.assertEqual([(since in query, query.get("cursor")) for query in queries], [(True, None), (False, ["17"])])

    def test_skips_a_feed_without_a_start_parameter_page_by_page(self) -> None:
        for feed in (ERASURES, WEBHOOK_DELIVERIES):
            api = ScriptedApi(page([1, 2], has_more=True), page([3]))
            self.addCleanup(api.close)
            store = MemoryStore()
            with Client(api.url, "key") as client:
                skip_to_now(client, feed, store)
            self.assertEqual((store.read_cursor(feed), len(api.requests)), ("3", 2))
            self.assertEqual([path for path in api.requests if "since" in path], [])


class Depth(unittest.TestCase):
    """The error names a record that is nested too deeply, regardless of which step fails because of it."""

    def start(self, body: str) -> Client:
        api = ScriptedApi(respond(200, body))
        self.addCleanup(api.close)
        client = Client(api.url, "key")
        self.addCleanup(client.close)
        return client

    def test_when_a_page_cannot_be_read(self) -> None:
        deep = '{"id":"of metadata","a":' * 20_000 + '"}]\\""' + "}" * 20_000
        records = ['{"id":"1","metadata":{"id":"x"}}', f'{{"metadata":{deep},"id":"2"}}', '{"id":"3","owner":null}']
        client = self.start(f'{{"data":[{",".join(records)}],"nextCursor":"3","hasMore":false}}')
        with self.assertRaises(RecordTooDeep) as raised:
            follow_feed(client, ENGAGEMENT_EVENTS, MemoryStore(), stop_at_end=True)
        self.assertEqual((raised.exception.feed, raised.exception.record_id), ("engagement/events", "2"))
        self.assertEqual(
            str(raised.exception),
            "engagement/events: the record 2 is nested 20001 levels deep, which is too deep for Python to read",
        )

    def test_when_an_object_cannot_be_read(self) -> None:
        client = self.start('{"data":{"id":"c1","summary":' + "[" * 20_000 + "]" * 20_000 + "}}")
        with self.assertRaisesRegex(RecordTooDeep, "^calls/c1: the record c1 is nested 20001 levels deep"):
            client.get_call("c1")

    def test_when_a_page_cannot_be_stored(self) -> None:
        deep: Any = 1
        for _ in range(20_000):
            deep = [deep]
        records: Any = [{"id": "1", "metadata": {}}, {"id": "2", "metadata": deep}]

        class DeepClient(Client):
            def read_page_once(self, *_arguments: Any, **_options: Any) -> Any:
                return Page(records, "2", False)

        with tempfile.TemporaryDirectory() as folder, DeepClient("http://127.0.0.1", "key") as client:
            with SqliteStore(f"{folder}/copy.db") as tables, FileStore(f"{folder}/files") as files:
                stores: List[Any] = [tables, files]
                for store in stores:
                    with self.assertRaisesRegex(RecordTooDeep, "the record 2 is nested 20001 levels deep"):
                        follow_feed(client, ENGAGEMENT_EVENTS, store, stop_at_end=True)
                    self.assertIsNone(store.read_cursor(ENGAGEMENT_EVENTS))

    def test_keeps_the_error_of_a_handler_that_fails_for_another_reason(self) -> None:
        def on_page(_page: Any, _transaction: None) -> None:
            raise RecursionError("of its own")

        client = self.start(page_text([1]))
        with self.assertRaisesRegex(RecursionError, "of its own"):
            follow_feed(client, ENGAGEMENT_EVENTS, MemoryStore(), on_page, stop_at_end=True)
