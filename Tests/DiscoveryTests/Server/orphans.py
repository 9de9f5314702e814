"""A service like json-server 0.17: a deletion also deletes every record in which a field names no record of another collection.
`GET /log` answers with the requests so far."""
from loopback import LOG, Handler, serve

DATA = {"users": [{"id": n, "name": f"user {n}"} for n in range(1, 7)],
        "posts": [{"id": n, "title": f"post {n}", "userId": n} for n in range(1, 9)]}


class Service(Handler):
    has_lines = True

    def respond(self):
        names, q = self.names, self.query
        LOG.append(f"{self.command} {self.path}")
        if names == [""]:
            return self.reply(200, {name: f"/{name}" for name in DATA})
        rows = DATA.get(names[0])
        if rows is None or len(names) > 2:
            return self.reply(404, {})
        if self.command == "OPTIONS":
            return self.reply(204, fields={"Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"})
        if len(names) == 1 and self.command == "POST":
            rows.append(self.json() | {"id": max(r["id"] for r in rows) + 1})
            return self.reply(201, rows[-1])
        if len(names) == 1:
            total = {"X-Total-Count": str(len(rows)), "Access-Control-Expose-Headers": "X-Total-Count"} if "_limit" in q else {}
            size = int(q.get("_limit", 100))
            return self.reply(200, rows[(int(q.get("_page", 1)) - 1) * size:][:size], total)
        found = next((r for r in rows if str(r["id"]) == names[1]), None)
        if found is None:
            return self.reply(404, {})
        if self.command == "PATCH":
            found.update(self.json())
        if self.command == "DELETE":
            rows.remove(found)
            users = [u["id"] for u in DATA["users"]]
            DATA["posts"] = [p for p in DATA["posts"] if p.get("userId") in users]
            return self.reply(200, {})
        return self.reply(200, found)


serve(Service)
