"""A service with a switch for each way in which lists, writes and errors of REST services differ.

The first part of the path names the switch: /cursor/things is a list that is divided by cursors. All have the same 25 things. Each
process has its own. `GET /log` answers with the requests so far, one a line.
"""
import json
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, serve

COUNT = 25


def thing(n):
    return {"id": n, "name": f"thing {n}", "group": "even" if n % 2 == 0 else "odd", "n": n * 10,
            "at": 1700000000 + n, "note": None if n % 5 == 0 else f"n{n}"}


THINGS = [thing(n) for n in range(1, COUNT + 1)]
MANY = [thing(n) for n in range(1, 1501)]
STORE = {}
JOBS = {}
LISTS = {}


def lists(function):
    LISTS[function.__name__] = function
    return function


def window(q, start="offset", size="limit", default=10, cap=None):
    begin, count = int(q.get(start, 0)), int(q.get(size, default))
    return begin, min(count, cap or count)


# Ways to divide a list. Each gets the query, the request and the records, and gives status, headers and document.

@lists
def page0(q, r, all):
    n, size = int(q.get("page", 0)), int(q.get("size", 10))
    return 200, {}, {"content": all[n * size:(n + 1) * size], "page": {"totalElements": len(all)}}


@lists
def page404(q, r, all):
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    rows = all[(n - 1) * size:n * size]
    return (200, {}, rows) if rows or n == 1 else (404, {}, {"detail": "Invalid page."})


