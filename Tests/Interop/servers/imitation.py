"""What the imitations share: records in memory and HTTP on loopback. Not a service; the imitations that import it say whose documentation they follow."""
import sys
from urllib.parse import parse_qsl, unquote

import loopback

STATES = ["open", "closed", "waiting"]


def records(count=45):
    """Records that repeat values, as real ones do, and miss some."""
    return [dict(title=f"Task {n * 7 % count:02}", state=STATES[n % 3], points=n * 5 % 17, done=n % 4 == 0,
                 note=None if n % 5 == 0 else f"note {n % 6}") for n in range(1, count + 1)]


class Refused(Exception):
    def __init__(self, status, body): self.status, self.body = status, body


def serve(answer, kind="application/json"):
    """Serves answer(method, path, query pairs, body, headers), which returns status, headers and a body."""
    class Handler(loopback.Handler):
        def log_message(self, *words):
            if '-v' in sys.argv: print(self.command, unquote(self.path), file=sys.stderr, flush=True)

        def respond(self):
            try:
                try: body = self.json()
                except ValueError: raise Refused(400, {"message": "Syntax error"})
                status, headers, out = answer(self.command, unquote(self.url.path), parse_qsl(self.url.query, keep_blank_values=True), body, self.headers)
            except Refused as refused: status, headers, out = refused.status, {}, refused.body
            self.reply(status, out, headers, headers.pop("Content-Type", kind) if status != 204 else None)

    loopback.serve(Handler, int(sys.argv[1]))
