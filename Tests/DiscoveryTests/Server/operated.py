"""Services as operators have them, in small: the first part of the path names one. `GET /log` answers with the requests so far, one a line;
`GET /KIND/left` with the records that were not there at first."""
import re
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, serve



def rows(count, make):
    return {key: row for key, row in (make(n) for n in range(1, count + 1))}


class Service:
    """Reads lists, and nothing more."""
    options = (200, ["GET"], ["GET"])     # the status of OPTIONS, and what lists and records take
    document = None
    key = ("name",)
    tells = True                          # whether OPTIONS does

    def __init__(self):
        self.rows = self.fill()
        self.first = set(self.rows)

    def list(self, q):
        return 200, list(self.rows.values())

    def one(self, names):
        row = self.rows.get(tuple(names))
        return (200, row) if row else (404, {"error": "not found", "reason": "no such record"})

    def write(self, verb, names, body):
        return 405, {"message": "not so"}


class domains(Service):
    """Pages need number and size together; behind the last one there is no list at all. A link names each record."""
    def fill(self):
        return rows(13, lambda n: ((f"host{n}",), {"host": f"host{n}", "text": ["a", "b"][n % 2], "self_link": f"/domains/things/host{n}"}))

    def list(self, q):
        whole = list(self.rows.values())
        if ("page" in q) != ("count" in q):
            return 400, {"message": "one without the other"}
        if "page" in q:
            size = int(q["count"])
            whole = whole[(int(q["page"]) - 1) * size:int(q["page"]) * size]
        return 200, {"start": 0, "total_size": len(self.rows)} | ({"entries": whole} if whole else {})


class hosts(Service):
    """Pages come in an object and the whole list bare; records are made by PUT, with a name of one's choice in the path alone."""
    options = (200, ["GET"], ["GET", "PUT", "DELETE"])

    def fill(self):
        return rows(13, lambda n: ((f"host{n * 7 % 13:02}",), {"name": f"host{n * 7 % 13:02}", "text": f"text {n}", "number": n * 5 % 13, "state": "up"}))

    def list(self, q):
        found = [r for r in self.rows.values() if "page" not in q or q.get("name", "") in r["name"]]
        if "sort" in q:
            found = sorted(found, key=lambda r: r[q["sort"]] if q["sort"] in r else 0, reverse=q.get("sort_reverse") == "true")
        shown = [{k: v for k, v in r.items() if "columns" not in q or k in q["columns"].split(",")} for r in found]
        if "page" not in q:
            return 200, shown
        page, size = int(q["page"]), int(q.get("page_size", 100))
        if size > 500 or page < 1 or page > 1 and (page - 1) * size >= len(shown):
            return 400, {"error": "bad", "reason": "no such page"}
        part = shown[(page - 1) * size:page * size]
        return 200, {"items": part, "item_count": len(part), "filtered_count": len(shown), "page": page, "page_size": size}

    def write(self, verb, names, body):
        names = tuple(names)
        if verb == "DELETE":
            return (204, None) if self.rows.pop(names, None) else (404, {"error": "not found", "reason": "no such record"})
        if len(names) != len(self.key):
            return 405, None
        if "number" not in body:
            return 400, {"error": "bad_request", "reason": "number_not_present"}
        known = names in self.rows
        self.rows[names] = dict(zip(self.key, names)) | {"text": body.get("text", ""), "number": body["number"], "state": "up"}
        return 204 if known else 201, None


class queues(hosts):
    """What holds a record is a part of its name."""
    key = ("vhost", "name")

    def fill(self):
        return rows(7, lambda n: (("/", f"queue{n}"), {"vhost": "/", "name": f"queue{n}", "text": f"text {n}", "number": n, "state": "up"}))

    def list(self, q):
        return 200, list(self.rows.values())


