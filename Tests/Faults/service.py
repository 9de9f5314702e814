"""Origins behind the fault server: a service with records in memory, and any other origin."""
import http.client
import json
from urllib.parse import parse_qsl, unquote, urlsplit

WRITES = ("POST", "PUT", "PATCH", "DELETE")
# Manners of the service, each with its usual value. Other values:
#   list     envelope (with a total), first10 (only the first ten rows, without saying so), rowcount (`count` is that of the rows
#            sent), overtotal (a total that is larger than the rows sent)
#   pages    yes: the parameters `page` and `size` work
#   blank    yes: lists blank the field `detail`, which single records hold
#   create   job (202 and the identifier of a job), foreign (the record with another one's identifier), identifier (nothing but that),
#            location (its address, without a body)
#   patch    ignored: 200 with the record as it was
#   put      upsert: creates a record that does not exist
#   etag     records (lists have none), both (lists show it as the field `version`); If-Match counts in every manner
#   cascade  yes: a deleted item also deletes each note whose item does not exist
MANNERS = {"list": "array", "pages": "no", "blank": "no", "create": "plain", "patch": "merge", "put": "replace", "etag": "none",
           "cascade": "no"}


class Store:
    """The service: records of items and of notes on them, in memory."""

    def __init__(self, seed, manners):
        self.manners = manners
        self.tables = {
            "items": {n: {"id": n, "title": f"row {n}", "note": "as it was", "detail": f"detail {n}"} for n in range(1, seed + 1)},
            # The last note belongs to an item that is not there.
            "notes": {n: {"id": n, "itemId": n if n < 4 else 1000, "text": f"text {n}"} for n in range(1, 5)}}
        self.versions = {}

    def tag(self, table, n):
        return f'"{n}-{self.versions.get((table, n), 1)}"'

    def headers(self, table, n):
        return {} if self.manners["etag"] == "none" else {"ETag": self.tag(table, n)}

    def answer(self, method, target, headers, body):
        """Status, header fields and document of a response; a document of None is no body."""
        path = [unquote(part) for part in urlsplit(target).path.split("/") if part]
        query = dict(parse_qsl(urlsplit(target).query))
        if not path or path[0] not in self.tables or len(path) > 3:
            return 404, {}, {"message": "no such resource"}
        rows = self.tables[path[0]]
        try:
            given = json.loads(body) if body else {}
        except ValueError:
            return 400, {}, {"message": "the body is not JSON"}
        if len(path) == 1:
            if method in ("GET", "HEAD"):
                return 200, {}, self.page(path[0], query)
            if method == "POST" and isinstance(given, dict):
                return self.create(path[0], given)
            return 405, {}, {"message": "method not allowed"}
        n = int(path[1]) if path[1].isdigit() else path[1]
        if n not in rows and not (method == "PUT" and self.manners["put"] == "upsert"):
            return 404, {}, {"message": f"there is no record {n}"}
        wanted = headers.get("if-match")
        if wanted and wanted != "*" and wanted != self.tag(path[0], n):
            return 412, {}, {"message": "the record has another version"}
        if len(path) == 3:
            if (method, path[2]) != ("POST", "close"):
                return 404, {}, {"message": "no such action"}
            return self.change(path[0], n, {"note": "closed"})
        if method in ("GET", "HEAD"):
            return 200, self.headers(path[0], n), rows[n]
        if method == "DELETE":
            return self.delete(path[0], n)
        if method not in ("PATCH", "PUT") or not isinstance(given, dict):
            return 405, {}, {"message": "method not allowed"}
        if method == "PATCH" and self.manners["patch"] == "ignored":
            return 200, self.headers(path[0], n), rows[n]
        if method == "PUT":
            isNew = n not in rows
            rows[n] = {"id": n}
            status, more, record = self.change(path[0], n, given)
            return 201 if isNew else 200, more, record
        return self.change(path[0], n, given)

    def change(self, table, n, fields):
        rows = self.tables[table]
        rows[n] = rows[n] | fields | {"id": n}
        self.versions[table, n] = self.versions.get((table, n), 1) + 1
        return 200, self.headers(table, n), rows[n]

    def create(self, table, given):
        manner, rows = self.manners["create"], self.tables[table]
        if manner == "job":
            return 202, {}, {"id": 3}
        n = max([k for k in rows if isinstance(k, int)], default=0) + 1
        rows[n] = given | {"id": n}
        if manner == "foreign":
            return 201, {}, rows[n] | {"id": 1}
        if manner == "identifier":
            return 201, {}, {"id": 1}
        if manner == "location":
            return 201, {"Location": f"/{table}/1"}, None
        return 201, {"Location": f"/{table}/{n}"} | self.headers(table, n), rows[n]

    def delete(self, table, n):
        del self.tables[table][n]
        if self.manners["cascade"] == "yes" and table == "items":
            notes = self.tables["notes"]
            self.tables["notes"] = {k: note for k, note in notes.items() if note["itemId"] in self.tables["items"]}
        return 204, {}, None

    def page(self, table, query):
        rows = list(self.tables[table].values())
        if self.manners["blank"] == "yes":
            rows = [row | {"detail": ""} for row in rows]
        if self.manners["etag"] == "both":
            rows = [row | {"version": self.tag(table, row["id"])} for row in rows]
        manner, total = self.manners["list"], len(rows)
        size = int(query.get("size", 10))
        if self.manners["pages"] == "yes":
            start = (int(query.get("page", 1)) - 1) * size
            rows = rows[start:start + size]
        elif manner in ("first10", "rowcount", "overtotal"):
            rows = rows[:10]
        wrapped = {"envelope": {"total": total}, "rowcount": {"count": len(rows)}, "overtotal": {"total": total}}
        return {"items": rows} | wrapped[manner] if manner in wrapped else rows


class Upstream:
    """Another origin, to which requests are forwarded."""

    def __init__(self, address):
        self.host = urlsplit(address).netloc

    def answer(self, method, target, headers, body):
        connection = http.client.HTTPConnection(self.host, timeout=10)
        sent = {k: v for k, v in headers.items() if k not in ("host", "connection", "content-length", "accept-encoding")}
        try:
            connection.request(method, target, body or None, sent)
            response = connection.getresponse()
            data = response.read()
        finally:
            connection.close()
        kept = {k: v for k, v in response.getheaders() if k.lower() not in ("connection", "content-length", "transfer-encoding", "date")}
        return response.status, kept, data
