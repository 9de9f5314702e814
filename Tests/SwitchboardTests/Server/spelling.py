"""People and items that refer to them, one store for each first part of a path.

What a part of the name says is done to a key (an item's `code`, a person's `email`) before it is stored:
trim, lower, nfc; `slug` keeps its letters and digits only; `drop` stores none. `exact` stores it as sent.
A store with `slim` in its name answers a creation with the identifier alone, one with `full` takes two records of a resource.
`/log` is what was sent, `/state/STORE/RESOURCE` the records past all that; a POST there sets them."""

import re
import unicodedata

from loopback import LOG, Handler, serve

STORES = {}
KEYS = {"items": "code", "archive": "code", "users": "email", "teams": "name"}


def stored(name, key):
    if not isinstance(key, str):
        return key
    if "trim" in name:
        key = key.strip()
    if "lower" in name:
        key = key.lower()
    if "nfc" in name:
        key = unicodedata.normalize("NFC", key)
    if "slug" in name:
        key = re.sub(r"[^a-z0-9]+", "-", key.lower())
    return None if "drop" in name else key


class Service(Handler):
    methods = "GET POST PATCH DELETE"

    def respond(self):
        sent, parts = self.json(), self.names
        if parts[0] == "state":
            if self.command == "POST":
                STORES[tuple(parts[1:])] = {record["id"]: record for record in sent}
            return self.reply(200, list(STORES.get(tuple(parts[1:]), {}).values()))
        LOG.append(f"{self.command} {self.path}")
        if len(parts) < 2 or parts[1] not in KEYS:
            return self.reply(404, {"message": "there is no such list"})
        (name, resource), records = parts[:2], STORES.setdefault(tuple(parts[:2]), {})
        number = int(parts[2]) if len(parts) > 2 and parts[2].isdigit() else None
        if number is None and self.command == "GET":
            return self.reply(200, list(records.values()))
        if self.command == "POST" and "full" in name and len(records) > 1:
            return self.reply(400, {"message": "the list is full"})
        if self.command == "POST":
            number = max(records, default=0) + 1
        elif number not in records:
            return self.reply(404, {"message": "there is no such record"})
        if self.command == "DELETE":
            del records[number]
            return self.reply(204)
        if self.command in ("POST", "PATCH"):
            record = {**records.get(number, {}), **sent, "id": number}
            key = KEYS[resource]
            if key in record:
                record[key] = stored(name, record[key])
            records[number] = record
        if self.command == "POST" and "slim" in name:
            return self.reply(201, {"id": number})
        self.reply(201 if self.command == "POST" else 200, records[number])


serve(Service)
