"""OData 4 below /odata4, and PostgREST below /postgrest: of both what the presets ask for, over tables of their own.

They follow the documents, and were never compared with the real servers.
"""
import copy
import json
import operator
import re
import threading
from urllib.parse import parse_qsl, quote, unquote

from loopback import Handler, serve

COLUMNS = {
    "people": {"id": "integer", "name": "text", "email": "text"},
    "tasks": {"id": "integer", "title": "text", "done": "boolean", "points": "integer", "note": "text",
              "person_id": "integer"},
}
REQUIRED = {"people": ["name"], "tasks": ["title", "done"]}
PEOPLE = ["ana", "bo", "chen", "dilek", "émile", "fatima", "小明"]
TITLES = ["Canteen closed on Friday", "食堂 open again", "The \"quiet\" room", "It’s the lift’s turn", "Tea, coffee & cake",
          "Print room needs volunteers", "Größere Küche im Erdgeschoß", "Paths like a/b and a\\b", "👩‍💻 hour",
          "<b>not</b> bold, 100 % text", "It's back in service"]
PAGE = 20
LOCK = threading.Lock()


class Refused(Exception):
    """A response that is not a success: a status, a code, a message and more."""

    def __init__(self, status, code, message, **more):
        self.status, self.code, self.message, self.more = status, code, message, more


class Problem(Exception):
    """Why a table refuses something, in the words of neither service."""

    def __init__(self, kind, name="", text=""):
        self.kind, self.name, self.text = kind, name, text


# The tables

def parsed(table, name, text):
    """The value that a text stands for."""
    kind = COLUMNS[table][name]
    if kind == "text":
        return text
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    if kind == "integer" and re.fullmatch("[+-]?[0-9]+", text) and -2**63 <= int(text) < 2**63:
        return int(text)
    raise Problem("kind", name, text)


def known(table, name):
    if name not in COLUMNS[table]:
        raise Problem("unknown", name)
    return name


def stored(table, name, value, coerces):
    """The value as it is stored; a database takes others as texts, and reads texts as others."""
    kind = COLUMNS[table][known(table, name)]
    if isinstance(value, str) and "\0" in value:
        raise Problem("zero")
    if value is None:
        if name == "id" or name in REQUIRED[table]:
            raise Problem("missing", name)
        return None
    if type(value) is {"text": str, "boolean": bool, "integer": int}[kind]:
        return value if kind == "text" else parsed(table, name, json.dumps(value))
    if coerces and kind == "text":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if coerces and isinstance(value, str):
        return parsed(table, name, value)
    raise Problem("kind", name, value if isinstance(value, str) else json.dumps(value))


class Tables:
    def __init__(self, coerces):
        self.coerces, self.rows, self.last = coerces, {"people": {}, "tasks": {}}, {"people": 0, "tasks": 0}
        for n in range(10):
            self.insert("people", {"name": PEOPLE[n % 7], "email": None if n % 4 == 3 else f"person{n + 1}@example.org"})
        for n in range(30):
            self.insert("tasks", {
                "title": f"{TITLES[n % len(TITLES)]}, no. {n}", "done": n % 3 == 0,
                "points": None if n % 5 == 4 else n * 7 % 13, "note": f"This is notice {n}." if n % 2 == 0 else None,
                "person_id": None if n % 6 == 5 else n % 10 + 1})

    def fill(self, row, table, body):
        if not isinstance(body, dict):
            raise Problem("malformed")
        for name, value in body.items():
            row[name] = stored(table, name, value, self.coerces)
            if name == "person_id" and row[name] is not None and row[name] not in self.rows["people"]:
                raise Problem("target", name, row[name])

    def insert(self, table, body):
        row = dict.fromkeys(COLUMNS[table]) | ({"done": False} if table == "tasks" else {})
        self.fill(row, table, body)
        while row["id"] is None:
            self.last[table] += 1
            row["id"] = None if self.last[table] in self.rows[table] else self.last[table]
        for name in REQUIRED[table]:
            if row[name] is None:
                raise Problem("missing", name)
        if row["id"] in self.rows[table]:
            raise Problem("taken", "id", row["id"])
        self.rows[table][row["id"]] = row | {"@version": 1}
        return self.rows[table][row["id"]]

    def update(self, table, row, body):
        changed = dict(row)
        self.fill(changed, table, body)
        if changed["id"] != row["id"]:
            if changed["id"] in self.rows[table]:
                raise Problem("taken", "id", changed["id"])
            self.delete(table, row)
        changed["@version"] += 1
        self.rows[table][changed["id"]] = changed
        return changed

    def delete(self, table, row):
        if table == "people" and any(task["person_id"] == row["id"] for task in self.rows["tasks"].values()):
            raise Problem("named", "tasks")
        del self.rows[table][row["id"]]

    def select(self, table, condition, order):
        """The rows that meet a condition, in an order of (name, descends, nulls come first)."""
        rows = sorted((row for row in self.rows[table].values() if condition(row)), key=lambda row: row["id"])
        for name, descends, nulls_first in reversed(order):
            nulls = [row for row in rows if row[name] is None]
            # Equal values keep their order in both directions.
            others = sorted((row for row in rows if row[name] is not None), key=lambda row: row[name], reverse=descends)
            rows = nulls + others if nulls_first else others + nulls
        return rows


