"""An imitation of Directus 10 as its documentation of items says, with one collection. Traps: 403 for a record that is not there and for a field
that is not known, a total only where `meta` asks for it, a size of -1 for everything, a cap (QUERY_LIMIT_MAX) that is applied in silence."""
import json, re
from imitation import Refused, records, serve

FIELDS = ["id", "title", "state", "points", "done", "note"]
rows = [dict(id=n, **r) for n, r in enumerate(records(), 1)]
last = len(rows)
LARGEST = 40


def refused(status, code, message, **more): return Refused(status, {"errors": [{"message": message, "extensions": {"code": code, **more}}]})


HIDDEN = refused(403, "FORBIDDEN", "You don't have permission to access this.")


def number(name, q, standard, least):
    try: value = int(q.get(name, standard))
    except ValueError: value = least - 1
    if value < least: raise refused(400, "INVALID_QUERY", f'Invalid query. "{name}" must be a number.', reason=f'"{name}" must be a number')
    return value


def plain(row_value, text):
    if isinstance(row_value, bool): return str(text).lower() == "true"
    if isinstance(row_value, (int, float)):
        try: return float(text)
        except ValueError: return None
    return text


def meets(row, rule):
    for name, ops in rule.items():
        if name in ("_and", "_or"):
            parts = [meets(row, r) for r in (ops.values() if isinstance(ops, dict) else ops)]
            if not (all(parts) if name == "_and" else any(parts)): return False
            continue
        if name not in FIELDS: raise HIDDEN
        for op, wanted in (ops if isinstance(ops, dict) else {"_eq": ops}).items():
            v, w = row[name], plain(row[name], wanted)
            try:
                holds = {
                    "_eq": lambda: v == w, "_neq": lambda: v != w, "_lt": lambda: v < w, "_lte": lambda: v <= w, "_gt": lambda: v > w, "_gte": lambda: v >= w,
                    "_in": lambda: v in [plain(v, x) for x in str(wanted).split(",")], "_null": lambda: v is None, "_nnull": lambda: v is not None,
                    "_contains": lambda: w in v, "_icontains": lambda: w.lower() in v.lower(), "_starts_with": lambda: v.startswith(w),
                }[op]
            except KeyError: raise refused(400, "INVALID_QUERY", f'Invalid query. "{op}" is not a known operator.')
            try:
                if not holds(): return False
            except (TypeError, AttributeError): return False
    return True


def asked(pairs):
    """The conditions: JSON in `filter`, or brackets."""
    rule = {}
    for key, value in pairs:
        if key == "filter":
            try: rule = json.loads(value)
            except ValueError: rule = None
            if not isinstance(rule, dict): raise refused(400, "INVALID_QUERY", "Invalid query. Invalid value for filter.")
        elif key.startswith("filter["):
            at, names = rule, re.findall(r"\[([^\]]*)\]", key)
            for name in names[:-1]:
                if not isinstance(at, dict): raise refused(400, "INVALID_QUERY", "Invalid query. Invalid value for filter.")
                at = at.setdefault(name, {})
            if not isinstance(at, dict) or not names: raise refused(400, "INVALID_QUERY", "Invalid query. Invalid value for filter.")
            at[names[-1]] = value
    return rule


def checked(given, old):
    unknown = [n for n in given if n not in FIELDS]
    if unknown: raise refused(403, "FORBIDDEN", f'You don\'t have permission to access field "{unknown[0]}".')
    new = old | given
    if new.get("title") in (None, ""): raise refused(400, "FAILED_VALIDATION", 'Validation failed for field "title". Value is required.', field="title", type="required")
    for name, kinds in (("title", str), ("state", str), ("note", str), ("points", int), ("done", bool)):
        if new[name] is not None and not isinstance(new[name], kinds) or (name == "points" and isinstance(new[name], bool)):
            raise refused(400, "INVALID_PAYLOAD", f'Invalid payload. Invalid type for field "{name}".', field=name)
    return new


def answer(method, path, pairs, body, headers):
    global last
    q, parts = dict(pairs), path.strip("/").split("/")
    if parts[:1] != ["items"] or len(parts) not in (2, 3): raise refused(404, "ROUTE_NOT_FOUND", f"Route {path} doesn't exist.")
    if parts[1] != "tasks": raise HIDDEN
    if method == "OPTIONS": return 204, {"Access-Control-Allow-Methods": "GET,POST,PATCH,DELETE"}, None
    names = q["fields"].split(",") if q.get("fields") and q["fields"] != "*" else FIELDS
    if any(n not in FIELDS for n in names): raise HIDDEN
    shown = lambda row: {n: row[n] for n in names}
    if len(parts) == 2:
        if method in ("GET", "HEAD", "SEARCH"):
            rule, found = asked(pairs), rows
            found = [r for r in found if meets(r, rule)]
            if q.get("search"): found = [r for r in found if any(isinstance(v, str) and q["search"].lower() in v.lower() for v in r.values())]
            for key in reversed(q.get("sort", "id").split(",")):
                name = key.lstrip("-")
                if name not in FIELDS: raise HIDDEN
                found = sorted(found, key=lambda r: (r[name] is not None, r[name] if r[name] is not None else 0), reverse=key.startswith("-"))
            size = number("limit", q, 100, -1)
            size = LARGEST if size == -1 or size > LARGEST else size
            start = number("offset", q, 0, 0) if "offset" in q else (number("page", q, 1, 1) - 1) * size
            out = {"data": [shown(r) for r in found[start:start + size]]}
            counts = {"filter_count": len(found), "total_count": len(rows)}
            wanted = q.get("meta", "")
            if wanted: out = {"meta": counts if wanted == "*" else {n: counts[n] for n in wanted.split(",") if n in counts}} | out
            return 200, {}, out
        if method == "POST":
            new = checked(body or {}, dict(title=None, state="open", points=None, done=False, note=None))
            last += 1
            new = dict(id=last) | {k: v for k, v in new.items() if k != "id"}
            rows.append(new)
            return 200, {}, {"data": shown(new)}
    else:
        row = next((r for r in rows if str(r["id"]) == parts[2]), None)
        if row is None: raise HIDDEN
        if method in ("GET", "HEAD"): return 200, {}, {"data": shown(row)}
        if method == "PATCH":
            row.update(checked({k: v for k, v in (body or {}).items() if k != "id"}, dict(row)))
            return 200, {}, {"data": shown(row)}
        if method == "DELETE":
            rows.remove(row)
            return 204, {}, None
    raise refused(405, "METHOD_NOT_ALLOWED", f"Invalid method {method}.")


serve(answer)