class silences(Service):
    """The path of a record has the list's name in the singular, POST to the list changes one, and a deleted one is expired."""
    options = (405, ["GET", "POST"], ["GET", "DELETE"])
    last = 12

    def fill(self):
        return rows(12, lambda n: ((f"s-{n}",), {"id": f"s-{n}", "status": {"state": "active"}, "by": f"person {n}", "comment": f"comment {n}", "ends": f"2039-01-{n:02}"}))

    def write(self, verb, names, body):
        if verb == "DELETE":
            self.rows[tuple(names)]["status"] = {"state": "expired"}
            return 200, None
        for name in ("by", "comment", "ends"):
            if not body.get(name):
                return 422, {"message": f"{name} in body is required"}
        known = (body["id"],) if "id" in body else None
        if known and known not in self.rows:
            return 404, {"message": "no such silence"}
        if not known:
            self.last += 1
            known = (f"s-{self.last}",)
        self.rows[known] = {"id": known[0], "status": {"state": "active"}} | {name: body[name] for name in ("by", "comment", "ends")}
        return 200, {"silence": known[0]}


class alerts(Service):
    """Nothing leads to a single record."""
    options = (405, ["GET", "POST"], None)

    def fill(self):
        return rows(11, lambda n: ((n,), {"fingerprint": f"{n * 7919:08x}", "starts": "2030-01-01T00:00:00Z"}))

    def one(self, names):
        return 404, {"message": "not found"}


class held(Service):
    """One parameter holds the whole query, as Rison."""
    key = ("id",)

    def fill(self):
        return rows(30, lambda n: ((str(n),), {"id": n, "name": f"thing {n:02}", "n": n * 7 % 31}))

    document = {"openapi": "3.0.3", "paths": {"/held/things": {"get": {
        "parameters": [{"in": "query", "name": "q", "content": {"application/json": {"schema": {"type": "object", "properties": {
            "filters": {"type": "array", "items": {"type": "object", "properties": {"col": {"type": "string"}, "opr": {"type": "string"}, "value": {}}}},
            "order_column": {"type": "string"}, "order_direction": {"type": "string", "enum": ["asc", "desc"]},
            "page": {"type": "integer"}, "page_size": {"type": "integer"}}}}}}],
        "responses": {"200": {"content": {"application/json": {"schema": {"type": "object", "properties": {
            "count": {"type": "integer"}, "result": {"type": "array", "items": {"type": "object"}}}}}}}}}},
        "/held/things/{pk}": {"get": {"responses": {"200": {}}}}}}

    def list(self, q):
        text = q.get("q", "")
        def word(name, usual):
            return (re.search(rf"\b{name}:([\w-]+)", text) or [None, usual])[1]
        found = list(self.rows.values())
        for field, sign, value in re.findall(r"col:(\w+),opr:(\w+),value:('[^']*'|[\w ]+)", text):
            value = value.strip("'")
            found = [r for r in found if (str(r[field]) == value if sign == "eq" else value in str(r[field]) if sign == "ct" else False)]
        order = word("order_column", None)
        if order:
            found = sorted(found, key=lambda r: r[order], reverse=word("order_direction", "asc") == "desc")
        page, size = int(word("page", 0)), min(int(word("page_size", 10)), 20)
        return 200, {"count": len(found), "result": found[page * size:(page + 1) * size]}


class members(Service):
    """An object with a record for each name, which the record has, too, and a list in each."""
    tells = False

    def fill(self):
        return rows(7, lambda n: ((f"ann-{n}",), {"kind": "thing", "name": f"ann-{n}", "size": n, "keys": [{"id": n, "text": "k"}]}))

    def list(self, q):
        return 200, {name: row for (name,), row in self.rows.items()}


class colours(members):
    """The same with records that do not have their names."""
    def fill(self):
        return rows(7, lambda n: ((f"c{n}",), {"red": n, "green": n * 2, "shown": n % 2 == 0}))


class state(Service):
    """The parts of one record: some are alike, some not, and none has a path."""
    tells = False

    def fill(self):
        return {}

    def list(self, q):
        return 200, {"cpu": {"used": 1, "total": 2, "name": "x86"}, "memory": {"used": 3, "total": 4, "name": "ddr"}}


class mixed(state):
    def list(self, q):
        return 200, {"server": {"name": "server", "port": 80}, "limits": {"rate": 3, "burst": 5, "name": "limits", "wait": 1}}


