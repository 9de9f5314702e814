"""A service that takes bodies only as its document describes them, and lists that no usual way pages; beside it two indices and a list of
names. `GET /log` answers with the requests so far, each with its body."""
import json
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, serve

ROWS = {
    "plain": [{"id": n, "name": f"plain {n}"} for n in range(1, 4)],
    "firewalls": [{"id": n, "name": f"wall {n}", "note": "n"} for n in range(1, 4)],
    "products": [{"id": n, "name": f"product {n}", "price": n} for n in range(1, 4)],
    "users": [{"username": f"user-{c}", "quota": n} for n, c in enumerate("abc")],
    "rooms": [{"id": n, "name": f"room {n}", "size": n} for n in range(1, 4)],
    "roles": [{"id": n, "name": f"role {n}", "permissions": ["read"]} for n in range(1, 4)],
    "checks": [{"id": n, "name": f"check {n}"} for n in range(1, 4)],
    "pods": [{"id": n, "name": f"pod {n}"} for n in range(1, 30)],
    "instances": [{"id": n, "region": "eu", "label": f"label {n}", "owner": {"id": "o1", "name": "One"}} for n in range(1, 4)],
    # Lists show less of a goal than its own path does.
    "goals": [{"id": n, "name": f"goal {n}", "lead": {"id": "o1", "name": "One"}, "team": {}} for n in range(1, 4)],
    "notes": [{"id": n, "name": f"note {n}"} for n in range(1, 4)],
    "sheets": [{"id": n, "name": f"sheet {n}"} for n in range(1, 4)],
    "files": [{"file_name": f"f{n}.gz", "sum": f"s{n}"} for n in range(1, 4)],
    "visits": [{"page": f"p{n % 2}", "count": 3} for n in range(1, 4)],
    "things": [{"id": n, "name": f"thing {n}", "state": "open", "made": "x"} for n in range(1, 4)],
    "apps": [{"id": n, "name": f"app {n}", "note": "n"} for n in range(1, 4)],
    "members": [{"id": n, "name": f"member {n}", "admin": False} for n in range(1, 4)],
    "applications": [{"metadata": {"name": f"app-{n}"}, "spec": {"project": f"p{n}"}} for n in range(1, 4)],
    "Accounts.json": [{"sid": f"AC{n}", "name": f"account {n}"} for n in range(1, 4)],
    "tasks": [{"id": n, "name": f"task {n}"} for n in range(1, 30)],
    "jobs": [{"id": n, "name": f"job {n}"} for n in range(1, 30)],
    "domains": [{"id": n, "name": f"domain {n}"} for n in range(1, 110)],
}
PROFILE = {"name": "Ann", "city": "Graz", "teams": [{"id": 1, "name": "team 1"}]}
CALLS = [{"sid": f"CA{n}", "name": f"call {n}"} for n in range(1, 3)]


def record(required=(), **types):
    properties = {name: kind if isinstance(kind, dict) else {"type": kind} for name, kind in types.items()}
    return {"type": "object", "properties": properties} | ({"required": list(required)} if required else {})


def content(schema, kind="application/json"):
    return {"content": {kind: {"schema": schema}}}


def answer(schema, **more):
    return {"200": content(schema) | more}


def body(schema, kind="application/json"):
    return {"requestBody": content(schema, kind)}


def listed(schema, member=None, query=(), around=(), **more):
    schema = {"type": "array", "items": schema}
    if member:
        schema = record(**{member: schema} | dict(around))
    parameters = [{"name": name, "in": "query", "schema": kind} for name, kind in query]
    return {"get": {"parameters": parameters, "responses": answer(schema, **more)}}


def got(schema):
    return {"responses": answer(schema)}


ID = {"type": "integer", "readOnly": True}
PLAIN = record(id="integer", name="string")
FIREWALL, NAMED = record(id=ID, name="string", note="string"), record(["name"], name="string", note="string")
PRODUCT = record(["name"], id=ID, name="string", price="number")
USER = record(["username"], username="string", quota="integer")
ROOM = record(id=ID, name="string", size="integer")
TEXTS = {"type": "array", "items": {"type": "string"}}
ROLE = record(id=ID, name="string", permissions=TEXTS)
INSTANCE = record(id=ID, region={"type": "string", "readOnly": True}, label="string", owner=record(id="string", name="string"))
NEW = record(["region", "password"], region="string", label="string", owner="string", password={"type": "string", "format": "password"})
GOAL = record(id=ID, name="string", lead=record(id="string", name="string"), team=record(id="string"))
FILE, VISIT = record(file_name="string", sum="string"), record(page="string", count="integer")
MEMBER, CHANGE = record(id=ID, name="string", admin="boolean"), record(name="string", admin="boolean")
APPLICATION = record(metadata=record(["name"], name="string"), spec=record(project="string"))
ACCOUNT = record(sid="string", name="string")
SHEET, ANY = (record(data=schema, rights=record(read=TEXTS)) for schema in (PLAIN, {"type": "object", "additionalProperties": {}}))


