"""A service that takes writes, in several manners: the first part of the path names the manner. Each has things of its own.
`GET /log` answers with the requests so far, one a line; `GET /MANNER/left` with the things that were not there at first, and
`GET /MANNER/sent` with the method and the body of each write."""
import json
import re
import threading
import zlib
from urllib.parse import parse_qsl, unquote

from loopback import LOG, Handler, serve

LOCK = threading.Lock()
MADE = "2026-11-01T10:00:00Z"
NEVER = object()


class Manner:
    """PATCH merges, null clears, ETags count, name and kind are required, made and visits are the service's own."""
    methods = ("GET, POST", "GET, PATCH, PUT, DELETE")
    required = ("name", "kind")
    honors = True          # whether If-Match counts
    needs = False          # whether a write needs it
    keeps = True           # whether a new record is kept
    hint = True            # whether a refusal names fields
    wrap = None
    tells = True           # whether OPTIONS tells the methods
    options = None         # what OPTIONS tells beside them

    def __init__(self):
        self.things = {n: self.thing(n, {"name": f"thing {n}", "kind": ["big", "small"][n % 2], "note": None if n % 3 else f"n{n}"})
                       for n in range(1, 13)}
        self.last = 12
        self.first = set(self.things)
        self.sent = []

    def thing(self, n, given):
        return {"id": n, "name": None, "kind": None, "note": None} | given | {"made": f"2026-11-{n % 28 + 1:02}T10:00:00Z", "visits": n % 5, "version": 1}

    def tag(self, thing):
        return f'"{thing["id"]}-{thing["version"]}"'

    def shown(self, thing):
        record = {k: v for k, v in thing.items() if k != "version"}
        return {self.wrap: record} if self.wrap else record

    def taken(self, body):
        if self.wrap:
            if not isinstance(body.get(self.wrap), dict):
                return None
            body = body[self.wrap]
        return {k: v for k, v in body.items() if k not in ("id", "made", "visits", "version")}

    def problem(self, fields):
        missing = [name for name in self.required if not fields.get(name)]
        errors = {name: ["can't be blank"] for name in missing}
        if fields.get("kind") not in (None, "big", "small"):
            errors["kind"] = ["is not included in the list"]
        if errors:
            return 422, {"errors": errors} if self.hint else {"message": "that is not right"}

    def find(self, id):
        return self.things.get(int(id)) if id.isdigit() else None

    # Each answers with a status, header fields and a document.
    def create(self, body):
        fields = self.taken(body)
        if fields is None:
            return 400, {}, {"message": "what is it?"}
        problem = self.problem(fields)
        if problem:
            return problem[0], {}, problem[1]
        self.last += 1
        thing = self.thing(self.last, fields)
        if self.keeps:
            self.things[self.last] = thing
        return self.created(thing)

    def created(self, thing):
        return 201, {"Location": f"/things/{thing['id']}"}, self.shown(thing)

    def change(self, thing, body, replaces):
        fields = self.taken(body)
        if fields is None:
            return 400, {}, {"message": "what is it?"}
        new = {"id": thing["id"], "name": None, "kind": None, "note": None} | fields if replaces else thing | fields
        problem = self.problem(new)
        if problem:
            return problem[0], {}, problem[1]
        new = new | {name: thing[name] for name in ("id", "made", "visits")} | {"version": thing["version"] + 1}
        self.things[thing["id"]] = new
        return self.changed(new)

    def changed(self, thing):
        return 200, {"ETag": self.tag(thing)}, self.shown(thing)

    def delete(self, thing):
        del self.things[thing["id"]]
        return 204, {}, None


class merging(Manner):
    pass


class replacing(Manner):
    """Takes whole records alone."""
    methods = ("GET, POST", "GET, PUT, DELETE")
    honors = False


class lenient(Manner):
    """Its ETags do not count, and a deletion of what is not there is accepted."""
    honors = False


class strict(Manner):
    """Needs the revision for each write, and refuses what is its own to set."""
    needs = True

    def change(self, thing, body, replaces):
        own = [name for name in ("made", "visits") if name in body]
        return (422, {}, {"errors": {name: ["is read-only"] for name in own}}) if own else super().change(thing, body, replaces)


