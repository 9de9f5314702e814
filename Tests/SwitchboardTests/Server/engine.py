"""A container engine at the socket that is named: volumes and containers as Docker and Podman show them, and the requests so far at /log."""

import json
import os
import socketserver
import sys
from http.server import BaseHTTPRequestHandler

VOLUMES = {"data": {"Name": "data", "Driver": "local", "Labels": {}, "Scope": "local", "Mountpoint": "/v/data"}}
LOG = []


class Engine(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "-"

    def log_message(self, *arguments):
        pass

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def serve(self):
        sent = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "{}")
        path = self.path.split("?")[0]
        for version in ("/v1.41", "/v4.0.0"):
            path = path.removeprefix(version)
        if path == "/log":
            return self.reply(200, LOG)
        LOG.append(f"{self.command} {self.path} {self.headers['Host']}")
        if self.command == "LIST":
            return self.reply(200, {"data": {"keys": ["app", "db/"]}})
        if path == "/version":
            return self.reply(200, {"Version": "4.3.1", "ApiVersion": "1.41"})
        if path == "/volumes":
            return self.reply(200, {"Volumes": list(VOLUMES.values()), "Warnings": None})
        if path == "/volumes/create":
            volume = {"Driver": "local", "Scope": "local", "Labels": {}} | sent
            return self.reply(201, VOLUMES.setdefault(sent["Name"], volume))
        if path.startswith("/volumes/") and path[9:] in VOLUMES:
            return self.reply(200, VOLUMES[path[9:]])
        if path == "/containers/json":
            return self.reply(200, [{"Id": "c1", "Names": ["/web"], "Image": "nginx", "State": "running"}])
        return self.reply(404, {"message": "page not found"})

    do_GET = do_POST = do_DELETE = do_LIST = serve


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def get_request(self):
        request, _ = super().get_request()
        return request, ("-", 0)


server = Server(sys.argv[1], Engine)
os.chmod(sys.argv[1], 0o660)
print(f"listening on unix://{sys.argv[1]}", flush=True)
server.serve_forever()
