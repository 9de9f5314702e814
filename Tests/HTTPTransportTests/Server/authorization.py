"""An authorization server with its records, as OAuth 2 has it: codes with PKCE (S256), codes for other devices, refresh tokens that are
rotated, revocation, and the documents of its endpoints. Clients are `public`, without a secret, and `confidential`.

`GET /authorize` and `GET /activate?user_code=…` are what a person opens; whoever opens them is zoe, and agrees. A JSON object to `POST
/mode` changes that: `deny`, `error` (of the authorization), `scope` (instead of the requested one), `lifetime` of tokens, `issuer` (what
`iss` says in the redirect), `mismatch` (no verifier is the right one), `pending` and `slow` (how many polls are answered so), `lapsed`
(the code of a device is too old). `POST /expire` refuses all access tokens from then on, and `POST /replay` takes the last token request
again, as from one who saw it on the way, and answers with its status. Below `/oidc`, `/liar` and `/none` are other issuers. The records
are at all other paths; `/log` has each request with its form."""

import base64
import hashlib
import json
from urllib.parse import parse_qsl, urlencode

from loopback import LOG, Handler, serve

CLIENTS = {"public": None, "confidential": "s3cret of the client"}
COUNT = iter(range(1, 10000))
MODE, CODES, DEVICES, TOKENS, REFRESH, LAST = {}, {}, {}, {}, {}, {}


def unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Service(Handler):
    methods = "GET POST"

    def respond(self):
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        path = self.url.path
        form = dict(parse_qsl(self.body.decode(), keep_blank_values=True)) if path != "/mode" else {}
        LOG.append({"request": f"{self.command} {path}", "form": form, "query": self.query,
                    "authorization": self.headers.get("Authorization", "")})
        if ".well-known" in path:
            return self.document(path)
        if path == "/mode":
            MODE.clear()
            MODE.update(self.json())
            return self.reply(200, {})
        if path == "/expire":
            TOKENS.clear()
            return self.reply(200, {})
        if path == "/replay":
            return self.reply(200, {"status": self.token(LAST["form"], LAST["authorization"])[0]})
        if path == "/authorize":
            return self.authorize()
        if path == "/activate":
            DEVICES[self.query["user_code"]]["state"] = "denied" if MODE.get("deny") else "agreed"
            return self.reply(200, "<p>done</p>", kind="text/html")
        if self.command == "POST" and path in ("/token", "/device", "/revoke"):
            answer = {"/token": self.token, "/device": self.device, "/revoke": self.revoke}[path]
            status, value = answer(form, self.headers.get("Authorization"))
            return self.reply(status, value, {"Cache-Control": "no-store"})
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in TOKENS:
            return self.reply(401, {"error": "invalid_token"}, {"WWW-Authenticate": "Bearer"})
        return self.reply(200, [])

    def document(self, path):
        wanted = {"/.well-known/oauth-authorization-server": "", "/oidc/.well-known/openid-configuration": "/oidc",
                  "/.well-known/oauth-authorization-server/liar": "/other"}
        if path not in wanted:
            return self.reply(404, {"error": "no such document"})
        names = {"authorization": "authorize", "token": "token", "device_authorization": "device", "revocation": "revoke"}
        value = {f"{name}_endpoint": f"{self.base}/{end}" for name, end in names.items()}
        self.reply(200, value | {"issuer": self.base + wanted[path], "authorization_response_iss_parameter_supported": True})

    def authorize(self):
        query = self.query
        redirect = query.get("redirect_uri", "")
        if query.get("client_id") not in CLIENTS or not redirect.startswith("http://127.0.0.1:"):
            return self.reply(400, "<p>unknown client or redirect</p>", kind="text/html")
        answer = {"state": query.get("state", ""), "iss": MODE.get("issuer", self.base)}
        error = "access_denied" if MODE.get("deny") else MODE.get("error")
        if query.get("response_type") != "code" or query.get("code_challenge_method") != "S256":
            error = "invalid_request"
        if error:
            answer |= {"error": error, "error_description": f"The answer is {error}."}
        else:
            answer["code"] = f"c0de-{next(COUNT)}"
            CODES[answer["code"]] = {"query": query, "tokens": None}
        address = f"{redirect}?{urlencode(answer)}"
        self.reply(302, None, {"Location": address})

    def client(self, form, authorization):
        """The client that a form is from; None if it does not prove it."""
        name, secret = form.get("client_id"), form.get("client_secret")
        if authorization and authorization.startswith("Basic "):
            pair = base64.b64decode(authorization[6:]).decode().split(":")
            name, secret = [dict(parse_qsl(f"x={part}"))["x"] for part in pair]
        return name if name in CLIENTS and CLIENTS[name] == secret else None

    def device(self, form, authorization):
        client = self.client(form, authorization)
        if not client:
            return 401, {"error": "invalid_client"}
        if "client_id" not in form:
            return 400, {"error": "invalid_request", "error_description": "Missing client_id parameter."}
        number = next(COUNT)
        DEVICES[f"WDJB-{number}"] = {"state": "open", "code": f"device-c0de-{number}", "client": client, "scope": form.get("scope")}
        address = f"{self.base}/activate"
        return 200, {"device_code": f"device-c0de-{number}", "user_code": f"WDJB-{number}", "verification_uri": address,
                     "verification_uri_complete": f"{address}?user_code=WDJB-{number}", "interval": 1, "expires_in": 600}

    def token(self, form, authorization):
        LAST.update(form=form, authorization=authorization)
        client = self.client(form, authorization)
        if not client:
            return 401, {"error": "invalid_client", "error_description": "The client is not known."}
        grant = form.get("grant_type")
        if grant == "authorization_code":
            return self.exchange(form, client)
        if grant == "refresh_token":
            held = REFRESH.get(form.get("refresh_token"))
            if held and held["used"]:
                # A second use is a theft: all tokens that came of it end.
                for text, other in REFRESH.items():
                    if other["family"] == held["family"]:
                        other["used"] = True
                TOKENS.clear()
            if not held or held["used"] or held["client"] != client:
                return 400, {"error": "invalid_grant", "error_description": "The refresh token has ended."}
            held["used"] = True
            return 200, self.tokens(client, held["scope"], held["family"])
        if grant == "urn:ietf:params:oauth:grant-type:device_code":
            return self.poll(form, client)
        return 400, {"error": "unsupported_grant_type"}

    def exchange(self, form, client):
        held = CODES.get(form.get("code"))
        verifier = form.get("code_verifier", "")
        if not held or held["query"]["client_id"] != client or held["query"]["redirect_uri"] != form.get("redirect_uri"):
            return 400, {"error": "invalid_grant", "error_description": "The code is not known."}
        if held["tokens"]:
            # Whoever uses a code again may have stolen it: its tokens end (RFC 6749, section 4.1.2).
            TOKENS.pop(held["tokens"]["access_token"], None)
            return 400, {"error": "invalid_grant", "error_description": "The code was used before."}
        if MODE.get("mismatch"):
            verifier += "x"
        if unpadded(hashlib.sha256(verifier.encode()).digest()) != held["query"].get("code_challenge"):
            return 400, {"error": "invalid_grant", "error_description": "The verifier does not match."}
        held["tokens"] = self.tokens(client, held["query"].get("scope"), next(COUNT))
        return 200, held["tokens"]

    def poll(self, form, client):
        device = next((one for one in DEVICES.values() if one["code"] == form.get("device_code")), None)
        if not device or device["client"] != client:
            return 400, {"error": "invalid_grant"}
        for name, error in (("pending", "authorization_pending"), ("slow", "slow_down")):
            if MODE.get(name):
                MODE[name] -= 1
                return 400, {"error": error}
        if MODE.get("lapsed"):
            return 400, {"error": "expired_token"}
        if device["state"] != "agreed":
            return 400, {"error": {"open": "authorization_pending", "denied": "access_denied"}[device["state"]]}
        return 200, self.tokens(client, device["scope"], next(COUNT))

    def tokens(self, client, scope, family):
        number = next(COUNT)
        TOKENS[f"acc3ss-{number}"] = client
        REFRESH[f"r3fresh-{number}"] = {"used": False, "client": client, "family": family, "scope": scope}
        claims = unpadded(json.dumps({"sub": "17", "preferred_username": "zoe"}).encode())
        value = {"access_token": f"acc3ss-{number}", "token_type": "Bearer", "expires_in": MODE.get("lifetime", 3600),
                 "refresh_token": f"r3fresh-{number}", "id_token": f"{unpadded(b'{}')}.{claims}."}
        given = MODE.get("scope", scope)
        return value | ({"scope": given} if given else {})

    def revoke(self, form, authorization):
        if not self.client(form, authorization):
            return 401, {"error": "invalid_client"}
        TOKENS.pop(form["token"], None)
        if form["token"] in REFRESH:
            REFRESH[form["token"]]["used"] = True
        return 200, {}


serve(Service)