class stating(Manner):
    """Its refusals have a number and a reason of their own beside the fields."""
    def problem(self, fields):
        problem = super().problem(fields)
        if problem:
            errors = [{"path": [name], "message": words[0]} for name, words in problem[1]["errors"].items()]
            return 400, {"error": {"status": 400, "reason": "ValidationError", "message": "not valid", "details": {"errors": errors}}}


class insisting(Manner):
    """Says what it requires, wants that in each change, takes changes with PATCH alone, and names fields by their paths."""
    methods = ("GET, POST", "GET, PATCH, DELETE")
    honors = False
    options = {"actions": {"POST": {"name": {"type": "string", "required": True}, "kind": {
        "type": "choice", "required": True, "choices": [{"value": "big"}, {"value": "small"}]}}}}

    def problem(self, fields):
        problem = super().problem(fields)
        return problem and (422, {"detail": [
            {"loc": ["body", name], "msg": words[0]} for name, words in problem[1]["errors"].items()]})

    def change(self, thing, body, replaces):
        problem = self.problem(body)
        return (problem[0], {}, problem[1]) if problem else super().change(thing, body, False)


class keeping(Manner):
    """Does not delete."""
    def delete(self, thing):
        return 403, {}, {"message": "not you"}


class losing(Manner):
    """Makes the record, and closes the connection without a response."""
    def created(self, thing):
        return None


class closing(Manner):
    """Closes the connection without having made anything."""
    def create(self, body):
        return None


class silent(Manner):
    """Says nothing of what it has made."""
    def created(self, thing):
        return 201, {}, None


class echoing(Manner):
    """Keeps nothing."""
    keeps = False


class swallowing(Manner):
    """Accepts a new record, says nothing of it, and keeps nothing."""
    keeps = False

    def created(self, thing):
        return 200, {}, None


class texts(Manner):
    """Is cleared by an empty text."""
    def taken(self, body):
        return {k: None if v == "" else v for k, v in body.items() if k not in ("id", "made", "visits", "version")}

    def change(self, thing, body, replaces):
        if None in body.values():
            return 422, {}, {"errors": {"note": ["must not be null"]}}
        return super().change(thing, body, replaces)


class wrapped(Manner):
    wrap = "thing"


class answering(Manner):
    """Wraps what it shows, and takes fields as they are."""
    wrap = "thing"

    def taken(self, body):
        return {k: v for k, v in body.items() if k not in ("id", "made", "visits", "version")}


class linked(Manner):
    """Records have an address, and no field that names them."""
    def shown(self, thing):
        record = {k: v for k, v in thing.items() if k not in ("version", "id")}
        return record | {"_links": {"self": {"href": f"/linked/things/{thing['id']}"}}}


class terse(Manner):
    """Refuses without saying why, and tells the identifier alone."""
    hint = False

    def created(self, thing):
        return 201, {}, {"status": "OK", "id": thing["id"]}

    def changed(self, thing):
        return 200, {}, {"status": "OK", "id": thing["id"]}


class listing(Manner):
    """Answers to a new record with a list of what was made."""
    def created(self, thing):
        return 201, {}, [{"id": thing["id"]}]


class mirroring(Manner):
    """Keeps the fields it knows alone, and shows whatever was sent."""
    def taken(self, body):
        return {k: v for k, v in body.items() if k in ("name", "kind", "note")}

    def create(self, body):
        status, head, document = super().create(body)
        return status, head, document | body if status == 201 else document

    def change(self, thing, body, replaces):
        status, head, document = super().change(thing, body, replaces)
        return status, head, document | body if status == 200 else document


class mute(Manner):
    """Keeps the fields it knows alone, and its response to a change says that nothing is a page."""
    def taken(self, body):
        return {k: v for k, v in body.items() if k in ("name", "kind", "note")}

    def changed(self, thing):
        return 202, {"Content-Type": "text/html"}, None


