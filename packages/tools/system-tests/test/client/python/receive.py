"""Receives deliveries over TLS, and prints the result of verifying each of them in several ways.

Usage: receive.py CERTIFICATE KEY SECRET_FILE. The file is read when a delivery arrives.
"""

import json
import ssl
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Dict

from deal_signals import WebhookError, WebhookEvent, WebhookReceiver, verify_webhook

certificate, key, secret_file = sys.argv[1:]
handled = []


def on_event(event: WebhookEvent) -> None:
    handled.append(event["type"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        with open(secret_file, encoding="utf-8") as file:
            secret = file.read()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        service = {name: value for name, value in headers.items() if name == "x-service-signature"}
        standard = {name: value for name, value in headers.items() if name.startswith("webhook-")}

        def outcome(of: Dict[str, str], with_secret: str = secret, **options: Any) -> str:
            try:
                return verify_webhook(body, of, with_secret, **options)["type"]
            except WebhookError as error:
                return error.code

        outcomes = {
            "service": outcome(service),
            "standard": outcome(standard),
            "anotherSecret": outcome(headers, "whsec_b3RoZXI="),
            "later": outcome(headers, now=time.time() + 400),
        }
        status = WebhookReceiver(secret, on_event).receive(body, self.headers)
        self.send_response(status)
        self.end_headers()
        print(json.dumps({**outcomes, "status": status, "handled": handled}), flush=True)

    def log_message(self, format: str, *args: Any) -> None:
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(f"https://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
