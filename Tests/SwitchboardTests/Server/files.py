"""A service of records with files.

photos take theirs as a part of a form, and show its address. documents take theirs alone, and show type and size. odd ones are downloads
that do not behave: the name of each says how. A form with lost.txt is kept and gets no response; a file dropped.* is
not kept. GET /log answers with what was sent so far.
"""
import hashlib
import json
import re
import threading

from loopback import LOG, Handler, serve

CONTENT = {}
ROWS = {
    "photos": {}, "documents": {},
    "odd": {n: {"id": n, "name": name, "file": {"url": f"/odd/{name}"}} for n, name in enumerate(
        ["named", "cut", "endless", "long", "lying", "embedded", "stalled"], 1)},
}
ROWS["odd"][5]["file"]["size"] = 7
ROWS["odd"][6]["file"] = "data:image/png;base64," + "QUJD" * 20
ROWS["odd"][8] = {"id": 8, "name": "elsewhere", "file": {"url": "http://127.0.0.1:1/secret"}}
ROWS["odd"][9] = {"id": 9, "name": "empty", "file": None}


def form(kind, body):
    """The fields of a form, and its files as name, type and content."""
    fields, files = {}, {}
    for part in body.split(b"--" + kind.split("boundary=")[1].encode())[1:-1]:
        head, content = part[2:-2].split(b"\r\n\r\n", 1)
        names = re.search(r'form-data; name="([^"]*)"(?:; filename="([^"]*)"\r\nContent-Type: (.*))?', head.decode())
        if names[2] is None:
            fields[names[1]] = content.decode()
        else:
            files[names[1]] = (names[2], names[3], content)
    return fields, files


class Files(Handler):
    methods = "GET POST PUT PATCH DELETE"

    def respond(self):
        body, path = self.body, self.names
        kind = self.headers.get("Content-Type", "")
        if self.command != "GET":
            LOG.append([self.command, self.path, kind.split(";")[0], hashlib.sha256(body).hexdigest()])
        if path[0] == "odd" and len(path) == 2 and not path[1].isdigit():
            return self.misbehave(path[1])
        if path[0] == "media" or path[-1] == "content" and self.command == "GET":
            name, kind, content = CONTENT[tuple(path[1:2]) if path[0] == "media" else (path[0], path[1])]
            return self.reply(200, content, kind=kind)
        rows = ROWS[path[0]]
        if len(path) == 1 and self.command == "GET":
            return self.reply(200, list(rows.values()))
        number = int(path[1]) if len(path) > 1 else max(rows, default=0) + 1
        if path[-1] == "content":
            if rows[number].get("title") == "full":
                return self.reply(413, {"message": "too large"})
            CONTENT[path[0], path[1]] = ("", kind, body)
            rows[number]["content"] = {"type": kind, "size": len(body)}
            return self.reply(204)
        if self.command in ("POST", "PATCH"):
            fields, files = form(kind, body) if kind.startswith("multipart/") else (json.loads(body), {})
            LOG[-1] += [{name: [n, k, hashlib.sha256(c).hexdigest()] for name, (n, k, c) in files.items()}, fields]
            row = rows.setdefault(number, {"id": number})
            row.update(fields)
            is_lost = any(found[0] == "lost.txt" for found in files.values())
            for name, found in files.items():
                if found[0].startswith("dropped"):
                    continue
                CONTENT[(str(number),)] = found
                row[name] = f"/media/{number}"
            if is_lost:
                self.close_connection = True
                return None
            return self.reply(201 if self.command == "POST" else 200, row)
        if self.command == "DELETE":
            return self.reply(204, rows.pop(number, None) and None)
        return self.reply(200, rows[number]) if number in rows else self.reply(404, {})

    def misbehave(self, name):
        if name == "named":
            return self.reply(200, b"content", {"Content-Disposition": 'attachment; filename="../../../evil.bin"'}, kind="")
        if name == "lying":
            return self.reply(200, b"more than seven bytes", kind="")
        if name == "long":
            return self.reply(200, b"x" * 5000, kind="")
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        if name == "cut":
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            self.wfile.write(b"half of it")
        else:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if name == "stalled":
                self.wfile.write(b"5\r\nbegun\r\n")
                self.wfile.flush()
                threading.Event().wait()
            try:
                while True:
                    self.wfile.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            except OSError:
                pass
        self.close_connection = True


serve(Files)