class resetting(Manner):
    """Takes whole records alone, sets what they lack to its own, and refuses the identifier among them."""
    methods = ("GET, POST", "GET, PUT, DELETE")
    required = ("name",)

    def thing(self, n, given):
        return super().thing(n, {"kind": "big"} | given)

    def change(self, thing, body, replaces):
        own = [name for name in ("id", "made", "visits") if name in body]
        return (422, {}, {"errors": {name: ["unknown field"] for name in own}}) if own else super().change(thing, {"kind": "big"} | body, True)


class dropping(Manner):
    """Loses the response to a deletion, which it has carried out."""
    def delete(self, thing):
        super().delete(thing)
        return None


class queuing(Manner):
    """Makes nothing, and names a job, whose number is also that of a record."""
    keeps = False

    def created(self, thing):
        return 202, {"Location": "/queuing/jobs/3"}, {"id": 3}


class filing(Manner):
    """Names the record that the new one was filed under."""
    def created(self, thing):
        return 201, {"Location": "/filing/things/1"}, self.shown(self.things[1])


class gated(Manner):
    """Accepts a deletion, and from then on a gateway says of everything that it is not there."""
    closed = False

    def delete(self, thing):
        self.closed = True
        return 204, {}, None


class sweeping(Manner):
    """Deletes with any record those whose owner is none."""
    def thing(self, n, given):
        return super().thing(n, given) | {"ownerId": n if n % 4 else 99}

    def delete(self, thing):
        super().delete(thing)
        self.things = {n: t for n, t in self.things.items() if t["ownerId"] in self.things}
        return 204, {}, None


class deaf(Manner):
    """Accepts what would clear a field, and keeps its value."""
    def change(self, thing, body, replaces):
        return super().change(thing, {k: v for k, v in body.items() if v not in (None, "")}, False)


class sparing(Manner):
    """Takes whole records alone, keeps what they lack, and clears by a null."""
    methods = ("GET, POST", "GET, PUT, DELETE")
    honors = False

    def change(self, thing, body, replaces):
        missing = [name for name in self.required if name not in body]
        return (422, {}, {"errors": {name: ["can't be blank"] for name in missing}}) if missing else super().change(thing, body, False)


class colored(Manner):
    """Has a color in each thing, so far the same one, and refuses what is none."""
    def __init__(self):
        super().__init__()
        for n in range(13, 37):
            self.things[n] = self.thing(n, {"name": f"thing {n}", "kind": ["big", "small"][n % 2]})
        self.last = 36
        self.first = set(self.things)

    def thing(self, n, given):
        return super().thing(n, {"color": "#FFFFFF"} | given)

    def problem(self, fields):
        if not re.fullmatch("#[0-9A-F]{6}", str(fields.get("color", "#FFFFFF"))):
            return 422, {"errors": {"color": ["is not a color"]}}
        return super().problem(fields)


class failing(Manner):
    """Clears texts by an empty text, and fails at nulls and at a text for a number."""
    def thing(self, n, given):
        return super().thing(n, {"size": n} | given)

    def change(self, thing, body, replaces):
        if None in body.values() or isinstance(body.get("size"), str):
            return 500, {}, {"message": "a fault"}
        return super().change(thing, {k: None if v == "" else v for k, v in body.items()}, replaces)


class faulting(Manner):
    """Clears the note by a null, and fails at every other null."""
    def thing(self, n, given):
        return super().thing(n, {"size": n, "place": f"p{n}"} | given)

    def change(self, thing, body, replaces):
        if any(value is None for name, value in body.items() if name != "note"):
            return 500, {}, {"message": "a fault"}
        return super().change(thing, body, replaces)


class talking(Manner):
    """Requires a name, and says so in a sentence with the names of other fields."""
    def problem(self, fields):
        if not fields.get("name"):
            return 400, {"message": "a thing must have a name; note and kind describe it"}
        if fields.get("kind") not in (None, "big", "small"):
            return 400, {"message": "not one of the kinds"}


class typed(Manner):
    """Ignores a slug that is none, and takes fractions for points, but not for sizes, which are never null."""
    def thing(self, n, given):
        return super().thing(n, {"slug": "abcdefghijklmnopqrstuvwxyz"[n % 26] * 3, "weight": 22.0, "points": n, "size": n} | given)

    def taken(self, body):
        return {k: v for k, v in super().taken(body).items() if k != "slug" or re.fullmatch("[a-z]+", str(v))}

    def problem(self, fields):
        size = fields.get("size", 1)
        if size is None or isinstance(size, float):
            return 422, {"errors": {"size": ["must be a whole number"]}}
        return super().problem(fields)


