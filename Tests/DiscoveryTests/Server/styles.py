"""A service that nobody described, in several styles: the first part of the path names the style. All have the same 30 things.
`GET /log` answers with the requests so far, one a line."""
import json
import os
from urllib.parse import unquote

from loopback import LOG, Handler, serve

THINGS = [{"id": n, "name": f"thing {n}", "n": n * 7 % 31, "state": ["open", "done"][n % 2], "note": None if n % 5 else f"n{n}"}
          for n in range(1, 31)]
STYLES = {}
COUNTS = {"limited": 0}


def style(function):
    STYLES[function.__name__] = function
    return function


def cut(rows, q, start, size, default, most):
    first = int(q.get(start, 0))
    return rows[first:first + min(int(q.get(size, default)), most)]


def filtered(q):
    return [t for t in THINGS if all(str(t[f]) == q[f] for f in ("name", "n", "state") if f in q)]


@style
def numbered(q, host):
    """Pages from 0, and the total beside them."""
    rows, size = filtered(q), min(int(q.get("size", 10)), 20)
    page = int(q.get("page", 0))
    return 200, {}, {"content": rows[page * size:(page + 1) * size], "totalElements": len(rows)}


@style
def stepped(q, host):
    """Pages of up to three records follow each other; larger ones overlap."""
    rows, size = filtered(q), min(int(q.get("size", 10)), 20)
    start = (int(q.get("page", 1)) - 1) * min(size, 3)
    return 200, {}, {"content": rows[start:start + size], "totalElements": len(rows)}


@style
def offset(q, host):
    rows = filtered(q)
    if "sort" in q:
        key = q["sort"].lstrip("-")
        rows = sorted(rows, key=lambda t: t[key], reverse=q["sort"].startswith("-"))
    return 200, {}, {"data": {"rows": cut(rows, q, "offset", "limit", 10, 15), "meta": {"total": len(rows)}}}


@style
def slashed(q, host):
    """The path of the list has a slash behind it, those of records have none."""
    rows = filtered(q)
    return 200, {}, {"items": cut(rows, q, "offset", "limit", 10, 100), "total": len(rows)}


def inner(thing):
    return {"id": thing["id"], "attributes": {k: v for k, v in thing.items() if k != "id"}}


@style
def inside(q, host):
    """Fields stand in a member of each record, and conditions in brackets."""
    rows = filtered({k[7:-1]: v for k, v in q.items() if k.startswith("filter[")})
    return 200, {}, {"data": [inner(t) for t in cut(rows, q, "offset", "limit", 10, 20)], "meta": {"total": len(rows)}}


def called(thing):
    return {"name": f"things/{thing['id']}", "title": thing["name"], "n": thing["n"], "itemState": thing["state"]}


@style
def named(q, host):
    """Records are named by their path, what it does not know is refused, and a token leads on."""
    if set(q) - {"pageSize", "pageToken", "orderBy"}:
        return 400, {}, {"error": {"message": "no such parameter"}}
    rows, start, size = [called(t) for t in THINGS], int(q.get("pageToken", "t0")[1:]), int(q.get("pageSize", 10))
    if "orderBy" in q:
        field, _, direction = q["orderBy"].partition(" ")
        rows = sorted(rows, key=lambda t: t[field], reverse=direction == "desc")
    return 200, {}, {"things": rows[start:start + size]} | ({"nextPageToken": f"t{start + size}"} if start + size < len(rows) else {})


@style
def asked(q, host):
    """The total and fields come where they are asked for."""
    rows, page, size = filtered(q), int(q.get("page", 1)), int(q.get("limit", 10))
    part = rows[(page - 1) * size:page * size]
    if "fields" in q:
        part = [{f: t[f] for f in q["fields"].split(",")} for t in part]
    return 200, {}, {"data": part} | ({"meta": {"total_count": len(THINGS), "filter_count": len(rows)}} if q.get("meta") == "*" else {})


