"""More comments than a sort keeps in memory, in pages as json-server has them. Takes how many."""

import json
import sys

from loopback import Handler, serve

ROWS = [
    json.dumps({"postId": n % 100, "id": n, "name": f"comment {n}", "email": f"reader{n}@example.org", "body": f"what reader {n} says, " * 40})
    for n in range(1, int(sys.argv[1]) + 1)
]


class Comments(Handler):
    methods = "GET"

    def respond(self):
        query = {name: int(value) for name, value in self.query.items() if name in ("_limit", "_start", "_page", "_end")}
        size = query.get("_limit", len(ROWS))
        start = query.get("_start", (query.get("_page", 1) - 1) * size)
        body = "[" + ",".join(ROWS[start:query.get("_end", start + size)]) + "]"
        self.reply(200 if self.url.path == "/comments" else 404, body, {"X-Total-Count": str(len(ROWS))})


serve(Comments)