class enveloping(Manner):
    """Puts each record into an object that has its identifier, too."""
    wrap = "data"

    def taken(self, body):
        return {k: v for k, v in body.items() if k not in ("id", "made", "visits", "version")}

    def shown(self, thing):
        return {"id": thing["id"], "ok": True} | super().shown(thing)


class fixing(Manner):
    """Requires a code in a new record, and keeps the first one."""
    required = ("name", "code")
    honors = False

    def thing(self, n, given):
        return super().thing(n, {"code": f"code-{n}"} | given)

    def change(self, thing, body, replaces):
        return super().change(thing, body | {"code": thing["code"]}, replaces)


class forbidding(Manner):
    """Misses a permission for changes of the note."""
    def change(self, thing, body, replaces):
        return (403, {}, {"message": "not you"}) if "note" in body else super().change(thing, body, replaces)


class ticking(Manner):
    """Notes the moment of each write in a field that may be sent, too; names of fields stand in what it refuses, and nothing is cleared."""
    ticks = 0

    def thing(self, n, given):
        return super().thing(n, given | self.moment())

    def moment(self):
        self.ticks += 1
        return {"touched": f"2026-11-20T10:00:00.{self.ticks:06}Z"}

    def problem(self, fields):
        if not fields.get("name") or not fields.get("note"):
            return 422, {"error": "name, note, kind and touched are checked: something is missing"}

    def change(self, thing, body, replaces):
        return super().change(thing, {"note": thing["note"]} | body | self.moment(), False)


class deriving(Manner):
    """Takes changes with PUT, keeps what they lack, but for the note, which follows the name, and clears by a null."""
    methods = ("GET, POST", "GET, PUT, DELETE")
    required = ("name",)

    def follow(self, name):
        return f"note of {name}"

    def change(self, thing, body, replaces):
        given = {"note": self.follow(body["name"])} if body.get("name", thing["name"]) != thing["name"] else {}
        return Manner.change(self, thing, given | body, False)


class emptying(Manner):
    """The same, but a new name takes the note away."""
    methods, required, change = deriving.methods, deriving.required, deriving.change

    def follow(self, name):
        return None


class erasing(Manner):
    """Its PATCH replaces a thing, and nothing is required."""
    methods = ("GET, POST", "GET, PATCH, DELETE")
    required = ()
    honors = False

    def taken(self, body):
        return {k: v for k, v in body.items() if k in ("name", "kind", "note")}

    def change(self, thing, body, replaces):
        return super().change(thing, body, True)


class baring(erasing):
    """The same, but a thing has a name and nothing else."""
    def thing(self, n, given):
        return {"id": n, "name": given.get("name"), "version": 1}

    def change(self, thing, body, replaces):
        self.things[thing["id"]] = self.thing(thing["id"], body) | {"version": thing["version"] + 1}
        return self.changed(self.things[thing["id"]])


class sole(baring):
    """The same, but a name that is not sent stays."""
    def change(self, thing, body, replaces):
        return super().change(thing, {"name": thing["name"]} | body, replaces)


class misplacing(Manner):
    """Shows a record in a member, takes fields beside it, and ignores all others."""
    wrap = "data"
    required = ()

    def taken(self, body):
        return {k: v for k, v in body.items() if k in ("name", "kind", "note")}


class numbering(Manner):
    """Says in one sentence what is wrong, beside a status."""
    required = ("name",)

    def problem(self, fields):
        if not fields.get("name"):
            return 400, {"error": {"status": 400, "msg": "a thing must have one"}}
        if fields.get("kind") not in (None, "big", "small"):
            return 400, {"error": {"status": 400, "msg": "not one of the kinds"}}


class pressing(Manner):
    """Refuses a change without the revision by 412."""
    needs = 412


