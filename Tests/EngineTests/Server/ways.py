"""A service with a switch for each way in which REST services name, make, own and clear records.

The first part of the path names the switch. Each switch has its own records. `GET /log` answers with the requests so far, one a line.
"""
from urllib.parse import parse_qsl, unquote

import json
from loopback import LOG, Handler, serve

STORE, WAYS = {}, {}


class Refused(Exception):
    pass


def way(function):
    WAYS[function.__name__] = function
    return function


def refuse_unless(condition, status, **document):
    if not condition:
        raise Refused(status, document)


def put(rows, id, record):
    """Stores a record, and says whether it is new."""
    is_new = id not in rows
    rows[id] = record
    return 201 if is_new else 204


# Each gets the method, the path behind its name, the query, the body, the header fields and its records by identifier, and gives a
# status and a document.

@way
def verbs(method, path, q, body, headers, rows):
    verb = path[1]
    if verb == "list":
        return 200, {"jobs": list(rows.values())}
    if verb == "create":
        id = len(rows) + 1
        rows[id] = body | {"job_id": id}
        return 200, {"job_id": id}
    id = int(q["job_id"]) if verb == "get" else body.get("job_id")
    refuse_unless(id in rows, 404, message="no such job")
    if verb == "get":
        return 200, {"job": rows[id]}
    if verb == "update":
        rows[id].update(body)
    if verb == "delete":
        del rows[id]
    return 200, {}


@way
def found(method, path, q, body, headers, rows):
    """A record is the one of a list of those with an identifier."""
    return 200, [row for row in [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]
                 if q.get("id") in (None, str(row["id"]))]


def things(rows, path, method, allowed=("GET",)):
    refuse_unless(method in allowed, 405)
    if method == "GET" and len(path) == 1:
        return 200, list(rows.values())
    refuse_unless(len(path) == 1 or path[1] in rows, 404)
    return 200, rows[path[1]]


@way
def pathonly(method, path, q, body, headers, rows):
    if method == "PUT":
        refuse_unless("id" not in body, 400, message="id is in the path")
        refuse_unless(headers.get("If-None-Match") != "*" or path[1] not in rows, 412)
        return put(rows, path[1], body | {"id": path[1]}), None
    return things(rows, path, method)


@way
def bodyonly(method, path, q, body, headers, rows):
    if method == "PUT":
        refuse_unless(len(path) == 1 and "id" in body, 400, message="id is in the body")
        return put(rows, body["id"], body), None
    return things(rows, path, method)


@way
def both(method, path, q, body, headers, rows):
    if method == "PUT":
        refuse_unless(body.get("id") == path[1], 400, message="the ids differ")
        return put(rows, path[1], body), None
    return things(rows, path, method)


@way
def postitem(method, path, q, body, headers, rows):
    if method == "POST":
        put(rows, path[1], rows.get(path[1], {}) | body | {"id": path[1]})
        return 200, rows[path[1]]
    return things(rows, path, method)


@way
def upsert(method, path, q, body, headers, rows):
    """POST at the collection makes a record, or changes the one that is there."""
    if method == "POST":
        refuse_unless(len(path) == 1 and "id" in body, 400, message="id is in the body")
        put(rows, body["id"], rows.get(body["id"], {}) | body)
        return 200, rows[body["id"]]
    return things(rows, path, method)


@way
def owned(method, path, q, body, headers, rows):
    if path[0] == "projects":
        refuse_unless(path[1] in ("1", "2"), 404)
        return 200, {"id": int(path[1]), "name": "p"}
    refuse_unless("project" in q, 400, message="project is needed")
    if method == "POST":
        id = len(rows) + 1
        rows[id] = body | {"id": id, "project": int(q["project"])}
        return 201, rows[id]
    return 200, [row for row in rows.values() if str(row["project"]) == q["project"]
                 and q.get("done") in (None, row.get("done"))]


@way
def renamed(method, path, q, body, headers, rows):
    """As Redmine: project_id is sent, project is shown."""
    def shown(row):
        row = dict(row)
        row["project"] = row.get("project_id") and {"id": row["project_id"], "name": f"p{row['project_id']}"}
        row["tags"] = [{"id": tag} for tag in row.get("tag_ids", [])]
        return {name: value for name, value in row.items() if name not in ("project_id", "tag_ids")}
    if method == "POST":
        id = len(rows) + 1
        rows[id] = {"id": id} | body
        return 201, shown(rows[id])
    if method == "PUT":
        # What is left out is lost.
        rows[int(path[1])] = {"id": int(path[1])} | body
        return 200, shown(rows[int(path[1])])
    return 200, [shown(row) for row in rows.values()] if len(path) == 1 else shown(rows[int(path[1])])


@way
def geo(method, path, q, body, headers, rows):
    if method == "GET":
        return 200, {"features": list(rows.values())} if len(path) == 1 else rows[int(path[1])]
    refuse_unless(body.get("type") == "Feature", 400, message="type must be Feature")
    id = int(path[1]) if len(path) > 1 else len(rows) + 1
    rows[id] = body | {"id": id}
    return (200 if len(path) > 1 else 201), rows[id]


