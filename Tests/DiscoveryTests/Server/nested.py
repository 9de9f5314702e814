"""A blog: comments and likes are below their posts, posts are below their users, too. Its document is spread over several, one of which is
YAML; it also refers to a file, to another server, and to a chain of documents without an end. `GET /log` answers with the requests so far."""
from urllib.parse import unquote

from loopback import LOG, Handler, serve

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


class Service(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)}")
        if self.url.path == "/parts/schemas.yaml":
            return self.reply(200, SCHEMAS, kind="application/yaml")
        if self.command == "OPTIONS":
            return self.reply(404, {})
        found = look_up(self.url.path)
        if isinstance(found, list) and "limit" in self.query:
            found = found[int(self.query.get("offset", 0)):][:int(self.query["limit"])]
        if found is None:
            return self.reply(404, {"message": "not found"})
        self.reply(200, found)


serve(Service)