class choosing(Manner):
    """Things are named by who makes them; a change replaces a thing, which has a size of 0 unless it is given."""
    methods = ("GET, POST", "GET, PUT, DELETE")
    honors = False

    def __init__(self):
        super().__init__()
        self.things = {f"thing-{n}": self.thing(f"thing-{n}", {"name": f"thing {n}", "size": n}) for n in range(1, 13)}
        self.first = set(self.things)

    def thing(self, n, given):
        return {"id": n, "name": given["name"], "size": given.get("size") or 0, "version": 1}

    def find(self, id):
        return self.things.get(id)

    def create(self, body):
        missing = [name for name in ("id", "name") if not body.get(name)]
        if missing:
            return 422, {}, {"errors": {name: ["can't be blank"] for name in missing}}
        if body["id"] in self.things:
            return 409, {}, {"message": "there is one"}
        self.things[body["id"]] = self.thing(body["id"], body)
        return 201, {}, self.shown(self.things[body["id"]])

    def change(self, thing, body, replaces):
        if not body.get("name"):
            return 422, {}, {"errors": {"name": ["can't be blank"]}}
        if type(body.get("size", 0)) is not int:
            return 422, {}, {"errors": {"size": ["is no whole number"]}}
        self.things[thing["id"]] = self.thing(thing["id"], body)
        return self.changed(self.things[thing["id"]])


class slugging(choosing):
    """A thing is named by what it is called, whatever identifier is sent."""
    def create(self, body):
        return super().create(body | {"id": re.sub("[^a-z0-9]+", "-", (body.get("name") or "").lower()).strip("-")})


class yielding(choosing):
    """A thing whose identifier is taken gets another one."""
    def create(self, body):
        while body.get("id") in self.things:
            body = body | {"id": body["id"] + "-b"}
        return super().create(body)


class lone(choosing):
    """A thing has a size, and no text but the name that its maker gives it."""
    def thing(self, n, given):
        return {"id": n, "size": given.get("size") or 0, "version": 1}

    def create(self, body):
        return super().create(body | {"name": "-"})

    def change(self, thing, body, replaces):
        return super().change(thing, body | {"name": "-"}, replaces)


class hiding(lone):
    """The same, but nothing shows what is made after the first thing."""
    made = 0

    def create(self, body):
        found = super().create(body)
        if found[0] == 201:
            self.made += 1
            if self.made > 1:
                del self.things[body["id"]]
                return 201, {}, None
        return found


class hanging(yielding):
    """The same, and a read of such a thing has no response. `GET /hanging/reached` has one once there was one."""
    reached = threading.Event()

    def find(self, id):
        return NEVER if id.endswith("-b") else super().find(id)


class slashed(Manner):
    """All paths have a slash behind them; others are redirected there."""


class trimming(Manner):
    """Stores texts without the blanks around them, and shows what was sent."""
    def create(self, body):
        status, head, document = super().create({k: v.strip() if isinstance(v, str) else v for k, v in body.items()})
        return status, head, document | body if status == 201 else document


class shelving(Manner):
    """Marks what is deleted, and lists it on."""
    def delete(self, thing):
        self.things[thing["id"]] = thing | {"deleted": True}
        return 204, {}, None


class filed(shelving):
    """The same, but lists it no more."""


class wordy(Manner):
    """Takes whole records alone, without visits, and says so in a sentence with the names of other fields."""
    methods = ("GET, POST", "GET, PUT, DELETE")
    honors = False

    def change(self, thing, body, replaces):
        return (400, {}, {"message": "visits cannot be set, made can"}) if "visits" in body else super().change(thing, body, True)


class hashing(Manner):
    """Makes its ETags of what a thing holds."""
    def tag(self, thing):
        return f'"{zlib.crc32(json.dumps(self.shown(thing)).encode())}"'


class labeling(Manner):
    """Says in sentences what it misses, by the labels of a form."""
    required = ("name", "kind", "firstname")

    def thing(self, n, given):
        return super().thing(n, {"firstname": f"first {n}", "home": None} | given)

    def problem(self, fields):
        labels = {"name": "Name", "kind": "Kind", "firstname": "First name"}
        problem = super().problem(fields)
        words = {"can't be blank": "cannot be blank"}
        return problem and (422, {"errors": [f"{labels[name]} {words.get(said[0], said[0])}" for name, said in problem[1]["errors"].items()]})


