"""A shop without a document. Its root names the lists, and where the orders of an item are: they are created there alone. The `status` of an
item has to be one of a few, its `shade` may be any text. A sort by anything else than `SORTS` shows the newest first. `GET /log` answers with
the requests so far, one a line; those that write have their bodies."""
import json
import uuid
from urllib.parse import unquote

from loopback import LOG, Handler, serve

STATES = ["draft", "active", "sold"]
SORTS = ["id", "title", "status", "length"]


def guid(n):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"supplier {n}"))


def item(n):
    return {"_links": {"self": {"href": f"/items/{n}"}, "orders": {"href": f"/items/{n}/orders"}},
            "id": n, "title": f"item {n}", "status": STATES[n % 3], "phase": "early" if n < 20 else "middle" if n < 41 else "recent",
            "shade": ["light", "dark"][n % 2], "length": n * 7 % 31, "supplierId": guid(n % 12), "makerId": guid(n * 5 % 12),
            "sellerId": n % 6 + 1, "order": n % 4 + 1, "paid": n % 2 == 0}


ROWS = {
    "items": {n: item(n) for n in range(1, 61)},
    "suppliers": {guid(n): {"guid": guid(n), "name": f"supplier {n}"} for n in range(12)},
    # No seller has the number 6.
    "sellers": {n: {"id": n, "name": f"seller {n}"} for n in range(1, 6)},
    "orders": {n: {"id": n, "itemId": n % 5 + 1, "note": f"order {n}", "count": n % 7} for n in range(1, 31)},
}
FIRST = {name: set(rows) for name, rows in ROWS.items()}


def text(value):
    return json.dumps(value) if isinstance(value, bool) else str(value)


def meets(value, wanted):
    if wanted.startswith("<=") and isinstance(value, int):
        return wanted[2:].isdigit() and value <= int(wanted[2:])
    return text(value) == wanted


class Service(Handler):
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {unquote(self.path)} {self.body.decode()}".strip())
        names = self.names
        if names == [""]:
            return self.reply(200, {f"{name}_url": f"/{name}" for name in ROWS} | {"item_orders_url": "/items/{item_id}/orders"})
        if names == ["left"]:
            return self.reply(200, [row for name, rows in ROWS.items() for key, row in rows.items() if key not in FIRST[name]])
        owner = None
        if len(names) == 3 and names[0] == "items" and names[2] == "orders" and names[1].isdigit() and int(names[1]) in ROWS["items"]:
            owner, names = int(names[1]), ["orders"]
        rows = ROWS.get(names[0])
        if rows is None or len(names) > 2:
            return self.reply(404, {"message": "not found"})
        if len(names) == 1:
            if self.command == "POST" and (names[0] != "orders" or owner):
                return self.create(names[0], rows, owner)
            return self.list(rows, owner) if self.command in ("GET", "HEAD") else self.reply(404, {"message": "not found"})
        key = int(names[1]) if names[1].isdigit() else names[1]
        if key not in rows:
            return self.reply(404, {"message": "not found"})
        if self.command in ("GET", "HEAD"):
            return self.reply(200, rows[key])
        if self.command == "DELETE":
            del rows[key]
            return self.reply(204)
        if self.command != "PATCH":
            return self.reply(404, {"message": "not found"})
        change = {name: value for name, value in self.json({}).items() if name in rows[key] and name not in ("id", "guid", "_links")}
        if not self.refuses(names[0], rows[key] | change):
            rows[key] |= change
            self.reply(200, rows[key])

    def refuses(self, name, row):
        errors = {}
        if name == "items" and row["status"] not in STATES:
            errors["status"] = ["is not included in the list"]
        if name == "items" and row["supplierId"] not in ROWS["suppliers"]:
            errors["supplierId"] = ["must exist"]
        for field in ("title", "name", "note"):
            if field in row and not row[field]:
                errors[field] = ["can't be blank"]
        if errors:
            self.reply(422, {"errors": errors})
        return bool(errors)

    def create(self, name, rows, owner):
        key = str(uuid.uuid4()) if name == "suppliers" else max(rows) + 1
        row = {field: None for field in next(iter(rows.values()))} | {"guid" if name == "suppliers" else "id": key}
        row |= {field: value for field, value in self.json({}).items() if field in row and field not in ("id", "guid", "_links", "itemId")}
        if name == "items":
            row |= {"_links": item(key)["_links"], "status": row["status"] or "draft"}
        if name == "orders":
            row["itemId"] = owner
        if not self.refuses(name, row):
            rows[key] = row
            self.reply(201, row)

    def list(self, rows, owner):
        query = self.query
        found = [row for row in rows.values() if owner is None or row["itemId"] == owner]
        found = [row for row in found if all(meets(row[name], query[name]) for name in query if name in row)]
        field = query.get("sort", "").lstrip("-")
        if field and found:
            name = field if field in SORTS and field in found[0] else "id" if "id" in found[0] else "guid"
            found.sort(key=lambda row: (row[name] is not None, row[name]), reverse=name != field or query["sort"].startswith("-"))
        start, size = int(query.get("offset", 0)), min(int(query.get("limit", 20)), 100)
        self.reply(200, {"rows": found[start:start + size], "total": len(found)})


serve(Service)
