"""Items with secret fields, by a service that repeats what it is sent.

`phrase` and `vault.pin` are secret to descriptions that say so; their names do not give them away. A value with `refuse-KIND` is refused
with 422 and a message that repeats it: KIND is `plain`, `hex`, `base64`, `wrapped` (base64 in lines) or `quoted` (quoted-printable).
`GET /items/9` fails with 500 and a message with the phrase of item 1. `POST /items/N/seal` takes `seal`.
`drafts` are the same items, each with another phrase every time it is read.
Below `/shaped` the same value is shown in ways that do not name the field: `nested`, `table`, `map`, `keyed`; `asked` has no records, whatever
it is asked for, and `linked` repeats the address in its header fields.
`/openapi.json` documents `items`: `phrase` and `vault.pin` have the format of a password."""

import base64
import quopri
from urllib.parse import parse_qsl, quote

from loopback import Handler, serve

READS = []
MAPPED = "s\u00e9cret it's mapped"
ITEMS = {
    n: {"id": n, "title": f"item {n}", "phrase": f"s\u00e9cret phrase={n}", "vault": {"pin": f"s\u00e9cret pin={n}", "shelf": n}}
    for n in range(1, 4)
}

SECRET = {"$ref": "#/components/schemas/Secret"}
ITEM = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "title": {"type": "string"},
        "phrase": {"allOf": [SECRET]},
        "vault": {"type": "object", "properties": {"pin": SECRET, "shelf": {"type": "integer"}}},
    },
}
LIST = {"200": {"description": "items", "content": {"application/json": {"schema": {"type": "array", "items": ITEM}}}}}
DOCUMENT = {
    "openapi": "3.0.0",
    "info": {"title": "items", "version": "1"},
    "paths": {"/items": {"get": {"responses": LIST}}},
    "components": {"schemas": {"Secret": {"type": "string", "format": "password"}}},
}


def texts(value):
    if isinstance(value, dict):
        return [text for member in value.values() for text in texts(member)]
    return [text for member in value for text in texts(member)] if isinstance(value, list) else [str(value)]


def spelled(text, kind):
    data = text.encode()
    if kind == "hex":
        return data.hex() + " " + data.hex().upper()
    if kind == "base64":
        return base64.b64encode(data).decode() + " " + base64.urlsafe_b64encode(b"a:" + data).decode()
    if kind == "wrapped":
        return base64.encodebytes(b"x" * 52 + data).decode()
    return quopri.encodestring(data).decode().replace("cret", "cr=\r\net") if kind == "quoted" else text


class Service(Handler):
    methods = "GET POST PATCH DELETE"

    def shaped(self, shape, _, item=None):
        nested = {"id": 1, "title": "x", "auth": {"code": MAPPED}}
        if shape == "nested":
            return self.reply(200, nested if item else [nested])
        if shape == "table":
            return self.reply(200, {"columns": ["id", "pin"], "rows": [[1, MAPPED]]})
        if shape == "map":
            return self.reply(200, {"a": MAPPED})
        if shape == "keyed":
            keyed = {"pin": MAPPED, "title": "x"}
            if b"refuse-" in self.body:
                return self.reply(422, {"message": "not taken"})
            if self.command == "POST":
                return self.reply(201, None, {"Location": f"/shaped/keyed/items/{quote(MAPPED)}"})
            return self.reply(200, keyed if item else [keyed])
        address = f"{self.path}&more=1"
        return self.reply(200, [], {"Link": f'<{address}>; rel="alternate"', "Location": address} if shape == "linked" else {})

    def respond(self):
        if self.names[0] == "shaped":
            return self.shaped(*self.names[1:])
        sent, parts, query = self.json({}), self.names, dict(parse_qsl(self.url.query))
        number = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else None
        if self.path == "/openapi.json":
            return self.reply(200, DOCUMENT)
        if parts[0] not in ("items", "drafts"):
            return self.reply(404, {"message": "there is no such list"})
        for value in texts(sent) + list(query.values()):
            if "refuse-" in value:
                kind = value.split("refuse-")[1].split()[0]
                return self.reply(422, {"message": f"not taken: {spelled(value, kind)}"})
        if number == 9:
            return self.reply(500, {"message": f"failed at {ITEMS[1]['phrase']}"})
        if number is not None and number not in ITEMS:
            return self.reply(404, {"message": f"there is no item {number}"})
        if self.command == "GET" and number is None:
            return self.reply(200, [i for i in ITEMS.values() if all(str(i.get(n)) == v for n, v in query.items())])
        if self.command == "GET" and parts[0] == "drafts":
            READS.append(number)
            return self.reply(200, {**ITEMS[number], "phrase": f"s\u00e9cret draft {len(READS)} of {number}"})
        if self.command == "GET":
            return self.reply(200, ITEMS[number])
        if self.command == "POST" and len(parts) == 3:
            return self.reply(200, {**ITEMS[number], "sealed": sent.get("seal")})
        if self.command == "POST":
            number = max(ITEMS) + 1
            ITEMS[number] = {**sent, "id": number}
            return self.reply(201, ITEMS[number])
        if self.command == "PATCH":
            ITEMS[number].update(sent)
            return self.reply(200, ITEMS[number])
        del ITEMS[number]
        self.reply(204)


serve(Service)
