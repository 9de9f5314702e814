"""A service to try the plugin on: §name§ in memory. usage: python3 service.py [PORT]"""

import itertools
import json
import re
import sys
import threading
import time
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

RECORDS = {}
NUMBERS = itertools.count(1)
LOCK = threading.Lock()
DEFAULTS = {"title": None, "done": False, "due": None}


def complaint(name, value):
    """The reason why a field cannot have a value, or None."""
    if name not in DEFAULTS:
        return "is not a field that can be written"
    if name == "title" and not (isinstance(value, str) and 1 <= len(value) <= 100):
        return "must be a text of 1 to 100 characters"
    if name == "done" and not isinstance(value, bool):
        return "must be true or false"
    if name == "due" and value is not None and not is_day(value):
        return "must be a day, such as 2026-11-25, or null"
    return None


def is_day(value):
    try:
        return isinstance(value, str) and re.fullmatch("[0-9-]{10}", value) and date.fromisoformat(value) is not None
    except ValueError:
        return False


def matches(record, condition):
    field, _, value = condition.partition(":")
    found = record[field]
    return value == (str(found).lower() if isinstance(found, bool) else found)


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave together, and at once.
    wbufsize = -1
    disable_nagle_algorithm = True

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        address = urlsplit(self.path)
        collection, _, name = address.path.strip("/").partition("/")
        with LOCK:
            if collection != "§name§":
                return self.reply(404, {"message": "there is no such path"})
            if not name:
                if self.command == "GET":
                    return self.list(parse_qsl(address.query, keep_blank_values=True))
                return self.write(None, body) if self.command == "POST" else self.reply(405, {"message": "not allowed"})
            number = int(name) if re.fullmatch("[1-9][0-9]*", name) else None
            if number not in RECORDS:
                return self.reply(404, {"message": "there is no such record"})
            if self.command == "PATCH":
                return self.write(number, body)
            if self.command == "DELETE":
                del RECORDS[number]
                return self.reply(204)
            return self.reply(200, RECORDS[number]) if self.command == "GET" else self.reply(405)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = respond

    def list(self, query):
        names = dict(query)
        conditions = [value for name, value in query if name == "where"]
        if any(condition.partition(":")[0] not in ("title", "done") for condition in conditions):
            return self.reply(400, {"message": "where takes title and done"})
        page, size = names.get("page", "p1"), names.get("size", "20")
        if not re.fullmatch("p[1-9][0-9]*", page) or not re.fullmatch("[1-9][0-9]*", size):
            return self.reply(400, {"message": "the page or its size is not valid"})
        found = [record for record in RECORDS.values() if all(matches(record, one) for one in conditions)]
        size = min(int(size), 50)
        end = int(page[1:]) * size
        self.reply(200, {"items": found[end - size : end], "left": max(0, len(found) - end)})

    def write(self, number, body):
        try:
            values = json.loads(body)
        except ValueError:
            values = None
        if not isinstance(values, dict):
            return self.reply(400, {"message": "the body is not a JSON object"})
        complaints = {name: text for name, value in values.items() if (text := complaint(name, value))}
        if number is None and "title" not in values:
            complaints["title"] = "is required"
        if complaints:
            return self.reply(422, {"message": "not valid", "fields": complaints})
        if number is not None:
            RECORDS[number].update(values)
            return self.reply(200, RECORDS[number])
        number = next(NUMBERS)
        RECORDS[number] = {"id": number, **DEFAULTS, **values, "created": int(time.time())}
        return self.reply(201, RECORDS[number], {"Location": f"/§name§/{number}"})

    def reply(self, status, value=None, fields=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        for name, text in (fields or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8555), Service)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
