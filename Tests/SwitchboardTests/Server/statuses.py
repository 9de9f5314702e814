"""A service whose resources fail, each in the way that its name says: a status, `page` (HTML), `silent` or `closed`."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORDS = {
    401: "the token has expired",
    403: "for admins only",
    404: "no such ticket",
    409: "the ticket is in use",
    422: "the title is too short",
    429: "slow down",
    500: "division by zero",
    503: "down for maintenance",
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "60")
        self.end_headers()
        self.wfile.write(body)

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        way = self.path.split("?")[0].split("/")[1]
        if way == "page":
            return self.reply(200, "text/html", "<html>Welcome</html>")
        if way == "silent":
            return threading.Event().wait()
        if way == "closed":
            self.close_connection = True
            return None
        status = int(way.removeprefix("s"))
        return self.reply(status, "application/json", json.dumps({"message": WORDS[status]}))

    do_GET = do_POST = do_PATCH = do_DELETE = answer


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(f"ready http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