def noted(schema):
    """What all responses of a service have around their result."""
    notices = {"type": "array", "items": record(["code", "message"], code="integer", message="string")}
    return record(success="boolean", errors=notices, messages=notices, result=schema)


COUNT, TEXT = {"type": "integer"}, {"type": "string"}
DOCUMENT = {
    "openapi": "3.0.3", "info": {"title": "bodies", "version": "1"}, "servers": [{"url": "/v1"}],
    "paths": {
        "/plain": listed(PLAIN), "/plain/{id}": {"get": got(PLAIN)},
        "/firewalls": listed(FIREWALL, "firewalls") | {"post": body(NAMED) | got(record(firewall=FIREWALL))},
        "/firewalls/{id}": {"get": got(record(firewall=FIREWALL)), "put": body(NAMED) | got(record(firewall=FIREWALL))},
        "/products": listed(PRODUCT, "items") | {"post": body(record(["product"], product=PRODUCT, options="boolean")) | got(PRODUCT)},
        "/products/{id}": {"get": got(PRODUCT), "put": body(record(product=PRODUCT, options="boolean")) | got(PRODUCT)},
        "/users": listed(USER) | {"post": body(USER) | got(USER)}, "/users/{username}": {"get": got(USER)},
        "/rooms": listed(ROOM) | {"post": body(record(["name"], name="string", size="integer"), "application/x-www-form-urlencoded") | got(ROOM)},
        "/rooms/{id}": {"get": got(ROOM)},
        "/roles": listed(ROLE) | {"post": body(record(["name"], name="string", permissions=TEXTS), "application/x-www-form-urlencoded") | got(ROLE)},
        "/roles/{id}": {"get": got(ROLE)},
        "/checks": {"get": got(noted({"type": "array", "items": PLAIN}))},
        "/checks/{id}": {"get": got(noted(PLAIN)), "put": body(record(["name"], name="string")) | got(noted(PLAIN))},
        "/checks/{id}/health": {"get": got(noted(record(up="boolean")))},
        "/profile": {"get": got(noted(record(name="string", city="string", teams={"type": "array", "items": PLAIN}))),
                     "patch": body(record(city="string")) | got(noted(record(name="string", city="string")))},
        "/instances": listed(INSTANCE) | {"post": body(NEW) | got(INSTANCE)},
        "/instances/{id}": {"get": got(INSTANCE), "put": body(record(label="string", owner="string")) | got(INSTANCE)},
        "/goals": listed(PLAIN, "goals"),
        "/goals/{id}": {"get": got(GOAL), "put": body(record(name="string", lead="string", team="string")) | got(GOAL)},
        # A new note is sent as it is, a changed one in a member.
        "/notes": listed(PLAIN) | {"post": body(record(["name"], name="string")) | got(PLAIN)},
        "/notes/{id}": {"get": got(PLAIN), "put": body(record(note=record(["name"], name="string"), silent="boolean")) | got(PLAIN)},
        "/sheets": listed(PLAIN, "data") | {"post": body(ANY) | got(SHEET)},
        "/sheets/{id}": {"get": got(SHEET), "patch": body(ANY) | got(SHEET)},
        # Files are named by a field with the name of the variable, and not read; nothing names a visit.
        "/files": listed(FILE), "/files/{file_name}": {"get": {"responses": {"200": {"description": "the content"}}}},
        "/visits": listed(VISIT),
        "/apps": listed(FIREWALL) | {"post": body(NAMED) | got(FIREWALL)},
        "/apps/{id}": {"put": body(NAMED) | got(FIREWALL), "delete": {"responses": {"204": {}}}},
        "/members": listed(MEMBER) | {"post": body(CHANGE) | got(MEMBER)},
        "/members/{id}": {"get": got(MEMBER), "post": body(CHANGE) | got(MEMBER)},
        "/applications": listed(APPLICATION, "items") | {"post": body(APPLICATION) | got(APPLICATION)},
        "/applications/{name}": {"get": got(APPLICATION)},
        "/Accounts.json": listed(ACCOUNT, "accounts"), "/Accounts/{Sid}.json": {"get": got(ACCOUNT)},
        "/Accounts/{Sid}/Calls.json": listed(ACCOUNT, "calls"), "/Accounts/{Sid}/Calls/{CallSid}.json": {"get": got(ACCOUNT)},
        "/tasks": listed(PLAIN, "data", [("limit", COUNT), ("offset", TEXT)], {"next_page": record(offset="string")}),
        "/tasks/{id}": {"get": got(PLAIN)},
        "/pods": listed(PLAIN, "items", [("limit", COUNT), ("continue", TEXT)], {"metadata": record(**{"continue": "string"})}),
        "/pods/{id}": {"get": got(PLAIN)},
        "/jobs": listed(PLAIN, None, [("per_page", COUNT), ("next_token", TEXT)], headers={"X-Jobs-NextToken": {"schema": TEXT}}),
        "/jobs/{id}": {"get": got(PLAIN)},
        "/domains": listed(PLAIN, "data", [("page", COUNT), ("page_size", COUNT | {"minimum": 25, "maximum": 500})]),
        "/domains/{id}": {"get": got(PLAIN)},
        "/names": {"get": {"responses": answer({"type": "array", "items": {"type": "string"}})}},
    },
}
SCHEMA = record(name={"type": "string", "maxLength": 40}, state={"type": ["string", "null"], "enum": ["open", "done"]},
                made={"type": "string", "readonly": True})