# Conditions: functions of a row that give true, false, or None for neither, as SQL does

SIGNS = {"eq": operator.eq, "ne": operator.ne, "neq": operator.ne, "lt": operator.lt, "le": operator.le,
         "lte": operator.le, "gt": operator.gt, "ge": operator.ge, "gte": operator.ge}


def compared(name, sign, value):
    return lambda row: None if row[name] is None else SIGNS[sign](row[name], value)


def negated(part):
    return lambda row: None if part(row) is None else not part(row)


def all_of(parts):
    def condition(row):
        values = [part(row) for part in parts]
        return False if False in values else None if None in values else True
    return condition


def any_of(parts):
    return negated(all_of([negated(part) for part in parts]))


def is_null(name):
    return lambda row: row[name] is None


def among(name, values):
    return lambda row: None if row[name] is None else row[name] in values


# OData

def syntax(option, text):
    return Refused(400, "BadRequest", f"The query option {option} is not valid: {text}.")


class ODataFilter:
    """Comparisons, `contains`, `in`, `and`, `or`, `not` and parentheses."""

    def __init__(self, text, table):
        self.table, self.at, self.depth = table, 0, 0
        self.tokens = re.findall(r"'(?:[^']|'')*'|[(),]|[^ \t(),']+|'", text)
        if len(self.tokens) > 2000 or "'" in self.tokens:
            raise syntax("$filter", "a text has no end")

    def refuse(self, text):
        raise syntax("$filter", f"{text} at token {self.at + 1}")

    def next(self):
        if self.at == len(self.tokens):
            self.refuse("more was expected")
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, token):
        taken = self.tokens[self.at:self.at + 1] == [token]
        self.at += taken
        return taken

    def need(self, token):
        if not self.take(token):
            self.refuse(f"{token} was expected")

    def whole(self):
        condition = self.either()
        if self.at < len(self.tokens):
            self.refuse("nothing more was expected")
        return condition

    def either(self):
        parts = [self.both()]
        while self.take("or"):
            parts.append(self.both())
        return any_of(parts)

    def both(self):
        parts = [self.part()]
        while self.take("and"):
            parts.append(self.part())
        return all_of(parts)

    def part(self):
        self.depth += 1
        if self.depth > 50:
            self.refuse("nested too deeply")
        if self.take("not"):
            condition = negated(self.part())
        elif self.take("("):
            condition = self.either()
            self.need(")")
        else:
            condition = self.comparison()
        self.depth -= 1
        return condition

    def comparison(self):
        if self.take("contains"):
            self.need("(")
            name = known(self.table, self.next())
            self.need(",")
            text = self.literal(name)
            self.need(")")
            if COLUMNS[self.table][name] != "text" or text is None:
                self.refuse("contains takes a text property and a text")
            return lambda row: row[name] is not None and text in row[name]
        name, sign = known(self.table, self.next()), self.next()
        if sign == "in":
            self.need("(")
            values = [self.literal(name)]
            while self.take(","):
                values.append(self.literal(name))
            self.need(")")
            return among(name, values)
        if sign not in ("eq", "ne", "lt", "le", "gt", "ge"):
            self.refuse(f"there is no comparison '{sign}'")
        value = self.literal(name)
        # A comparison with null is false, and null differs from every value.
        if sign in ("eq", "ne"):
            return lambda row: (row[name] == value) == (sign == "eq")
        return lambda row: value is not None and row[name] is not None and SIGNS[sign](row[name], value)

    def literal(self, name):
        token = self.next()
        if token == "null":
            return None
        if token in "(),":
            self.refuse("a value was expected")
        if token[0] == "'" and COLUMNS[self.table][name] == "text":
            return token[1:-1].replace("''", "'")
        if token[0] == "'" or COLUMNS[self.table][name] == "text":
            raise Problem("kind", name, token)
        return parsed(self.table, name, token)


