"""Things in pages, as many as the argument says. Number 5 cannot be changed, and who creates a `lost` one is not told.

POST /change/N   gives thing N the name `other`, as somebody else would
GET /log         the requests so far"""

import sys

from loopback import LOG, Handler, serve

THINGS = {n: {"id": n, "name": f"thing {n}", "done": False} for n in range(1, int(sys.argv[1]) + 1)}


class Things(Handler):
    methods = "GET POST PATCH DELETE"
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {self.path}")
        number = int(self.names[1]) if len(self.names) > 1 else None
        if self.names[0] == "change":
            THINGS[number]["name"] = "other"
        elif self.names[0] != "things":
            return self.reply(404, {"error": "there is nothing"})
        if number is None and self.command == "POST":
            number = max(THINGS) + 1
            THINGS[number] = self.json() | {"id": number}
            if THINGS[number]["name"] == "lost":
                return self.reply(502, {})
            return self.reply(201, THINGS[number])
        if number is None:
            start, size = int(self.query.get("offset", 0)), int(self.query.get("limit", 20))
            things = list(THINGS.values())
            return self.reply(200, {"items": things[start:start + size], "total": len(things)})
        if number not in THINGS:
            return self.reply(404, {"error": "no such thing"})
        if self.command == "PATCH" and number == 5:
            return self.reply(422, {"error": "number 5 stays as it is"})
        if self.command == "PATCH":
            THINGS[number] |= self.json()
        if self.command == "DELETE":
            del THINGS[number]
            return self.reply(204)
        self.reply(200, THINGS[number])


serve(Things)
