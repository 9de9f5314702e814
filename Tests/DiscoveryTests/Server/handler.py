"""The HTTP of the services in this folder: `respond` is called for a request of any method, and gives the response to `send`."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kind = None     # the media type of responses that name none

    def handle_method(self):
        self.respond()

    do_GET = do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = do_DELETE = handle_method

    def send(self, status, head, body):
        self.send_response(status)
        if self.kind:
            head = {"Content-Type": self.kind} | head
        if status != 204:
            head = {"Content-Length": str(len(body))} | head
        for name, value in head.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
