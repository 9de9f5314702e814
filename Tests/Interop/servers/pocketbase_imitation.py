"""An imitation of PocketBase 0.22 as its documentation of records says, with one collection. Traps: identifiers of 15 letters, texts that are
never null, a cap of sizes that is applied in silence, an order of conditions in one parameter, 400 for a mistake in a condition."""
import random, re
from imitation import Refused, records, serve

pick = random.Random(7)
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
HEAD = ["id", "collectionId", "collectionName", "created", "updated"]
FIELDS = {"title": "text", "state": "select", "points": "number", "done": "bool", "note": "text"}


def fresh(n, given, old=None):
    old = old or dict(id=given.get("id") or "".join(pick.choices(LETTERS, k=15)), collectionId="k9x2m4q8w1z7r5t", collectionName="tasks",
                      created=f"2026-01-01 00:{n // 60:02}:{n % 60:02}.000Z", title="", state="", points=0, done=False, note="")
    empty = dict(text="", select="", number=0, bool=False)
    taken = {k: empty[FIELDS[k]] if v is None else v for k, v in given.items() if k in FIELDS}
    problems = {}
    for name, value in taken.items():
        if FIELDS[name] == "number" and (isinstance(value, bool) or not isinstance(value, (int, float))):
            try: taken[name] = float(value)
            except (TypeError, ValueError): taken[name] = 0
        elif FIELDS[name] == "bool": taken[name] = value in (True, 1, "true", "1")
        elif FIELDS[name] in ("text", "select") and not isinstance(value, str): taken[name] = str(value)
    new = old | taken | {"updated": f"2026-01-02 00:{n // 60:02}:{n % 60:02}.000Z"}
    if not new["title"]: problems["title"] = {"code": "validation_required", "message": "Cannot be blank."}
    if new["state"] not in ("", "open", "closed", "waiting"): problems["state"] = {"code": "validation_invalid_value", "message": "Invalid value " + new["state"] + "."}
    if not re.fullmatch("[a-z0-9]{15}", new["id"]): problems["id"] = {"code": "validation_length_invalid", "message": "The length must be exactly 15."}
    if problems: raise Refused(400, {"code": 400, "message": "Failed to create record.", "data": problems})
    return new


rows = [fresh(n, r) for n, r in enumerate(records(), 1)]
count = len(rows)
BAD = Refused(400, {"code": 400, "message": "Something went wrong while processing your request.", "data": {}})
TOKEN = re.compile(r"\s*(\(|\)|&&|\|\||[?]?(?:!=|>=|<=|!~|=|>|<|~)|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|-?\d+(?:\.\d+)?|[A-Za-z_@][\w.@:]*)\s*")


def condition(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match: raise BAD
        tokens.append(match[1])
        at = match.end()

    def operand():
        if not tokens: raise BAD
        t = tokens.pop(0)
        if t[0] in "'\"": value = re.sub(r"\\(.)", r"\1", t[1:-1])
        elif re.match(r"-?\d", t): value = float(t)
        elif t in ("true", "false"): value = t == "true"
        elif t == "null": value = None
        elif t in HEAD or t in FIELDS: return lambda r: r[t]
        else: raise BAD
        return lambda r: value

    def like(a, b):
        if "%" not in b: b = "%" + b + "%"
        return re.fullmatch(".*".join(re.escape(p) for p in b.lower().split("%")), str(a).lower(), re.S) is not None

    def one():
        if tokens and tokens[0] == "(":
            tokens.pop(0)
            inner = any_of()
            if not tokens or tokens.pop(0) != ")": raise BAD
            return inner
        left = operand()
        if not tokens or tokens[0] in ("(", ")", "&&", "||"): raise BAD
        sign, right = tokens.pop(0).lstrip("?"), operand()

        def holds(r):
            a, b = left(r), right(r)
            if sign in ("=", "!="):
                equal = (a or "") == (b or "") if a in (None, "") or b in (None, "") else a == b
                return equal == (sign == "=")
            if sign in ("~", "!~"): return like(a, str(b)) == (sign == "~")
            try: return {">": a > b, ">=": a >= b, "<": a < b, "<=": a <= b}[sign]
            except TypeError: return False
            except KeyError: raise BAD
        return holds

    def all_of():
        parts = [one()]
        while tokens and tokens[0] == "&&": tokens.pop(0); parts.append(one())
        return lambda r: all(p(r) for p in parts)

    def any_of():
        parts = [all_of()]
        while tokens and tokens[0] == "||": tokens.pop(0); parts.append(all_of())
        return lambda r: any(p(r) for p in parts)

    meaning = any_of()
    if tokens: raise BAD
    return meaning


def chosen(row, q): return {k: row[k] for k in q["fields"].split(",") if k in row} if q.get("fields") else row


def number(q, name, standard):
    try: return int(q.get(name, standard))
    except ValueError: return standard


def answer(method, path, pairs, body, headers):
    global count
    q, parts = dict(pairs), path.strip("/").split("/")
    if parts[:2] != ["api", "collections"] or parts[3:4] != ["records"] or len(parts) > 5: raise Refused(404, {"code": 404, "message": "The requested resource wasn't found.", "data": {}})
    if parts[2] != "tasks": raise Refused(404, {"code": 404, "message": "Missing collection context.", "data": {}})
    if method == "OPTIONS": return 204, {"Allow": "OPTIONS, GET, POST" if len(parts) == 4 else "OPTIONS, GET, PATCH, DELETE"}, None
    if len(parts) == 4:
        if method in ("GET", "HEAD"):
            found = [r for r in rows if condition(q["filter"])(r)] if q.get("filter") else list(rows)
            for key in reversed(q.get("sort", "").split(",") if q.get("sort") else []):
                name = key.lstrip("+-")
                if name not in HEAD and name not in FIELDS: raise BAD
                found.sort(key=lambda r: r[name], reverse=key.startswith("-"))
            size = min(max(number(q, "perPage", 30), 1), 1000)
            page, total = max(number(q, "page", 1), 1), len(found)
            skip = q.get("skipTotal") in ("1", "true")
            return 200, {}, {"page": page, "perPage": size, "totalItems": -1 if skip else total, "totalPages": -1 if skip else -(-total // size),
                             "items": [chosen(r, q) for r in found[(page - 1) * size:page * size]]}
        if method == "POST":
            count += 1
            if any(r["id"] == (body or {}).get("id") for r in rows):
                raise Refused(400, {"code": 400, "message": "Failed to create record.", "data": {"id": {"code": "validation_not_unique", "message": "Value must be unique."}}})
            rows.append(fresh(count, body or {}))
            return 200, {}, rows[-1]
    else:
        row = next((r for r in rows if r["id"] == parts[4]), None)
        if row is None: raise Refused(404, {"code": 404, "message": "The requested resource wasn't found.", "data": {}})
        if method in ("GET", "HEAD"): return 200, {}, chosen(row, q)
        if method == "PATCH":
            count += 1
            row.update(fresh(count, body or {}, dict(row)))
            return 200, {}, row
        if method == "DELETE":
            rows.remove(row)
            return 204, {}, None
    raise Refused(405, {"code": 405, "message": "Method Not Allowed", "data": {}})


serve(answer)
