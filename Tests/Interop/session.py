"""A session of an operator with one service: everything that the verbs do, with the description from `add` and the lines that were corrected."""
import base64, json, re, urllib.request
from pathlib import Path


def configured(spec, address, home, preset):
    """Puts a backend `preset` beside what `add` wrote: the preset alone, with the same login."""
    folder = Path(home, ".config/switchboard")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / "config.json"
    configuration = json.loads(file.read_text()) if file.exists() else {"switchboard": 1, "backends": {}}
    backend = {"plugin": "rest", "url": address, "override": {"preset": preset}}
    for login in ("basic", "bearer", "header"): backend |= credentials(spec, login)
    configuration["backends"]["preset"] = backend
    file.write_text(json.dumps(configuration, ensure_ascii=False))


def credentials(spec, login):
    words = dict(zip(spec["arguments"], spec["arguments"][1:]))
    given = words.get(f"--{login}-env")
    if not given: return {}
    if login == "bearer": return {"login": {"kind": "bearer"}, "credentials": {"token": {"env": given}}}
    if login == "basic":
        user, variable = given.split(":")
        return {"login": {"kind": "basic"}, "credentials": {"username": user, "password": {"env": variable}}}
    header, variable = given.split("=")
    return {"login": {"kind": "key", "header": header}, "credentials": {"key": {"env": variable}}}


def correct(home, corrections):
    """Puts corrected lines, `resource.key.key` each, over the description that `add` wrote."""
    file = next(Path(home).rglob("config.json"))
    configuration = json.loads(file.read_text())
    override = configuration["backends"]["it"].setdefault("override", {})
    for line, value in corrections.items():
        at = override.setdefault("resources", {})
        *parts, last = line.split(".")
        for part in parts: at = at.setdefault(part, {})
        at[last] = value
    if corrections: file.write_text(json.dumps(configuration, ensure_ascii=False))


