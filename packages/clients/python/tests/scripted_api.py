from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional
from urllib.parse import parse_qs, urlsplit

#: Handles one request.
Step = Callable[[BaseHTTPRequestHandler], None]


class ScriptedApi:
    """Simulates the API, or a proxy in front of it, also with failures: each step of the script handles one request.

    The last step repeats.
    """

    def __init__(self, *script: Step) -> None:
        self.requests: List[str] = []
        self.headers: List[Dict[str, str]] = []
        #: The number of connections that clients have opened.
        self.connections = 0
        steps = list(script)
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Disables Nagle's algorithm, which would delay the parts of a response.
            disable_nagle_algorithm = True

            def setup(self) -> None:
                api.connections += 1
                super().setup()

            def do_GET(self) -> None:
                api.requests.append(self.path)
                api.headers.append(dict(self.headers.items()))
                step = steps.pop(0) if len(steps) > 1 else steps[0]
                step(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/api/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def cursors(self) -> List[Optional[str]]:
        """The cursors of the requests so far."""
        return [parse_qs(urlsplit(path).query).get("cursor", [None])[0] for path in self.requests]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def respond(status: int, body: str, headers: Optional[Dict[str, str]] = None) -> Step:
    """Responds with a status and a body."""
    content = body.encode()

    def step(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)

    return step


def page(ids: List[int], has_more: bool = False, cursor: Optional[int] = None) -> Step:
    """Responds with a page of events with the given ids; its cursor is the last of them."""
    return respond(200, page_text(ids, has_more, cursor))


def page_text(ids: List[int], has_more: bool = False, cursor: Optional[int] = None) -> str:
    """Returns the body of a page of events."""
    last = cursor if cursor is not None else ids[-1] if ids else 0
    data = [{"id": str(one), "type": "room_visit"} for one in ids]
    return json.dumps({"data": data, "nextCursor": str(last), "hasMore": has_more})


def refuse(status: int, code: str, headers: Optional[Dict[str, str]] = None) -> Step:
    """Responds with a status and the error body of the API."""
    return respond(status, json.dumps({"error": f"about {code}", "code": code}), headers)


def hang_up(request: BaseHTTPRequestHandler) -> None:
    """Closes the connection without a response."""
    request.close_connection = True
