"""Services whose responses name more than lists: the first part of the path names one. `GET /log` answers with the requests so far."""
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, serve

ROWS = [{"id": n, "name": f"row {n}", "n": n * 7 % 31} for n in range(1, 13)]
VERBS = [
    "rm", "posts/1/undo", "unlink", "queues/drain", "events/fire", "end_session", "upvote", "orders/process",
    "logout", "token/revoke", "admin/restart", "users/1/delete", "users:deactivate", "caches/flush_all", "caches/purgeAll", "do_reset",
    "doSync", "sign-out", "export.json", "%6cogout", "jobs/run;now=1", "users?action=delete", "users?logout", "x/../restart",
]


def links(kind, names):
    return {f"link{n}": f"/{kind}/{name}" for n, name in enumerate(names)}


def schema(fields):
    return {"type": "array", "items": {"type": "object", "properties": {name: {"type": "string"} for name in fields}}}


def collection(*fields, post=False):
    response = {"200": {"content": {"application/json": {"schema": schema(fields or ("name",))}}}}
    return {"get": {"responses": response}} | ({"post": {"responses": {"201": {}}}} if post else {})


ONE = {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}}}}


def document(kind, paths):
    return {"openapi": "3.0.3", "servers": [{"url": f"/{kind}"}], "paths": paths}


ROOTS = {
    # The root of the server itself.
    "": {"users": "/hub/users", "page": "/hub/orders#/delete", "passwords": "file:///etc/passwd", "other": "http://127.0.0.2:9/hub/outside",
         "files": "ftp://files.example.org/hub/files", "name": "http://desk.example.org/hub/named"},
    # Links of every kind, in members, in an object of their own, and as HAL has them.
    "hub": links("hub", VERBS) | {"more": links("hub", VERBS), "users": "/hub/users"} | {
        "_links": {"self": {"href": "/hub"}, "orders": {"href": "/hub/orders"}, "bye": {"href": "/hub/signout"},
                   "posts": {"href": "/hub/users/1/posts"}, "first": {"href": "/hub/users/1"},
                   "mail": {"href": "mailto:desk@example.org"}}},
    # A single record, as whoever copies an address from a browser gives it.
    "people/7": {"id": 7, "name": "Ann", "posts_url": "/people/7/posts", "friends": {"href": "/people/7/friends"}},
    "mixed": {"users": "/mixed/users", "hidden": "/mixed/hidden", "logout": "/mixed/logout"},
    "long": {"users": "/long/users", "x" * 400_000: "/long/named", "far": "/long/" + "y" * 400_000},
    "twice": {"one": "/twice/teams/items", "two": "/twice/shops/items", "three": "/twice/people",
              "four": "/twice/Places", "five": "/twice/places"},
    "keys": links("keys", ["resources", "because", "preset", "others", "page"]),
}
DOCUMENTS = {
    "mixed": document("mixed", {"/users": collection("name"), "/users/{id}": ONE}),
    "referring": document("referring", {"/users": collection("name"), "/users/{id}": ONE, "/a": {"$ref": "/referring/logout#/x"},
                                        "/b": {"$ref": "/referring/users/1/delete.json#/x"}, "/c": {"$ref": "/referring/other#/x"}}),
    "below": document("below", {
        "/orgs": collection("name"), "/orgs/{id}": ONE, "/orgs/{id}/items": collection("title"), "/orgs/{id}/people": collection("name"),
        "/items": collection("name"), "/items/{id}": ONE, "/people": collection("name"), "/people/{id}": ONE}),
    "pair": document("pair", {
        "/teams": collection("name"), "/teams/{id}": ONE, "/teams/{id}/items": collection("title"),
        "/shops": collection("name"), "/shops/{id}": ONE, "/shops/{id}/items": collection("price")}),
    "run": document("run", {"/users": collection("name"), "/users/{id}": ONE, "/exports/start": collection("name")}),
}


def rows(names):
    """The records of a list; None where there is none."""
    path = "/".join(names)
    if path in ("hub/users", "hub/orders", "people/7/posts", "people/7/friends", "mixed/users", "mixed/hidden", "long/users",
                "twice/people", "twice/Places", "twice/places", "referring/users", "below/items", "below/orgs", "pair/teams",
                "pair/shops", "run/users") or names[:1] == ["keys"] and len(names) == 2:
        return ROWS
    if names[:1] == ["below"] and names[1:2] == ["orgs"] and len(names) == 4:
        n = int(names[2])
        # The items of an organization are others than those of the service, its people are some of those.
        if names[3] == "items":
            return [{"id": k, "title": f"item {n}-{k}", "orgId": n} for k in range(1, 4)]
        return [p for p in PEOPLE if p["orgId"] == n]
    if names[:2] == ["below", "people"] and len(names) == 2:
        return PEOPLE
    if names[:1] == ["pair"] and len(names) == 4:
        return [{"id": k, {"teams": "title", "shops": "price"}[names[1]]: f"{names[1]} {k}"} for k in range(1, 4)]
    if path == "twice/teams/items":
        return [{"id": n, "task": f"task {n}"} for n in range(1, 8)]
    if path == "twice/shops/items":
        return [{"id": n, "price": n * 3} for n in range(1, 10)]
    if path == "acting":
        return [r | {"url": f"/acting/{r['id']}/touch"} for r in [{"code": f"c {r['id']}", "id": r["id"]} for r in ROWS]]
    return None


PEOPLE = [{"id": n, "name": f"person {n}", "orgId": n % 6 + 1} for n in range(1, 13)]


class Service(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)}"[:300])
        names, path, q = self.names, "/".join(self.names), dict(parse_qsl(self.url.query))
        if names[1:] == ["openapi.json"] and names[0] in DOCUMENTS:
            return self.reply(200, DOCUMENTS[names[0]])
        if self.command == "OPTIONS":
            return self.reply(404, {})
        if path in ROOTS:
            return self.reply(200, ROOTS[path])
        if path in ("onward/things", "askew/things"):
            # The next page is at a path of its own.
            after = "/onward/things/refresh_all?page=2" if names[0] == "onward" else "/askew/others?page=2"
            return self.reply(200, {"data": ROWS[:5], "next": after})
        if self.command == "POST" and names[0] == "django":
            return self.reply(403, {"detail": "You do not have permission."})
        if path == "django/things":
            start = int(q.get("offset", 0))
            page = ROWS[start:start + int(q.get("limit", 5))]
            return self.reply(200, {"count": len(ROWS), "next": None, "previous": None, "results": page})
        if path == "kinto/things":
            fields = {"Total-Records": "12", "ETag": '"12"', "Last-Modified": "Mon, 23 Nov 2026 10:00:00 GMT"}
            return self.reply(200, {"data": ROWS}, fields)
        found = rows(names)
        if found is not None:
            start = int(q.get("offset", 0))
            return self.reply(200, found[start:start + int(q.get("limit", 100))])
        above = rows(names[:-1]) or (ROWS if path.startswith(("django/things/", "kinto/things/")) else None)
        one = next((r for r in above or [] if str(r["id"]) == names[-1]), None) if names[0] != "acting" else None
        if one is None:
            return self.reply(404, {"detail": "Not found."} if names[0] == "django" else {"message": "not found"})
        self.reply(200, {"data": one} if names[0] == "kinto" else one)


serve(Service)
