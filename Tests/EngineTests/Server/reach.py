"""A search engine and a store of keys, each as its document says it is asked.

`/elastic/things/_search` takes size, from, sort, query and search_after in a POST body: a window of 20 records for `from`, values of the sort
with each hit, records that share their values told apart by the sort alone. `/consul/kv` is a list with an index that a request
waits for; `POST /consul/kv/NAME` changes it. `GET /log` answers with the requests so far, one a line."""
import json
import threading

from loopback import LOG, Handler, serve

THINGS = [{"id": n, "name": f"thing {n}", "group": "abc"[n % 3], "n": None if n == 7 else n * 10} for n in range(1, 46)]
WINDOW = 20
CHANGED = threading.Condition()
STORE, STATE = {"a": "1"}, {"index": 7}


def search(body):
    size, start = body.get("size", 10), body.get("from", 0)
    if start + size > WINDOW:
        return 400, {"error": {"reason": f"Result window is too large, from + size must be less than or equal to: [{WINDOW}]"}}
    if start and "search_after" in body:
        return 400, {"error": {"reason": "from parameter must be set to 0 when search_after is used"}}
    keys = list(body.get("sort", {}).items())

    def place(row):
        return [(row[name] is None, row[name]) for name, _ in keys]

    rows = list(THINGS)
    for name, order in reversed(keys):
        # Nulls come last in both directions.
        there = sorted((row for row in rows if row[name] is not None), key=lambda row: row[name], reverse=order == "desc")
        rows = there + [row for row in rows if row[name] is None]
    if "search_after" in body:
        wanted = body["search_after"]
        if not isinstance(wanted, list) or len(wanted) != len(keys):
            return 400, {"error": {"reason": "search_after has another number of values than sort"}}
        # Every record with the same values comes at the same place, and the next page begins behind all of them.
        at = max(i for i, row in enumerate(rows) if [row[name] for name, _ in keys] == wanted)
        rows = rows[at + 1:]
    hits = [{"_id": str(row["id"]), "_source": row} | ({"sort": [row[name] for name, _ in keys]} if keys else {})
            for row in rows[start:start + size]]
    return 200, {"hits": {"total": {"value": len(THINGS), "relation": "eq"}, "hits": hits}}


class Service(Handler):
    methods = "GET POST"
    has_lines = True

    def respond(self):
        raw, path, query = self.body.decode(), self.names, self.query
        LOG.append(f"{self.command} {self.path} {raw}".strip())
        if path[0] == "elastic":
            return self.reply(*search(json.loads(raw or "{}")))
        with CHANGED:
            if self.command == "POST":
                STORE[path[-1]] = raw
                STATE["index"] = int(query.get("index", STATE["index"] + 1))
                CHANGED.notify_all()
                return self.reply(200, {})
            if query.get("index") == str(STATE["index"]):
                CHANGED.wait_for(lambda: query["index"] != str(STATE["index"]), int(query["wait"].removesuffix("s")))
            rows = [{"Key": name, "Value": value} for name, value in sorted(STORE.items())]
            return self.reply(200, rows, {"X-Consul-Index": str(STATE["index"])})


serve(Service)
