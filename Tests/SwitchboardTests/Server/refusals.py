"""Refusals in the shapes of frameworks, below /refuse/SHAPE, and records that are kept as they are sent, below /open.

Below /stubborn a null changes nothing, and the response is a success.
"""

from loopback import LOG, Handler, serve

REFUSALS = {
    "django": (400, {"title": ["This field may not be blank."], "non_field_errors": ["start is after end"]}),
    "nested": (400, {"owner": {"email": ["Enter a valid address."]}, "tags": [{}, {"name": ["Too long."]}]}),
    "falcon": (400, {"title": "400 Bad Request", "description": "Mailing list exists"}),
    "problem": (422, {"type": "about:blank", "title": "Unprocessable", "detail": "two mistakes", "errors": {"name": ["is taken"]}}),
    "rails": (422, {"errors": {"name": ["is too short"], "base": ["is locked"]}}),
    "texts": (422, {"errors": ["Name can't be blank", "Identifier is invalid"]}),
    "pydantic": (422, {"detail": [{"loc": ["body", "name"], "msg": "field required"}]}),
    "listed": (400, {"error": {"code": "X", "message": "not valid", "details": [{"field": "name", "message": "is required"}]}}),
    "reason": (400, {"error": "bad_request", "reason": "no such zone"}),
    "names": (400, {"code": "rest_missing_callback_param", "message": "Missing parameter(s): title", "data": {"status": 400, "params": ["title"]}}),
    "reasons": (400, {"code": "rest_invalid_param", "message": "Invalid parameter(s): kind", "data": {
        "status": 400, "params": {"kind": "kind is not one of a, b."}, "details": {"kind": {"code": "rest_not_in_enum"}}}}),
    "unimplemented": (501, {"message": "no such method"}),
    "bare": (400, ["Only one owner is allowed."]),
}

items = {1: {"id": 1, "title": "a", "color": "#FFFFFF", "size": 22, "note": "n"}}


class Service(Handler):
    methods = "GET POST PATCH"

    def respond(self):
        place, *rest = self.names
        number = int(rest[1]) if len(rest) == 2 and rest[1].isdigit() else None
        if self.command == "GET" and len(rest) < 2:
            return self.reply(200, list(items.values()))
        body = self.json({})
        if self.command != "GET":
            LOG.append(f"{self.command} {self.path}")
        if self.command == "POST":
            if place == "refuse":
                return self.reply(*REFUSALS[rest[0]])
            body["id"] = max(items) + 1
            items[body["id"]] = body
            return self.reply(201, body)
        if number not in items:
            return self.reply(404, {"message": "no such record"})
        if self.command == "GET":
            return self.reply(200, items[number])
        items[number].update({name: value for name, value in body.items() if place != "stubborn" or value is not None})
        self.reply(204)


serve(Service)
