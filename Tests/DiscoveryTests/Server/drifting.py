"""A service that changes: `GET /become?field&kind` says in what it differs from now on from what it was at first. Its resources are
`/api/things` and `/api/others`, with a document."""
from loopback import Handler, serve

NOW = set()
STATES = ["open", "done"]


def row(n):
    row = {"id": n, "name": f"row {n}", "n": n * 7 % 31, "state": STATES[n % 2], "colour": ["red", "blue"][n % 2]}
    if "field" in NOW:
        row["priority"] = n % 4
    if "gone" in NOW:
        del row["colour"]
    if "kind" in NOW:
        row["n"] = f"{row['n']} kg"
    if "value" in NOW and n == 5:
        row["state"] = "held"
    return row


def document():
    fields = {name: {"type": "string"} for name in ("name", "state")} | {"id": {"type": "integer"}}
    fields["state"]["enum"] = STATES + (["held"] if "value" in NOW else [])
    schema = {"type": "object", "properties": fields}
    parameters = [{"name": name, "in": "query", "schema": {"type": "integer"}} for name in ("limit", "offset")]
    many = {"200": {"content": {"application/json": {"schema": {"type": "object", "properties": {
        "items": {"type": "array", "items": schema}, "total": {"type": "integer"}}}}}}}
    one = {"200": {"content": {"application/json": {"schema": schema}}}}
    write = {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": one}
    item = {"get": {"responses": one}, "patch": write} | ({} if "method" in NOW else {"delete": {"responses": {"204": {}}}})
    paths = {}
    for name in ("things", "others"):
        paths[f"/{name}"] = {"get": {"parameters": parameters, "responses": many}, "post": write}
        paths[f"/{name}/{{id}}"] = item
    return {"openapi": "3.0.3", "info": {"title": "Drift", "version": "2.0" if "version" in NOW else "1.0"},
            "servers": [{"url": "/api"}], "paths": paths}


class Service(Handler):
    def respond(self):
        query, parts = self.query, self.names
        if parts == ["become"]:
            NOW.clear()
            NOW.update(query)
            return self.reply(200, {})
        if parts == ["api", "openapi.json"]:
            return self.reply(200, document())
        if self.command != "GET" or parts[0] != "api" or len(parts) not in (2, 3) or parts[1] not in ("things", "others"):
            return self.reply(404, {"message": "not found"})
        rows = [row(n) for n in range(1, 46)]
        if len(parts) == 3:
            found = [row for row in rows if str(row["id"]) == parts[2]]
            return self.reply(200, found[0]) if found else self.reply(404, {"message": "not found"})
        most = 10 if "size" in NOW or "one" in NOW and parts[1] == "things" else 20
        size = min(int(query.get("limit", 10)), most)
        start = int(query.get("offset", 0))
        self.reply(200, {"items": rows[start:start + size], "total": len(rows)})


serve(Service)