def odata_query(request, table):
    """The condition, the order, the fields, and the first row, the number and the size of the page."""
    wishes = dict(re.findall(r"(?:odata\.)?(maxpagesize)=([0-9]+)", request.headers.get("Prefer", "")))
    q = {"condition": lambda row: True, "order": [], "fields": None, "counts": False, "top": None, "skip": 0, "came": 0,
         "size": min(PAGE, int(wishes.get("maxpagesize", PAGE)) or PAGE)}

    def number(name, value):
        if not re.fullmatch("[0-9]{1,9}", value):
            raise syntax(name, f"'{value}' is not a number")
        return int(value)

    def key(part):
        words = part.split()
        if not 1 <= len(words) <= 2 or words[1:] not in ([], ["asc"], ["desc"]):
            raise syntax("$orderby", f"'{part}'")
        return known(table, words[0]), words[-1] == "desc", words[-1] != "desc"
    names = [name for name, _ in request.pairs if name.startswith("$")]
    if len(set(names)) < len(names):
        raise syntax(names[0], "an option is given twice")
    for name, value in request.pairs:
        if name == "$filter":
            q["condition"] = ODataFilter(value, table).whole()
        elif name in ("$top", "$skip"):
            q[name[1:]] = number(name, value)
        elif name == "$skiptoken":
            q["came"] = number(name, value)
        elif name == "$count" and value in ("true", "false"):
            q["counts"] = value == "true"
        elif name == "$select":
            q["fields"] = None if value == "*" else [known(table, part.strip()) for part in value.split(",")]
        elif name == "$orderby":
            q["order"] = [key(part) for part in value.split(",")]
        elif name.startswith("$"):
            raise Refused(501, "NotImplemented", f"The query option {name} is not supported.")
    return q


