"""More comments than a sort keeps in memory, in pages as json-server has them. Takes how many."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ROWS = [
    json.dumps({"postId": n % 100, "id": n, "name": f"comment {n}", "email": f"reader{n}@example.org", "body": f"what reader {n} says, " * 40})
    for n in range(1, int(sys.argv[1]) + 1)
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        size = int(query.get("_limit", [len(ROWS)])[0])
        start = int(query["_start"][0]) if "_start" in query else (int(query.get("_page", ["1"])[0]) - 1) * size
        end = int(query["_end"][0]) if "_end" in query else start + size
        body = ("[" + ",".join(ROWS[start:end]) + "]").encode()
        self.send_response(200 if url.path == "/comments" else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Total-Count", str(len(ROWS)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
