#!/usr/bin/env python3
"""Acme Desk: tickets, users and comments of a help desk. python3 tickets.py PORT [RATE_PER_MINUTE]

Port 0 takes a free one. The address is printed; requests carry "Authorization: Bearer s3cret-token".
"""
import base64, hashlib, itertools, json, re, sys, threading, time
from datetime import datetime, timezone
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

TOKEN, LOCK, IDS = "s3cret-token", threading.RLock(), itertools.count(1001)
RATE, HITS = (int(sys.argv[2]) if len(sys.argv) > 2 else 0), []
now = lambda: datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
# name: (type, required, default, limit or choices, nullable)
FIELDS = {
  "tickets": {"subject": (str, True, None, 200, False), "description": (str, False, None, 20000, True),
              "status": (str, False, "open", ["open", "pending", "closed"], False),
              "priority": (str, False, "normal", ["low", "normal", "high"], False),
              "estimate": (int, False, None, None, True), "billable": (bool, False, False, None, False),
              "due": ("date", False, None, None, True), "customer": (dict, False, None, None, True),
              "tags": (list, False, [], None, False)},
  "users": {"name": (str, True, None, 80, False), "email": (str, True, None, 120, False),
            "role": (str, False, "agent", ["agent", "admin"], False)},
  "comments": {"text": (str, True, None, 5000, False)},
}
RELATIONS = {"tickets": {"assignee": "users"}, "users": {}, "comments": {"author": "users"}}
FILTERS = {"tickets": ["status", "priority", "assignee"], "users": ["role", "email"], "comments": []}
SORTS = {"tickets": ["created", "updated", "subject", "priority"], "users": ["name", "created"], "comments": ["created"]}
DB = {"tickets": {}, "users": {}, "comments": {}}

class Problem(Exception):
  def __init__(self, status, *errors): self.status, self.errors = status, errors
def problem(status, code, detail, pointer=None):
  error = {"status": str(status), "code": code, "detail": detail}
  return Problem(status, error | ({"source": {"pointer": pointer}} if pointer else {}))

def show(r):
  out = {"type": r["type"], "id": r["id"], "attributes": r["attributes"] | {"created": r["created"], "updated": r["updated"]},
         "relationships": {k: {"data": {"type": RELATIONS[r["type"]][k], "id": v} if v else None} for k, v in r["rel"].items()},
         "links": {"self": f"/api/v2/{r['type']}/{r['id']}"}}
  if r["type"] == "tickets": out["relationships"]["comments"] = {"links": {"related": out["links"]["self"] + "/comments"}}
  return out
def etag(r): return '"' + hashlib.sha1(json.dumps([r["attributes"], r["rel"], r["version"]]).encode()).hexdigest()[:16] + '"'

def validated(kind, document, old=None):
  data = document.get("data") if isinstance(document, dict) else None
  if not isinstance(data, dict) or data.get("type") != kind: raise problem(400, "bad_document", f"data of type {kind} expected")
  if old and data.get("id") != old["id"]: raise problem(409, "id_mismatch", "data.id is not the id of the address")
  if not old and "id" in data: raise problem(403, "client_id", "ids are made by the server")
  given, errors = data.get("attributes", {}), []
  attributes = dict(old["attributes"]) if old else {k: f[2] for k, f in FIELDS[kind].items()}
  fail = lambda code, text, at: errors.extend(problem(422, code, text, at).errors)
  for name, (kind_, required, _, limit, nullable) in FIELDS[kind].items():
    at = f"/data/attributes/{name}"
    if name not in given:
      if required and not old: fail("blank", f"{name} can't be blank", at)
      continue
    value = given[name].strip() if isinstance(given[name], str) else given[name]
    python = str if kind_ == "date" else kind_
    if value is None: fail("blank", f"{name} can't be null", at) if not nullable else None
    elif type(value) is not python: fail("type", f"{name} must be a {getattr(python, '__name__', python)}", at)
    elif kind_ == "date" and not re.fullmatch(r"\d{4}-\d\d-\d\d", value): fail("date", f"{name} must be a date", at)
    elif isinstance(limit, list) and value not in limit: fail("inclusion", f"{name} must be one of {', '.join(limit)}", at)
    elif isinstance(limit, int) and len(value) > limit: fail("too_long", f"{name} is too long (maximum is {limit})", at)
    elif required and value == "": fail("blank", f"{name} can't be blank", at)
    attributes[name] = value
  rel = dict(old["rel"]) if old else {k: None for k in RELATIONS[kind]}
  for name, target in RELATIONS[kind].items():
    if name not in data.get("relationships", {}): continue
    linkage = data["relationships"][name].get("data")
    if linkage and linkage.get("id") not in DB[target]: fail("not_found", f"{name} does not exist", f"/data/relationships/{name}")
    rel[name] = linkage["id"] if linkage else None
  if errors: raise Problem(422, *errors)
  if kind == "users" and any(u["attributes"]["email"] == attributes["email"] and u is not old for u in DB["users"].values()):
    raise problem(409, "taken", "email has already been taken", "/data/attributes/email")
  return attributes, rel