@style
def items(q, host):
    """What it is shows only where counts are asked for, and nothing tells that a page has 25 records at most."""
    rows = filtered({k[7:-6]: v for k, v in q.items() if k.startswith("filter[") and k.endswith("][_eq]")})
    page, size = int(q.get("page", 1)), min(int(q.get("limit", 100)), 25)
    counts = {"total_count": len(THINGS), "filter_count": len(rows)}
    wanted = list(counts) if q.get("meta") == "*" else [name for name in q.get("meta", "").split(",") if name in counts]
    names = q["fields"].split(",") if "fields" in q else list(THINGS[0])
    part = [{name: t[name] for name in names} for t in rows[(page - 1) * size:page * size]]
    return 200, {}, {"data": part} | ({"meta": {name: counts[name] for name in wanted}} if wanted else {})


@style
def prefixed(q, host):
    """Members have the prefix of a vocabulary, and each field to sort by is a parameter of its own."""
    rows, page = filtered(q), int(q.get("page", 1))
    for name in [name for name in q if name.startswith("order[")]:
        rows = sorted(rows, key=lambda t: str(t[name[6:-1]]) if name[6:-1] == "note" else t[name[6:-1]], reverse=q[name] == "desc")
    size = int(q.get("itemsPerPage", 10))
    view = {"hydra:view": {"hydra:next": f"/prefixed/things?itemsPerPage={size}&page={page + 1}"}} if page * size < len(rows) else {}
    return 200, {}, {"hydra:totalItems": len(rows), "hydra:member": [{"@id": f"/prefixed/things/{t['id']}"} | t for t in rows[(page - 1) * size:page * size]]} | view