# What each body may have, what it must have, and what holds it.
FORMS = {
    ("POST", "firewalls"): ({"name", "note"}, {"name"}, None), ("PUT", "firewalls"): ({"name", "note"}, {"name"}, None),
    ("POST", "products"): ({"name", "price"}, {"name"}, "product"), ("PUT", "products"): ({"name", "price"}, {"name"}, "product"),
    ("POST", "users"): ({"username", "quota"}, {"username"}, None), ("POST", "rooms"): ({"name", "size"}, {"name"}, None),
    ("POST", "roles"): ({"name", "permissions"}, {"name"}, None), ("PUT", "checks"): ({"name"}, {"name"}, None),
    ("POST", "instances"): ({"region", "label", "owner", "password"}, {"region", "password"}, None),
    ("PUT", "instances"): ({"label", "owner"}, set(), None), ("PUT", "notes"): ({"name"}, {"name"}, "note"),
    ("POST", "sheets"): ({"name"}, {"name"}, "data"), ("PATCH", "sheets"): ({"name"}, {"name"}, "data"),
    ("POST", "notes"): ({"name"}, {"name"}, None), ("PUT", "goals"): ({"name", "lead", "team"}, set(), None), ("POST", "apps"): ({"name", "note"}, {"name"}, None),
    ("PUT", "apps"): ({"name", "note"}, {"name"}, None), ("POST", "members"): ({"name", "admin"}, set(), None),
    ("POST", "applications"): ({"metadata", "spec"}, {"metadata"}, None),
}