class users(Service):
    """Each is made at its own path; a POST to the list is for many at once. Parts of names are found, no other condition is known."""
    tells = False
    method = "POST"
    options = (204, ["POST"], ["POST", "PUT", "PATCH", "DELETE"])

    def fill(self):
        return rows(12, lambda n: ((f"ann {n}",), self.row(f"ann {n}", n % 3 == 0)))

    def row(self, name, admin):
        return {"kind": "thing", "name": name, "pending": None, "admin": admin, "created": f"2026-01-{len(name) + 10}T10:00:00Z", "roles": []}

    def list(self, q):
        return 200, [r for r in self.rows.values() if q.get("name__contains", "") in r["name"]]

    def write(self, verb, names, body):
        if not names:
            return 400, {"message": "give the names of several"}
        known = tuple(names) in self.rows
        if verb == "DELETE":
            return (204, None) if self.rows.pop(tuple(names), None) else (404, {"message": "no such user"})
        if verb == "PATCH" and known:
            self.rows[tuple(names)]["admin"] = bool(body.get("admin"))
            return 200, self.rows[tuple(names)]
        if verb != self.method:
            return 405, {"message": "not so"}
        if set(body) - {"name", "admin"}:
            return 400, {"message": "what else is that?"}
        if known:
            return 409, {"message": f"{names[0]} is there"}
        self.rows[tuple(names)] = self.row(names[0], bool(body.get("admin")))
        return 201, self.rows[tuple(names)]


class shares(users):
    """Its list takes no POST at all, and a record wants its name in the body, too. Only beginnings of names are found."""
    method = "PUT"
    options = (204, [], ["PUT", "PATCH", "DELETE"])

    def list(self, q):
        return 200, [r for r in self.rows.values() if r["name"].startswith(q.get("name__contains", ""))]

    def write(self, verb, names, body):
        return (400, {"message": "which?"}) if verb == "PUT" and body.get("name") != names[0] else super().write(verb, names, body)


class teams(users):
    """Its document says that one is made at its own path, and what of it."""
    document = {"openapi": "3.0.3", "paths": {
        "/teams/things": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {
            "type": "object", "properties": {"name": {"type": "string"}, "admin": {"type": "boolean"}, "kind": {"type": "string"}, "roles": {"type": "array"}}}}}}}}}},
        "/teams/things/{name}": {"get": {"responses": {"200": {}}}, "delete": {"responses": {"204": {}}}, "post": {
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"admin": {"type": "boolean"}}}}}},
            "responses": {"201": {}}}}}}


KINDS = {kind.__name__: kind() for kind in (
    domains, hosts, queues, silences, alerts, held, members, colours, state, mixed, users, shares, teams)}


class Front(Handler):
    has_lines = True

    def respond(self):
        names = [unquote(name) for name in self.names]
        kind = KINDS.get(names[0])
        if kind and names[1:] == ["left"]:
            return self.answer(200, [row for key, row in kind.rows.items() if key not in kind.first])
        LOG.append(f"{self.command} {unquote(self.path)}")
        if kind and kind.document and names[1:] == ["openapi.json"]:
            return self.answer(200, kind.document)
        single = "silence" if names[0] == "silences" else "things"
        lists = {"silences": "silences", "queues": "queues"}.get(names[0], "things")
        if kind is None or len(names) < 2 or names[1] not in (single if len(names) > 2 else lists, lists):
            return self.answer(404, {"message": "not found"})
        if len(names) > 2 and (names[1] != (single if single == "silence" else lists) or len(names) - 2 != len(kind.key)):
            return self.answer(404, {"error": "not found", "reason": "nothing is there"})
        status, atList, atRecord = kind.options
        allowed = atList if len(names) == 2 else atRecord
        if self.command == "OPTIONS" and not kind.tells:
            return self.answer(204, None)
        if self.command == "OPTIONS" and allowed:
            return self.answer(status, {}, {"Allow": ", ".join(allowed)})
        if self.command not in (allowed or []) + ["GET", "HEAD"]:
            return self.answer(405, {"message": "not so"}, {"Allow": ", ".join(allowed or [])})
        if self.command in ("GET", "HEAD"):
            return self.answer(*(kind.list(dict(parse_qsl(self.url.query))) if len(names) == 2 else kind.one(names[2:])))
        self.answer(*kind.write(self.command, names[2:], self.json({})))

    def answer(self, status, document, head={}):
        self.reply(status, b"" if document is None else document, head)


serve(Front)