def worded(q, joins):
    """Conditions are words in one parameter: with the signs in `joins` between them, each a condition on equality."""
    rows, page, size = THINGS, int(q.get("page", 1)), int(q.get("perPage", 10))
    if "filter" in q:
        def holds(t, text):
            name, _, value = text.partition(" = ")
            return str(t.get(name)) == value.strip("'")
        text = q["filter"].strip("()")
        found = text.split(" || ") if "||" in joins else [text.split(" || ")[0]]
        rows = [t for t in rows if any(all(holds(t, c) for c in any_of.split(" && ")) for any_of in found)]
    return 200, {}, {"page": page, "perPage": size, "totalItems": len(rows), "totalPages": -(-len(rows) // size),
                     "items": rows[(page - 1) * size:page * size]}


@style
def either(q, host):
    return worded(q, "&& ||")


@style
def both(q, host):
    """Of two conditions that are joined by `||` it looks at the first alone."""
    return worded(q, "&&")


@style
def bare(q, host):
    """Takes conditions that are joined, and no parentheses around them."""
    return (400, {}, {"message": "no such sign"}) if "(" in q.get("filter", "") else worded(q, "&& ||")


@style
def picky(q, host):
    """Refuses conditions on some fields, records name others by their paths, and a single one stands in a list and has more."""
    if {"name", "state", "owner"} & set(q):
        return 400, {}, {"error": "this field does not allow filtering"}
    rows = [t | {"owner": f"/picky/people/{t['n'] % 4}", "meta": {"kind": "x"}} for t in filtered(q)]
    return 200, {}, {"meta": {"total_count": len(rows)}, "objects": cut(rows, q, "offset", "limit", 10, 100)}


@style
def after(q, host):
    last, size = int(q.get("starting_after", 0)), int(q.get("limit", 10))
    rows = [t for t in THINGS if t["id"] > last]
    return 200, {}, {"items": rows[:size], "has_more": len(rows) > size}


@style
def token(q, host):
    start, size = int(q.get("pageToken", "t0")[1:]), int(q.get("pageSize", 10))
    document = {"things": THINGS[start:start + size]}
    if start + size < len(THINGS):
        document["nextPageToken"] = f"t{start + size}"
    return 200, {}, document


@style
def holed(q, host):
    """Tokens lead on over a page without records."""
    start = int(q.get("cursor", "t0")[1:])
    rows = [] if start == 10 else THINGS[start:start + 5]
    return 200, {}, {"items": rows, "next": f"t{start + 5}" if start + 5 < len(THINGS) else None}


@style
def linked(q, host):
    page, size = int(q.get("page", 1)), min(int(q.get("per_page", 10)), 12)
    more = page * size < len(THINGS)
    key = q.get("sort", "").lstrip("-")
    rows = sorted(THINGS, key=lambda t: t[key], reverse=q["sort"].startswith("-")) if key in ("id", "name", "n") else THINGS
    head = {"Link": f'<http://{host}/linked/things?page={page + 1}&per_page={size}>; rel="next"'} if more else {}
    return 200, head, rows[(page - 1) * size:page * size]


@style
def shy(q, host):
    """All records unless a page is asked for, which alone tells what the service is, and the total."""
    rows = filtered(q)
    if "_sort" in q:
        rows = sorted(rows, key=lambda t: t[q["_sort"]], reverse=q.get("_order") == "desc")
    if "_limit" not in q:
        return 200, {}, rows
    page, size = int(q.get("_page", 1)), int(q["_limit"])
    head = {"X-Total-Count": str(len(rows)), "Access-Control-Expose-Headers": "X-Total-Count"}
    return 200, head, rows[(page - 1) * size:page * size]


@style
def whole(q, host):
    return 200, {}, THINGS


@style
def capped(q, host):
    """Shows 20 at most, no others, and counts what it shows."""
    part = THINGS[:min(int(q.get("limit", 20)), 20)]
    return 200, {}, {"count": len(part), "items": part}


@style
def tokened(q, host):
    """Shows 20 of 30 unless more are asked for; the token for the rest is sent as `from`."""
    begin, count = int(q.get("from", 0)), int(q.get("limit", 20))
    more = {"next_token": str(begin + count)} if begin + count < len(THINGS) else {}
    return 200, {}, {"total": len(THINGS), "items": THINGS[begin:begin + count], **more}


@style
def larger(q, host):
    """As tokened, without a way to the rest."""
    return tokened({name: value for name, value in q.items() if name != "from"}, host)


@style
def counted(q, host):
    """Comes whole, and says so whatever part is asked for."""
    return 200, {}, {"total": len(THINGS), "items": THINGS[:int(q.get("limit", 100))]}


@style
def deaf(q, host):
    """Its document has a parameter for pages that does nothing."""
    return 200, {}, THINGS[:17]


@style
def masked(q, host):
    """Hides what single records show, and counts how often it was asked."""
    rows = [t | {"key": "", "asked": len(LOG)} for t in THINGS]
    return 200, {}, cut(rows, q, "offset", "limit", 10, 15)


@style
def few(q, host):
    return 200, {}, THINGS[:2]


@style
def strict(q, host):
    """Refuses what it does not know, and more than 15."""
    if set(q) - {"limit", "offset"} or int(q.get("limit", 10)) > 15:
        return 400, {}, {"message": "no such parameter"}
    return 200, {}, cut(THINGS, q, "offset", "limit", 10, 15)


@style
def elsewhere(q, host):
    """Its next page is on another server."""
    return 200, {"Link": '<http://127.0.0.2:1/elsewhere/things?page=2>; rel="next"'}, THINGS[:10]


@style
def odd(q, host):
    """Its header fields are broken."""
    return 200, {"Link": '>; rel="next"<, <>;;rel=next, <', "Content-Range": "items /", "X-Total-Count": "-1"}, THINGS[:10]


@style
def limited(q, host):
    COUNTS["limited"] += 1
    if COUNTS["limited"] == 3:
        return 429, {"Retry-After": "1"}, {"message": "slow down"}
    return offset(q, host)


@style
def generous(q, host):
    """Records have links, other ones in a list than alone, and identifiers are read without what is at their end."""
    rows = [t | {"_links": {"self": {"href": f"/generous/things/{t['id']}"}}} for t in THINGS]
    return 200, {}, cut(rows, q, "offset", "limit", 10, 15)


def failing(name, answer):
    """The list of `offset`, until the service has had enough."""
    def list(q, host):
        COUNTS[name] = COUNTS.get(name, 0) + 1
        return offset(q, host) if COUNTS[name] <= 6 else answer()
    STYLES[name] = list


failing("tired", lambda: (503, {}, {"message": "not now"}))
failing("full", lambda: (429, {}, {"message": "enough"}))
failing("dying", lambda: os._exit(1))


@style
def described(q, host):
    return offset(q, host)


@style
def spelled(q, host):
    """Has parameters with names of its own, which its document tells, refuses all others, and tells its total as JSON in a header."""
    if set(q) - {"__page_size", "__page", "__order", "__visible_fields", "name", "n", "state"}:
        return 400, {}, {"message": "no such parameter"}
    rows, size, page = filtered(q), int(q.get("__page_size", 10)), int(q.get("__page", 1))
    if "__order" in q:
        key = q["__order"].lstrip("-")
        rows = sorted(rows, key=lambda t: t[key], reverse=q["__order"].startswith("-"))
    head = {"X-Pagination": json.dumps({"page": page, "totalCount": len(rows)})}
    rows = rows[(page - 1) * size:page * size]
    if "__visible_fields" in q:
        rows = [{k: t[k] for k in q["__visible_fields"].split(",")} for t in rows]
    return 200, head, {"rows": rows}


@style
def apart(q, host):
    """Is of a type of its own, without which it refuses to answer."""
    return 200, {}, {"data": cut(filtered(q), q, "offset", "limit", 10, 20), "total": len(filtered(q))}


@style
def related(q, host):
    """Is of JSON:API, and the types of its records are not the names of its lists."""
    rows = [related_thing(t) for t in cut(filtered(q), q, "page[offset]", "page[limit]", 10, 20)]
    return 200, {}, {"jsonapi": {"version": "1.0"}, "data": rows, "meta": {"total": len(filtered(q))}}


def related_thing(t):
    return {"type": "Thing", "id": str(t["id"]), "attributes": {k: t[k] for k in ("name", "n", "state")},
            "relationships": {"owner": {"data": {"type": "Person", "id": str(t["n"] % 3 + 1)}}, "rest": {"links": {"related": "/x"}}}}


PEOPLE = [{"type": "Person", "id": str(n), "attributes": {"name": f"person {n}"}} for n in range(1, 4)]


@style
def pages(q, host):
    """Shows pages for people, and records at addresses with an end of their own."""
    return 200, {}, {"things": cut(filtered(q), q, "offset", "limit", 10, 20), "total_count": len(filtered(q))}


@style
def broken(q, host):
    return 200, {}, THINGS


def reference(name):
    return {"$ref": "#/components/schemas/" + name}


DOCUMENTS = {
    # What it says of total, n, note, the length of state, and extra is not so; its server is another one.
    "described": {
        "openapi": "3.0.3", "servers": [{"url": "https://elsewhere.example.org/described"}],
        "paths": {
            "/things": {
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 15}}],
                "get": {"parameters": [{"name": "offset", "in": "query", "schema": {"type": "integer"}}, {"name": "sort", "in": "query"}],
                        "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"results": {
                            "type": "array", "items": reference("Thing")}}}}}}}},
                "post": {"requestBody": {"content": {"application/json": {"schema": reference("NewThing")}}}, "responses": {"201": {}}}},
            "/things/{thingId}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": reference("Thing")}}}}},
                                  "delete": {"responses": {"204": {}}}},
            "/logout": {"get": {"responses": {"204": {}}}}, "/reports/run": {"get": {"responses": {"200": {}}}}},
        "components": {"schemas": {
            "Base": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string", "maxLength": 40}}},
            "Thing": {"allOf": [reference("Base"), {"properties": {
                "n": {"type": "string"}, "state": {"type": "string", "enum": ["open", "done"], "maxLength": 3},
                "note": {"type": "integer", "enum": [1]}, "extra": {"type": "string"}}}]},
            "NewThing": {"allOf": [reference("Base")], "required": ["name"]}}}},
    "spelled": {
        "openapi": "3.1.0", "info": {"title": "spelled", "version": ""}, "servers": [{"url": "/spelled"}],
        "paths": {"/things": {"get": {"parameters": [{"name": name, "in": "query"} for name in (
            "name", "n", "state", "__order", "__page_size", "__page", "__visible_fields")], "responses": {"200": {}}}},
            "/things/{id}": {"get": {"responses": {"200": {}}}}}},
    "deaf": {
        "openapi": "3.1.0", "servers": [{"url": "/deaf"}],
        "paths": {"/things": {"get": {"parameters": [{"name": "page", "in": "query"}], "responses": {"200": {}}}},
                  "/things/{id}": {"get": {"responses": {"200": {}}}}}},
    # Refers to itself, to a file and to another server.
    "broken": {
        "openapi": "3.1.0",
        "paths": {"/things": {"get": {"responses": {"200": {"content": {"application/json": {"schema": reference("Loop")}}}}}},
                  "/others": {"$ref": "file:///etc/passwd"}, "/more": {"$ref": "http://127.0.0.2:1/openapi.json#/paths/x"}},
        "components": {"schemas": {"Loop": {"allOf": [reference("Loop"), {"type": "array", "items": reference("Loop")}]}}}},
}


