#!/usr/bin/env python3
"""The plugin §name§ of Switchboard: records of a service whose conditions and pages a description cannot express."""

import json
import sys

FIELDS = {
    "id": {"type": "integer", "readOnly": True},
    "title": {"type": "text", "required": True, "minimumLength": 1, "maximumLength": 100, "lengthUnit": "codePoints"},
    "done": {"type": "boolean", "nullable": False, "serverDefault": False},
    "due": "day",
    "created": {"type": "date", "readOnly": True},
}


def hello(question):
    return {
        "switchboard": 1,
        "name": "§name§",
        "version": "0.1.0",
        "summary": "§name§ of our service",
        "answers": ["compileQuery", "nextPage"],
    }


def describe(question):
    return {
        "description": {
            "values": {"dates": "epoch"},
            "records": {"listPath": "items"},
            "identifier": {"type": "integer"},
            "page": {"style": "cursor", "parameter": "page"},
            "size": {"parameter": "size", "default": 20, "maximum": 50},
            "errors": {"message": "message", "fields": {"errorsPath": "fields", "layout": "object"}},
            "resources": {
                "§name§": {
                    "fields": FIELDS,
                    "create": {"location": True},
                    "update": {"clear": "null", "returnsStored": True},
                    "delete": {},
                }
            },
        }
    }


def compile_query(question):
    """The service takes `where=FIELD:VALUE`, repeatable, for equal texts and booleans. The console does the rest."""
    if question["native"] is not None:
        raise Refusal("unsupported", "§name§ has no query language")
    parameters, accuracies = [], []
    for condition in question["filters"]:
        text = None if question["ignoreCase"] else condition_text(condition)
        if text is not None:
            parameters.append(["where", text])
        accuracies.append("local" if text is None else "exact")
    notes = ["filtered locally: the service only finds equal titles and states"] if "local" in accuracies else []
    if question["search"] is not None:
        notes.append("searched locally: the service has no search")
    return {"parameters": parameters, "filters": accuracies, "search": "local", "notes": notes}


def condition_text(condition):
    """The condition in the service's form, or None if the console has to check it."""
    if condition.get("is") != "=":
        return None
    field, operand = condition["field"], condition["operand"]
    value = operand.get("word", operand.get("value"))
    if field == "title" and isinstance(value, str) and value:
        return f"title:{value}"
    if field == "done" and value in ("true", "false"):
        return f"done:{value}"
    return None


def next_page(question):
    """The pages are p1, p2 and so on. A response says how many records are left, but not where they are."""
    if question["document"]["left"] == 0:
        return {"next": None}
    return {"next": f"p{int((question['token'] or 'p1')[1:]) + 1}"}


class Refusal(Exception):
    """A failure of the user's command."""

    def __init__(self, code, message):
        self.answer = {"code": code, "message": message}


ANSWERS = {"hello": hello, "describe": describe, "compileQuery": compile_query, "nextPage": next_page}


def main():
    for line in sys.stdin:
        question = json.loads(line)
        try:
            ask = ANSWERS[question["ask"]]
            answer = {"answer": ask(question)}
        except Refusal as refusal:
            answer = {"error": refusal.answer}
        except Exception as failure:
            answer = {"error": {"message": f"{type(failure).__name__}: {failure}"}}
        print(json.dumps({"number": question["number"], **answer}), flush=True)


main()