def odata(request, tables, path):
    bare = "odata.metadata=none" in request.headers.get("Accept", "")
    prefer, base = request.headers.get("Prefer", ""), request.base
    headers = {"OData-Version": "4.0", "Content-Type": f"application/json;odata.metadata={'none' if bare else 'minimal'}"}

    def tag(row):
        return f"W/\"{row['@version']}\""

    def entity(row, table, fields=None, whole=False):
        context = {"@odata.context": f"{base}/$metadata#{table}/$entity"} if whole and not bare else {}
        notes = {} if bare else {"@odata.etag": tag(row)}
        return context | notes | {name: row[name] for name in COLUMNS[table] if fields is None or name in fields}
    if path == "/":
        return 200, {"value": [{"name": name, "kind": "EntitySet", "url": name} for name in COLUMNS]}, headers
    match = re.fullmatch(r"/(people|tasks)(?:\(([^()]*)\)|(/\$count))?", path)
    if not match:
        raise Refused(404, "NotFound", f"Resource not found for the segment '{path[1:]}'.")
    table, key, counts = match.groups()
    reads = request.command in ("GET", "HEAD")
    q = odata_query(request, table) if reads else {}
    if key is None and reads:
        rows = tables.select(table, q["condition"], q["order"])
        if counts:
            return 200, str(len(rows)), {"Content-Type": "text/plain"}
        start, size = q["skip"] + q["came"], q["size"]
        left = size + 1 if q["top"] is None else min(size + 1, max(0, q["top"] - q["came"]))
        page = rows[start:start + left]
        document = {} if bare else {"@odata.context": f"{base}/$metadata#{table}"}
        document |= {"@odata.count": len(rows)} if q["counts"] else {}
        document["value"] = [entity(row, table, q["fields"]) for row in page[:size]]
        if len(page) > size:
            others = [(n, v) for n, v in request.pairs if n != "$skiptoken"] + [("$skiptoken", str(q["came"] + size))]
            document["@odata.nextLink"] = f"{base}/{table}?" + "&".join(
                f"{quote(n, safe='$')}={quote(v, safe='$')}" for n, v in others)
        return 200, document, headers
    if key is None and request.command == "POST":
        row = tables.insert(table, request.json())
        place = f"{base}/{table}({row['id']})"
        headers |= {"Location": place, "ETag": tag(row)}
        if "return=minimal" in prefer:
            return 204, None, headers | {"OData-EntityId": place}
        return 201, entity(row, table, whole=True), headers
    if key is None or request.command not in ("GET", "HEAD", "PATCH", "DELETE"):
        raise Refused(405, "MethodNotAllowed", f"{request.command} is not supported here.")
    if not re.fullmatch("-?[0-9]{1,18}", key):
        raise Refused(400, "BadRequest", f"The key '{key}' is not an Edm.Int64.")
    row = tables.rows[table].get(int(key))
    if not row:
        raise Refused(404, "NotFound", f"There is no {table}({key}).")
    if reads:
        return 200, entity(row, table, q["fields"], whole=True), headers | {"ETag": tag(row)}
    body = request.json() if request.command == "PATCH" else None
    tags = request.headers.get("If-Match", "*")
    if tags != "*" and tag(row) not in [part.strip() for part in tags.split(",")]:
        raise Refused(412, "PreconditionFailed", "The entity has changed.")
    if request.command == "DELETE":
        tables.delete(table, row)
        return 204, None, {"OData-Version": "4.0"}
    row = tables.update(table, row, body)
    if "return=representation" not in prefer:
        return 204, None, {"OData-Version": "4.0", "ETag": tag(row)}
    return 200, entity(row, table, whole=True), headers | {"ETag": tag(row)}


def odata_failure(error, _):
    if isinstance(error, Problem):
        status, message = {
            "unknown": (400, f"Could not find a property named '{error.name}'."),
            "kind": (400, f"'{error.text}' is not a value of '{error.name}'."),
            "missing": (400, f"The property '{error.name}' must not be null."),
            "taken": (409, f"An entity with the key {error.text} exists already."),
            "target": (400, f"{error.name} {error.text} names no entity."),
            "named": (409, f"Entities of {error.name} refer to this one."),
            "malformed": (400, "The body cannot be read."),
            "zero": (400, "A text holds the character U+0000."),
        }[error.kind]
        target = error.name if error.kind in ("unknown", "kind", "missing", "target") else None
        error = Refused(status, "BadRequest" if status == 400 else "Conflict", message, target=target)
    document = {"code": error.code, "message": error.message}
    if error.more.get("target"):
        document |= {"target": error.more["target"], "details": [document | {"target": error.more["target"]}]}
    return error.status, {"error": document}, {"OData-Version": "4.0", "Content-Type": "application/json"}


# PostgREST

def unreadable_filter(text):
    return Refused(400, "PGRST100", f"\"failed to parse filter ({text})\"")


