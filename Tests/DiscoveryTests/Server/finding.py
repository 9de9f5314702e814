"""Services that are hard to find one's way in: the first part of the path names one. `GET /log` answers with the requests so far.
With the argument `root`, the list of things is at the root of the server."""
import ssl
import sys
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, Server, run

STATES = ["open", "done", "held"]
ROWS = [{"id": n, "name": f"row {n}", "n": n * 7 % 31, "colour": ["red", "blue"][n % 2], "kind": ["a", "b", "c"][n % 3],
         "shade": ["dark", "light"][n % 2], "status": STATES[n % 3], "type": ["x", "y"][n % 2]} for n in range(1, 31)]
BOOKS = [{"isbn": f"978-{n:04}", "title": f"book {n}", "pages": 100 + n} for n in range(1, 9)]
SILENCES = [{"comment": f"comment {n}", "ref": f"s{n:03}", "by": f"person {n}"} for n in range(1, 9)]


def schema(fields):
    return {"type": "array", "items": {"type": "object", "properties": {name: {"type": "string"} for name in fields}}}


def collection(*fields, parameters=(), methods=()):
    response = {"200": {"content": {"application/json": {"schema": schema(fields or ("name",))}}}}
    get = {"responses": response, "parameters": [{"name": n, "in": "query", "schema": {"type": "string"}} for n in parameters]}
    return {"get": get} | {method: {"responses": {"201": {}}} for method in methods}


def one(*methods):
    item = {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}}}}
    return item | {method: {"responses": {"204": {}}} for method in methods}


def document(kind, paths):
    return {"openapi": "3.0.3", "servers": [{"url": f"/{kind}"}], "paths": paths}


def simple(kind):
    return document(kind, {"/things": collection("name"), "/things/{id}": one()})


ROOTS = {
    # One of these is no list, one breaks off, one is no JSON.
    "uneven": {"apps": "/uneven/apps", "things": "/uneven/things", "broken": "/uneven/broken", "page": "/uneven/page",
               "failing": "/uneven/failing", "others": "/uneven/others"},
    # Roots within roots, as Nautobot and NetBox have them.
    "deep": {"dcim": "/deep/dcim/", "ipam": "/deep/ipam/", "status": "/deep/status/"},
    "deep/dcim": {"devices": "/deep/dcim/devices/", "items": "/deep/dcim/items/", "plugins": "/deep/dcim/plugins/"},
    "deep/dcim/plugins": {"racks": "/deep/dcim/plugins/racks/", "deeper": "/deep/dcim/plugins/deeper/"},
    "deep/dcim/plugins/deeper": {"far": "/deep/dcim/plugins/deeper/far/"},
    "deep/ipam": {"items": "/deep/ipam/items/", "up": "/deep/dcim/devices/", "out": "/elsewhere/things", "logout": "/deep/ipam/logout/"},
    # All that the root has is links, one of them to its document, as services of OGC have them.
    "linked": {"title": "t", "links": [{"rel": rel, "href": f"/linked{path}"} for rel, path in (
        ("self", ""), ("service-desc", "/spec/v1"), ("conformance", "/conformance"), ("data", "/collections"))]},
    "deep/status": {"version": "1.2", "workers": 3},
}
# Where each service keeps its document.
PLACES = {
    "linked": "spec/v1", "first": "schema/openapi.json", "second": "api/v1/_openapi", "third": "swagger/doc.json", "fourth": "api-docs", "ninth": "api/docs",
    "fifth": "hidden/description", "sixth": "docs/spec-1.json", "seventh": "redoc-spec.yaml.json", "eighth": "far/away.json",
    "ninth": "beside/spec.json",
}
PAGES = {
    "sixth/docs": """<html><script>const ui = SwaggerUIBundle({ url: '/sixth/docs/spec-1.json', dom_id: '#swagger-ui' })</script></html>""",
    "seventh": """<html><body><redoc spec-url="/seventh/redoc-spec.yaml.json"></redoc></body></html>""",
    "eighth/swagger/swagger-initializer.js": """window.ui = SwaggerUIBundle({"url": "/eighth/far/away.json"})""",
    "ninth/docs": """<html><script>SwaggerUIBundle({url: "../ninth/beside/spec.json"})</script></html>""",
    "eighth/swagger": """<html><link href="./swagger-ui.css"><script src="./swagger/swagger-initializer.js"></script></html>""",
}
WORDS = {"paged": ("results_per_page", "currentPage"), "cursed": ("batch", "cursor")}
DOCUMENTS = {
    "paged": document("paged", {"/things": collection(*ROWS[0], parameters=["results_per_page", "currentPage"]), "/things/{id}": one()}),
    "cursed": document("cursed", {"/things": collection(*ROWS[0], parameters=["batch", "cursor"]), "/things/{id}": one()}),
    "single": document("single", {"/silences": collection(*SILENCES[0]), "/silence/{silenceID}": one(),
                                  "/books": collection(*BOOKS[0]), "/books/{isbn}": one("put")}),
    "methods": document("methods", {"/things": collection(*ROWS[0], methods=["post"]), "/things/{id}": one("patch", "delete")}),
    "bound": document("bound", {"/servers/{server}/things": collection("name", methods=["post"]),
                                "/servers/{server}/things/{id}": one("delete")}),
    "choosy": document("choosy", {"/things": collection(*ROWS[0], parameters=["limit", "offset", "status", "type"]),
                                  "/things/{id}": one()}),
}


