"""Tickets, and the people that they refer to. What stands first in a path is how people can be found: `filtered` has
lists of them by several identifiers, `read` has each by itself, `refused` has person 2 for nobody. `/log` shows the
requests so far."""

from loopback import LOG, Handler, serve

PEOPLE = [{"id": n, "name": "person %d" % n, "login": "p%d" % n} for n in range(1, 121)]
PEOPLE[1]["name"] = "missing"
PEOPLE[2]["name"] = 'Ana, "the admin"\u202e\x1b[31m'
TICKETS = [{"id": n, "title": "ticket %d" % n, "requester": n % 120 + 1, "watchers": [1, 2, 3]} for n in range(1, 201)]
TICKETS[0].update(requester=999, watchers=[1, 999])
TICKETS[1].update(requester=None, watchers=[])
del TICKETS[2]["requester"]
TICKETS[3].update(requester={"id": 7, "name": "shown here"})
TICKETS[4].update(requester="p9", watchers=True)


class Desk(Handler):
    methods = "GET"

    def respond(self):
        LOG.append("GET " + self.path)
        style, name, *rest = self.names
        records = {"people": PEOPLE, "tickets": TICKETS, "odd": [dict(TICKETS[5], **{"@requester": "own"})]}.get(name)
        if records is None:
            return self.reply(404, {"message": "there is no " + name})
        if rest:
            found = [record for record in records if str(record["id"]) == rest[0]]
            if style == "refused" and name == "people" and rest[0] == "8":
                return self.reply(403, {"message": "not for you"})
            return self.reply(200, found[0]) if found else self.reply(404, {"message": "there is none"})
        if style == "filtered" and name == "people":
            for field in ("id", "login"):
                if self.query.get(field):
                    wanted = self.query[field].split(",")
                    records = [record for record in records if str(record[field]) in wanted]
            # Whoever is on leave is in no list, and can be read.
            records = [record for record in records if record["id"] != 11]
        first, count = int(self.query.get("offset", 0)), int(self.query.get("limit", 30))
        self.reply(200, {"items": records[first : first + count], "total": len(records)})


serve(Desk)
