"""Twenty things, of which every fourth is done. The total is that of all, whatever the condition; no order is heeded; and a
new thing keeps no name. `/capped` has the same things without a total, at most ten on a page, whatever is asked for; and `/boxed` has each in an envelope, which may have an error instead."""

from loopback import LOG, Handler, serve

THINGS = {n: {"id": n, "name": f"thing {n}", "done": n % 4 == 0} for n in range(1, 21)}


class Things(Handler):
    methods = "GET POST DELETE"

    def respond(self):
        LOG.append(f"{self.command} {self.path}")
        number = int(self.names[1]) if len(self.names) > 1 else None
        if self.command == "POST":
            number = max(THINGS) + 1
            THINGS[number] = {"id": number, "name": "", "done": self.json().get("done", False)}
            return self.reply(201, THINGS[number])
        if self.names[0] == "boxed" and number is not None:
            found = number in THINGS
            return self.reply(200, {"ok": True, "data": THINGS[number]} if found else {"ok": False, "error": "E404"})
        if number is not None and number not in THINGS:
            return self.reply(404, {"error": "no such thing"})
        if number is not None:
            return self.reply(200, THINGS[number])
        things = [t for t in THINGS.values() if self.query.get("done") in (None, str(t["done"]).lower())]
        start, size = int(self.query.get("offset", 0)), int(self.query.get("limit", 8))
        if self.names[0] == "capped":
            return self.reply(200, {"items": things[start:start + min(size, 10)]})
        self.reply(200, {"items": things[start:start + size], "total": len(THINGS)})


serve(Things)
