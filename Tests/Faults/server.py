#!/usr/bin/env python3
"""A REST service, and a gateway in front of another one, with a switch for each misleading response to a write.

usage: server.py [--upstream URL] [--seed N]

It prints one line, `listening on http://127.0.0.1:PORT, control on http://127.0.0.1:PORT` and ends when
its standard input closes. The second port reaches the same service without faults.

  GET /__log                     every request, every write that was applied, and the records
  GET /__set?NAME=VALUE&...      set a fault, a manner of the service, `seed` or `upstream`
  GET /__reset?NAME=VALUE&...    forget settings, log and records; then as __set
  PUT /__source                  store a list of rows, which GET /__source/items returns without faults and log

A fault selects requests and says what happens to them:

  on=POST,PATCH  methods; `writes` (POST, PUT, PATCH, DELETE), `any`
  nth=1          only this one of them, counted from 1; `every`; `2+` for this and all later ones
  fault=KIND     refuse     the port is closed after `after` requests
                 accept     after `after` requests every connection is closed as soon as it is accepted
                 unread     reset before a byte of the request is read
                 head       closed after the head was read
                 closed     closed after the request was read
                 cut-head   closed within the head of the response
                 cut-body   closed within the body of the response
                 hang       no response until the client closes
                 status     the response has another status: `status`, with `body=json` (the service), `body=html` (a gateway),
                            `body=job` (the identifier of a job) or `body=empty`
  applied=yes    `yes`: the service applies the request, `no`: it does not, `later`: only after everything else
  then=404       after the first hit every request gets this status from a gateway, as text/html

service.py has the manners. The log of a cell is read before a `later` write is applied.
"""
import http.client
import json
import socket
import struct
import sys
import threading
from urllib.parse import parse_qsl, urlsplit

from service import MANNERS, WRITES, Store, Upstream

REASONS = http.client.responses
SETTINGS = {"on", "nth", "fault", "status", "body", "applied", "then", "after", "seed", "upstream"}
PAGE = b"<!DOCTYPE html><html><head><title>%d</title></head><body><h1>%d</h1><p>gateway</p></body></html>"


class Fault:
    """Treatment of some requests. Its counters are guarded by the laboratory's lock."""

    def __init__(self, query):
        methods = query.get("on", "writes")
        self.methods = {"writes": WRITES, "any": None}.get(methods, tuple(methods.split(",")))
        self.nth, self.kind = query.get("nth", "every"), query["fault"]
        self.status, self.body = int(query.get("status", 500)), query.get("body", "json")
        self.applied, self.then, self.after = query.get("applied", "no"), int(query.get("then", 0)), int(query.get("after", 0))
        self.seen, self.met = 0, False

    def hits(self, method):
        """Counts a request, and tells if it meets the fault."""
        if self.kind in ("refuse", "accept") or self.methods and method not in self.methods:
            return False
        self.seen += 1
        number = int(self.nth.rstrip("+")) if self.nth != "every" else 1
        hit = self.nth == "every" or self.seen == number or self.nth.endswith("+") and self.seen > number
        self.met = self.met or hit
        return hit


