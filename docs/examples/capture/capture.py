import http.client
import itertools
import json
import os
import sys
import threading
import time
import urllib.parse

CAPTURE_URL = urllib.parse.urlsplit(os.environ["CAPTURE_URL"])  # such as http://127.0.0.1:3003
CAPTURE_TOKEN = os.environ["CAPTURE_TOKEN"]
TEMPORARY = {408, 429, 500, 503}


def send(path, captured):
    """Sends the lines of a file after the first `captured` ones. Yields the results as they arrive."""
    connection = http.client.HTTPConnection(CAPTURE_URL.hostname, CAPTURE_URL.port, timeout=120)
    connection.putrequest("POST", "/records?onError=continue")
    connection.putheader("Authorization", f"Bearer {CAPTURE_TOKEN}")
    connection.putheader("Content-Type", "application/x-ndjson")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    sock = connection.sock

    def send_lines():
        try:
            with open(path, "rb") as file:
                for line in itertools.islice(file, captured, None):
                    sock.sendall(b"%x\r\n%b\r\n" % (len(line), line))
            sock.sendall(b"0\r\n\r\n")
        except OSError:
            pass  # The response, or its early end, says why.

    # The results are read meanwhile: a server whose results nobody reads takes no more lines.
    threading.Thread(target=send_lines, daemon=True).start()
    try:
        response = connection.getresponse()
        for line in response:
            result = json.loads(line)
            if "error" in result and response.status != 200 and response.status not in TEMPORARY:
                raise SystemExit(f"{response.status} {result['error']}")
            yield result
    finally:
        connection.close()


def capture(path):
    """Captures a file, whatever happens to the connection. Returns the number of refused lines."""
    captured = 0
    refused = set()
    attempt = 0
    while True:
        start = captured
        problem = "the connection was cut"
        try:
            for result in send(path, start):
                if "committed" in result:
                    captured = start + result["committed"]
                    attempt = 0
                elif "line" in result:
                    line = start + result["line"]
                    if line not in refused:
                        print(f"line {line}: {json.dumps(result['errors'])}", file=sys.stderr)
                    refused.add(line)
                elif "done" in result:
                    return len(refused)
                else:
                    problem = result["error"]
        except (OSError, http.client.HTTPException, ValueError) as error:
            problem = f"no response ({error})"
        attempt += 1
        wait_seconds = min(2**attempt, 60)
        print(f"{problem}; trying again after line {captured} in {wait_seconds} s", file=sys.stderr)
        time.sleep(wait_seconds)


sys.exit(1 if capture(sys.argv[1]) else 0)