class PostgRESTLogic:
    """`(a.eq.1,or(b.is.null,c.lt."x"))`, where a value that has a comma, a parenthesis or a quote stands in quotes."""

    def __init__(self, text, table):
        self.text, self.rest, self.table, self.depth = text, text, table, 0

    def refuse(self):
        raise unreadable_filter(self.text)

    def take(self, pattern):
        match = re.match(pattern, self.rest, re.DOTALL)
        if match:
            self.rest = self.rest[match.end():]
        return match

    def need(self, pattern):
        return self.take(pattern) or self.refuse()

    def whole(self):
        condition = self.tree()
        return self.refuse() if self.rest else condition

    def tree(self):
        self.depth += 1
        if self.depth > 20:
            self.refuse()
        if self.take(r"not\."):
            condition = negated(self.tree())
        elif word := self.take(r"(and|or)\("):
            parts = [self.tree()]
            while self.take(","):
                parts.append(self.tree())
            self.need(r"\)")
            condition = all_of(parts) if word[1] == "and" else any_of(parts)
        else:
            name = known(self.table, self.need(r"[^.]*")[0])
            is_not, sign = self.need(r"\.(not\.)?([^.]*)\.").groups()
            condition = self.compared(name, sign, self.list() if sign == "in" else self.value())
            condition = negated(condition) if is_not else condition
        self.depth -= 1
        return condition

    def list(self):
        self.need(r"\(")
        values = [self.value()]
        while self.take(","):
            values.append(self.value())
        self.need(r"\)")
        return values

    def value(self):
        if self.rest.startswith('"'):
            return re.sub(r"\\(.)", r"\1", self.need(r'"((?:[^"\\]|\\.)*)"')[1], flags=re.DOTALL)
        return self.need(r"[^,()]*")[0]

    def compared(self, name, sign, value):
        if sign == "in":
            return among(name, [parsed(self.table, name, text) for text in value])
        if sign == "is" and value == "null":
            return is_null(name)
        if sign == "is" and value in ("true", "false"):
            return compared(name, "eq", parsed(self.table, name, value))
        if sign not in ("eq", "neq", "lt", "lte", "gt", "gte"):
            self.refuse()
        return compared(name, sign, parsed(self.table, name, value))

    def parameter(self, name):
        """The condition of a column's own parameter, whose value is all that follows."""
        if self.take(r"not\."):
            return negated(self.parameter(name))
        sign = self.need(r"([^.]*)\.")[1]
        if sign != "in":
            return self.compared(name, sign, self.rest)
        values = self.list()
        return self.refuse() if self.rest else self.compared(name, sign, values)


def postgrest_query(request, table):
    def number(name, value):
        if not re.fullmatch("[0-9]{1,9}", value):
            raise unreadable_filter(f"{name}={value}")
        return int(value)

    def key(text):
        match = re.fullmatch(r"([^.]*)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?", text)
        if not match:
            raise unreadable_filter(f"order={text}")
        # Nulls stand last, in a descending order first.
        name, way, nulls = match.groups()
        return known(table, name), way == "desc", nulls == "nullsfirst" if nulls else way == "desc"
    conditions, order, fields, limit, offset = [], [], list(COLUMNS[table]), None, 0
    for name, value in request.pairs:
        if name == "select":
            fields = fields if value == "*" else [known(table, part) for part in value.split(",")]
        elif name == "order":
            order = [key(part) for part in value.split(",")]
        elif name == "limit":
            limit = number(name, value)
        elif name == "offset":
            offset = number(name, value)
        elif name in ("and", "or", "not.and", "not.or"):
            conditions.append(PostgRESTLogic(name + value, table).whole())
        else:
            conditions.append(PostgRESTLogic(value, table).parameter(known(table, name)))
    return all_of(conditions), order, fields, limit, offset


