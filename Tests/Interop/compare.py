"""Holds what `add` found against the truth. compare.py TRUTH CLAIMS: prints a line for each fact that is not as it is, and a summary."""
import json, sys


def same(truth, found):
    # Several answers may be true.
    if isinstance(truth, dict) and "any" in truth:
        return any(same(one, found) for one in truth["any"])
    # Of a section, the members that the truth names.
    if isinstance(truth, dict) and isinstance(found, dict):
        return all(name in found and same(value, found[name]) for name, value in truth.items())
    if isinstance(truth, list) and isinstance(found, list):
        return sorted(map(json.dumps, truth)) == sorted(map(json.dumps, found))
    return truth == found


truth = json.load(open(sys.argv[1]))["resources"]
claims = json.load(open(sys.argv[2]))
found = wrong = total = 0
for resource, facts in truth.items():
    for fact, value in facts.items():
        total += 1
        claim = next((c for c in claims if c["resource"] == resource and c["fact"] == fact), None)
        if claim is None or claim["grade"] == "untested":
            print(f"  missed {resource}.{fact}: {value!r}" + (f" ({claim['evidence']})" if claim else ""))
        elif same(value, claim["value"]):
            found += 1
        elif claim["grade"] == "proved":
            wrong += 1
            print(f"  FALSE {resource}.{fact}: {value!r}, claimed {claim['value']!r} ({claim['evidence']})")
        else:
            print(f"  other {resource}.{fact}: {value!r}, {claim['grade']} {claim['value']!r} ({claim['evidence']})")
print(f"{found} of {total} facts found, {wrong} proved and false")
