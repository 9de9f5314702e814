"""A service that differs from what its first responses suggest: the first part of the path names the manner in which. All have 30
things, the last of which is named `thing 7,thing 8`. `GET /log` answers with the requests so far, one a line."""
import fnmatch
import json
import re
from urllib.parse import unquote

from loopback import LOG, Handler, serve

THINGS = [{"id": n, "name": f"thing {n}", "n": n * 7 % 31, "state": ["open", "done"][n % 2], "note": f"n{n}"} for n in range(1, 30)]
THINGS.append({"id": 30, "name": "thing 7,thing 8", "n": 24, "state": "open", "note": "n30"})
FIELDS = ("name", "n", "state", "note")
LISTS = {}


def manner(function):
    LISTS[function.__name__] = function
    return function


def texts(thing):
    return [v for v in thing.values() if isinstance(v, str)]


def equal(rows, q, same=lambda value, wanted: str(value) == wanted):
    return [t for t in rows if all(same(t[f], q[f]) for f in FIELDS if f in q)]


def page(rows, q):
    start = int(q.get("offset", 0))
    return 200, {"rows": rows[start:start + min(int(q.get("limit", 10)), 20)], "total": len(rows)}


# Conditions in a parameter for each field.

@manner
def commas(q):
    """A comma stands for `or`."""
    return page(equal(THINGS, q, lambda value, wanted: str(value) in wanted.split(",")), q)


@manner
def partial(q):
    """A condition is checked for the first 20 things only."""
    return page(equal(THINGS[:20], q) if set(q) & set(FIELDS) else THINGS, q)


SIGNS = ["^thing", "!~thing", "*x", "a+b", "c?", "(x)", "[z]", "$5", "eq:1", "a|b", "thing_7"]
SIGNED = THINGS[:29] + [{"id": 31 + n, "name": text, "n": n, "state": "open", "note": f"s{n}"} for n, text in enumerate(SIGNS)]


def matches(value, pattern):
    try:
        return re.fullmatch(pattern, str(value)) is not None
    except re.error:
        return False


@manner
def patterned(q):
    """A condition is a pattern."""
    return page(equal(SIGNED, q, matches), q)


def plainly(q, name, fold):
    """What is asked for is changed before it is compared, and one name is not as all others are."""
    return page(equal(THINGS[:29] + [{"id": 30, "name": name, "n": 24, "state": "open", "note": "n30"}], q, lambda value, wanted: str(value) == fold(wanted)), q)


LISTS["lowering"] = lambda q: plainly(q, "Big thing", str.lower)
LISTS["narrowing"] = lambda q: plainly(q, "cafe\u0301 thing", lambda wanted: wanted.encode("ascii", "ignore").decode())
NULLED = []


@manner
def nulling(q):
    """`null` stands for no value, and once it was asked for, there is a thing with this name."""
    if "made" in q:
        NULLED[:] = [{"id": 30, "name": "null", "n": 24, "state": "open", "note": "n30"}]
    rows = THINGS[:29] + NULLED
    return page(equal(rows, q, lambda value, wanted: str(value) == wanted and wanted != "null"), q)


def signed(value, wanted):
    if wanted.startswith((">=", "<=")) and isinstance(value, int) and wanted[2:].isdigit():
        return value >= int(wanted[2:]) if wanted[0] == ">" else value <= int(wanted[2:])
    return wanted[1:].lower() in str(value).lower() if wanted.startswith("~") else str(value) == wanted


@manner
def operating(q):
    """A sign before a value is an operator."""
    return page(equal(THINGS, q, signed), q)


HELD = [{"id": n, "name": f"Thing {n:02}", "state": ["open", "done"][n % 2]} for n in range(1, 31)]


@manner
def holding(q):
    """A condition finds any part of a text; its document has one for the name alone."""
    return page([t for t in HELD if q.get("name", "").lower() in t["name"].lower()], q)


@manner
def parting(q):
    """Finds parts of a name."""
    return page([t for t in THINGS if q.get("name__icontains", "").lower() in t["name"]], q)


@manner
def brief(q):
    """The same, but nothing for one or two letters."""
    wanted = q.get("name__icontains")
    return page([t for t in THINGS if wanted is None or len(wanted) > 2 and wanted.lower() in t["name"]], q)


STATED = [t | {"state": ["Open", "reopened", "done"][t["id"] % 3]} for t in THINGS]


