import http.client
import itertools
import json
import os
import sys
import time
import urllib.parse

URL = urllib.parse.urlsplit(os.environ["CAPTURE_URL"])  # such as https://capture.example.com or http://127.0.0.1:3003
HEADERS = {"Authorization": f"Bearer {os.environ['CAPTURE_TOKEN']}", "Content-Type": "application/x-ndjson"}
TEMPORARY = {408, 429, 500, 502, 503, 504}
# A request of this size fits into the buffers of a connection, so that sending it never waits for its results to be read.
REQUEST_BYTES = 64 * 1024


def connect():
    """Returns a connection, which opens when it is used. The token is never sent in plain text to an https URL."""
    connections = {"https": http.client.HTTPSConnection, "http": http.client.HTTPConnection}
    if URL.scheme not in connections or not URL.hostname:
        raise SystemExit("CAPTURE_URL must begin with https:// or http://")
    return connections[URL.scheme](URL.hostname, URL.port, timeout=120)


def requests(file):
    """Divides the lines of a file into requests."""
    lines, size = [], 0
    for line in file:
        if lines and size + len(line) > REQUEST_BYTES:
            yield lines
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield lines


def send(connection, lines):
    """Sends a request. Returns the results of refused lines. What it raises may pass: then send the same again."""
    try:
        connection.request("POST", f"{URL.path.rstrip('/')}/records?onError=continue", b"".join(lines), HEADERS)
    except (BrokenPipeError, ConnectionResetError):
        pass  # The response, if there is one, says why the server has stopped reading.
    response = connection.getresponse()
    body = response.read()
    # A redirect ends the program as well: following it would send the token to another server.
    if response.status != 200 and response.status not in TEMPORARY:
        raise SystemExit(f"{response.status} {body.decode(errors='replace')}")
    results = [json.loads(line) for line in body.splitlines()]
    if not any("done" in result for result in results):
        raise ConnectionError(next((result["error"] for result in results if "error" in result), "it was cut"))
    return [result for result in results if "line" in result]


def capture(path):
    """Captures a file, whatever happens to the connection. Returns the number of refused lines."""
    connection = connect()
    captured = refused = 0
    with open(path, "rb") as file:
        for lines in requests(file):
            # What was captured before is captured again without an effect, so a request is repeated as a whole.
            for attempt in itertools.count(1):
                try:
                    results = send(connection, lines)
                    break
                except (OSError, http.client.HTTPException, ValueError) as error:
                    connection.close()
                    wait_seconds = min(2**attempt, 60)
                    print(f"no response ({error}); trying again after line {captured} in {wait_seconds} s", file=sys.stderr)
                    time.sleep(wait_seconds)
            for result in results:
                refused += 1
                print(f"line {captured + result['line']}: {json.dumps(result['errors'])}", file=sys.stderr)
            captured += len(lines)
    return refused


sys.exit(1 if capture(sys.argv[1]) else 0)