class Session:
    """Each step says whether the console did what the service, asked without it, says."""

    def __init__(self, run, spec, address, home, environment, backend="it"):
        self.run, self.session, self.arguments, self.address, self.home, self.environment = run, spec["session"], spec["arguments"], address, Path(home), environment
        self.backend = backend
        self.it = f"{backend}/{self.session['resource']}"

    def steps(self):
        names = ["list", "page 2", "filters", "sort", "get", "create", "change", "unset", "delete", "export", "import", "sync", "sync again"]
        return [(name, self.step(name)) for name in names]

    def step(self, name):
        try: problem = getattr(self, {"import": "import_"}.get(name, name.replace(" ", "_")))()
        except (ValueError, KeyError, AttributeError, IndexError, StopIteration, TypeError) as error: problem = f"{type(error).__name__} {error}"
        if problem: print(f"    {self.backend} {name}: {problem}", flush=True)
        return not problem

    # Asked without the console

    def asked(self, path, body=None, accept=None):
        headers = {"Content-Type": "application/json", **({"Accept": accept} if accept else {})}
        words = dict(zip(self.arguments, self.arguments[1:]))
        if "--header-env" in words:
            name, variable = words["--header-env"].split("=")
            headers[name] = self.environment[variable]
        if "--bearer-env" in words: headers["Authorization"] = "Bearer " + self.environment[words["--bearer-env"]]
        if "--basic-env" in words:
            user, variable = words["--basic-env"].split(":")
            headers["Authorization"] = "Basic " + base64.b64encode(f"{user}:{self.environment[variable]}".encode()).decode()
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers)) as response: return json.load(response)

    def number(self, resource):
        place = self.session["counts"][resource]
        document = self.asked(place["path"], place.get("post"), place.get("accept"))
        for name in place.get("member", "").split("."):
            if name: document = document[name]
        return document if isinstance(document, int) else len(document)

    # Asked with it

    def records(self, line):
        done = self.run(line + " -o json")
        if done.returncode: raise ValueError(done.stderr.strip()[-200:])
        return json.loads(done.stdout)

    def done(self, *lines):
        done = self.run(*lines)
        return None if done.returncode == 0 else (done.stderr or done.stdout).strip()[-300:]

    def record(self, id):
        found = self.records(f"get {self.it} '{id}'")
        return found[0] if isinstance(found, list) else found

    def plain(self, record): return {n: v for n, v in record.items() if n not in self.session.get("volatile", [])}

    def all(self, more=""): return self.records(f"list {self.it} --all {more}")

    # The steps

    def list(self):
        for resource in self.session["counts"]:
            (listed, counted, true) = (len(self.records(f"list {self.backend}/{resource} --all")), self.run(f"count {self.backend}/{resource}").stdout.strip(), self.number(resource))
            if (listed, counted) != (true, str(true)): return f"{resource}: {listed} listed, {counted} counted, {true} there"

    def page_2(self):
        key, whole = self.session["key"], self.all()
        page = self.records(f"list {self.it} -n 5 --page 2")
        if [r[key] for r in page] != [r[key] for r in whole[5:10]]: return "other records than behind the first"

    def filters(self):
        for resource, condition, number in self.session["filters"]:
            done = self.run(f"count {self.backend}/{resource} {condition}")
            if done.stdout.strip() != str(number): return f"{condition}: {(done.stdout + done.stderr).strip()[-200:]}, {number} there"

    def sort(self):
        key = self.session["sort"]
        up, down = [r[key] for r in self.all(f"--sort {key}")], [r[key] for r in self.all(f"--sort=-{key}")]
        if up != sorted(up) or down != sorted(up, reverse=True): return "not in order"

    def get(self):
        ids = self.run(f"list {self.it} --all -o id").stdout.split("\n")
        key = self.session["key"]
        if self.record(ids[2])[key] != self.all()[2][key]: return "another record"

    def create(self):
        made = self.run(f"create {self.it} " + " ".join(self.session["create"]) + " -o id")
        key, value = self.session["create"][0].split("=", 1)
        # The first that is given names it.
        self.id = made.stdout.strip() or self.run(f"list {self.it} --all '{key}={value}' -o id").stdout.strip()
        if made.returncode or not self.id: return made.stderr.strip()[-300:] or "no identifier"
        if self.record(self.id)[key] != value: return "another record"

    def change(self):
        field, value = self.session["change"].split("=")
        # A value after := is JSON.
        if field.endswith(":"): field, value = field[:-1], json.loads(value)
        before = self.plain(self.record(self.id))
        problem = self.done(f"update {self.it} '{self.id}' {self.session['change']}")
        after = self.plain(self.record(self.id))
        if problem or after != before | {field: value}: return problem or f"{before} became {after}"

    def unset(self):
        field = self.session["unset"]
        if not field: return
        before = self.plain(self.record(self.id))
        problem = self.done(f"update {self.it} '{self.id}' --unset {field}")
        after = self.plain(self.record(self.id))
        empty = after.pop(field, None) in (None, "")
        before.pop(field, None)
        if problem or not empty or after != before: return problem or f"{before} became {after}"

    def delete(self):
        problem = self.done(f"delete {self.it} '{self.id}' --yes")
        gone = self.session.get("gone")
        if problem: return problem
        if not gone: return None if "not found" in self.run(f"get {self.it} '{self.id}'").stderr else "it is still there"
        value = self.record(self.id)
        for name in gone["path"].split("."): value = value[name]
        if value != gone["value"]: return f"{gone['path']} is {value}"

    def export(self):
        problem = self.done(f"export {self.it} --to whole.ndjson")
        if problem: return problem
        self.whole = [json.loads(line) for line in (self.home / "whole.ndjson").read_text().splitlines()]
        if len(self.whole) != self.number(self.session["resource"]): return f"{len(self.whole)} records"

    def import_(self):
        chosen = [r for r in self.whole if not self.session.get("only") or all(r.get(n) == v for n, v in self.session["only"].items())][3:6]
        (self.home / "copy.ndjson").write_text("".join(json.dumps(r | self.session["copy"], ensure_ascii=False) + "\n" for r in chosen))
        key = self.session["key"]
        problem = self.done(f"import {self.it} copy.ndjson --key {key} --yes")
        if problem: return problem
        now = {r[key]: r for r in self.all()}
        for record in chosen:
            changed = now[record[key]]
            if any(changed[n] != v for n, v in self.session["copy"].items()): return f"{record[key]} is not changed"

    def sync(self):
        return self.done(f"sync --from whole.ndjson {self.it} --key {self.session['key']} --yes")

    def sync_again(self):
        done = self.run(f"sync --from whole.ndjson {self.it} --key {self.session['key']} --yes")
        text = (done.stdout + done.stderr).strip()
        if done.returncode or not re.search(rf"(?m)^{self.it}: \d+ unchanged$", text): return text[-300:]