@way
def cleared(method, path, q, body, headers, rows):
    """A text is cleared by an empty one; a null clears numbers, brings back a default, and clears `kept` with PUT only."""
    row = rows.setdefault(1, {"id": 1, "name": "a", "n": 1, "level": "high", "kept": "k", "size": 5})
    if method in ("PATCH", "PUT"):
        refuse_unless(body.get("name", "") is not None, 400, message="name may not be null")
        refuse_unless(method == "PATCH" or "kept" in body, 400, message="kept is missing")
        for name, value in body.items():
            if name == "level" and value is None:
                value = "normal"
            if name != "kept" or value is not None or method == "PUT":
                row[name] = value
    return 200, [row] if len(path) == 1 else row


@way
def decimals(method, path, q, body, headers, rows):
    for n, price in enumerate(["9.50", "10.00", "100.25"], 1):
        rows.setdefault(n, {"id": n, "price": price})
    if method == "PATCH":
        refuse_unless(isinstance(body["price"], str), 400, message="price is a text")
        rows[int(path[1])].update(body)
    return 200, list(rows.values()) if len(path) == 1 else rows[int(path[1])]


@way
def nothing(method, path, q, body, headers, rows):
    """Says by 404 that nothing was found."""
    if path[0] == "things":
        return 404, {"code": "no_results"}
    return (200, {"error": "nothing found"}) if path[0] == "odd" else (404, {"code": "no_such_list"})


@way
def mapped(method, path, q, body, headers, rows):
    """Records, names and values that do not show their identifier."""
    records = {"a": {"n": 1}, "b": {"n": 2}}
    shown = {"things": records, "counted": {"7": {"n": 1}}, "settings": {"theme": "dark", "size": 3},
             "names": {"keys": list(records)}}[path[0]]
    if len(path) == 1:
        return 200, shown
    row = records.get(path[1]) if path[0] == "names" else shown.get(path[1])
    refuse_unless(row is not None, 404)
    return 200, body if method == "PUT" else row


@way
def located(method, path, q, body, headers, rows):
    """Says by Location alone where a new record is."""
    if method == "POST":
        rows[f"{body['a']}/{body['b']}"] = body
        return 201, None, {"Location": f"/located/things/{body['a']}/{body['b']}"}
    refuse_unless("/".join(path[1:]) in rows, 404)
    return 200, rows["/".join(path[1:])]


@way
def issues(method, path, q, body, headers, rows):
    """Issue 5 is of project 3; notes do not show their project, which is in their path."""
    if method in ("POST", "DELETE"):
        return 204, None
    if path[0] == "projects":
        refuse_unless(path[1] == "3", 404)
        return 200, {"id": int(path[-1]), **(body or {"title": "a"})}
    return 200, {"id": int(path[1]), "project": 3, **(body or {"title": "a"})}


@way
def groups(method, path, q, body, headers, rows):
    """Groups 1 and 2, and below any of any number no member. Only teams can be read one by one."""
    if len(path) == 1:
        return 200, [{"id": 1}, {"id": 2}]
    if len(path) == 3:
        return 200, []
    refuse_unless(path[0] == "teams", {"unread": 404, "closed": 403, "fixed": 405}.get(path[0]))
    refuse_unless(path[1] in ("1", "2"), 404)
    return 200, {"id": int(path[1])}


@way
def netbox(method, path, q, body, headers, rows):
    """As NetBox: choices and other records are objects, and are written as their value or number."""
    site = rows.setdefault(1, {"id": 1, "name": "a", "status": "active", "region": 4, "tenant": None})
    if method == "PATCH":
        refuse_unless(not any(isinstance(value, dict) for value in body.values()), 400)
        site.update(body)
    shown = site | {"status": {"value": site["status"], "label": site["status"].title()},
                    "region": {"id": site["region"], "name": "north"}}
    return 200, shown if path[2:] else {"count": 1, "next": None, "previous": None, "results": [shown]}


@way
def vault(method, path, q, body, headers, rows):
    """As Vault: LIST answers with names, and a record does not always show its own."""
    names = {"sys": ["default", "root"], "secret": ["app/", "db"]}[path[0]]
    if method == "LIST":
        return 200, {"data": {"keys": names}}
    refuse_unless(path[-1] in names, 404, errors=[])
    one = {"name": path[-1], "policy": "path"} if path[0] == "sys" else {"data": {"user": "u"}, "metadata": {}}
    return 200, {"data": one}


@way
def gitlab(method, path, q, body, headers, rows):
    """As GitLab: a label is below its project, which it does not show."""
    refuse_unless(path[:2] == ["projects", "4"], 404, message="404 Not found")
    if len(path) == 2:
        return 200, {"id": 4, "name": "p"}
    label = {"id": 7, "name": "bug", "color": "#ff0000"} | (body or {})
    if method == "DELETE":
        return 204, None
    return 200, label if len(path) == 4 else [label]


@way
def docker(method, path, q, body, headers, rows):
    refuse_unless(path[-1] == "start", 409, message=f"{path[-2]} is not running")
    return 304, None


class Service(Handler):
    methods = "GET POST PUT PATCH DELETE LIST"
    has_lines = True

    def respond(self):
        sent = self.body.decode()
        LOG.append(f"{self.command} {self.path}" + (f" {sent}" if sent else ""))
        name, *path = [unquote(part) for part in self.names]
        try:
            status, document, *fields = WAYS[name](
                self.command, path, dict(parse_qsl(self.url.query)), self.json(), self.headers,
                STORE.setdefault(name, {}))
        except Refused as refusal:
            (status, document), fields = refusal.args, []
        if isinstance(document, str):
            document = json.dumps(document)
        self.reply(status, b"" if document is None and status not in (204, 304) else document, *fields)


serve(Service)
