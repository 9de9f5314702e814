"""A container engine at the socket that is named: volumes and containers as Docker and Podman show them, and the requests so far at /log."""

import os
import socketserver
import sys

from loopback import LOG, Handler, run

VOLUMES = {"data": {"Name": "data", "Driver": "local", "Labels": {}, "Scope": "local", "Mountpoint": "/v/data"}}


class Engine(Handler):
    methods = "GET POST DELETE LIST"
    # A Unix socket knows no such thing.
    disable_nagle_algorithm = False

    def respond(self):
        sent, path = self.json({}), self.url.path
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


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def get_request(self):
        request, _ = super().get_request()
        return request, ("-", 0)


server = Server(sys.argv[1], Engine)
os.chmod(sys.argv[1], 0o660)
run(server, f"unix://{sys.argv[1]}")
