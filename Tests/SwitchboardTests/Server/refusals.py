"""Refusals in the shapes of frameworks, below /refuse/SHAPE, and records that are kept as they are sent, below /open.

Below /stubborn a null changes nothing, and the response is a success.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REFUSALS = {
    "django": (400, {"title": ["This field may not be blank."], "non_field_errors": ["start is after end"]}),
    "nested": (400, {"owner": {"email": ["Enter a valid address."]}, "tags": [{}, {"name": ["Too long."]}]}),
    "falcon": (400, {"title": "400 Bad Request", "description": "Mailing list exists"}),
    "problem": (422, {"type": "about:blank", "title": "Unprocessable", "detail": "two mistakes", "errors": {"name": ["is taken"]}}),
    "rails": (422, {"errors": {"name": ["is too short"], "base": ["is locked"]}}),
    "texts": (422, {"errors": ["Name can't be blank", "Identifier is invalid"]}),
    "pydantic": (422, {"detail": [{"loc": ["body", "name"], "msg": "field required"}]}),
    "listed": (400, {"error": {"code": "X", "message": "not valid", "details": [{"field": "name", "message": "is required"}]}}),
    "reason": (400, {"error": "bad_request", "reason": "no such zone"}),
    "bare": (400, ["Only one owner is allowed."]),
}

items = {1: {"id": 1, "title": "a", "color": "#FFFFFF", "size": 22, "note": "n"}}
log = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, document):
        body = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def parts(self):
        return [part for part in self.path.split("?")[0].split("/") if part]

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")

    def do_GET(self):
        parts = self.parts()
        if parts == ["log"]:
            return self.reply(200, log)
        if len(parts) == 3:
            item = items.get(int(parts[2])) if parts[2].isdigit() else None
            return self.reply(200, item) if item else self.reply(404, {"message": "no such record"})
        return self.reply(200, list(items.values()))

    def do_POST(self):
        parts, body = self.parts(), self.body()
        log.append("POST " + self.path)
        if parts[0] == "refuse":
            return self.reply(*REFUSALS[parts[1]])
        body["id"] = max(items) + 1
        items[body["id"]] = body
        self.reply(201, body)

    def do_PATCH(self):
        parts, body = self.parts(), self.body()
        log.append("PATCH " + self.path)
        item = items.get(int(parts[2]))
        if item is None:
            return self.reply(404, {"message": "no such record"})
        for name, value in body.items():
            if value is None and parts[0] == "stubborn":
                continue
            item[name] = value
        self.reply(204, None)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
