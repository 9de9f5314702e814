"""A service with a document that describes more than a survey reads: lists at the top and below records, one record, and
pages of each style. `GET /log` answers with the requests so far."""
from urllib.parse import unquote

from loopback import LOG, Handler, serve


def rows(prefix, count, **more):
    return [{"id": n, "name": f"{prefix} {n}"} | more for n in range(1, count + 1)]


LISTS = {
    "customers": rows("customer", 5),
    "invoices": rows("invoice", 23),
    "events": rows("event", 25),
    "tags": rows("tag", 30),
    "plans": rows("plan", 12),
    "notes": rows("note", 4),
    "repos": rows("repository", 3),
    "policies": [row | {"kind": "ab"[row["id"] % 2]} for row in rows("policy", 6)],
}
ISSUES = {("octo", "hello"): rows("issue", 3), ("octo", "team/app"): rows("app issue", 2)}
COMMENTS = rows("comment", 2)


def prop(kind):
    return {"type": kind}


RECORD = {"type": "object", "properties": {"id": prop("integer"), "name": prop("string")}}


def query(*names, **more):
    return [{"name": name, "in": "query", "schema": {"type": "integer"} | more} for name in names]


def path(*names):
    return [{"name": name, "in": "path", "required": True, "schema": prop("string")} for name in names]


def answer(schema, status="200"):
    return {status: {"content": {"application/json": {"schema": schema}}}}


def listed(parameters=(), member=None, tag="records"):
    schema = {"type": "array", "items": RECORD}
    if member:
        schema = {"type": "object", "properties": {member: schema}}
    return {"get": {"parameters": list(parameters), "tags": [tag], "responses": answer(schema)}}


def writable(operations):
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": prop("string")}, "required": ["name"]}}}}
    return operations | {"post": {"requestBody": body, "responses": answer(RECORD, "201")}}


ONE = {"get": {"responses": answer(RECORD)}, "delete": {"responses": {"204": {}}}}
DOCUMENT = {
    "openapi": "3.0.3", "info": {"title": "documented", "version": "1"}, "servers": [{"url": "/v1"}],
    "paths": {
        "/customers": listed(), "/customers/{customer}": ONE,
        "/customers/{customer_id}/invoices": listed(tag="billing"),
        # Pages from 1, from 0, by offset, and a parameter that does nothing.
        "/invoices": listed(query("page"), tag="billing"), "/invoices/{id}": ONE,
        "/events": listed(query("page", "size"), member="events"), "/events/{id}": ONE,
        "/tags": listed(query("offset", "limit")), "/tags/{id}": ONE,
        "/plans": listed(query("page")), "/plans/{id}": ONE,
        # Described, and not there.
        "/drafts": listed(), "/drafts/{id}": ONE,
        "/notes": writable(listed()), "/notes/{id}": ONE,
        "/repos/{owner}/{repo}/issues": listed(tag="issues"),
        "/repos/{owner}/{repo}/issues/{number}": {"parameters": path("owner", "repo", "number")} | ONE,
        "/repos/{org}/{name}/issues/{n}/comments": listed(tag="issues"),
        # Records at /repos/{owner}/{repo} have the short name, even before they are known to have lists below them.
        "/user/repos": listed(),
        "/me": {"get": {"responses": answer(RECORD)}},
        # Lists that are refused without a parameter; only for one does the document know values.
        "/policies": listed([{"name": "kind", "in": "query", "required": True, "schema": {"type": "string", "enum": ["a", "b"]}}]),
        "/policies/{id}": ONE,
        # A list that is refused without the position of its page.
        "/actions": listed([{"name": "offset", "in": "query", "required": True, "schema": {"type": "integer"}}]),
        "/actions/{id}": ONE,
        "/usage": listed([{"name": "region", "in": "query", "required": True, "schema": {"type": "string"}}]),
    },
}


class Documented(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)}")
        if self.url.path == "/v1/openapi.json":
            return self.reply(200, DOCUMENT)
        if self.command == "POST" and self.names == ["v1", "notes"]:
            row = {"id": len(LISTS["notes"]) + 1} | self.json({})
            LISTS["notes"].append(row)
            return self.reply(201, row)
        parts = [unquote(part) for part in self.names]
        found = self.found(parts[1:], self.query) if parts[0] == "v1" and self.command == "GET" else None
        self.reply(404, {"message": "not found"}) if found is None else self.reply(200, found)

    def found(self, parts, q):
        match parts:
            case ["user", "repos"]:
                return LISTS["repos"]
            case ["me"]:
                return {"id": 1, "name": "ann"}
            case ["customers", _, "invoices"]:
                return LISTS["invoices"][:4]
            case ["repos", owner, repo, "issues"]:
                return ISSUES.get((owner, repo))
            case ["repos", owner, repo, "issues", number]:
                return next((row for row in ISSUES.get((owner, repo), []) if str(row["id"]) == number), None)
            case ["repos", owner, repo, "issues", number, "comments"]:
                return COMMENTS
            case ["invoices"]:
                n = int(q.get("page", 1))
                return LISTS["invoices"][max(n - 1, 0) * 10:max(n, 1) * 10]
            case ["events"]:
                n, size = int(q.get("page", 0)), min(int(q.get("size", 10)), 10)
                return {"events": LISTS["events"][n * size:(n + 1) * size]}
            case ["tags"]:
                begin, count = int(q.get("offset", 0)), min(int(q.get("limit", 10)), 10)
                return LISTS["tags"][begin:begin + count]
            case ["policies"]:
                return [row for row in LISTS["policies"] if row["kind"] == q.get("kind")]
            case ["actions"] if q.get("offset"):
                return rows("action", 25)[int(q["offset"]):][:10]
            case ["usage"] if q.get("region"):
                return rows(f"use of {q['region']}", 2)
            case ["plans"]:
                # The parameter of the document does nothing: only the first ten are ever shown.
                return LISTS["plans"][:10]
            case [name] if name in LISTS:
                return LISTS[name]
            case [name, id] if name in LISTS:
                return next((row for row in LISTS[name] if str(row["id"]) == id), None)
        return None


serve(Documented)