@lists
def pages(q, r, all):
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    return 200, {}, {"items": all[(n - 1) * size:n * size], "pages": -(-len(all) // size)}


@lists
def sized(q, r, all):
    """Pages of seven, whatever is asked for."""
    n = int(q.get("page", 1))
    return 200, {}, all[(n - 1) * 7:n * 7]


@lists
def totalzero(q, r, all):
    """Its total says that there are no records."""
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    return 200, {}, {"rows": all[(n - 1) * size:n * size], "total": 0}


@lists
def pagetotal(q, r, all):
    """Its total is the number of records of the page."""
    begin, count = window(q)
    rows = all[begin:begin + count]
    return 200, {}, {"rows": rows, "total": len(rows)}


@lists
def clamped(q, r, all):
    begin, count = window(q, cap=4)
    return 200, {"X-Total": str(len(all))}, all[begin:begin + count]


@lists
def counted(q, r, all):
    """Counts up to 20, as its relation says; `page` and `offset` both lead to a page, and 404 is behind the last."""
    size = int(q.get("size", 10))
    begin = (int(q["page"]) - 1) * size if "page" in q else int(q.get("offset", 0))
    if begin >= len(all):
        return 404, {}, {"detail": "Invalid page."}
    return 200, {}, {"rows": all[begin:begin + size], "total": 20, "relation": "gte"}


@lists
def tens(q, r, all):
    """20 records, and a last page that comes again behind it."""
    size = int(q.get("size", 10))
    n = min(int(q.get("page", 1)), -(-20 // size))
    return 200, {}, {"rows": all[:20][(n - 1) * size:n * size], "total": 20, "relation": "eq"}


@lists
def clampedsilently(q, r, all):
    begin, count = window(q, cap=4)
    return 200, {}, all[begin:begin + count]


@lists
def clampednumber(q, r, all):
    n, size = int(q.get("page", 1)), min(int(q.get("size", 10)), 4)
    return 200, {}, {"rows": all[(n - 1) * size:n * size], "total": len(all)}


def sent(q, cap):
    return min(int(q.get("size", 10)), cap)


@lists
def manyoffset(q, r, all):
    begin = int(q.get("offset", 0))
    return 200, {"X-Total": str(len(MANY))}, MANY[begin:begin + sent(q, 5000)]


@lists
def manyclamped(q, r, all):
    begin = int(q.get("offset", 0))
    return 200, {"X-Total": str(len(MANY))}, MANY[begin:begin + sent(q, 300)]


@lists
def manyuncounted(q, r, all):
    begin = int(q.get("offset", 0))
    return 200, {}, MANY[begin:begin + sent(q, 300)]


@lists
def manyrefused(q, r, all):
    begin, count = int(q.get("offset", 0)), int(q.get("size", 10))
    return (400, {}, {"message": "size must be at most 300"}) if count > 300 else (200, {}, MANY[begin:begin + count])


@lists
def manynumber(q, r, all):
    n, size = int(q.get("page", 1)), sent(q, 5000)
    return 200, {}, {"rows": MANY[(n - 1) * size:n * size], "total": len(MANY)}


@lists
def manynumberclamped(q, r, all):
    n, size = int(q.get("page", 1)), sent(q, 300)
    return 200, {}, {"rows": MANY[(n - 1) * size:n * size], "total": len(MANY)}


@lists
def manyechoed(q, r, all):
    n, size = int(q.get("page", 1)), sent(q, 300)
    return 200, {}, {"rows": MANY[(n - 1) * size:n * size], "size": size, "total": len(MANY)}


@lists
def manynumberrefused(q, r, all):
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    if size > 300:
        return 400, {}, {"message": "size must be at most 300"}
    return 200, {}, {"rows": MANY[(n - 1) * size:n * size], "total": len(MANY)}


@lists
def refused(q, r, all):
    begin, count = window(q)
    if count > 5:
        return 400, {}, {"message": "limit must be at most 5"}
    return 200, {}, all[begin:begin + count]


@lists
def short(q, r, all):
    """Pages from which the service leaves out what the user must not see."""
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    return 200, {}, [row for row in all[(n - 1) * size:n * size] if row["id"] % 3 != 0]


@lists
def hidden(q, r, all):
    """Windows from which the service leaves out most, after it has counted them."""
    begin, count = window(q)
    rows = [row for row in all[begin:begin + count] if row["id"] % 10 in (9, 0)]
    return 200, {}, {"total": len(all), "rows": rows}


@lists
def past400(q, r, all):
    begin, count = window(q)
    return (400, {}, {"message": "too far"}) if begin >= len(all) else (200, {}, all[begin:begin + count])


@lists
def range(q, r, all):
    text = r.headers.get("Range")
    first, last = 0, len(all) - 1
    if text:
        first, last = text.split("=")[1].split("-")
        first, last = int(first), int(last) if last else len(all) - 1
    rows = all[first:last + 1]
    if first >= len(all) and first > 0:
        return 416, {"Content-Range": f"items */{len(all)}"}, {"code": "PGRST103"}
    total = len(all) if r.headers.get("Prefer") == "count=exact" else "*"
    return 206, {"Content-Range": f"items {first}-{first + len(rows) - 1}/{total}"}, rows


@lists
def ranged(q, r, all):
    first, last = json.loads(q.get("range", "[0,9]"))
    return 200, {"Content-Range": f"things {first}-{last}/{len(all)}"}, all[first:last + 1]


@lists
def startend(q, r, all):
    return 200, {"X-Total-Count": str(len(all))}, all[int(q.get("from", 0)):int(q.get("to", 9)) + 1]


@lists
def startindex(q, r, all):
    begin = int(q.get("startIndex", 1))
    if begin < 1:
        return 400, {}, {"detail": "startIndex"}
    return 200, {}, {"totalResults": len(all), "Resources": all[begin - 1:begin - 1 + int(q.get("count", 10))]}


@lists
def cursor(q, r, all):
    begin = int(q.get("token") or "0")
    size = int(q.get("limit", 10))
    rows = all[begin:begin + size]
    return 200, {}, {"data": rows, "next": str(begin + size) if begin + size < len(all) else None}


@lists
def emptypage(q, r, all):
    """A token with no records in the middle."""
    token = q.get("token", "a")
    step = {"a": (all[:10], "b"), "b": ([], "c"), "c": ([], "d"), "d": (all[10:], None)}
    rows, following = step[token]
    return 200, {}, {"data": rows, "next": following}


@lists
def endlessempty(q, r, all):
    token = int(q.get("token", 0))
    return 200, {}, {"data": all if token == 0 else [], "next": str(token + 1)}


@lists
def after(q, r, all):
    begin = int(q.get("starting_after", 0))
    rows = [row for row in all if row["id"] > begin][:int(q.get("limit", 10))]
    return 200, {}, {"data": rows, "has_more": bool(rows) and rows[-1]["id"] < len(all)}


@lists
def windowed(q, r, all):
    """Counts up to 20, and refuses to go further."""
    begin, count = window(q)
    if begin >= 20:
        return 400, {}, {"detail": "The window is too large."}
    return 200, {}, {"rows": all[begin:begin + count], "total": 20}


@lists
def unmoved(q, r, all):
    """Its total is that of all, whatever the condition."""
    rows = [row for row in all if q.get("n") in (None, str(row["n"]))]
    begin, count = window(q)
    return 200, {}, {"rows": rows[begin:begin + count], "total": len(all)}


@lists
def tied(q, r, all):
    """Begins behind a moment that three records share; `from` begins with it."""
    rows = [row | {"at": 100 + row["id"] // 3} for row in all]
    since = int(q.get("since", q.get("from", 0)))
    rows = [row for row in rows if row["at"] > since or "from" in q and row["at"] == since]
    return 200, {}, {"rows": rows[:int(q.get("size", 10))], "total": len(all)}


@lists
def aftercut(q, r, all):
    """has_more is false although there is more, which the total tells."""
    rows = all[:10]
    return 200, {}, {"data": rows, "has_more": False, "total": len(all)}


@lists
def afterfalse(q, r, all):
    """has_more stays true behind the last record."""
    begin = int(q.get("starting_after", 0))
    return 200, {}, {"data": [row for row in all if row["id"] > begin][:10], "has_more": True}


def next_link(q, r, all, text):
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    rows = all[(n - 1) * size:n * size]
    return rows, text.format(origin=r.origin, page=n + 1, size=size) if n * size < len(all) else None


@lists
def linkheader(q, r, all):
    rows, link = next_link(q, r, all, "{origin}/linkheader/things?page={page}&size={size}&q=a%2Bb")
    first = f'<{r.origin}/linkheader/things?page=1,2>; rel="first"'
    return 200, {"Link": f'{first}, <{link}>; title="a, b"; rel="next"' if link else first}, rows


@lists
def nextpage(q, r, all):
    rows, link = next_link(q, r, all, "{origin}/nextpage/things?page={page}&size={size}")
    return 200, {"Total-Objects": str(len(all))} | ({"Next-Page": link} if link else {}), {"data": rows}


@lists
def apilink(q, r, all):
    rows, link = next_link(q, r, all, 'things?where={{"n": [1]}}&page={page}&size={size}')
    return 200, {}, {"_items": rows, "_links": {"next": {"href": link}} if link else {}}


@lists
def requestlink(q, r, all):
    rows, link = next_link(q, r, all, "?page={page}&size={size}")
    return 200, {}, {"items": rows, "next": link}


@lists
def templated(q, r, all):
    rows, link = next_link(q, r, all, "{origin}/templated/things?page={page}&size={size}{{&sort}}")
    return 200, {}, {"_embedded": {"things": rows}, "_links": {"next": {"href": link, "templated": True}} if link else {}}


@lists
def relations(q, r, all):
    rows, link = next_link(q, r, all, "{origin}/relations/things?page={page}&size={size}")
    links = [{"relation": "self", "url": "x"}] + ([{"relation": "next", "url": link}] if link else [])
    return 200, {}, {"entry": [{"fullUrl": "x", "resource": row} for row in rows], "link": links}


@lists
def alwaysnext(q, r, all):
    """The next address is always there, another each time, and leads to the last page for ever."""
    n = int(q.get("page", 1))
    page = min(n, 3)
    more = n < 3
    return 200, {}, {"items": all[(page - 1) * 10:page * 10], "next": f"things?page={n + 1}", "more": more}


@lists
def otherorigin(q, r, all):
    return 200, {}, {"items": all[:10], "next": f"http://localhost:{r.server.server_port}/otherorigin/stolen"}


@lists
def badlink(q, r, all):
    return 200, {}, {"items": all[:10], "next": "http://"}


@lists
def inbody(q, r, all):
    n, size = int(q.get("page", 1)), int(q.get("size", 10))
    return 200, {}, {"data": all[(n - 1) * size:n * size], "next": n + 1 if n * size < len(all) else None}


@lists
def repeating(q, r, all):
    """A page behind the end is the last one again."""
    size = int(q.get("size", 5))
    n = min(int(q.get("page", 1)), -(-len(all) // size))
    return 200, {}, all[(n - 1) * size:n * size]


@lists
def cycle(q, r, all):
    token = q.get("token", "a")
    return 200, {}, {"data": all[:10] if token == "a" else all[10:20], "next": "b" if token == "a" else "a"}


@lists
def changing(q, r, all):
    """Another token each time for one page."""
    token = int(q.get("token", 0))
    return 200, {}, {"data": all[:10], "next": str(token + 1)}


@lists
def totalnull(q, r, all):
    begin, count = window(q)
    return 200, {}, {"rows": all[begin:begin + count], "total": None}


@lists
def totalonce(q, r, all):
    begin, count = window(q)
    document = {"rows": all[begin:begin + count]}
    if begin == 0 and q.get("count") == "true":
        document["total"] = len(all)
    return 200, {}, document


@lists
def totalminus(q, r, all):
    begin, count = window(q)
    return 200, {}, {"rows": all[begin:begin + count], "total": -1}


@lists
def totalwrong(q, r, all):
    begin, count = window(q)
    return 200, {}, {"rows": all[begin:begin + count], "total": len(all) + 5}


@lists
def estimated(q, r, all):
    begin, count = window(q)
    return 200, {}, {"rows": all[begin:begin + count], "total": 7}


@lists
def mapped(q, r, all):
    return 200, {}, {"result": {str(row["id"]): {k: v for k, v in row.items() if k != "id"} for row in all}}


@lists
def table(q, r, all):
    names = list(all[0])
    return 200, {}, {"columns": [{"name": name} for name in names], "rows": [list(row.values()) for row in all]}


@lists
def unwrapped(q, r, all):
    return 200, {}, {"data": [{"id": row["id"], "attributes": {k: v for k, v in row.items() if k != "id"}} for row in all]}


@lists
def nullempty(q, r, all):
    return 200, {}, {"items": None, "count": 0}


@lists
def notok(q, r, all):
    return 200, {}, {"ok": False, "error": "channel_not_found"}


@lists
def errorpage(q, r, all):
    """Its last pages report an error with a status of success."""
    begin, count = window(q)
    if begin < 10:
        return 200, {}, {"rows": all[begin:begin + count], "errors": [], "error": None}
    return 200, {}, {"rows": [], "error": "timeout"}


@lists
def errormap(q, r, all):
    """Its last pages report an error with a status of success beside a map."""
    begin, count = window(q)
    if begin < 10:
        return 200, {}, {"rows": {record["id"]: record for record in all[begin:begin + count]}}
    return 200, {}, {"rows": {}, "error": "timeout"}


@lists
def partialpage(q, r, all):
    """A page reports that it lacks records."""
    begin, count = window(q)
    if begin < 10:
        return 200, {}, {"rows": all[begin:begin + count]}
    return 200, {}, {"rows": all[begin:begin + 2], "errors": [{"message": "shard 2 timed out"}]}


@lists
def errorin200(q, r, all):
    return 200, {}, {"error": {"code": 17, "message": "quota exceeded"}}


@lists
def linked(q, r, all):
    return 200, {}, {"things": [{k: v for k, v in row.items() if k != "id"}
                                | {"_links": {"self": {"href": f"{r.origin}/linked/things/{row['id']}"}}} for row in all]}


@lists
def pairs(q, r, all):
    rows = [{"a": f"k{row['id']},x", "b": row["id"], "name": row["name"]} for row in all[:3]]
    for key in ("a", "b"):
        if key in q:
            rows = [row for row in rows if str(row[key]) == q[key][3:]]
    if r.headers.get("Accept") == "application/vnd.one+json" and len(rows) != 1:
        return 406, {}, {"code": "PGRST116"}
    return 200, {}, rows


@lists
def lookups(q, r, all):
    """Conditions as suffixes; what it does not know it ignores."""
    rows = all
    for name, value in r.pairs:
        field, _, operation = name.partition("__")
        if field not in ("n", "group", "note") or field not in all[0]:
            continue
        values = value.split(",") if operation == "in" else [value]
        test = {
            "": lambda row: str(row[field]) == value,
            "gte": lambda row: row[field] is not None and row[field] >= int(value),
            "in": lambda row: str(row[field]) in values,
            "icontains": lambda row: value.lower() in str(row[field] or "").lower(),
            "isnull": lambda row: (row[field] is None) == (value == "true"),
        }.get(operation)
        rows = [row for row in rows if test(row)] if test else rows
    begin, count = window(q)
    return 200, {}, {"count": len(rows), "results": rows[begin:begin + count]}


@lists
def brief(q, r, all):
    """As lookups, for short addresses only."""
    return (414, {}, {"message": "too long"}) if len(r.path) > 1000 else lookups(q, r, all)


@lists
def searched(q, r, all):
    return 200, {}, [row for row in all if q.get("q", "") in row["name"]]


@lists
def where(q, r, all):
    """Conditions as a document; of a field that it does not know it finds none."""
    rows = all
    for field, wanted in json.loads(q.get("where", "{}")).items():
        def holds(row):
            if field not in row:
                return False
            if isinstance(wanted, dict):
                return row[field] is not None and all_hold(row[field], wanted)
            return row[field] == wanted
        rows = [row for row in rows if holds(row)]
    return 200, {}, rows


def all_hold(value, wanted):
    return all({"$gte": lambda: value >= limit, "$in": lambda: value in limit}[sign]() for sign, limit in wanted.items())


def posted(r, asked):
    """A list by POST: conditions, order and page are members of the body, and each has the kind that it has in JSON."""
    if r.command == "POST" and r.path.endswith("/things/count"):
        wanted = asked.get("things", {})
        extra = set(asked) - {"things", "kind"}
        return (400, {}, {"message": f"{extra}"}) if extra else (
            200, {}, sum(all(row[field] in one["any"] for field, one in wanted.items()) for row in THINGS))
    if r.command != "POST" or not r.path.endswith("/things/filter") or type(asked["page"]["limit"]) is not int:
        return 400, {}, {"message": "POST /things/filter with page.limit"}
    rows = THINGS
    for field, wanted in asked.get("things", {}).items():
        rows = [row for row in rows if row[field] in wanted["any"]]
    field, _, direction = asked.get("sort", "ID_ASC").lower().rpartition("_")
    rows = sorted(rows, key=lambda row: row[field], reverse=direction == "desc")
    start, size = asked["page"].get("offset", 0), asked["page"]["limit"]
    return 200, {}, {"rows": rows[start:start + size], "kind": asked["kind"]}


# Writes

def write(name, r, parts):
    """A store of things, each switch with its own: what it answers depends on the switch."""
    things = STORE.setdefault(name, {row["id"]: dict(row, version=1) for row in THINGS[:3]})
    body = r.body
    method = r.command
    if name == "jsonpatch" and method == "PATCH":
        changes = json.loads(body)
    elif r.headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded"):
        changes = dict(parse_qsl(body, keep_blank_values=True))
    else:
        changes = json.loads(body) if body else {}
    ident = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else None
    if method == "POST" and len(parts) == 1:
        if name in ("wrapped",):
            changes = changes["thing"]
        number = max(things) + 1
        things[number] = {"id": number} | {k: v for k, v in changes.items() if k != "id"} | {"version": 1}
        location = {"Location": f"{r.origin}/{name}/things/{number}"}
        if name == "location":
            return 201, location, None
        if name == "idonly":
            return 201, {}, {"name": number}
        if name == "job":
            JOBS["1"] = 2
            return 202, {"Location": f"{r.origin}/job/tasks/1"}, {}
        if name == "jobfails":
            return 202, {"Location": "/jobfails/tasks/1"}, {}
        if name == "jobforever":
            return 202, {"Location": "/jobforever/tasks/1", "Retry-After": "0"}, {}
        if name == "okfalse":
            del things[number]
            return 200, {}, {"ok": False, "error": "name_taken"}
        return 201, location, things[number]
    if method == "POST" and parts[-1] == "remove":
        return (200, {}, {"removed": [things.pop(n)["id"] for n in changes["ids"]]})
    if ident not in things:
        return 404, {}, {"message": "none"}
    row = things[ident]
    if name == "required" and method != "GET":
        if "If-Match" not in r.headers:
            return 428, {}, {"message": "If-Match"}
        if r.headers["If-Match"] != f'"{row["version"]}"':
            return 412, {}, {"message": "stale"}
    if name == "lockfield" and method in ("PATCH", "PUT"):
        if changes.get("version") != row["version"]:
            return 423, {}, {"message": "locked"}
    if method == "GET":
        return 200, {"ETag": f'"{row["version"]}"'}, row
    if method == "DELETE":
        if name == "soft":
            row["deleted"] = True
            return 200, {}, row
        del things[ident]
        return 204, {}, None
    if name == "jsonpatch":
        for step in changes:
            key = step["path"][1:].replace("~1", "/").replace("~0", "~")
            if step["op"] == "remove":
                row.pop(key)
            else:
                row[key] = step["value"]
    elif name == "merge":
        if r.headers["Content-Type"] != "application/merge-patch+json":
            return 415, {}, {"message": "type"}
        for key, value in changes.items():
            row.pop(key, None) if value is None else row.__setitem__(key, value)
    elif method == "PUT":
        things[ident] = row = {"id": ident, "version": row["version"]} | changes
    else:
        row |= changes
    row["version"] = things[ident]["version"] + 1
    return 200, {"ETag": f'"{row["version"]}"'}, row


ERRORS = {
    "rails": (422, {"title": ["is too short", "is taken"], "body": ["is blank"]}),
    "laravel": (422, {"message": "The given data was invalid.", "errors": {"title": ["The title is required."]}}),
    "fastapi": (422, {"detail": [{"loc": ["body", "title"], "msg": "field required", "type": "missing"}]}),
    "jsonapi": (422, {"errors": [{"detail": "is taken", "source": {"pointer": "/data/attributes/title"}}]}),
    "pocketbase": (400, {"message": "Failed.", "data": {"title": {"code": "x", "message": "Cannot be blank."}}}),
    "names": (400, {"code": "missing", "message": "Missing parameter(s)", "data": {"status": 400, "params": ["title"]}}),
    "odata": (400, {"error": {"code": "E7", "message": "Bad.", "details": [{"target": "title", "message": "too long"}]}}),
}


class Service(Handler):
    methods = "GET HEAD POST PUT PATCH DELETE"
    has_lines = True

    def respond(self):
        self.origin = f"http://{self.headers['Host']}"
        self.body = self.body.decode()
        self.pairs = parse_qsl(self.url.query, keep_blank_values=True)
        LOG.append(f"{self.command} {self.path} {self.body}".strip())
        status, headers, document = self.found([unquote(part) for part in self.url.path.split("/")[1:]])
        self.reply(status, b"" if document is None else document, headers)

    def found(self, parts):
        name, rest, q = parts[0], parts[1:], dict(self.pairs)
        if name == "error":
            return ERRORS[rest[0]][0], {}, ERRORS[rest[0]][1]
        if name == "limited":
            return 403, {"X-Left": q.get("left", "0"), "X-Reset": "30"}, {"message": "slow down"}
        if name in ("suffixed", "versioned"):
            LOG.append(f"{self.headers.get('Accept')} {self.headers.get('X-Version')}")
            return 200, {}, THINGS if len(rest) < 2 or rest[1] in ("", "things.json") else THINGS[0]
        if name == "key":
            return 200, {}, THINGS[0] if rest[0] in ("things(1)", "things('it''s')") else THINGS
        if name == "hidden" and len(rest) == 2 and (self.command != "GET" or rest[1] != "1"):
            return 403, {}, {"message": "forbidden"}
        if rest[0] == "tasks":
            return self.task(name)
        if name in LISTS and self.command in ("GET", "HEAD"):
            if len(rest) == 2:
                row = next((row for row in THINGS if str(row["id"]) == rest[1]), None)
                if row and name == "linked":
                    row = {k: v for k, v in row.items() if k != "id"} | {
                        "_links": {"self": {"href": f"{self.origin}/linked/things/{row['id']}"}}}
                return (200, {}, row) if row else (404, {}, {"message": "none"})
            return LISTS[name](q, self, THINGS)
        if name == "posted":
            return posted(self, json.loads(self.body or "{}"))
        if name == "rison":
            return 200, {}, {"result": THINGS[:2]}
        if self.command == "GET" and len(rest) == 1:
            return 200, {}, list(STORE.setdefault(name, {row["id"]: dict(row, version=1) for row in THINGS[:3]}).values())
        return write(name, self, rest)

    def task(self, name):
        if name == "jobforever":
            return 200, {"Retry-After": "0"}, {"status": "running"}
        if name == "jobfails":
            return 200, {}, {"status": "failed", "reason": "disk full"}
        JOBS["1"] -= 1
        done = JOBS["1"] <= 0
        return 200, {"Retry-After": "0"}, {"status": "done" if done else "running", "percent": 100 if done else 50,
                                           "target": f"{self.origin}/job/things/{max(STORE['job'])}"}


serve(Service)