def add(kind, attributes, rel, ticket=None):
  r = {"type": kind, "id": str(next(IDS)), "attributes": attributes, "rel": rel, "created": now(), "updated": now(), "version": 1, "ticket": ticket}
  DB[kind][r["id"]] = r
  return r

class Service(BaseHTTPRequestHandler):
  protocol_version, wbufsize = "HTTP/1.1", 65536
  def log_message(self, format, *args): pass
  def answer(self, status, body=None, **headers):
    raw = b"" if body is None else json.dumps(body).encode()
    self.send_response(status)
    for k, v in headers.items(): self.send_header(k.replace("_", "-"), v)
    if body is not None: self.send_header("Content-Type", "application/json")
    if status != 204: self.send_header("Content-Length", str(len(raw)))
    self.end_headers(); self.wfile.write(raw)
  def go(self):
    raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
    try:
      with LOCK: self.route(raw)
    except Problem as p: self.answer(p.status, {"errors": list(p.errors)}, **({"Retry_After": "5"} if p.status == 429 else {}))
  do_GET = do_POST = do_PATCH = do_DELETE = go

  def route(self, raw):
    if self.headers.get("Authorization") != "Bearer " + TOKEN: raise problem(401, "unauthorized", "a bearer token is needed")
    if RATE:
      HITS[:] = [t for t in HITS if t > time.time() - 60] + [time.time()]
      if len(HITS) > RATE: raise problem(429, "rate_limited", "too many requests")
    url = urlsplit(self.path); parts = url.path.split("/")[1:]; query = dict(parse_qsl(url.query, keep_blank_values=True))
    if parts[:2] != ["api", "v2"] or len(parts) < 3 or len(parts) > 5: raise problem(404, "no_route", "no such address")
    kind, id, sub = (parts[2:] + [None, None])[:3]
    if kind not in DB: raise problem(404, "no_route", "no such address")
    record = DB[kind].get(id)
    if id is not None and record is None: raise problem(404, "not_found", f"{kind} {id} does not exist")
    if sub == "comments" and kind == "tickets": return self.collection("comments", query, raw, ticket=id)
    if sub == "close" and kind == "tickets" and self.command == "POST":
      if record["attributes"]["status"] == "closed": raise problem(409, "already_closed", "the ticket is closed already")
      return self.change(record, record["attributes"] | {"status": "closed"}, record["rel"])
    if sub == "attachments" and kind == "tickets" and self.command == "POST":
      message = BytesParser().parsebytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + raw)
      return self.answer(201, {"data": [{"type": "attachments", "filename": p.get_filename()} for p in message.get_payload()]})
    if sub is not None: raise problem(404, "no_route", "no such address")
    if id is None: return self.collection(kind, query, raw, None)
    if self.headers.get("If-Match", etag(record)) not in (etag(record), "*"): raise problem(412, "stale", "the record was changed meanwhile")
    if self.command == "GET": return self.answer(200, {"data": show(record)}, ETag=etag(record))
    if self.command == "PATCH": return self.change(record, *validated(kind, self.document(raw), record))
    if self.command == "DELETE":
      if any(id in t["rel"].values() for t in DB["tickets"].values()): raise problem(409, "in_use", "tickets are assigned to this user")
      del DB[kind][id]; return self.answer(204)
    raise problem(405, "method", "not allowed here")
  def document(self, raw):
    try: return json.loads(raw)
    except ValueError: raise problem(400, "bad_json", "the body is not JSON")
  def change(self, record, attributes, rel):
    if (attributes, rel) != (record["attributes"], record["rel"]):
      record.update(attributes=attributes, rel=rel, updated=now(), version=record["version"] + 1)
    self.answer(200, {"data": show(record)}, ETag=etag(record))
  def collection(self, kind, query, raw, ticket):
    if self.command == "POST" and (kind != "comments" or ticket):
      r = add(kind, *validated(kind, self.document(raw)), ticket)
      return self.answer(201, {"data": show(r)}, ETag=etag(r), Location=show(r)["links"]["self"])
    if self.command != "GET" or (kind == "comments" and not ticket): raise problem(405, "method", "not allowed here")
    rows, sort, descending = [r for r in DB[kind].values() if r["ticket"] == ticket], "created", False
    size, after = query.pop("page[size]", "20"), query.pop("page[after]", None)
    if not size.isdecimal() or not 1 <= int(size) <= 50: raise problem(400, "bad_parameter", "page[size] is 1 to 50", None)
    for key, value in query.items():
      name = key[7:-1] if key.startswith("filter[") else None
      if name in FILTERS[kind]: rows = [r for r in rows if (r["attributes"] | r["rel"]).get(name) in value.split(",")]
      elif key == "sort" and value.lstrip("-") in SORTS[kind]: sort, descending = value.lstrip("-"), value[0] == "-"
      else: raise problem(400, "bad_parameter", f"{key} is not known here")
    place = lambda r: [str(({"created": r["created"], "updated": r["updated"]} | r["attributes"])[sort]), int(r["id"])]
    rows.sort(key=place, reverse=descending)
    total = len(rows)
    if after is not None:
      try: mark = json.loads(base64.urlsafe_b64decode(after)); rows = [r for r in rows if (place(r) < mark if descending else place(r) > mark)]
      except (ValueError, TypeError): raise problem(400, "bad_cursor", "page[after] is no cursor of this list")
    page, more = rows[:int(size)], len(rows) > int(size)
    cursor = base64.urlsafe_b64encode(json.dumps(place(page[-1])).encode()).decode() if more else None
    again = "&".join([f"page[size]={size}"] + [f"{k}={v}" for k, v in query.items()])
    self.answer(200, {"data": [show(r) for r in page], "meta": {"total": total},
                      "links": {"self": self.path, "next": f"{url_of(self.path)}?{again}&page[after]={cursor}" if more else None}})
def url_of(path): return path.split("?")[0]

for n, (name, role) in enumerate([("Ana Silva", "admin"), ("Bo Chen", "agent"), ("Cy Müller", "agent")]):
  add("users", {"name": name, "email": f"{name.split()[0].lower()}@acme.example", "role": role}, {})
for n in range(57):
  t = add("tickets", {k: f[2] for k, f in FIELDS["tickets"].items()} | {"subject": f"Ticket number {n}", "status": ["open", "pending", "closed"][n % 3],
    "priority": ["low", "normal", "high"][n % 2], "customer": {"name": f"Customer {n % 7}", "city": "Zürich"} if n % 4 else None,
    "tags": ["vpn"] if n % 5 == 0 else []}, {"assignee": str(1001 + n % 3) if n % 6 else None})
  t["created"] = f"2026-03-{n % 28 + 1:02}T10:00:00Z"
for n in range(5): add("comments", {"text": f"Comment {n}"}, {"author": "1002"}, ticket="1004")
if __name__ == "__main__":
  server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service)
  print(f"listening on http://127.0.0.1:{server.server_port}/api/v2", flush=True)
  server.serve_forever()
