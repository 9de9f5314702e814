"""Tests of the plugin: questions, and the answers that it must give. Run them with: python3 -m unittest"""

import json
import os
import subprocess
import sys
import unittest

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "switchboard-§name§")


def ask(kind, **members):
    """The answer to a question, or the error."""
    line = json.dumps({"number": 1, "ask": kind, **members}) + "\n"
    run = subprocess.run([sys.executable, PROGRAM], input=line, capture_output=True, text=True, check=True, timeout=60)
    given = json.loads(run.stdout)
    return given.get("answer", given.get("error"))


class PluginTests(unittest.TestCase):
    def compiled(self, *filters, **members):
        usual = {"resource": "§name§", "search": None, "native": None, "ignoreCase": False, "sort": []}
        return ask("compileQuery", **{**usual, "filters": list(filters), **members})

    def test_equal_texts_and_booleans_are_conditions_of_the_service(self):
        title = {"field": "title", "is": "=", "operand": {"word": "a:b"}}
        done = {"field": "done", "is": "=", "operand": {"word": "true"}}
        answer = self.compiled(title, done)
        self.assertEqual(answer["parameters"], [["where", "title:a:b"], ["where", "done:true"]])
        self.assertEqual(answer["filters"], ["exact", "exact"])

    def test_other_conditions_are_left_to_the_console(self):
        part = {"field": "title", "is": "~", "operand": {"word": "a"}}
        number = {"field": "title", "is": "=", "operand": {"value": 5}}
        answer = self.compiled(part, number, {"not": part}, search="a")
        self.assertEqual((answer["parameters"], answer["filters"]), ([], ["local", "local", "local"]))
        self.assertEqual(len(answer["notes"]), 2)
        title = {"field": "title", "is": "=", "operand": {"word": "a"}}
        self.assertEqual(self.compiled(title, ignoreCase=True)["parameters"], [])

    def test_there_is_no_query_language(self):
        self.assertEqual(self.compiled(native="x")["code"], "unsupported")

    def test_pages_are_counted_until_nothing_is_left(self):
        page = {"count": 2, "last": None, "kept": {}}
        self.assertEqual(ask("nextPage", token=None, document={"left": 1}, **page), {"next": "p2"})
        self.assertEqual(ask("nextPage", token="p2", document={"left": 1}, **page), {"next": "p3"})
        self.assertEqual(ask("nextPage", token="p3", document={"left": 0}, **page), {"next": None})


if __name__ == "__main__":
    unittest.main()