def postgrest(request, tables, path):
    table = path[1:]
    if table not in COLUMNS:
        raise Refused(404, "PGRST205", f"Could not find the table '{path}' in the schema cache")
    condition, order, fields, limit, offset = postgrest_query(request, table)
    wishes = [wish.strip() for wish in request.headers.get("Prefer", "").split(",")]
    is_singular = "application/vnd.pgrst.object+json" in request.headers.get("Accept", "")
    met = tables.select(table, condition, order)
    rows = met[offset:] if limit is None else met[offset:offset + limit]

    def shown(status, rows, headers):
        if is_singular and len(rows) != 1:
            raise Refused(406, "PGRST116", "JSON object requested, multiple (or no) rows returned",
                          details=f"The result contains {len(rows)} rows")
        document = [{name: row[name] for name in fields} for row in rows]
        kind = "application/vnd.pgrst.object+json" if is_singular else "application/json"
        return (200 if status == 206 and is_singular else status, document[0] if is_singular else document,
                headers | {"Content-Type": f"{kind}; charset=utf-8"})

    def written(status, rows):
        if "return=representation" in wishes:
            return shown(status, rows, {"Preference-Applied": "return=representation"})
        shown(status, rows, {})
        return 201 if status == 201 else 204, None, {"Content-Range": "*/*"}
    if request.command in ("GET", "HEAD"):
        total = len(met) if "count=exact" in wishes else None
        if total is not None and offset > total:
            raise Refused(416, "PGRST103", "Requested range not satisfiable",
                          details=f"An offset of {offset} was requested, but there are only {total} rows.")
        places = f"{offset}-{offset + len(rows) - 1}" if rows else "*"
        status = 206 if total is not None and len(rows) < total else 200
        return shown(status, rows, {"Content-Range": f"{places}/{'*' if total is None else total}"})
    if request.command not in ("POST", "PATCH", "DELETE"):
        raise Refused(405, "PGRST117", f"Unsupported HTTP method: {request.command}")
    most = [int(wish[13:]) for wish in wishes if re.fullmatch("max-affected=[0-9]+", wish)]
    if request.command != "POST" and "handling=strict" in wishes and most and len(rows) > most[0]:
        raise Refused(400, "PGRST124", "Query result exceeds max-affected preference constraint",
                      details=f"The query affects {len(rows)} rows")
    if request.command == "DELETE":
        for row in rows:
            tables.delete(table, row)
        return written(200, rows)
    body = request.json()
    bodies = body if isinstance(body, list) else [body]
    if request.command == "POST":
        return written(201, [tables.insert(table, body) for body in bodies])
    return written(200, [tables.update(table, row, bodies[0]) for row in rows])


def postgrest_failure(error, path):
    table = path[1:]
    if isinstance(error, Problem):
        kind = COLUMNS.get(table, {}).get(error.name)
        key = f"Key ({error.name})=({error.text})"
        error = {
            "unknown": Refused(400, "42703", f"column {table}.{error.name} does not exist"),
            "kind": Refused(400, "22P02", f"invalid input syntax for type {kind}: \"{error.text}\""),
            "missing": Refused(400, "23502", f"null value in column \"{error.name}\" violates not-null constraint"),
            "taken": Refused(409, "23505", f"duplicate key value violates unique constraint \"{table}_pkey\"",
                             details=f"{key} already exists."),
            "target": Refused(409, "23503", f"insert or update on table \"{table}\" violates foreign key constraint",
                              details=f"{key} is not present in table \"people\"."),
            "named": Refused(409, "23503", f"update or delete on table \"{table}\" violates foreign key constraint"),
            "malformed": Refused(400, "PGRST102", "Empty or invalid json"),
            "zero": Refused(400, "22P05", "unsupported Unicode escape sequence"),
        }[error.kind]
    document = {"code": error.code, "details": error.more.get("details"), "hint": None, "message": error.message}
    headers = {"Content-Type": "application/json; charset=utf-8"}
    return error.status, document, headers | ({"Content-Range": "*/*"} if error.status == 416 else {})


SERVICES = {"odata4": (odata, odata_failure, Tables(False)), "postgrest": (postgrest, postgrest_failure, Tables(True))}


class Service(Handler):
    methods = "GET HEAD POST PUT PATCH DELETE"

    def json(self):
        def refuse(_):
            raise Problem("malformed")
        try:
            return json.loads(self.body, parse_constant=refuse)
        except ValueError:
            raise Problem("malformed") from None

    def respond(self):
        _, name, *rest = self.url.path.split("/")
        path = "/" + unquote("/".join(rest))
        self.base, self.pairs = f"http://{self.headers['Host']}/{name}", parse_qsl(self.url.query, keep_blank_values=True)
        perform, fail, tables = SERVICES[name]
        with LOCK:
            before = copy.deepcopy((tables.rows, tables.last))
            try:
                status, document, headers = perform(self, tables, path)
            except (Refused, Problem) as error:
                tables.rows, tables.last = before
                status, document, headers = fail(error, path)
        self.reply(status, document, headers)


serve(Service)
