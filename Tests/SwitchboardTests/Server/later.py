"""A service that does later what it is asked for.

POST /builds is accepted with the address of a task, which runs until somebody says what becomes of it: PUT /tasks/1 {"state": "done"}.
POST /plain is accepted, and says no more.
"""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BUILDS, TASKS, LOG = [], {}, []


class Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        path = self.path.strip("/").split("/")
        if path == ["log"]:
            return self.reply(200, LOG)
        LOG.append(f"{self.command} {self.path}")
        if self.command == "POST":
            if path[0] == "plain":
                return self.reply(202, {})
            number = str(len(TASKS) + 1)
            TASKS[number] = {"state": "running", "percent": 40, "build": body}
            return self.reply(202, {}, {"Location": f"/tasks/{number}"})
        if path[0] == "tasks":
            task = TASKS[path[1]]
            if self.command == "PUT":
                task.update(body)
                if task["state"] == "done":
                    BUILDS.append(task["build"] | {"id": len(BUILDS) + 1})
                    task["result"] = len(BUILDS)
            return self.reply(200, {k: v for k, v in task.items() if k != "build"})
        if len(path) == 1:
            return self.reply(200, BUILDS)
        found = [build for build in BUILDS if str(build["id"]) == path[1]]
        return self.reply(200, found[0]) if found else self.reply(404, {})

    def reply(self, status, document, headers={}):
        body = json.dumps(document).encode()
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json", "Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Request)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