@manner
def stated(q):
    """Finds what holds a state, in any letters."""
    return page([t for t in STATED if q.get("state", "").lower() in t["state"].lower()], q)


PRICED = [t | {"price": [1, 2.5, 10, 100][t["id"] % 4]} for t in THINGS]


@manner
def rounding(q):
    """Finds whole prices only."""
    wanted = q.get("price")
    return page([t for t in equal(PRICED, q) if wanted is None or wanted.isdigit() and t["price"] == int(wanted)], q)


@manner
def unmoved(q):
    """The total is that of all things, whatever is asked for."""
    return 200, page(equal(THINGS, q), q)[1] | {"total": len(THINGS)}


# Conditions in JSON, as Eve has them: what is found for a value of another kind, or for a text that is alike.

def where(q, same):
    rows, size, number = THINGS, min(int(q.get("max_results", 25)), 50), int(q.get("page", 1))
    if "where" in q:
        wanted = json.loads(q["where"])
        rows = [t for t in rows if all(f in t and (t[f] == w and type(t[f]) is type(w) or same(t[f], w)) for f, w in wanted.items())]
    meta = {"page": number, "max_results": size, "total": len(rows)}
    return 200, {"_items": rows[(number - 1) * size:number * size], "_meta": meta, "_links": {}}


def alike(name, same):
    LISTS[name] = lambda q: where(q, lambda value, wanted: isinstance(wanted, str) and same(str(value), wanted))


LISTS["typed"] = lambda q: where(q, lambda value, wanted: False)
alike("casting", lambda value, wanted: value == wanted)
alike("splitting", lambda value, wanted: "," in wanted and value in wanted.split(","))
alike("unquoting", lambda value, wanted: wanted[:1] in "'\"" and value == wanted.strip("'\""))
alike("trimming", lambda value, wanted: wanted != wanted.strip() and value == wanted.strip())
alike("globbing", lambda value, wanted: "*" in wanted and fnmatch.fnmatchcase(value, wanted))
alike("liking", lambda value, wanted: "%" in wanted and fnmatch.fnmatchcase(value, wanted.replace("%", "*")))


# Records, fields and lists.

@manner
def enveloped(q):
    """A single thing is within an envelope that has its identifier, too."""
    return page(equal(THINGS, q), q)


@manner
def echoing(q):
    """A single thing is its identifier, whatever that is."""
    return page(equal(THINGS, q), q)


# Identifiers that the service refuses with another status than those of records which are not there.

def uuid(n):
    return f"{n:08x}-1111-4111-8111-{n:012x}"


NAMED = {"numbered": str, "identified": uuid, "lettered": lambda n: "abcdefghijklmnopqrstuvwxyz"[n % 26] * 3 + str(n)}
FORMS = {"numbered": "[0-9]+", "identified": "[0-9a-f-]{36}", "lettered": "[a-z]{3}[0-9]+"}


def by_name(kind):
    LISTS[kind] = lambda q: page(equal([t | {"id": NAMED[kind](t["id"])} for t in THINGS], q), q)


for kind in NAMED:
    by_name(kind)


@manner
def attributed(q):
    """A list shows links, and a single thing has its fields in attributes beside its type."""
    return page([{"id": str(t["id"]), "link": f"/attributed/things/{t['id']}"} for t in THINGS], q)


@manner
def priced(q):
    """Prices happen to be whole; OPTIONS names one color only, and fields that it takes all the same."""
    return page([t | {"price": "@%d.0@" % t["n"], "color": "#FFFFFF"} for t in THINGS], q)


@manner
def newest(q):
    """The newest come first; an order is ascending, and a sign before the field makes it another parameter that does nothing."""
    key = q.get("sort", "").strip("+")
    return page(sorted(THINGS, key=lambda t: t[key]) if key in THINGS[0] else THINGS[::-1], q)


@manner
def suffixed(q):
    """Is sorted by the name alone, with a word behind it for the direction."""
    rows = sorted(({"id": t["id"], "name": t["name"]} for t in THINGS), key=lambda t: t["name"])
    key, _, word = q.get("sort", "").partition(":")
    return page(rows[::-1] if key == "name" and word == "desc" else rows, q)


STATES = [{"id": n, "state": ["open", "done", "held"][n % 3], "note": f"n{n}"} for n in range(1, 31)]