class keyed(Manner):
    """Has a field called key, and calls every member of a body a key in its refusals."""
    def thing(self, n, given):
        return super().thing(n, {"key": f"c2VjcmV0{n:04}"} | given)

    def problem(self, fields):
        for name in self.required:
            if not fields.get(name):
                return 422, {"error": f"Key '{name}' not present or not a String"}
        if fields["kind"] not in ("big", "small"):
            return 422, {"error": f"Unknown kind: {fields['kind']}"}
        if re.fullmatch("[A-Za-z0-9+/]{12,}", fields.get("key") or "c2VjcmV0c2Vj") is None:
            return 422, {"error": f"content '{fields['key']}' cannot be base64-decoded"}


class referring(Manner):
    """Shows the project of a thing as an object, is sent its number, and says in a sentence that there is none."""
    methods = ("GET, POST", "GET, PATCH, DELETE")
    required = ("name",)
    wrap = "thing"
    key = "project_id"

    def project(self, number):
        return {"project": {"id": number, "name": f"project {number}"}}

    def thing(self, n, given):
        return super().thing(n, self.project(n % 3 + 1) | given)

    def taken(self, body):
        fields = super().taken(body) or {}
        number = fields.pop(self.key, None)
        fields.pop("project", None)
        return fields | (self.project(number) if isinstance(number, int) else {})

    def create(self, body):
        return super().create(body) if "project" in self.taken(body) else (422, {}, {"errors": ["Project cannot be blank"]})


class numbered(referring):
    """The same, but its number is sent as the project."""
    key = "project"


class settled(Manner):
    """Has a stage of its own in each thing, whatever is sent, and does not say what it misses."""
    hint = False

    def thing(self, n, given):
        return super().thing(n, {k: v for k, v in given.items() if k != "stage"} | {"stage": 1})

    def taken(self, body):
        return {k: v for k, v in super().taken(body).items() if k != "stage"}


class publishing(Manner):
    """Lists the names that it misses, and says by name what is wrong; only the slug may be any text."""
    def thing(self, n, given):
        return {"id": n, "template": "", "kind": "ab"[n % 2], "slug": f"post-{n}", "title": {"rendered": f"Post {n}"}, "made": MADE, "visits": 0, "version": 1} | {
            k: v for k, v in given.items() if k in ("template", "slug", "title") or k == "kind" and v in ("a", "b")}

    def taken(self, body):
        fields = super().taken(body)
        title = fields.get("title")
        return fields | ({"title": {"rendered": title if isinstance(title, str) else title.get("rendered")}} if title else {})

    def problem(self, fields):
        if not fields.get("title"):
            return 400, {"code": "rest_missing_callback_param", "message": "Missing parameter(s): title",
                         "data": {"status": 400, "params": ["title"]}}
        for name in ("template", "kind"):
            if fields.get(name, "a") not in ("a", "b", ""):
                return 400, {"code": "rest_invalid_param", "message": f"Invalid parameter(s): {name}", "data": {
                    "status": 400, "params": {name: f"{name} is not one of a, b."}}}

    def create(self, body):
        wrong = self.problem(body | {"title": "-"})
        return (wrong[0], {}, wrong[1]) if wrong else super().create(body)

    def change(self, thing, body, replaces):
        return super().change(thing, body, False)


class coding(Manner):
    """Needs a code of its own form for each thing, which no other thing has."""
    required = ("name", "code")

    def thing(self, n, given):
        return super().thing(n, {"code": f"AB-{100 + n}"} | given)

    def problem(self, fields):
        if fields.get("code") and not re.fullmatch("[A-Z]{2}-[0-9]{3}", str(fields["code"])):
            return 422, {"errors": {"code": ["has another form"]}}
        return super().problem(fields)

    def create(self, body):
        if body.get("code") in [thing["code"] for thing in self.things.values()]:
            return 409, {}, {"message": "there is one"}
        return super().create(body)


