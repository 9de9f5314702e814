"""A service of records to select from: things, and the groups that they name.

The first part of the path is the way in which it filters: `exact` as asked, `loose` without regard to case and with records too many,
`changing` as asked, with another `n` in each answer. `things/count` is the number of things alone. `GET /log` tells the
requests so far, `GET /forget` tells them and begins anew. The arguments are the number of things, the offset from which on a
list is an error, and the one from which on it is never given; -1 is none.
"""
import sys
import threading
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, serve

COUNT, FAIL, HANG = map(int, sys.argv[1:])
NAMES = ["alpha", "Beta", "gamma", "5", "05", "5.0", "élan", "ALPHA", "x%y", "a_b", "", "zz top", "beta max", "10", "食堂"]


def thing(i):
    record = {"id": i, "name": NAMES[i * 7 % len(NAMES)], "n": i * 13 % 40 - 5, "group": i * 3 % 12, "flag": i % 3 == 0,
              "price": [0.1, 2.5, 10.0, 1e3, 7, 0.30000000000000004][i % 6], "made": "2024-%02d-%02dT00:00:00Z" % (i % 12 + 1, i % 28 + 1),
              "site": {"name": "site %d" % (i % 4), "floor": i % 3}, "tags": ["t%d" % (i % 5)], "secret": "s%d" % i}
    if i % 5 == 0:
        record["name"] = None
    if i % 7 == 0:
        record["n"] = None
    if i % 11 == 0:
        del record["n"]
    if i % 4 == 0:
        record["group"] = None
    if i % 9 == 0:
        del record["flag"]
    return record


DB = {"things": {i: thing(i) for i in range(1, COUNT + 1)},
      "groups": {i: {"id": i, "title": ["red", "Red", "blue", None][i % 4], "code": str(i)} for i in range(0, 10)}}
KINDS = {"id": float, "n": float, "group": float, "price": float, "site.floor": float, "flag": lambda t: t == "true"}


def at(record, path):
    for name in path.split("."):
        record = record.get(name) if isinstance(record, dict) else None
    return record


def meets(record, field, test, text, loose):
    value, cast = at(record, field), KINDS.get(field, str)
    if test == "null":
        return value is None
    if test == "there":
        return value is not None
    if test == "ne":
        return value is None or value != cast(text)
    if value is None:
        return False
    if test == "in":
        return value in [cast(t) for t in text.split(",")] or loose and record["id"] % 10 == 0
    if test == "has":
        return text.lower() in value.lower() if loose else text in value
    wanted = cast(text)
    if loose and isinstance(value, str) and test == "eq":
        value, wanted = value.lower(), wanted.lower()
    if test == "eq":
        return value == wanted or loose and record["id"] % 10 == 0
    return {"lt": value < wanted, "le": value <= wanted, "gt": value > wanted, "ge": value >= wanted}[test]


class Tables(Handler):
    methods = "GET"

    def respond(self):
        path = [unquote(part) for part in self.names]
        if path == ["forget"]:
            taken = list(LOG)
            # One that comes meanwhile stays.
            del LOG[:len(taken)]
            return self.reply(200, taken)
        if path[0] == "all":
            return self.reply(200, list(DB[path[1]].values()))
        LOG.append(self.path)
        rows = DB[path[1]]
        if len(path) > 3:
            rows, path = {k: v for k, v in DB[path[3]].items() if v.get("group") == int(path[2])}, path[:1] + path[3:]
        if path[2:] == ["count"]:
            return self.reply(200, {"total": len(rows)})
        if len(path) == 3:
            record = rows.get(int(path[2]))
            return self.reply(200 if record else 404, record or {"message": "not found"})
        tests = [(name, text) for name, text in parse_qsl(self.url.query, keep_blank_values=True) if "." in name]
        self.list(path, self.query, tests, list(rows.values()))

    def list(self, path, q, tests, rows):
        loose = path[0] == "loose"
        for name, text in tests:
            field, _, test = name.rpartition(".")
            rows = [row for row in rows if meets(row, field, test, text, loose)]
        for key in reversed(q.get("sort", "id").split(",")):
            field = key.lstrip("-")
            nulls = [row for row in rows if at(row, field) is None]
            # What is equal stays in the order of the keys that follow.
            rest = [row for row in rows if at(row, field) is not None]
            rest.sort(key=lambda row: at(row, field), reverse=key.startswith("-"))
            rows = nulls + rest if key.startswith("-") else rest + nulls
        offset, limit = int(q.get("offset", 0)), min(int(q.get("limit", 20)), 100)
        if FAIL >= 0 and offset >= FAIL:
            return self.reply(500, {"message": "out of order"})
        if 0 <= HANG <= offset:
            threading.Event().wait()
        items = rows[offset:offset + limit]
        if path[0] == "changing":
            items = [row | {"n": len(LOG)} for row in items]
        self.reply(200, {"total": len(rows), "items": items})


serve(Tables)