@manner
def directed(q):
    """Is sorted by `order_by` and `direction`; a page by the state has only one."""
    key = q.get("order_by")
    rows = sorted(STATES, key=lambda t: t[key], reverse=q.get("direction") == "desc") if key in STATES[0] else STATES
    return page(rows, q)


CODED = [{"code": f"C{n:02}", "name": f"thing {n}", "state": ["open", "done"][n % 2]} for n in range(1, 31)]


@manner
def coded(q):
    """Things are read by their codes, and unknown parameters are refused."""
    if set(q) - {"limit", "offset", "filter[state]"}:
        return 400, {"message": "unknown parameter"}
    return page([t for t in CODED if t["state"] == q.get("filter[state]", t["state"])], q)


@manner
def reporting(q):
    """Sends 100 at most, and says how many it could have sent."""
    start, size = int(q.get("offset", 0)), min(int(q.get("limit", 10)), 100)
    return 200, {"rows": THINGS[start:start + size], "total": len(THINGS), "limit": size}


MANY = [{"id": n, "name": f"thing {n}", "n": n * 7 % 31, "state": ["open", "done"][n % 2], "note": f"n{n}"} for n in range(1, 121)]


@manner
def clamped(q):
    """Sends 50 at most, and says that more follow where a page is full as it was asked for."""
    start, size = int(q.get("offset", 0)), int(q.get("limit", 20))
    rows = MANY[start:start + min(size, 50)]
    return 200, {"rows": rows, "has_more": len(rows) == size}


@manner
def multiplying(q):
    """Sends 50 at most, and computes from what was asked for whether more follow."""
    number, size = int(q.get("page", 1)), int(q.get("per_page", 20))
    start = (number - 1) * min(size, 50)
    return 200, {"rows": MANY[start:start + min(size, 50)], "has_next": number * size < len(MANY)}


@manner
def tokened(q):
    """The same without places: the next page is named by a token."""
    start, size = int(q.get("page_token", 0)), int(q.get("limit", 20))
    rows = MANY[start:start + min(size, 50)]
    more = {"next_page_token": str(start + len(rows))} if len(rows) == size and start + size < len(MANY) else {}
    return 200, {"rows": rows} | more


@manner
def windowed(q):
    """Counts 100 at most, and refuses what lies behind."""
    start, size = int(q.get("offset", 0)), min(int(q.get("limit", 10)), 20)
    if start >= 100:
        return 400, {"message": "the window is too large"}
    return 200, {"rows": MANY[start:min(start + size, 100)], "total": 100}


@manner
def lying(q):
    """Says that nothing follows the hundredth thing."""
    start, size = int(q.get("offset", 0)), min(int(q.get("limit", 25)), 25)
    return 200, {"rows": MANY[start:start + size], "has_more": start + size < 100}


@manner
def hiding(q):
    """One thing is in no list."""
    rows, start = [t for t in THINGS if t["id"] != 7], int(q.get("offset", 0))
    return 200, {"rows": rows[start:start + int(q.get("limit", 10))], "total": len(rows)}


@manner
def sharing(q):
    """The numbers are those of other lists, too: most of the missing ones are in none of these, and one is a draft."""
    rows, start = [t for t in THINGS if t["id"] not in (2, 3, 9, 10, 20)], int(q.get("offset", 0))
    return 200, {"rows": rows[start:start + int(q.get("limit", 10))], "total": len(rows)}


@manner
def leafing(q):
    """Only the page that is sent is put in order."""
    status, document = page(THINGS, q)
    key = q.get("sort", "")
    if key.lstrip("-") in THINGS[0]:
        document["rows"].sort(key=lambda t: t[key.lstrip("-")], reverse=key.startswith("-"))
    return status, document


@manner
def crossed(q):
    """Where a page is asked for, conditions and orders are ignored."""
    if "offset" in q:
        return page(THINGS, q)
    rows, key = equal(THINGS, q), q.get("sort", "")
    if key.lstrip("-") in THINGS[0]:
        rows = sorted(rows, key=lambda t: t[key.lstrip("-")], reverse=key.startswith("-"))
    return page(rows, q)


@manner
def spaced(q):
    """Its path has a blank."""
    return page(equal(THINGS, q), q)


@manner
def wording(q):
    """A search finds whole words."""
    wanted = q.get("search", "").lower().replace(",", " ").split()
    return page([t for t in THINGS if all(any(w in v.replace(",", " ").lower().split() for v in texts(t)) for w in wanted)], q)