class Laboratory:
    """The service or the other origin, the fault and the log."""

    def __init__(self, seed, upstream):
        self.lock = threading.RLock()
        self.seed, self.upstream = seed, upstream
        self.source = []
        self.reset({})

    def reset(self, query):
        with self.lock:
            self.manners, self.fault, self.requests, self.count = dict(MANNERS), None, [], 0
            self.origin = Upstream(self.upstream) if self.upstream else None
            self.store = Store(self.seed, self.manners)
            self.set(query)

    def set(self, query):
        with self.lock:
            unknown = set(query) - set(MANNERS) - SETTINGS
            if unknown:
                raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
            self.manners.update({k: v for k, v in query.items() if k in MANNERS})
            if "seed" in query:
                self.store = Store(int(query["seed"]), self.manners)
            if "upstream" in query:
                self.origin = Upstream(query["upstream"]) if query["upstream"] else None
            if "fault" in query:
                self.count, self.fault = 0, Fault(query) if query["fault"] != "none" else None

    def is_shut(self, *kinds):
        with self.lock:
            return self.fault is not None and self.fault.kind in kinds and self.count >= self.fault.after

    def begin(self, method):
        """The entry of a request in the log, and the fault that it meets."""
        with self.lock:
            entry = {"method": method, "target": None, "status": None, "applied": False, "fault": None}
            self.requests.append(entry)
            self.count += 1
            fault = self.fault
            if fault and fault.then and fault.met:
                entry["fault"] = f"then {fault.then}"
                return entry, Fault({"fault": "status", "status": fault.then, "body": "html"})
            if not fault or not fault.hits(method):
                return entry, None
            entry["fault"] = fault.kind
            return entry, fault

    def perform(self, entry, headers, body):
        """Passes a request to the origin, and logs if that applied a write."""
        with self.lock:
            ignored = not self.origin and self.manners["patch"] == "ignored" and entry["method"] == "PATCH"
            status, more, document = (self.origin or self.store).answer(entry["method"], entry["target"], headers, body)
            entry["applied"] = entry["method"] in WRITES and 200 <= status < 300 and status != 202 and not ignored
        if document is None or isinstance(document, bytes):
            return status, more, document or b""
        return status, more | {"Content-Type": "application/json"}, json.dumps(document).encode()

    def log(self):
        with self.lock:
            return {"requests": self.requests, "writes": [e for e in self.requests if e["applied"]], "records": {
                name: list(rows.values()) for name, rows in self.store.tables.items()}}