def large():
    """A document of about 20 MB, as services with many fields have."""
    words = "what this parameter is for, at some length; " * 40
    paths = {f"/lists{n}": collection(*ROWS[0], parameters=[f"field{k}__{o}" for k in range(40) for o in ("gte", "lte", "in", "n")])
             for n in range(220)}
    for item in paths.values():
        for parameter in item["get"]["parameters"][:]:
            parameter["description"] = words[:400]
    return document("large", paths | {"/things": collection("name"), "/things/{id}": one()})


class Service(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)}"[:300])
        if sys.argv[1:2] == ["tls"]:
            with open(sys.argv[4], "a") as log:
                log.write(f"{LOG[-1]} {self.headers['Authorization']}\n")
        path, q = self.url.path.strip("/"), dict(parse_qsl(self.url.query))
        names, kind = self.names, self.names[0]
        if sys.argv[1:] == ["root"]:
            return self.things(q, names) if len(names) == 1 else self.reply(404, {})
        if names[1:] == ["openapi.json"] and kind in DOCUMENTS:
            return self.reply(200, DOCUMENTS[kind])
        if path in ("uneven/swagger.json", "uneven/api-docs"):
            # Where a document may be, the connection is closed without a response.
            self.close_connection = True
            return
        if kind in PLACES and names[1:] == PLACES[kind].split("/"):
            return self.reply(200, simple(kind))
        if path == "large/openapi.json":
            return self.reply(200, large())
        if path == "stored/db":
            return self.reply(200, {"things": ROWS, "others": ROWS, "profile": {"name": "typicode"}})
        if path in PAGES:
            return self.reply(200, PAGES[path], kind="text/html")
        if path == "fifth":
            return self.reply(200, {}, {"Link": '</fifth/hidden/description>; rel="service-desc"'})
        if self.command == "OPTIONS":
            if kind in ("methods", "open"):
                return self.reply(200, b"", {"Allow": "GET, HEAD, OPTIONS"} if kind == "methods" else
                                  {"Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE"})
            if kind == "plainly" and names[1:] == ["things"]:
                return self.reply(200, {
                    "name": "Thing List", "description": "", "renders": ["application/json"], "parses": ["application/json"]},
                    {"Allow": "GET, POST, HEAD, OPTIONS"})
            return self.reply(404, {})
        if path in ROOTS:
            return self.reply(200, ROOTS[path])
        if path == "uneven/apps":
            return self.reply(200, {"installed": {"name": "one", "version": 2}, "count": 1})
        if path == "uneven/broken":
            self.send_response(200)
            self.send_header("Content-Length", "5000")
            self.end_headers()
            self.wfile.write(b'[{"id": 1')
            self.close_connection = True
            return
        if path == "uneven/page":
            return self.reply(200, "<html>a page</html>", kind="text/html")
        if path == "uneven/failing":
            return self.reply(500, {"message": "boom"})
        if kind == "single" and len(names) > 1:
            if names[1] in ("silences", "books") and len(names) == 2:
                return self.reply(200, SILENCES if names[1] == "silences" else BOOKS)
            found = [r for r in SILENCES if names[1] == "silence" and r["ref"] == names[-1]]
            found += [r for r in BOOKS if names[1] == "books" and r["isbn"] == names[-1]]
            return self.reply(200, found[0]) if found else self.reply(404, {})
        if names[-1] in ("things", "others", "devices", "items", "racks", "far"):
            return self.things(q, names)
        if names[-2:-1] and names[-2] in ("things", "others", "devices", "items", "racks", "far"):
            found = [r for r in ROWS if str(r["id"]) == names[-1]]
            return self.reply(200, found[0]) if found else self.reply(404, {})
        self.reply(404, {"message": "not found"})

    def things(self, q, names):
        kind, rows = names[0], ROWS
        if kind in WORDS:
            size, start = int(q.get(WORDS[kind][0], 10)), 0
            if kind == "paged":
                start = (int(q.get("currentPage", 1)) - 1) * size
            elif "cursor" in q:
                start = int(q["cursor"][1:])
            page = rows[start:start + size]
            after = f"c{start + size}" if start + size < len(rows) else None
            return self.reply(200, {"items": page} | ({"nextBatch": after} if kind == "cursed" else {}))
        if kind == "totalled":
            size, page = int(q.get("limit", 10)), int(q.get("page", 1))
            return self.reply(200, {"items": rows[(page - 1) * size:page * size], "recordsInAll": len(rows),
                                     "total_pages": -(-len(rows) // size), "numberReturned": size})
        if kind == "choosy":
            if set(q) - {"limit", "offset", "status", "type"}:
                return self.reply(400, {"message": "unknown parameter"})
            rows = [r for r in rows if all(r[f] == q[f] for f in ("status", "type") if f in q)]
        if kind == "plainly":
            return self.reply(200, rows)
        start = int(q.get("offset", 0))
        page = rows[start:start + min(int(q.get("limit", 10)), 20)]
        self.reply(200, page if sys.argv[1:] == ["root"] else {"items": page, "total": len(rows)})


server = Server(("127.0.0.1", 0), Service)
is_secure = sys.argv[1:2] == ["tls"]
if is_secure:
    # With a certificate of its own; what it is asked is printed, as nobody can read its log.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
run(server, f"{'https' if is_secure else 'http'}://127.0.0.1:{server.server_port}")
