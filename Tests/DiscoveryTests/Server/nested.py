"""A blog: comments and likes are below their posts, posts are below their users, too. Its document is spread over several, one of which is
YAML; it also refers to a file, to another server, and to a chain of documents without an end. `GET /log` answers with the requests so far."""
import json
from urllib.parse import parse_qsl, unquote, urlsplit

import handler

LOG = []
USERS = [{"id": n, "name": f"user {n}"} for n in range(1, 7)]
POSTS = [{"id": n, "userId": n % 6 + 1, "title": f"post {n}"} for n in range(1, 13)]
# The first posts that are listed have none.
COMMENTS = [{"id": f"c{n}", "postId": n % 4 + 2, "text": f"comment {n}"} for n in range(1, 9)]
LIKES = [{"by": f"user {n}", "stars": n} for n in range(1, 6)]


def answers(schema):
    return {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}


def list_of(name):
    return {"get": answers({"type": "array", "items": {"$ref": f"parts/schemas.yaml#/{name}"}})}


def one(name):
    return {"get": answers({"$ref": f"parts/schemas.yaml#/{name}"})}


DOCUMENTS = {
    "/openapi.json": {
        "openapi": "3.0.3", "paths": {
            "/posts": {"$ref": "parts/paths.json#/posts"}, "/posts/{postId}": one("Post"),
            "/posts/{postId}/comments": {"$ref": "/parts/paths.json#/comments"}, "/comments/{commentId}": one("Comment"),
            "/posts/{postId}/likes": list_of("Like"), "/users": list_of("User"), "/users/{id}": one("User"), "/users/{id}/posts": list_of("Post"),
            "/files": {"$ref": "file:///etc/passwd#/x"}, "/others": {"$ref": "http://127.0.0.2:1/openapi.json#/paths/x"},
            "/scheme": {"$ref": "//127.0.0.2:1/openapi.json#/x"}, "/chain": {"$ref": "chain/0.json#/next"}}},
    "/parts/paths.json": {
        "posts": {"get": answers({"type": "array", "items": {"$ref": "schemas.yaml#/Post"}}), "post": {"responses": {"201": {}}}},
        "comments": {"get": answers({"type": "array", "items": {"$ref": "schemas.yaml#/Comment"}}),
                     "post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "schemas.yaml#/Comment"}}}}, "responses": {"201": {}}}}},
}
SCHEMAS = """Base: {type: object, properties: {id: {type: string, readOnly: true}}}
Post: {type: object, properties: {id: {type: integer}, userId: {type: integer}, title: {type: string, maxLength: 77}}}
User: {type: object, properties: {id: {type: integer}, name: {type: string}}}
Comment: {allOf: [{$ref: "#/Base"}, {properties: {postId: {type: integer}, text: {type: string, maxLength: 99}}}], required: [text]}
Like: {type: object, properties: {by: {type: string}}}
"""


def look_up(path):
    """What is at a path; None where there is nothing."""
    names = path.strip("/").split("/")
    if path in DOCUMENTS:
        return DOCUMENTS[path]
    if names[0] == "chain":
        number = int(names[1].split(".")[0])
        return {"next": {"$ref": f"{number + 1}.json#/next"}}
    rows = {"posts": POSTS, "users": USERS}.get(names[0])
    if names[0] == "comments" and len(names) == 2:
        return next((c for c in COMMENTS if c["id"] == names[1]), None)
    if rows is None or len(names) > 3:
        return None
    if len(names) == 1:
        return rows
    found = next((r for r in rows if str(r["id"]) == names[1]), None)
    if len(names) == 2 or found is None:
        return found
    below = {("posts", "comments"): [c for c in COMMENTS if c["postId"] == found["id"]], ("posts", "likes"): LIKES,
             ("users", "posts"): [p for p in POSTS if p["userId"] == found["id"]]}
    return below.get((names[0], names[2]))


class Handler(handler.Handler):
    def respond(self):
        parts = urlsplit(self.path)
        if parts.path == "/log":
            return self.send(200, "text/plain", "\n".join(LOG).encode())
        LOG.append(f"{self.command} {unquote(self.path)}")
        if parts.path == "/parts/schemas.yaml":
            return self.send(200, "application/yaml", SCHEMAS.encode())
        if self.command == "OPTIONS":
            return self.send(404, "application/json", b"{}")
        found = look_up(parts.path)
        q = dict(parse_qsl(parts.query))
        if isinstance(found, list) and "limit" in q:
            found = found[int(q.get("offset", 0)):][:int(q["limit"])]
        self.send(404 if found is None else 200, "application/json", json.dumps(found if found is not None else {"message": "not found"}).encode())

    def send(self, status, kind, body):
        super().send(status, {"Content-Type": kind}, body)


handler.serve(Handler)
