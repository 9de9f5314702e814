"""Items of a service whose answers to creations can be withheld.

POST /items        makes an item; GET /items is the whole list, GET /items/N one
GET /set/WAY/N     from the Nth creation on: `hold` makes the item and never answers, `hangup` makes it and closes the connection,
                   `drop` closes the connection and makes nothing, `later` accepts it and makes nothing yet, `refuse` refuses one,
                   `answer` answers; `late`: the next list waits for `answer`
DELETE /items/N    deletes one
POST /other        makes an item that no creation asked for
GET /log           the requests for items so far, without those to come; GET /all the items; GET /clear empties the log
GET /forget        takes all items away, and numbers new ones from 1
The name of an item is stored in lower case, escaped and cut to forty characters, a rank with a fraction is rounded, and a field
`hint` is not stored."""

import threading

from loopback import LOG, Handler, serve

LOCK = threading.Lock()
ITEMS = {}
STATE = {"way": "answer", "from": 0, "seen": 0}
NEVER = threading.Event()
LATE = threading.Event()


def add(fields):
    number = max(ITEMS, default=0) + 1
    stored = {name: value for name, value in fields.items() if name != "hint"}
    if isinstance(stored.get("name"), str):
        stored["name"] = stored["name"].lower().replace("&", "&amp;")[:40]
    if isinstance(stored.get("rank"), float):
        stored["rank"] = round(stored["rank"], 1)
    ITEMS[number] = {"id": number} | stored
    return ITEMS[number]


class Service(Handler):
    methods = "GET POST DELETE"

    def respond(self):
        getattr(self, self.command.lower())(self.names)

    def get(self, parts):
        with LOCK:
            if parts[0] == "set":
                STATE.update({"way": parts[1], "from": int(parts[2]), "seen": 0})
                if parts[1] == "answer":
                    LATE.set()
                return self.reply(200, STATE)
            if parts[0] == "clear":
                LOG.clear()
                return self.reply(200, [])
            if parts[0] == "forget":
                ITEMS.clear()
                return self.reply(200, [])
            if parts[0] == "all":
                return self.reply(200, list(ITEMS.values()))
            LOG.append(f"GET {self.path}")
            waits = len(parts) == 1 and STATE["way"] == "late"
            if waits:
                STATE["way"] = ""
                LATE.clear()
        if waits:
            LATE.wait()
        with LOCK:
            if len(parts) == 1:
                return self.reply(200, list(ITEMS.values()))
            found = ITEMS.get(int(parts[1]))
            return self.reply(200, found) if found else self.reply(404, {"error": "no such item"})

    def post(self, parts):
        fields = self.json()
        with LOCK:
            if self.path == "/other":
                return self.reply(201, add(fields))
            STATE["seen"] += 1
            way = STATE["way"] if STATE["seen"] > STATE["from"] else "answer"
            made = {} if way in ("drop", "later", "refuse") else add(fields)
            LOG.append(f"POST {self.path}")
            if way == "refuse":
                STATE["way"] = "answer"
        if way == "later":
            return self.reply(202, {})
        if way == "refuse":
            return self.reply(400, {"error": "no"})
        if way == "hold":
            NEVER.wait()
        if way == "answer":
            return self.reply(201, made)
        self.close_connection = True

    def delete(self, parts):
        with LOCK:
            LOG.append(f"DELETE {self.path}")
            found = ITEMS.pop(int(parts[1]), None)
        self.reply(200 if found else 404, {})


serve(Service)
