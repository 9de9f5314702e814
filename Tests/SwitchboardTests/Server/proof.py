"""Items of a service that proves little. The first part of a path is how it behaves, the second the resource, a third an item.

whole    five items, kept as they are written; a list is all of them
paged    45 items, ten on a page whatever is asked for but `page`, as a bare array
odd      seven items in a bare array; `many`: twenty
contested  as whole; after each list somebody else changes item 2
late       as whole, with revisions (ETag); after each read of item 2 somebody else changes it
deaf     a change is answered with the old record, and nothing is stored; `half`: only its title is not stored
lean     writes are kept, and answered with the number only; `leaner`: but for the title
known    members of a new item other than title, state and rank are not stored
mute     no response shows the state of an item; `coerce`: a state is stored as a list
gateway  a deletion works; from then on a gateway answers everything: 404, as a page
shapes   twelve items; a list has `phase` and a rank that is a number, an item alone has `state` and a rank that is a text
claims   a new item is answered as item 1, which is another one, and not stored
4xx/5xx  every request gets this status; `page`: an HTML page, `broken`: JSON that is cut off, `moved`: a redirect
`/log` is what was sent, `/state/MODE/N` an item past all that."""

import json

from loopback import LOG, Handler, serve

COUNTS = {"paged": 45, "odd": 7, "many": 20, "shapes": 12}
STORES = {}
DOWN = set()


def store(mode):
    if mode not in STORES:
        STORES[mode] = {
            n: {"id": n, "title": f"item {n}", "state": "open", "rank": n} for n in range(1, COUNTS.get(mode, 5) + 1)
        }
    return STORES[mode]


class Service(Handler):
    methods = "GET POST PATCH DELETE HEAD"

    def respond(self):
        parts = self.names
        if parts[0] == "state":
            return self.reply(200, json.dumps(store(parts[1]).get(int(parts[2]))))
        matched = self.headers.get("If-Match")
        LOG.append(f"{self.command} {self.path}" + (f" {matched}" if matched else ""))
        mode, number = parts[0], int(parts[2]) if len(parts) > 2 and parts[2].isdigit() else None
        if mode.isdigit():
            return self.reply(int(mode), {"message": "not here"})
        if mode == "page":
            return self.reply(200, "<html><body>Welcome</body></html>", kind="text/html")
        if mode == "broken":
            return self.reply(200, '[{"id": 1, "ti')
        if mode == "moved":
            return self.reply(302, "", [("Location", "https://127.0.0.1:1/login")])
        if mode in DOWN:
            return self.reply(404, "<html>no route</html>", kind="text/html")
        if len(parts) < 2 or parts[1] != "items":
            return self.reply(404, {"message": "there is no such list"})
        getattr(self, self.command.lower())(mode, store(mode), number)

    def shown(self, mode, item, listed=False):
        if mode == "shapes":
            rest = {"phase": f"p{item['rank'] % 2}"} if listed else {"rank": str(item["rank"]), "state": item["state"]}
            return {n: v for n, v in item.items() if n != "state"} | rest
        return {n: v for n, v in item.items() if mode != "mute" or n != "state"}

    def tag(self, mode, item):
        return [("ETag", f'"{item["rank"]}"')] if mode == "late" else []

    def get(self, mode, items, number):
        if number is None:
            found = list(items.values())
            if mode == "paged":
                page = int(self.query.get("page", 1))
                found = found[(page - 1) * 10 : page * 10]
            self.reply(200, [self.shown(mode, item, True) for item in found])
            if mode == "contested" and 2 in items:
                items[2] = dict(items[2], state="theirs", rank=items[2]["rank"] + 100)
            return
        if number not in items:
            return self.reply(404, {"message": "there is no such item"})
        item = items[number]
        self.reply(200, self.shown(mode, item), self.tag(mode, item))
        if mode == "late" and number == 2:
            items[2] = dict(item, title="theirs", rank=item["rank"] + 100)

    def post(self, mode, items, number):
        if mode == "claims":
            return self.reply(201, {"id": 1})
        sent, new = self.json(), max(items, default=0) + 1
        if mode == "known":
            sent = {n: v for n, v in sent.items() if n in ("title", "state", "rank")}
        if mode == "leaner":
            sent.pop("title", None)
        items[new] = dict({"title": None, "state": "open", "rank": new}, **dict(sent, id=new))
        self.reply(201, {"id": new} if mode.startswith("lean") else items[new])

    def patch(self, mode, items, number):
        if number not in items:
            return self.reply(404, {"message": "there is no such item"})
        item = items[number]
        matched = self.headers.get("If-Match")
        if matched and matched != f'"{item["rank"]}"':
            return self.reply(412, {"message": "it was changed"})
        kept = {} if mode == "deaf" else {n: v for n, v in self.json().items() if mode != "half" or n != "title"}
        if mode == "coerce" and "state" in kept:
            kept["state"] = [kept["state"]]
        items[number] = dict(item, **kept)
        shown = {"id": number} if mode == "lean" else self.shown(mode, items[number])
        self.reply(200, shown, self.tag(mode, items[number]))

    def delete(self, mode, items, number):
        matched = self.headers.get("If-Match")
        if matched and number in items and matched != f'"{items[number]["rank"]}"':
            return self.reply(412, {"message": "it was changed"})
        if items.pop(number, None) is None:
            return self.reply(404, {"message": "there is no such item"})
        if mode == "gateway":
            items[number] = {"id": number, "title": "it is still there", "state": "open", "rank": 0}
            DOWN.add(mode)
            return self.reply(404, "<html>no route</html>", kind="text/html")
        self.reply(204)


serve(Service)
