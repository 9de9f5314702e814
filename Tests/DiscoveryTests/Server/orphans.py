"""A service like json-server 0.17: a deletion also deletes every record in which a field names no record of another collection.
`GET /log` answers with the requests so far."""
import json
from urllib.parse import parse_qsl, urlsplit

import handler

LOG = []
DATA = {"users": [{"id": n, "name": f"user {n}"} for n in range(1, 7)],
        "posts": [{"id": n, "title": f"post {n}", "userId": n} for n in range(1, 9)]}


class Handler(handler.Handler):
    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        if parts.path == "/log":
            return self.send(200, {"Content-Type": "text/plain"}, "\n".join(LOG).encode())
        LOG.append(f"{self.command} {self.path}")
        self.send(*self.carry_out(parts.path.strip("/").split("/"), dict(parse_qsl(parts.query)), body))

    def carry_out(self, names, q, body):
        if names == [""]:
            return self.json(200, {name: f"/{name}" for name in DATA})
        rows = DATA.get(names[0])
        if rows is None or len(names) > 2:
            return self.json(404, {})
        if self.command == "OPTIONS":
            return 204, {"Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"}, b""
        if len(names) == 1 and self.command == "POST":
            rows.append(json.loads(body) | {"id": max(r["id"] for r in rows) + 1})
            return self.json(201, rows[-1])
        if len(names) == 1:
            total = {"X-Total-Count": str(len(rows)), "Access-Control-Expose-Headers": "X-Total-Count"} if "_limit" in q else {}
            size = int(q.get("_limit", 100))
            return self.json(200, rows[(int(q.get("_page", 1)) - 1) * size:][:size], total)
        found = next((r for r in rows if str(r["id"]) == names[1]), None)
        if found is None:
            return self.json(404, {})
        if self.command == "PATCH":
            found.update(json.loads(body))
        if self.command == "DELETE":
            rows.remove(found)
            users = [u["id"] for u in DATA["users"]]
            DATA["posts"] = [p for p in DATA["posts"] if p.get("userId") in users]
            return self.json(200, {})
        return self.json(200, found)

    def json(self, status, document, head={}):
        return status, head | {"Content-Type": "application/json"}, json.dumps(document).encode()


handler.serve(Handler)
