"""A service whose document has paths of unusual shapes. `GET /log` answers with the requests so far."""
from urllib.parse import unquote

from loopback import LOG, Handler, serve


def record(**types):
    return {"type": "object", "properties": {name: kind if isinstance(kind, dict) else {"type": kind} for name, kind in types.items()}}


def array(schema):
    return {"type": "array", "items": schema}


def got(schema, *query):
    parameters = [{"name": name, "in": "query", "schema": {"type": "integer"}} for name in query]
    return {"get": {"parameters": parameters, "responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}


def body(schema, status="200"):
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": {status: {"description": "done"}}}


GONE = {"delete": {"responses": {"204": {"description": "gone"}}}}
ROW = record(id="integer", name="string")
SLOT = record(day="string", hour="string", name="string")
DOCUMENT = {
    "openapi": "3.0.3", "info": {"title": "shaped", "version": "1"}, "servers": [{"url": "/v1"}],
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "key"}}},
    "paths": {
        "/rooms": got(array(ROW)), "/rooms/{id}": got(ROW),
        # Lists whose paths end in a variable.
        "/objects/{type}": got(record(results=array(ROW)), "limit", "offset") | {"post": body(record(name="string"), "201")},
        "/objects/{type}/{id}": got(ROW) | GONE,
        "/rooms/{id}/guests/{kind}": got(array(ROW)),
        # Records that no list shows, and that do not show their key.
        "/flags/{flag}": got(record(value="string")) | {"put": body(record(value="string"))} | GONE,
        # Records with two variables: of a list that shows them, below others, and of one that does not.
        "/seats": got(array(SLOT)), "/seats/{day}/{hour}": got(SLOT) | GONE,
        "/teams/{team}/slots": got(array(SLOT)), "/teams/{team}/slots/{day}/{hour}": got(SLOT) | GONE,
        "/teams/{team}/slots/{day}/{hour}/notes": got(array(ROW)),
        "/stores": got(array(record(name="string"))), "/stores/{region}/{name}": got(record(name="string")) | GONE,
        "/stores/{region}/{name}/items": got(array(ROW)),
        # A list whose records are not described.
        "/stars": got(array({})),
        # The document repeats the key of the login as a parameter.
        "/members": {"get": got(array(ROW))["get"] | {"parameters": [{"name": "key", "in": "query", "required": True, "schema": {"type": "string"}}]}},
        # Paths with the extension of a file.
        "/notices.json": got(record(notices=array(ROW), unread="integer")),
        "/notices/{id}.json": GONE,
        "/topics.json": got(record(topics=array(ROW))), "/topics/{id}.json": got(ROW), "/topics/{id}/answers.json": got(array(ROW)),
        "/t/{id}.json": got(record(title="string")), "/t/{id}/posts.json": got(array(ROW)),
    },
}
FLAGS, DELETED = {"beta": {"value": "on"}}, set()


def rows(*words):
    return [{"id": n, "name": f"{' '.join(words)} {n}"} for n in range(1, 4)]


def slots(*words):
    return [{"day": day, "hour": "9", "name": " ".join([*words, day])} for day in ("mon", "tue")]


class Shaped(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.url.path)} {self.body.decode()}".strip())
        if self.url.path == "/v1/openapi.json":
            return self.reply(200, DOCUMENT)
        isThere = self.names[0] == "v1" and self.url.path not in DELETED
        found = self.found(self.command, *map(unquote, self.names[1:])) if isThere else None
        if self.command == "DELETE" and found is not None:
            DELETED.add(self.url.path)
            return self.reply(204)
        self.reply(404, {"message": "not found"}) if found is None else self.reply(200, found)

    def found(self, method, *parts):
        match parts:
            case ["rooms"]:
                return rows("room")
            case ["rooms", "1", "guests", kind]:
                return rows(kind)
            case ["objects", kind]:
                return {"results": rows(kind)[int(self.query.get("offset", 0)):][:int(self.query.get("limit", 10))]}
            case ["objects", kind, id] | ["rooms" as kind, id]:
                return next((row for row in rows(kind) if str(row["id"]) == id), None)
            case ["flags", name]:
                if method == "PUT":
                    FLAGS[name] = self.json()
                return FLAGS.get(name)
            case ["seats"] | ["teams", "a", "slots"]:
                return slots(parts[0])
            case ["seats", day, "9"] | ["teams", "a", "slots", day, "9"]:
                return next((slot for slot in slots(parts[0]) if slot["day"] == day), None)
            case ["teams", "a", "slots", day, "9", "notes"]:
                return rows(day)
            case ["stores"]:
                return [{"name": "s1"}, {"name": "s2"}]
            case ["stars" | "members" as kind]:
                return rows(kind[:-1])
            case ["stores", "eu", name]:
                return {"name": name}
            case ["stores", "eu", name, "items"]:
                return rows(name)
            case ["notices.json"]:
                return {"notices": rows("notice"), "unread": 1}
            case ["topics.json"]:
                return {"topics": rows("topic")}
            case ["topics", id] if id.endswith(".json"):
                return next((row for row in rows("topic") if f"{row['id']}.json" == id), None)
            case ["topics", id, "answers.json"]:
                return rows("answer to", id)
            case ["t", "1.json"]:
                return {"title": "first"}
            case ["t", "1", "posts.json"]:
                return rows("post")
        return None


serve(Shaped)
