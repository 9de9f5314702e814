"""The frame that the servers of the tests share: HTTP/1.1 on 127.0.0.1, with a log of requests at /log.

A server is a `Handler` with a method `respond`, and ends with `serve`. Whoever starts one has the folder of this file in PYTHONPATH, as
PythonServer does, and holds the server's standard input open: a server ends with that, so that none outlives a test that was killed.
"""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

# What `GET /log` answers with. Each server adds what it wants to be known of its requests.
LOG = []


class Handler(BaseHTTPRequestHandler):
    """A connection. `respond` is called for each request, which is in `command`, `path`, `url`, `names`, `query`, `headers` and `body`.

    It answers by `reply`. To do something odd it writes to `wfile`, which it has to flush, or sets `close_connection`.
    """
    protocol_version = "HTTP/1.1"
    # Head and body leave in one segment, and at once: else each response waits 40 ms for an acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    methods = "GET HEAD OPTIONS POST PUT PATCH DELETE"  # all others get status 501
    kind = "application/json"                           # the media type of bodies that name none
    has_lines = False                                   # whether the log is lines of text, and not JSON

    def __getattr__(self, name):
        # The method for a request's method, as BaseHTTPRequestHandler looks it up.
        if name.startswith("do_") and name[3:] in self.methods.split():
            return self.receive
        raise AttributeError(name)

    def receive(self):
        # What asks whether to send a body gets its answer before the body is waited for.
        self.wfile.flush()
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.url = urlsplit(self.path)
        self.names = self.url.path.strip("/").split("/")
        self.query = dict(parse_qsl(self.url.query, keep_blank_values=True))
        if self.url.path == "/log":
            return self.reply(200, "\n".join(LOG), kind="text/plain") if self.has_lines else self.reply(200, LOG)
        self.respond()

    def json(self, usual=None):
        """The body, or what is usual where there is none."""
        return json.loads(self.body) if self.body else usual

    def reply(self, status, value=None, fields=(), kind=None):
        """Sends bytes, a text, or anything else as JSON; None is no body. `fields` are header fields, as pairs or a dictionary, and `kind`
        is the media type, "" for none."""
        body = b"" if value is None else value.encode() if isinstance(value, str) else value
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields = list(fields.items() if isinstance(fields, dict) else fields)
        if kind is None and value is not None and "Content-Type" not in dict(fields):
            kind = self.kind
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        for name, text in fields:
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request, address):
        # A client may leave at any time.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def run(server, address):
    """Serves until standard input ends."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening on {address}", flush=True)
    sys.stdin.buffer.read()


def serve(handler, port=0):
    server = Server(("127.0.0.1", port), handler)
    run(server, f"http://127.0.0.1:{server.server_port}")
