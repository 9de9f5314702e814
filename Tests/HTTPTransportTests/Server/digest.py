"""HTTP Digest (RFC 7616) as a server checks it, by hashlib alone; what a service does is said by the first part of the path.

`md5`, `sha`, `both`, `sess` and `shasess` name their algorithms; `user` hashes the user's name. `unknown` asks for another digest, `noqop`
for no protection, `basic` for Basic alone. `old` calls every nonce stale after its second use, `always` at once. `next` names another nonce
with each response, `weaker` asks for SHA-256 until it was answered, and for MD5 from then on. Every count of a nonce has to be higher than the
last. `/log` has what was sent: path, status, algorithm, the number of the nonce, count."""

import base64
import hashlib
import json
import re
from urllib.parse import unquote

from loopback import LOG, Handler, serve

REALM, USER, PASSWORD = 'a "quoted" realm', "Jäsøn Doe", "Secret, or not?"
ALGORITHMS = {
    "md5": ["MD5"], "sha": ["SHA-256"], "both": ["MD5", "SHA-256"], "sess": ["MD5-sess"], "shasess": ["SHA-256-sess"],
    "unknown": ["SHA-512-256"], "user": ["SHA-256"],
}
NONCES, DONE = [], set()
COUNTS = {}
PARAMETER = re.compile(r'(\w+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')


def parse(text):
    found = PARAMETER.findall(text.encode("latin-1").decode())
    return {name: re.sub(r"\\(.)", r"\1", quoted) or plain for name, quoted, plain in found}


def digest(algorithm, *parts):
    function = hashlib.md5 if algorithm.startswith("MD5") else hashlib.sha256
    return function(":".join(parts).encode()).hexdigest()


def nonce():
    NONCES.append(base64.b64encode(f"nonce {len(NONCES)}".encode()).decode())
    return NONCES[-1]


class Service(Handler):
    methods = "GET POST"
    kind = None

    def fault(self, sent, mode, algorithms):
        """Why what was sent is refused; None where it is right."""
        if self.headers["Authorization"].split(" ")[0] != "Digest":
            return "scheme"
        user = sent.get("username")
        algorithm = sent.get("algorithm", "MD5")
        if algorithm not in algorithms:
            return "algorithm"
        if "username*" in sent:
            user = unquote(sent["username*"].removeprefix("UTF-8''"))
        if sent.get("userhash") == "true":
            user = USER if user == digest(algorithm, USER, REALM) else None
        if user != USER or sent["realm"] != REALM or sent["uri"] != self.path or sent.get("opaque") != "op\\aque":
            return "parameters"
        first = digest(algorithm, USER, REALM, PASSWORD)
        if algorithm.endswith("-sess"):
            first = digest(algorithm, first, sent["nonce"], sent["cnonce"])
        second = digest(algorithm, self.command, self.path)
        expected = digest(algorithm, first, sent["nonce"], sent["nc"], sent["cnonce"], sent["qop"], second)
        if sent["response"] != expected or sent["nonce"] not in NONCES:
            return "response"
        count = int(sent["nc"], 16)
        if count <= COUNTS.get(sent["nonce"], 0):
            return "count"
        COUNTS[sent["nonce"]] = count
        if mode == "always" or mode == "old" and count > 2:
            return "stale"
        return None

    def respond(self):
        mode = self.path.split("/")[1]
        algorithms = ALGORITHMS.get(mode, ["MD5"])
        if mode == "weaker":
            algorithms = ["MD5"] if mode in DONE else ["SHA-256"]
        fields, reason = [], "none"
        sent = parse(self.headers.get("Authorization") or "")
        if self.headers.get("Authorization"):
            reason = self.fault(sent, mode, algorithms)
        if mode == "weaker" and reason is None:
            DONE.add(mode)
        entry = [self.command + " " + self.path, 200 if reason is None else 401, sent.get("algorithm")]
        LOG.append(entry + [NONCES.index(sent["nonce"]) if sent.get("nonce") in NONCES else None, sent.get("nc")])
        if reason is None:
            if mode == "next":
                fields.append(("Authentication-Info", f'qop=auth, nextnonce="{nonce()}"'))
            return self.reply(200, [], fields)
        if mode == "basic":
            return self.reply(401, json.dumps(reason), [("WWW-Authenticate", 'Basic realm="x"')])
        realm = REALM.replace('"', '\\"')
        for algorithm in algorithms:
            text = f'Digest realm="{realm}", nonce="{nonce()}", opaque="op\\\\aque", algorithm={algorithm}'
            text += "" if mode == "noqop" else ', qop="auth-int,auth"'
            text += ", userhash=true" if mode == "user" else ""
            text += ", stale=TRUE" if reason == "stale" else ""
            fields.append(("WWW-Authenticate", text + ', Basic realm="x"'))
        return self.reply(401, json.dumps(reason), fields)


serve(Service)
