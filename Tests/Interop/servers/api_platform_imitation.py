"""An imitation of API Platform 3 as its documentation says: JSON-LD with Hydra, one resource with the search, range and order filters. Traps: an
order as one parameter for each field, a change only as application/merge-patch+json, filters that leave out what they do not know, a cap of
sizes that is applied in silence, records with keywords of JSON-LD."""
from imitation import Refused, records, serve

KIND = "application/ld+json; charset=utf-8"
rows = [dict(id=n, **r) for n, r in enumerate(records(), 1)]
last, LARGEST = len(rows), 40
TYPES = dict(title=str, state=str, points=int, done=bool, note=str)


def error(status, detail): return Refused(status, {"@context": "/api/contexts/Error", "@type": "hydra:Error", "hydra:title": "An error occurred", "hydra:description": detail, "title": "An error occurred", "detail": detail, "status": status})


def shown(row): return {"@id": f"/api/tasks/{row['id']}", "@type": "Task"} | row


def checked(given, old):
    new = old | {k: v for k, v in given.items() if k in TYPES}
    for name, kind in TYPES.items():
        if new[name] is not None and (not isinstance(new[name], kind) or kind is int and isinstance(new[name], bool)):
            raise error(400, f'The type of the "{name}" attribute must be "{kind.__name__}", "{type(new[name]).__name__}" given.')
    problems = []
    if not new["title"]: problems.append(("title", "This value should not be blank."))
    if new["state"] not in ("open", "closed", "waiting"): problems.append(("state", "The value you selected is not a valid choice."))
    if problems:
        text = "\n".join(f"{p}: {m}" for p, m in problems)
        raise Refused(422, {"@context": "/api/contexts/ConstraintViolationList", "@type": "ConstraintViolationList", "hydra:title": "An error occurred", "hydra:description": text, "title": "An error occurred", "detail": text, "status": 422,
                            "violations": [{"propertyPath": p, "message": m, "code": "c1051bb4-d103-4f74-8988-acbcafc7fdc3"} for p, m in problems]})
    return new


def whole(q, name, standard):
    try: return int(q.get(name, standard))
    except ValueError: return standard


def answer(method, path, pairs, body, headers):
    global last
    q, parts = dict(pairs), path.strip("/").split("/")
    if parts == ["api"]: return 200, {}, {"@context": "/api/contexts/Entrypoint", "@id": "/api", "@type": "Entrypoint", "task": "/api/tasks"}
    if parts[:2] != ["api", "tasks"] or len(parts) > 3: raise error(404, f'No route found for "{method} {path}"')
    kind = (headers.get("Content-Type") or "").split(";")[0]
    if len(parts) == 2:
        if method in ("GET", "HEAD"):
            found = list(rows)
            for key, value in pairs:
                name = key.split("[")[0]
                if key == "title": found = [r for r in found if value.lower() in r["title"].lower()]
                elif key in ("state", "note"): found = [r for r in found if r[key] == value]
                elif key == "done" and value in ("true", "false", "1", "0"): found = [r for r in found if r["done"] == (value in ("true", "1"))]
                elif key == "points" and value.lstrip("-").isdigit(): found = [r for r in found if r["points"] == int(value)]
                elif name == "points" and key[6:] in ("[gt]", "[gte]", "[lt]", "[lte]") and value.lstrip("-").isdigit():
                    n, op = int(value), key[7:-1]
                    found = [r for r in found if r["points"] is not None and {"gt": r["points"] > n, "gte": r["points"] >= n, "lt": r["points"] < n, "lte": r["points"] <= n}[op]]
            for key, value in reversed(pairs):
                name = key[6:-1]
                if key.startswith("order[") and name in ("id", "title", "points") and value.lower() in ("asc", "desc"):
                    found.sort(key=lambda r: (r[name] is not None, r[name] if r[name] is not None else 0), reverse=value.lower() == "desc")
            size, page = min(whole(q, "itemsPerPage", 30), LARGEST), whole(q, "page", 1)
            if size < 0: raise error(400, "Limit should not be less than 0")
            if page < 1: raise error(400, "Page should not be less than 1")
            if size == 0 and page > 1: raise error(400, "Page should not be greater than 1 if limit is equal to 0")
            others = "&".join(f"{k}={v}" for k, v in pairs if k != "page")
            link = lambda n: "/api/tasks?" + (others + "&" if others else "") + f"page={n}"
            pages = max(1, -(-len(found) // size)) if size else 1
            view = {"@id": link(page), "@type": "hydra:PartialCollectionView", "hydra:first": link(1), "hydra:last": link(pages)}
            if page > 1: view["hydra:previous"] = link(page - 1)
            if page < pages: view["hydra:next"] = link(page + 1)
            out = {"@context": "/api/contexts/Task", "@id": "/api/tasks", "@type": "hydra:Collection", "hydra:totalItems": len(found),
                   "hydra:member": [shown(r) for r in found[(page - 1) * size:page * size]], "hydra:view": view}
            return 200, {}, out
        if method == "POST":
            if kind not in ("application/ld+json", "application/json"): raise error(415, f'The content-type "{kind}" is not supported.')
            new = checked(body or {}, dict(title=None, state="open", points=None, done=False, note=None))
            last += 1
            rows.append(dict(id=last) | new)
            return 201, {"Location": f"/api/tasks/{last}", "Content-Location": f"/api/tasks/{last}"}, {"@context": "/api/contexts/Task"} | shown(rows[-1])
        raise error(405, f'No route found for "{method} {path}": Method Not Allowed (Allow: GET, POST)')
    row = next((r for r in rows if str(r["id"]) == parts[2]), None)
    if row is None: raise error(404, "Not Found")
    if method in ("GET", "HEAD"): return 200, {}, {"@context": "/api/contexts/Task"} | shown(row)
    if method == "PATCH":
        if kind != "application/merge-patch+json": raise error(415, f'The content-type "{kind}" is not supported. Supported MIME types are "application/merge-patch+json".')
        row.update(checked(body or {}, dict(row)))
        return 200, {}, {"@context": "/api/contexts/Task"} | shown(row)
    if method == "DELETE":
        rows.remove(row)
        return 204, {}, None
    raise error(405, f'No route found for "{method} {path}": Method Not Allowed (Allow: GET, PATCH, DELETE)')


serve(answer, KIND)