class ended(coding):
    """The same, but a code may be any text with a point at its end."""
    def thing(self, n, given):
        return super().thing(n, {"code": f"zone-{n}."} | given)

    def problem(self, fields):
        if fields.get("code") and not str(fields["code"]).endswith("."):
            return 422, {"message": "that is not canonical"}
        return Manner.problem(self, fields)


class unable(Manner):
    """Has no method for new things, and says so by a status of servers."""
    def create(self, body):
        return 501, {}, {"message": "not implemented"}


class refusing(Manner):
    """Takes no new record, and does not say what else it takes."""
    wrap = "thing"
    tells = False

    def create(self, body):
        return 400, {}, {"message": "not today"}


class trusted(Manner):
    """Does not say what it refuses; a thing has a key, and may be one of those that rule the others."""
    hint = False

    def thing(self, n, given):
        return super().thing(n, {"api_key": f"key-of-{n}", "admin": n % 3 == 0, "role": ["reader", "owner"][n % 2], "size": n,
                                 "access": {"token": f"token-of-{n}"}} | given)


def kinds(kind):
    return [kind] + [other for inner in kind.__subclasses__() for other in kinds(inner)]


MANNERS = {kind.__name__: kind() for kind in kinds(Manner)}


class Service(Handler):
    has_lines = True

    def respond(self):
        names, parts = self.names, self.url
        manner = MANNERS.get(names[0])
        if manner and names[1:] == ["left"]:
            return self.reply(200, [t for n, t in manner.things.items() if n not in manner.first])
        if manner and names[1:] == ["sent"]:
            return self.reply(200, manner.sent)
        if manner and names[1:] == ["reached"]:
            return self.reply(200, manner.reached.wait())
        if isinstance(manner, slashed) and not parts.path.endswith("/"):
            return self.reply(301, fields={"Location": f"{parts.path}/" + (f"?{parts.query}" if parts.query else "")})
        with LOCK:
            LOG.append(f"{self.command} {unquote(self.path)}")
            if manner is None or names[1:2] != ["things"] or len(names) > 3:
                return self.reply(404, {"message": "not found"})
            found = self.answer(manner, names[2] if len(names) == 3 else None, dict(parse_qsl(parts.query)))
        if found is NEVER:
            manner.reached.set()
            threading.Event().wait()
        if found is None:
            self.close_connection = True
            return
        status, head, document = found
        self.reply(status, document, head)

    def answer(self, manner, id, q):
        verb = self.command
        if verb == "OPTIONS":
            return 200, {"Allow": manner.methods[id is not None]} if manner.tells else {}, manner.options
        if verb not in manner.methods[id is not None].replace("GET", "GET, HEAD"):
            return 405, {}, {"message": "not so"}
        if getattr(manner, "closed", False):
            return 404, {"Content-Type": "text/html"}, None
        if id is None and verb != "POST":
            rows = [t for t in manner.things.values() if q.get("name", t.get("name")) == t.get("name") and not (isinstance(manner, filed) and t.get("deleted"))]
            start, size = int(q.get("offset", 0)), min(int(q.get("limit", 5)), 8)
            return 200, {}, {"things": [manner.shown(t)[manner.wrap] if manner.wrap else manner.shown(t) for t in rows[start:start + size]], "total": len(rows)}
        try:
            document = self.json({})
        except ValueError:
            return 400, {}, {"message": "not JSON"}
        if verb in ("POST", "PUT", "PATCH"):
            manner.sent.append([verb, document])
        if verb == "POST":
            return manner.create(document)
        thing = manner.find(id)
        if thing is NEVER:
            return NEVER
        if thing is None:
            return (204, {}, None) if verb == "DELETE" and isinstance(manner, lenient) else (404, {}, {"message": "no such thing"})
        if verb in ("GET", "HEAD"):
            return 200, {"ETag": manner.tag(thing)}, manner.shown(thing)
        if manner.needs and "If-Match" not in self.headers:
            return 428 if manner.needs is True else manner.needs, {}, {"message": "which version?"}
        if manner.honors and self.headers.get("If-Match", manner.tag(thing)) != manner.tag(thing):
            return 412, {}, {"message": "somebody else was here"}
        return manner.delete(thing) if verb == "DELETE" else manner.change(thing, document, verb == "PUT")


serve(Service)