class Bodies(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)} {self.body.decode()}".strip())
        if self.url.path == "/v1/openapi.json":
            return self.reply(200, DOCUMENT)
        if self.names[0] != "v1":
            found = self.elsewhere()
        else:
            found = self.found(*map(unquote, self.names[1:])) if self.command == "GET" else self.write(*self.names[1:])
        self.reply(404, {"message": "not found"}) if found is None else self.reply(*found)

    def elsewhere(self):
        match [self.command] + self.names:
            case ["GET", "index"]:
                return 200, {"status": "ok", "data": {"things": {"link": "/index/things"}, "names": {"link": "/index/names"}}}
            case ["GET", "index" | "routes", "things"]:
                return 200, ROWS["plain"]
            case ["GET", "index", "names"]:
                return 200, {"keys": ["ann", "bob", "eve"], "warnings": None}
            case ["OPTIONS", "press", "things"]:
                arguments = {"name": {"required": True}}
                return 200, {"methods": ["GET", "POST"], "endpoints": [{"methods": ["GET"], "args": {}}, {"methods": ["POST"], "args": arguments}],
                             "schema": SCHEMA}, {"Allow": "GET, POST"}
            case ["GET", "press" | "schema" | "hydra" as kind, "things"]:
                rows = [row | ({"@type": "Thing"} if kind == "hydra" else {}) for row in ROWS["things"]]
                link = {"schema": '</schema/thing.json>; rel="describedby"',
                        "hydra": '</hydra/docs>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"'}.get(kind)
                return 200, rows, {"Link": link} if link else {}
            case ["GET", "schema", "thing.json"]:
                return 200, {"type": "array", "items": SCHEMA | {"required": ["name"]}}
            case ["GET", "hydra", "docs"]:
                known = [{"hydra:title": "name", "hydra:required": True, "hydra:writeable": True}, {"hydra:title": "made", "hydra:writeable": False}]
                return 200, {"hydra:supportedClass": [{"hydra:title": "Other"}, {"hydra:title": "Thing", "hydra:supportedProperty": known}]}
            case ["GET", "routes"]:
                endpoints = [{"methods": ["GET"], "args": {"page": {"type": "integer"}}}, {"methods": ["POST"], "args": {}}]
                routes = {path: {"methods": ["GET", "POST"], "endpoints": endpoints} for path in ("/things", "/things/(?P<id>[0-9]+)")}
                return 200, {"name": "x", "versions": ["v1"], "routes": routes}
            case ["GET", "own", "pages"]:
                return 200, {"items": [{"@at": f"/own/pages/page-{n}", "title": f"Page {n % 2}"} for n in range(1, 7)]}
            case ["GET", "own", "pages", name] if name in [f"page-{n}" for n in range(1, 7)]:
                return 200, {"@at": f"/own/pages/{name}", "title": f"Page {int(name[5:]) % 2}", "text": "t"}
        return None

    @staticmethod
    def noted(name, found):
        """A response in the envelope of its service, if that has one."""
        return {"success": True, "errors": [], "messages": [], "result": found} if name in ("checks", "profile") else found

    def found(self, name=None, id=None, *rest):
        if name == "profile":
            return 200, self.noted(name, PROFILE)
        if name == "names" and id is None:
            return 200, ["ann", "bob", "eve"]
        if name == "Accounts" and rest:
            return 200, {"calls": CALLS} if rest == ("Calls.json",) else CALLS[0]
        if rest == ("health",):
            return 200, self.noted(name, {"up": True})
        if name not in ROWS and not (name == "Accounts" and id):
            return None
        if id is None:
            return self.page(name)
        if name in ("files", "visits"):
            return 400, {"message": "token is required"}
        if name in ("apps", "names"):
            return 405, {"message": "method not allowed"}
        rows = ROWS.get(name, ROWS["Accounts.json"])
        row = next((row for row in rows if self.key(row) == id.removesuffix(".json")), None)
        return row and (200, self.held(name, row))

    def held(self, name, row):
        """A record in the member that holds it."""
        holder = {"firewalls": "firewall", "sheets": "data"}.get(name)
        return {holder: row} if holder else self.noted(name, row)

    @staticmethod
    def key(row):
        return str(row.get("username") or row.get("file_name") or row.get("page") or row.get("sid") or row.get("id") or row["metadata"]["name"])

    def page(self, name):
        rows, q = ROWS[name], self.query
        if name in ("tasks", "jobs", "pods"):
            place = q.get("offset", q.get("next_token", q.get("continue", "t0")))
            start, size = int(place[1:]), int(q.get("limit", q.get("per_page", 10)))
            token = f"t{start + size}" if start + size < len(rows) else None
            page = rows[start:start + size]
            if name == "tasks":
                return 200, {"data": page, "next_page": {"offset": token} if token else None}
            if name == "pods":
                return 200, {"items": page, "metadata": {"continue": token or ""}}
            return 200, page, {"X-Jobs-NextToken": token} if token else {}
        if name == "domains":
            size, number = int(q.get("page_size", 100)), int(q.get("page", 1))
            if not 25 <= size <= 500 or number < 1:
                return 400, {"message": "page_size must be 25 to 500"}
            page = rows[(number - 1) * size:number * size]
            return (200, {"data": page}) if page else (404, {"message": "no such page"})
        if name == "goals":
            return 200, {"goals": [{"id": row["id"], "name": row["name"]} for row in rows]}
        members = {"firewalls": "firewalls", "products": "items", "sheets": "data", "applications": "items", "Accounts.json": "accounts"}
        return 200, {members[name]: rows} if name in members else self.noted(name, rows)

    def write(self, name=None, id=None, *_):
        if (self.command, name) == ("PATCH", "profile"):
            PROFILE.update(self.json())
            return 200, self.noted(name, PROFILE)
        row = next((row for row in ROWS.get(name, []) if self.key(row) == id), None)
        if self.command == "DELETE" and row:
            ROWS[name].remove(row)
            return 204, None
        if (self.command, name) not in FORMS or (id and row is None):
            return 405, {"message": "method not allowed"}
        isForm = name in ("rooms", "roles")
        if (self.headers["Content-Type"] == "application/x-www-form-urlencoded") != isForm:
            return 415, {"message": "unsupported media type"}
        known, required, holder = FORMS[self.command, name]
        pairs = parse_qsl(self.body.decode()) if isForm else []
        fields = dict(pairs) if isForm else json.loads(self.body)
        if "permissions" in fields:
            fields["permissions"] = [value for key, value in pairs if key == "permissions"]
        fields = fields.get(holder, {}) if holder else fields
        owners = {key for key in ("owner", "lead", "team") if fields.get(key) is not None}
        if set(fields) - known or not set(fields) >= required or not all(isinstance(fields[key], str) for key in owners):
            return 400, {"message": f"this is no record of {name}"}
        fields |= {key: {"id": fields[key], "name": "One"} for key in owners}
        fields.pop("password", None)
        if row is None:
            row = {} if name in ("users", "applications") else {"id": len(ROWS[name]) + 1}
            ROWS[name].append(row)
        row.update(fields)
        return 201 if id is None else 200, self.held(name, row)


serve(Bodies)
