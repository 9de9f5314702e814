"""Teams and players in JSON:API, without a document. A new player needs a team among its relationships. `GET /left` answers with the players
that were not there at first."""
from loopback import Handler, serve

KIND = "application/vnd.api+json"
TEAMS = {str(n): {"name": f"team {n}"} for n in range(1, 4)}
PLAYERS = {str(n): {"name": f"player {n}", "note": f"n{n}", "teamId": n % 3 + 1, "team": str(n % 3 + 1)} for n in range(1, 13)}
FIRST = set(PLAYERS)


def shown(kind, id):
    row = (TEAMS if kind == "teams" else PLAYERS)[id]
    record = {"type": kind, "id": id, "attributes": {name: value for name, value in row.items() if name != "team"}}
    if kind == "players":
        record["relationships"] = {"team": {"data": {"type": "teams", "id": row["team"]} if row["team"] else None}}
    return record


class Service(Handler):
    kind = KIND

    def respond(self):
        names = self.names
        if names == [""]:
            return self.reply(200, {"links": {"teams": "/teams", "players": "/players"}})
        if names == ["left"]:
            return self.reply(200, [id for id in PLAYERS if id not in FIRST])
        rows = {"teams": TEAMS, "players": PLAYERS}.get(names[0])
        if rows is None or len(names) > 2 or len(names) == 2 and names[1] not in rows:
            return self.fail(404, "not found")
        if self.command in ("GET", "HEAD"):
            if len(names) == 2:
                return self.reply(200, {"data": shown(names[0], names[1])})
            start, size = int(self.query.get("page[offset]", 0)), int(self.query.get("page[limit]", 5))
            found = list(rows)
            return self.reply(200, {"jsonapi": {"version": "1.0"}, "data": [shown(names[0], id) for id in found[start:start + size]],
                                    "meta": {"total": len(found)}})
        if names[0] == "teams":
            return self.fail(405, "teams stay as they are")
        if self.command == "DELETE" and len(names) == 2:
            del rows[names[1]]
            return self.reply(204)
        if self.command != ("POST" if len(names) == 1 else "PATCH"):
            return self.fail(405, "not so")
        data = self.json({}).get("data", {})
        row = {"name": None, "note": None, "teamId": None, "team": None} if len(names) == 1 else dict(rows[names[1]])
        row |= {name: value for name, value in data.get("attributes", {}).items() if name in ("name", "note")}
        if "team" in data.get("relationships", {}):
            row["team"] = (data["relationships"]["team"]["data"] or {}).get("id")
        if row["team"] not in TEAMS:
            return self.fail(422, "must exist", "/data/relationships/team")
        if not row["name"]:
            return self.fail(422, "can't be blank", "/data/attributes/name")
        id = names[1] if len(names) == 2 else str(max(map(int, rows)) + 1)
        rows[id] = row | {"teamId": int(row["team"])}
        self.reply(200 if len(names) == 2 else 201, {"data": shown("players", id)})

    def fail(self, status, detail, pointer=None):
        error = {"status": str(status), "title": "refused", "detail": detail}
        self.reply(status, {"errors": [error | ({"source": {"pointer": pointer}} if pointer else {})]})


serve(Service)
