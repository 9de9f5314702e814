"""Services whose documents are elsewhere than their paths say, in parts, or larger than a survey: the first part of the path names one.
`GET /log` answers with the requests so far."""
import json
from urllib.parse import unquote

from loopback import LOG, Handler, serve

ROWS = [{"id": n, "name": f"row {n}"} for n in range(1, 13)]
RECORD = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}


def answers(schema):
    return {"200": {"content": {"application/json": {"schema": schema}}}}


def listed(*parameters):
    pages = [{"name": name, "in": "query", "schema": {"type": "integer"}} for name in ("limit", "offset")]
    return {"get": {"parameters": pages + list(parameters), "responses": answers({"type": "array", "items": RECORD})}}


def needed(name, **schema):
    return {"name": name, "in": "query", "required": True, "schema": {"type": "string"} | schema}


ONE = {"get": {"responses": answers(RECORD)}}


def pairs(*names):
    return {path: item for name in names for path, item in ((f"/{name}", listed()), (f"/{name}/{{id}}", ONE))}


def document(paths, **more):
    return {"openapi": "3.0.3", "info": {"title": "placed", "version": "1"}, "paths": paths} | more


def yaml(value):
    """JSON is YAML, but for the version, which people write as a number."""
    return json.dumps(value).replace('"openapi": "3.0.3"', '"openapi": 3.0')


def aliased():
    fields = "".join(f"          f{n}: *text\n" for n in range(150))
    return f"""swagger: 2.0
basePath: /aliased
paths:
  /rooms:
    get:
      responses:
        200:
          schema: {{type: array, items: {{$ref: '#/definitions/Room'}}}}
  /rooms/{{id}}:
    get: {{responses: {{200: {{schema: {{$ref: '#/definitions/Room'}}}}}}}}
definitions:
  Text: &text {{type: string, maxLength: 40}}
  Room:
    properties:
          id: {{type: integer}}
{fields}"""


MANY = pairs(*(f"list{n:02}" for n in range(1, 55)), "users") | {
    "/states": listed(needed("state", enum=["open", "done"])), "/found": listed(needed("q")),
    "/logout": listed(), "/bells/ring/{id}": {"post": {"responses": {"204": {}}}}, "/users/{id}/notes": listed(), "/users/{user}/notes/{id}/parts": listed()}
SPLIT = {f"/list{n:02}": {"$ref": f"../parts/list{n:02}.json"} for n in range(1, 31)}
HOST = "https://api.example.org"
DOCUMENTS = {
    # Without servers, the paths are relative to the address.
    "/relative/v1/openapi.json": document(pairs("rooms")),
    "/record/openapi.yaml": yaml(document({
        "/repos/{owner}/{repo}": ONE, "/repos/{owner}/{repo}/issues": listed(), "/repos/{owner}/{repo}/labels": listed()},
        servers=[{"url": HOST + "/record"}])),
    # Two versions: paths and operations may be at another than that of the address.
    "/served/openapi.json": document(
        pairs("rooms") | {"/desks": listed() | {"servers": [{"url": HOST + "/served/v2"}]},
                          "/doors": {"get": listed()["get"] | {"servers": [{"url": "/served/v3"}]}}},
        servers=[{"url": HOST + "/{version}", "variables": {"version": {"default": "v9"}}},
                 {"url": HOST + "/served/{version}", "variables": {"version": {"default": "v9"}}}]),
    "/whole/spec.json": document(pairs("rooms"), servers=[{"url": HOST + "/whole/v1"}]),
    "/moved/api/openapi.json": document(pairs("rooms"), servers=[{"url": HOST + "/internal/v1"}]),
    "/twice/api/openapi.json": document(
        pairs("rooms"), servers=[{"url": HOST + "/twice/api/v9"}, {"url": "https://staging.example.org/twice/api"}]),
    "/aliased/openapi.yaml": aliased(),
    "/commented/openapi.json": "// generated\n" + json.dumps(
        document(pairs("rooms"), servers=[{"url": "/commented", "description": "not a // comment \"/* here"}])) + "/* end */",
    "/broken/openapi.yaml": "openapi: 3.0.0\npaths:\n  /rooms: {get: *missing}\n",
    "/many/api/openapi.json": document({"/many/api" + path: item for path, item in MANY.items()}),
    "/split/spec/openapi.json": document(SPLIT, servers=[{"url": "/split"}]),
    "/huge/openapi.json": document(
        pairs("rooms") | {f"/raw{n}": {method: {} for method in ("get", "post", "put", "patch", "delete")} for n in range(1_002)},
        servers=[{"url": "/huge"}]),
}


class Placed(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)}")
        path = self.url.path
        if path in DOCUMENTS:
            return self.reply(200, DOCUMENTS[path], kind="application/yaml" if path.endswith("yaml") else None)
        if path.startswith("/split/parts/"):
            return self.reply(404, {}) if "list30" in path else self.reply(200, listed())
        if path == "/record/repos/o/r":
            return self.reply(200, {"id": 1, "name": "r", "transfer": {"teams": ROWS}})
        if path in ("/relative/v1", "/served/v1", "/moved/api", "/many/api", "/huge", "/twice/api", "/commented"):
            return self.reply(404, {"message": "not found"})
        if path.startswith("/internal") or self.command != "GET" or "spec" in path or "openapi" in path:
            return self.reply(404, {"message": "not found"})
        if path == "/many/api/found" or path == "/many/api/states" and self.query.get("state") != "open":
            return self.reply(400, {"message": "q or state is required"})
        last = self.names[-1]
        if last in ("rooms", "desks", "doors", "issues", "labels", "users", "notes", "parts", "states") or last.startswith("list"):
            begin, count = int(self.query.get("offset", 0)), int(self.query.get("limit", 5))
            return self.reply(200, ROWS[begin:begin + count])
        row = next((row for row in ROWS if str(row["id"]) == last), None)
        self.reply(200, row) if row and len(self.names) > 2 else self.reply(404, {"message": "not found"})


serve(Placed)