class Service(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)} {self.headers.get('Authorization', '')}".strip())
        names, kind, q = self.names, self.names[0], self.query
        if kind == "login":
            return self.reply(200, "<!doctype html><title>Sign\n in</title><form>Password</form>", kind="text/html; charset=utf-8")
        if kind == "guarded" and self.headers.get("Authorization") != "Bearer t0k":
            return self.reply(401, {"message": "who are you?"})
        if names[1:] == ["openapi.json"] and kind in DOCUMENTS:
            return self.reply(200, DOCUMENTS[kind])
        if kind in ("tired", "full") and COUNTS.get(kind, 0) > 6:
            return self.style(STYLES[kind](q, ""))
        if kind == "pages":
            if not self.url.path.endswith(".json"):
                return self.reply(200, "<html>things</html>", kind="text/html")
            names[-1] = names[-1][:-5]
        if kind == "apart" and self.headers.get("Accept") != "application/vnd.shop+json":
            return self.reply(406, {}, kind="application/vnd.shop+json")
        if names == ["apart"]:
            return self.reply(200, {"data": {"things": f"http://{self.headers['Host']}/apart/things"}})
        if names == ["related"]:
            return self.reply(200, {"links": {"things": "/related/things", "people": "/related/people"}})
        if kind == "related" and names[1:2] == ["people"] and self.command != "OPTIONS":
            found = [p for p in PEOPLE if p["id"] == names[-1]]
            return self.reply(200, {"jsonapi": {}, "data": found[0] if found else PEOPLE}) if found or len(names) == 2 else self.reply(404, {})
        if names == ["picky"]:
            return self.reply(200, {"things": {"list_endpoint": "/picky/things", "schema": "/picky/things/schema"}})
        list = STYLES.get("offset" if kind == "guarded" else kind)
        if kind == "slashed" and self.url.path.endswith("/") != (len(names) == 2):
            return self.reply(404, {"message": "not found"})
        if list is None or names[1:2] != ["things"] or len(names) > 3:
            return self.reply(404, {"message": "not found"})
        if self.command == "OPTIONS":
            return self.reply(200, {}, {"Allow": "GET, POST" if len(names) == 2 else "GET, PATCH, DELETE"})
        if len(names) == 2:
            return self.style(list(q, self.headers["Host"]))
        if kind == "generous":
            names[2] = unquote(names[2]).rstrip("/. ")
        found = [t for t in THINGS if str(t["id"]) == names[2]]
        more = {"_links": {"self": {"href": "/generous"}, "home": {"href": "/"}}} if kind == "generous" else {"detail": "x"}
        if kind == "masked" and found:
            return self.reply(200, found[0] | {"key": f"secret {names[2]}", "asked": len(LOG)})
        if kind == "named" and found:
            return self.reply(200, called(found[0]))
        if kind == "related" and found:
            return self.reply(200, {"jsonapi": {}, "data": related_thing(found[0])})
        if kind == "inside" and found:
            return self.reply(200, {"data": inner(found[0])})
        if kind == "picky" and found:
            return self.reply(200, {"objects": [found[0] | {"owner": f"/picky/people/{found[0]['n'] % 4}", "meta": {"kind": "x", "seen": 3}}]})
        self.reply(200, found[0] | more) if found else self.reply(404, {"message": "no such thing"})

    def style(self, answer):
        status, head, document = answer
        self.reply(status, document, head)


serve(Service)