class Connection:
    """One connection: reads requests and answers them, until a fault or the client closes it."""

    def __init__(self, end, lab, isControl, listener):
        self.socket, self.lab, self.isControl, self.listener, self.buffer = end, lab, isControl, listener, b""

    def run(self):
        try:
            while self.one():
                pass
        except (OSError, ValueError):
            pass
        finally:
            self.socket.close()

    def reset(self):
        """Closes with a reset, so that the client sees no regular end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    def one(self):
        # Peeks at the method, without reading a byte of the request.
        start = self.buffer or self.socket.recv(32, socket.MSG_PEEK)
        if not start:
            return False
        words = start.split(b" ")
        method = words[0].decode("latin-1")
        if len(words) > 1 and words[1].startswith(b"/__"):
            return self.control(method)
        if self.isControl:
            entry, fault = {"method": method, "applied": False}, None
        else:
            entry, fault = self.lab.begin(method)
        if fault and fault.kind == "unread":
            return self.reset()
        entry["target"], headers = self.head()
        if fault and fault.kind == "head":
            return False
        body = self.read(int(headers.get("content-length", 0)))
        entry["body"] = body.decode("utf-8", "replace")
        if not fault:
            status, more, data = self.lab.perform(entry, headers, body)
            entry["status"] = status
            return self.send(status, more, data, method) and not self.closes()
        return self.fail(fault, entry, headers, body)

    def fail(self, fault, entry, headers, body):
        done = None
        if fault.applied == "yes":
            done = self.lab.perform(entry, headers, body)
        elif fault.applied == "later":
            entry["applied"] = "later"
        if fault.kind == "closed":
            return False
        if fault.kind == "hang":
            while self.socket.recv(4096):
                pass
            return False
        status, more, data = done or (200, {"Content-Type": "application/json"}, b'{"message": "cut"}' + b" " * 40)
        if fault.kind == "status":
            status, more, data = self.response(fault, done, entry["method"])
        entry["status"] = status
        if fault.kind == "cut-head":
            self.socket.sendall(self.bytes(status, more, data)[:20])
            return False
        if fault.kind == "cut-body":
            self.socket.sendall(self.bytes(status, more, data + b" " * 20)[:-15] if data else self.bytes(200, more, b"{" * 20)[:-10])
            return False
        return self.send(status, more, data, entry["method"]) and not self.closes()

    @staticmethod
    def response(fault, done, method):
        """The response with the status of the fault."""
        status = fault.status
        more = {"Location": "/"} if 300 <= status < 400 and status != 304 else {}
        if status == 401:
            more["WWW-Authenticate"] = "Basic"
        if fault.body == "html":
            return status, more | {"Content-Type": "text/html; charset=utf-8"}, PAGE % (status, status)
        if fault.body == "empty":
            return status, more, b""
        if fault.body == "job":
            return status, more | {"Content-Type": "application/json"}, b'{"id": 3}'
        if done and 200 <= status < 300:
            return status, done[1], done[2]
        return status, more | {"Content-Type": "application/json"}, json.dumps({"message": f"status {status}"}).encode()

    def closes(self):
        """Tells if the connection ends here; closes the port, too, after the last request that it accepts."""
        fault = self.lab.fault
        if self.isControl or not fault or fault.kind not in ("refuse", "accept"):
            return False
        if self.lab.is_shut("refuse"):
            self.listener.shut()
        return True

    def control(self, method):
        target, headers = self.head()
        body = self.read(int(headers.get("content-length", 0)))
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query))
        document, status = {}, 200
        try:
            if parts.path == "/__log":
                document = self.lab.log()
            elif parts.path in ("/__set", "/__reset"):
                (self.lab.set if parts.path == "/__set" else self.lab.reset)(query)
                self.listener.service.follow(self.lab)
            elif parts.path == "/__source" and method == "PUT":
                self.lab.source = json.loads(body)
            elif parts.path == "/__source/items":
                document = self.lab.source
            else:
                status, document = 404, {"message": "no such page"}
        except (ValueError, KeyError) as error:
            status, document = 400, {"message": str(error)}
        return self.send(status, {"Content-Type": "application/json"}, json.dumps(document).encode(), method)

    def head(self):
        while b"\r\n\r\n" not in self.buffer:
            self.take()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
        return first.split(" ")[1], headers

    def read(self, count):
        while len(self.buffer) < count:
            self.take()
        body, self.buffer = self.buffer[:count], self.buffer[count:]
        return body

    def take(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("closed by the client")
        self.buffer += data

    def bytes(self, status, more, data):
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Unassigned')}"] + [f"{k}: {v}" for k, v in more.items()]
        if status >= 200 and status not in (204, 304):
            lines.append(f"Content-Length: {len(data)}")
        else:
            data = b""
        fault = self.lab.fault
        if fault and fault.kind in ("refuse", "accept") and not self.isControl:
            lines.append("Connection: close")
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data

    def send(self, status, more, data, method):
        whole = self.bytes(status, more, data)
        self.socket.sendall(whole if method != "HEAD" else whole.split(b"\r\n\r\n")[0] + b"\r\n\r\n")
        # No final response follows an interim one.
        return status >= 200


class Listener:
    """A port, which can be closed and opened again."""

    def __init__(self, lab, isControl=False):
        self.lab, self.isControl, self.port, self.socket = lab, isControl, 0, None
        self.service = self
        self.lock = threading.Lock()
        self.open()

    def open(self):
        with self.lock:
            if self.socket:
                return
            self.socket = socket.create_server(("127.0.0.1", self.port), backlog=128)
            self.port = self.socket.getsockname()[1]
            threading.Thread(target=self.accept, args=(self.socket,), daemon=True).start()

    def shut(self):
        with self.lock:
            if self.socket:
                self.socket.shutdown(socket.SHUT_RDWR)
                self.socket.close()
                self.socket = None

    def follow(self, lab):
        """Closes or opens the port, as the fault requires."""
        self.shut() if lab.is_shut("refuse") else self.open()

    def accept(self, listening):
        while True:
            try:
                end, _ = listening.accept()
            except OSError:
                return
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(end, self.lab, self.isControl, self)
            if not self.isControl and self.lab.is_shut("accept"):
                connection.reset()
                end.close()
            else:
                threading.Thread(target=connection.run, daemon=True).start()


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    lab = Laboratory(int(options.get("--seed", 45)), options.get("--upstream"))
    service, control = Listener(lab), Listener(lab, isControl=True)
    control.service = service
    print(f"listening on http://127.0.0.1:{service.port}, control on http://127.0.0.1:{control.port}", flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
