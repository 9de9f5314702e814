"""Compares the claims of a run of the console about its writes (exit status, journal entries, errors as JSON) with the server's log."""
from urllib.parse import quote, urlsplit

WRITES = ("POST", "PUT", "PATCH", "DELETE")
# Statuses that refuse a request: nothing was done.
REFUSED = [307, 308] + [n for n in range(400, 432) if n not in (408, 419, 427, 430)] + [444, 449, 451, 494]


def key(write):
    return write["method"], write["target"], write.get("body") or ""


def applied(writes):
    return [w for w in writes if w["applied"] is True]


class Judge:
    """Holds the claims of a run against the log of the server."""

    def __init__(self, cell, run, wanted):
        self.cell, self.run, self.wanted = cell, run, wanted
        self.writes = [w for w in run["requests"] if w["method"] in WRITES]
        self.done = {key(w) for w in applied(self.writes)}

    def complaints(self):
        if "failed" in self.run:
            return [self.run["failed"]]
        found = list(self.of_status()) + list(self.of_log())
        for entry in self.run["journal"]:
            # A write that was refused and sent again has an entry for each attempt; the last one counts.
            later = [e for e in self.run["journal"] if e["number"] > entry["number"] and self.is_same(e, entry)]
            if entry["outcome"] != "failed" or not later:
                found += self.of_entry(entry, entry["outcome"], entry.get("code"))
        unknown = {entry["number"] for entry in self.run["journal"] if entry["outcome"] == "unknown"}
        for entry in self.run.get("checked", []):
            if entry["number"] in unknown:
                found += self.of_entry(entry, entry["outcome"], entry.get("code"), "journal check")
        for event in self.run["events"]:
            found += self.of_event(event)
        return found

    def of_status(self):
        status, entries = self.run["status"], self.run["journal"]
        if self.cell.statuses and status not in self.cell.statuses:
            yield f"status {status}, but only {self.cell.statuses} is right for a list whose end is not proved"
        if status == 0 and not self.cell.statuses:
            kept = sum(entry.get("code") == "notKept" for entry in entries)
            missing = [w for w in self.wanted - self.done]
            if len(missing) > kept:
                yield f"status 0, and not applied: {missing}"
        if status == 6 and not any(entry["outcome"] == "unknown" for entry in entries):
            yield "status 6, and nothing is unknown in the journal"
        if status != 6 and any(entry["outcome"] == "unknown" for entry in entries):
            yield f"status {status}, and a write is unknown in the journal"
        if status == 6 and not self.writes and self.cell.query.get("fault") == "refuse":
            yield "status 6, and no write reached the server"
        if status < 0 or status > 6:
            yield f"status {status}: the console did not end by itself"

    def of_log(self):
        """Writes that were applied without being requested, or more than once."""
        for write in self.done - self.wanted:
            yield f"applied without being requested: {write}"
        made = [key(w) for w in applied(self.writes) if w["method"] == "POST"]
        if len(made) != len(set(made)):
            yield f"created more than once: {made}"

    def of_entry(self, entry, outcome, code, by="journal"):
        """The journal's outcome of a write, by the log."""
        tries = [w for w in self.writes if self.is_of(w, entry)]
        name = f"{by}: {entry['verb']} {entry.get('id')} is {outcome}"
        done = any(w["applied"] is True for w in tries)
        if outcome == "done" and code != "notKept" and not done:
            yield f"{name}, and it was not applied: {[(w['status'], w['fault']) for w in tries]}"
        if outcome in ("failed", "notSent") and any(w["applied"] for w in tries):
            yield f"{name}, and it was applied: {[(w['status'], w['applied']) for w in tries]}"
        if outcome == "notSent" and tries:
            yield f"{name}, and it reached the server"
        if outcome == "unknown" and by == "journal" and tries:
            last = tries[-1]
            if all(w["status"] in REFUSED for w in tries):
                yield f"{name}, and every attempt was refused: {[w['status'] for w in tries]}"
            if entry["verb"] in ("update", "delete") and done and last["fault"] and not str(last["fault"]).startswith("then"):
                if not any("then" in str(w["fault"]) for w in self.run["requests"]):
                    yield f"{name}, and a read shows that it was done"

    def is_of(self, write, entry):
        """Tells if a request is an attempt of an entry."""
        if entry["verb"] == "create":
            sent = entry.get("sent") or {}
            return write["method"] in ("POST", "PUT") and str(sent.get("title", "")) in (write.get("body") or "")
        if entry["verb"] in ("update", "delete"):
            path = urlsplit(write["target"] or "").path.rsplit("/", 1)[-1]
            return path in ("", quote(str(entry.get("id")), safe="")) and (write["method"] == "DELETE") == (entry["verb"] == "delete")
        return True

    @staticmethod
    def is_same(one, other):
        """Tells if two entries are of one write."""
        return all(one.get(name) == other.get(name) for name in ("verb", "resource", "sent", "undoes")) and (
            one["verb"] == "create" or one.get("id") == other.get("id"))

    def of_event(self, event):
        effect, name = event.get("effect"), f"{event.get('operation')} {event.get('id', '')}: {event.get('message', '')[:80]}"
        if event["level"] == "raw":
            yield f"standard error has more than JSON: {event['message']}"
        if event["level"] != "error" or "done" in event and len(self.wanted) > 1:
            if "done" in event and event["done"] > len(self.done):
                yield f"{event['done']} said to be done, {len(self.done)} applied"
            return
        mine = [w for w in self.writes if "id" not in event or quote(str(event["id"]), safe="") in (w["target"] or "").split("/")]
        if len(self.wanted) > 1 and "id" not in event:
            return
        if (effect in ("rejected", "notSent") or (event.get("retry") or {}).get("safe")) and any(w["applied"] for w in mine):
            yield f"{effect}, and it was applied: {name}"
        if effect == "applied" and not any(w["applied"] is True for w in mine):
            yield f"applied, and it was not: {name}"
