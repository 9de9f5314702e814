"""Plain SQLite tables of what services hold, by a mapping of its own.

Standard input has one JSON document a line: first `{"tables": [...]}`, each with schema, name, url, at, columns and headers; then `{"sql": ...}`. Each is answered
with a line: `{"rows": [...]}` or `{"error": ...}`.
"""
import json
import sqlite3
import sys
import urllib.parse
import urllib.request


def stored(value, declared):
    """An integer is one, a decimal a double, true is 1, lists and objects are their text, and what is absent is null."""
    if value is None:
        return None
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, (dict, list)):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    if declared == "TEXT" and not isinstance(value, str):
        return str(value)
    return value


def at(record, path):
    if path in record:
        return record[path]
    for name in path.split("."):
        record = record.get(name) if isinstance(record, dict) else None
    return record


def records_of(table):
    url = table["url"]
    while url:
        document = json.load(urllib.request.urlopen(urllib.request.Request(url, headers=table.get("headers", {}))))
        url = (document.get("links") or {}).get("next") if isinstance(document, dict) else None
        url = url and urllib.parse.urljoin(table["url"], url)
        for name in table.get("at", []):
            document = document[name]
        yield from document


def load(db, table):
    columns = table["columns"]
    names = ", ".join('"%s" %s' % (name, kind) for name, kind in columns)
    where = '"%s"."%s"' % (table["schema"], table["name"])
    db.execute("CREATE TABLE %s(%s)" % (where, names))
    marks = ", ".join("?" for _ in columns)
    for record in records_of(table):
        flat = record | record.get("attributes", {}) | {k: (v.get("data") or {}).get("id") for k, v in record.get("relationships", {}).items()}
        db.execute("INSERT INTO %s VALUES(%s)" % (where, marks), [stored(at(flat, name), kind) for name, kind in columns])


db = sqlite3.connect(":memory:")
for line in sys.stdin:
    order = json.loads(line)
    try:
        if "tables" in order:
            for schema in {table["schema"] for table in order["tables"]}:
                db.execute("ATTACH ':memory:' AS \"%s\"" % schema)
            for table in order["tables"]:
                load(db, table)
            rows = []
        else:
            rows = db.execute(order["sql"]).fetchall()
        print(json.dumps({"rows": rows}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