@manner
def seeking(q):
    """A search finds any part of a text."""
    return page([t for t in THINGS if any(q.get("search", "").lower() in v for v in texts(t))], q)


def gaps(count, hidden, q):
    """A page has 20 at most, and hides some of them."""
    start, size = int(q.get("offset", 0)), min(int(q.get("limit", 20)), 20)
    return 200, [{"id": n + 1, "name": f"row {n + 1}"} for n in range(count)[start:start + size] if n + 1 not in hidden]


@manner
def gapped(q):
    return gaps(61, range(33, 37), q)


@manner
def stretched(q):
    return gaps(190, range(143, 150), q)


@manner
def titled(q):
    """Its errors have a title, which names the status, and a description."""
    return page(THINGS, q)


@manner
def counting(q):
    """Sends 17 at most, and counts what it sends."""
    return 200, {"total": 17, "items": THINGS[:17]}


ROWS = {"sharing": [t for t in THINGS if t["id"] not in (2, 3, 9, 20)], "holding": HELD, "stated": STATED, "rounding": PRICED, "windowed": MANY,
        "directed": STATES, "coded": CODED}
ACTIONS = {"color": {"type": "choice", "choices": [{"value": "#FFFFFF"}]}, "n": {"type": "integer", "required": True},
           "state": {"type": "string", "max_length": 4}, "note": {"type": "string", "read_only": True}}


NAMES = {"wording": ("limit", "offset", "search"), "seeking": ("limit", "offset", "search"), "holding": ("limit", "offset", "name")}


def document(kind):
    parameters = [{"name": n, "in": "query"} for n in NAMES[kind]]
    return {"openapi": "3.1.0", "servers": [{"url": f"/{kind}"}], "paths": {
        "/things": {"get": {"parameters": parameters, "responses": {"200": {}}}}, "/things/{id}": {"get": {"responses": {"200": {}}}}}}


class Service(Handler):
    has_lines = True
    allow = None

    def respond(self):
        names, kind = self.names, self.names[0]
        LOG.append(f"{self.command} {unquote(self.path)} {self.body.decode()}".strip())
        if names[1:] == ["openapi.json"] and kind in NAMES:
            return self.answer(200, document(kind))
        if kind not in LISTS or names[1:2] != ["my%20things" if kind == "spaced" else "things"] or len(names) > 3:
            return self.answer(404, {"message": "not found"})
        if self.command == "OPTIONS":
            self.allow = "GET, POST" if len(names) == 2 else "GET, PATCH, DELETE"
            return self.answer(200, {"actions": {"POST": ACTIONS}} if kind == "priced" else {})
        if len(names) == 2:
            return self.answer(*LISTS[kind](self.query))
        if kind == "echoing":
            return self.answer(200, {"id": int(names[2])} if names[2].isdigit() else {"id": names[2]})
        if kind in FORMS and not re.fullmatch(FORMS[kind], names[2]):
            return self.answer(422, {"message": "this is no identifier"})
        if kind == "attributed" and names[2] in [str(t["id"]) for t in THINGS]:
            thing = THINGS[int(names[2]) - 1]
            return self.answer(200, {"id": names[2], "type": "thing", "link": f"/attributed/things/{names[2]}", "attributes": {f: thing[f] for f in FIELDS}})
        rows = [t | {"id": NAMED[kind](t["id"])} for t in THINGS] if kind in FORMS else SIGNED if kind == "patterned" else LISTS[kind]({})[1] if kind in ("gapped", "stretched") else ROWS.get(kind, THINGS)
        found = [t for t in rows if str(t["code" if kind == "coded" else "id"]) == names[2]]
        if not found:
            titled = {"title": "404 Not Found", "description": "No such thing"}
            return self.answer(404, titled if kind == "titled" else {"message": "no such thing"})
        thing = found[0] | ({"price": "@%d.0@" % found[0]["n"], "color": "#FFFFFF"} if kind == "priced" else {})
        if self.command == "PATCH":
            thing = thing | self.json()
        self.answer(200, {"id": thing["id"], "took": 3, "data": thing} if kind == "enveloped" else thing)

    def answer(self, status, document):
        # Prices keep their point.
        text = json.dumps(document).replace('"@', "").replace('@"', "")
        self.reply(status, text, {"Allow": self.allow} if self.allow else {})


serve(Service)
