"""A service that looks as one of Django REST framework and differs from what is usual there: each list has a manner of its own.
`GET /log` answers with the requests so far, one a line; `GET /NAME/left/` with the records that were not there at first."""
import re
import threading
from urllib.parse import unquote

from loopback import LOG, Handler, serve

LOCK = threading.Lock()


class Kind:
    """Says what is wrong with each field in `validation_errors`; nothing else is the service's own but the identifier."""
    required = ()
    own = ()
    options = {}

    def __init__(self):
        self.rows = {n: {"id": n} | self.record(n) for n in range(1, 13)}
        self.last = 12

    def record(self, n):
        return {}

    def problem(self, fields, given):
        missing = {name: ["This field is required."] for name in self.required if not fields.get(name)}
        wrong = {name: ["A valid boolean is required."] for name, value in given.items()
                 if isinstance(self.rows[1].get(name), bool) and not isinstance(value, bool)}
        return missing | wrong

    def refusal(self, errors):
        return 400, {"id": "0", "status_code": 400, "detail": "Validation error", "validation_errors": errors}

    def settled(self, row, given):
        """The record with what was given of the fields that it has."""
        return row | {name: value for name, value in given.items() if name in row and name != "id" and name not in self.own}

    def location(self, row):
        return {}

    def create(self, given):
        fields = {name: False if isinstance(value, bool) else None for name, value in self.rows[1].items()} | given
        errors = self.problem(fields, given)
        if errors:
            return *self.refusal(errors), {}
        self.last += 1
        blank = {name: False if isinstance(value, bool) else None for name, value in self.rows[1].items()}
        row = self.settled(blank | {name: self.record(self.last)[name] for name in self.own}, given) | {"id": self.last}
        self.rows[self.last] = row
        return 201, row, self.location(row)

    def change(self, row, given):
        errors = self.problem(row | given, given)
        if errors:
            return *self.refusal(errors), {}
        self.rows[row["id"]] = self.settled(row, given)
        return 200, self.rows[row["id"]], {}

    def chosen(self, query):
        return [row for row in self.rows.values()
                if all(self.meets(row[name], value) for name, value in query.items() if name in row)]

    def meets(self, value, wanted):
        return str(value) == wanted


class users(Kind):
    required = ("username",)

    def record(self, n):
        return {"username": f"user-{n}", "name": f"User {n}"}


class projects(Kind):
    """Never refuses a new record, and takes a few colors."""
    def record(self, n):
        return {"title": f"Big project {n}", "color": ["red", "blue", "green", "gray"][n % 4], "note": f"n{n}"}

    def location(self, row):
        return {"Location": f"/projects/{row['id']}/"}

    def problem(self, fields, given):
        return {} if given.get("color") in (None, "red", "blue", "green", "gray") else {"color": ["Not a color."]}


class hooks(Kind):
    """Have an address that is called, and that `Location` has, too."""
    required = ("url",)

    def record(self, n):
        return {"url": f"http://host-{n}.example/", "is_active": n % 2 == 0}

    def problem(self, fields, given):
        wrong = {} if re.fullmatch(r"https?://[a-z0-9.-]*[a-z](:[0-9]+)?/.*", str(fields.get("url"))) else {"url": ["Enter a valid URL."]}
        return super().problem(fields, given) | wrong

    def location(self, row):
        return {"Location": row["url"] + str(row["id"])}


class drafts(Kind):
    """The first flag that is sent counts; two counts are stored together alone, and a rank always, whatever OPTIONS says of them."""
    own = ("total", "done", "rank")
    options = {name: {"type": "integer", "required": False, "read_only": True} for name in own}

    def record(self, n):
        return {"title": f"draft {n}", "is_shown": n % 2 == 0, "is_draft": n % 3 == 0, "is_new": n % 4 == 0, "total": n, "done": n % 5, "rank": n % 7}

    def change(self, row, given):
        pair, flags = {"total", "done"}, [name for name in given if name.startswith("is_")]
        kept = {name: value for name, value in given.items() if name not in flags[1:] and (name not in pair or pair <= set(given))}
        status, document, head = super().change(row, kept)
        if status == 200:
            document.update({name: kept[name] for name in self.own if name in kept})
        return status, document, head


class teams(Kind):
    """Can only be read."""
    options = None

    def record(self, n):
        return {"name": f"team {n}"}


KINDS = {kind.__name__: kind() for kind in Kind.__subclasses__()}


class Service(Handler):
    has_lines = True

    def respond(self):
        names = self.names
        kind = KINDS.get(names[0])
        if kind and names[1:] == ["left"]:
            return self.reply(200, [row for n, row in kind.rows.items() if n > 12])
        with LOCK:
            LOG.append(f"{self.command} {unquote(self.path)} {self.body.decode()}".strip())
            if kind is None or len(names) > 2:
                return self.reply(404, {"detail": "Not found."})
            self.reply(*self.answer(kind, names[1] if len(names) == 2 else None, self.query))

    def answer(self, kind, id, query):
        is_open = kind.options is not None
        if self.command == "OPTIONS":
            allowed = ("GET, POST" if id is None else "GET, PATCH, DELETE") if is_open else "GET"
            actions = {"actions": {"POST": kind.options}} if kind.options else {}
            return 200, {"name": "A list", "description": "", "renders": [], "parses": []} | actions, {"Allow": allowed + ", HEAD, OPTIONS"}
        row = kind.rows.get(int(id)) if id is not None and id.isdigit() else None
        if id is not None and row is None:
            return 404, {"detail": "Not found."}
        if self.command in ("GET", "HEAD"):
            if row:
                return 200, row
            rows = kind.chosen(query)
            start, size = int(query.get("offset", 0)), min(int(query.get("limit", 5)), 8)
            after = f"http://{self.headers['Host']}{self.url.path}?limit={size}&offset={start + size}"
            return 200, {"count": len(rows), "next": after if start + size < len(rows) else None, "previous": None,
                         "results": rows[start:start + size]}
        if not is_open or self.command not in (("POST",) if id is None else ("PATCH", "DELETE")):
            return 405, {"detail": "Method not allowed."}
        given = self.json({})
        if self.command == "POST":
            return kind.create(given)
        if self.command == "DELETE":
            del kind.rows[row["id"]]
            return 204, None
        return kind.change(row, given)


serve(Service)
