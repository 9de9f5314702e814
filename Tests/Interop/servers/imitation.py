"""What the imitations share: records in memory and HTTP on loopback. Not a service; the imitations that import it say whose documentation they follow."""
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

STATES = ["open", "closed", "waiting"]


def records(count=45):
    """Records that repeat values, as real ones do, and miss some."""
    return [dict(title=f"Task {n * 7 % count:02}", state=STATES[n % 3], points=n * 5 % 17, done=n % 4 == 0,
                 note=None if n % 5 == 0 else f"note {n % 6}") for n in range(1, count + 1)]


class Refused(Exception):
    def __init__(self, status, body): self.status, self.body = status, body


def serve(answer, kind="application/json"):
    """Serves answer(method, path, query pairs, body, headers), which returns status, headers and a body."""
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *words):
            if '-v' in sys.argv: print(self.command, unquote(self.path), file=sys.stderr, flush=True)

        def respond(self):
            parts = urlsplit(self.path)
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                try: body = json.loads(data) if data else None
                except ValueError: raise Refused(400, {"message": "Syntax error"})
                status, headers, out = answer(self.command, unquote(parts.path), parse_qsl(parts.query, keep_blank_values=True), body, self.headers)
            except Refused as refused: status, headers, out = refused.status, {}, refused.body
            text = b"" if out is None else json.dumps(out).encode()
            self.send_response(status)
            if status != 204:
                self.send_header("Content-Length", str(len(text)))
                self.send_header("Content-Type", headers.pop("Content-Type", kind))
            for name, value in headers.items(): self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD": self.wfile.write(text)

        do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = do_OPTIONS = respond

    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
