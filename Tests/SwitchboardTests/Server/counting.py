"""Notes that count how often each of them was read."""

from loopback import Handler, serve

NOTES = {n: {"id": n, "text": f"note {n}", "reads": 0, "stats": {"views": 0}} for n in range(1, 4)}


class Notes(Handler):
    methods = "GET PATCH DELETE"

    def respond(self):
        notes = [NOTES[int(n)] for n in self.names[1:] if int(n) in NOTES] or list(NOTES.values())
        if len(self.names) > 1 and int(self.names[1]) not in NOTES:
            return self.reply(404, {"error": "no such note"})
        if self.command == "PATCH":
            notes[0] |= self.json()
        if self.command == "DELETE":
            del NOTES[notes[0]["id"]]
            return self.reply(204)
        for note in notes:
            note["reads"] += 1
            note["stats"]["views"] += 1
        self.reply(200, notes[0] if len(self.names) > 1 else notes)


serve(Notes)
