"""An authorization server of Authlib in Flask, and a service of contacts that its tokens open.

usage: signin_authlib.py PORT FOLDER

The clients are `desk` and `phone`, without a secret, and `office`, `officephone` and `post`, with one in a header field
or in the form. A person is `ana` with the password `person`, and has to log in and to agree. `POST /control` takes what a test changes: `lifetime` of tokens and `device` codes in
seconds, `allowed` scopes, `ahead`, by which the clock of the service is ahead, `slow` polls that are told so, `ends before`, the page of a
list before which the token ends, and `revoke` for every token; `forget` empties the list of requests, which is the answer.
FOLDER/secrets gets each code, verifier, token and device code, one a line, as they are given and received."""
import functools, html, os, sys, time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.common.security import generate_token
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6750 import BearerTokenGenerator, BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode
from authlib_records import Code, Token, clients, control
from flask import Flask, jsonify, redirect, request, session
from joserfc.jwk import OctKey

port, folder = int(sys.argv[1]), sys.argv[2]
base = f"http://127.0.0.1:{port}"
codes, tokens, devices, answers, requests = {}, [], {}, {}, []
app = Flask("authority")
app.secret_key = generate_token(32)


def secret(*texts):
    with open(f"{folder}/secrets", "a") as file: file.writelines(f"{text}\n" for text in texts if text)


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        codes[code] = Code(code=code, client_id=request.client.client_id, redirect_uri=request.payload.redirect_uri, scope=request.payload.scope,
            user=request.user, nonce=data.get("nonce"), auth_time=int(time.time()), code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"), used=None)
        secret(code)

    def query_authorization_code(self, code, client):
        held = codes.get(code)
        if held and held.used:
            # Whoever uses a code again may have stolen it: its tokens end (RFC 6749, section 4.1.2).
            for token in tokens:
                if token.issued >= held.used and token.user == held.user: token.revoke()
            return None
        return held if held and held.client_id == client.client_id else None

    def delete_authorization_code(self, code): code.used = code.auth_time
    def authenticate_user(self, code): return code.user


class Identity(OpenIDCode):
    def exists_nonce(self, nonce, request): return False
    def get_jwt_config(self, grant): return {"key": "of the identity tokens, which nobody here checks", "alg": "HS256", "iss": base, "exp": 3600}
    def resolve_client_private_key(self, client): return OctKey.import_key("of the identity tokens, which nobody here checks")
    def get_client_algorithm(self, client): return "HS256"
    def get_issuer(self): return base
    def generate_user_info(self, user, scope): return UserInfo(sub="17", preferred_username=user)


class Refresh(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        held = next((token for token in tokens if token.refresh == text), None)
        # A second use is a theft: everything that this person was given ends.
        if held and held.is_revoked_refresh:
            for token in tokens:
                if token.user == held.user and token.client_id == held.client_id: token.revoke()
        return None if not held or held.is_revoked_refresh else held

    def authenticate_user(self, token): return token.user
    def revoke_old_credential(self, token): token.revoke()


class Device(DeviceCodeGrant):
    def query_device_credential(self, code): return devices.get(code)
    def query_user_grant(self, code): return answers.get(code)

    def should_slow_down(self, credential):
        control["slow"] -= 1
        return control["slow"] >= 0


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    INTERVAL = 1
    @property
    def EXPIRES_IN(self): return control["device"]
    def get_verification_uri(self): return base + "/activate"

    def save_device_credential(self, client, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict({**data, "client_id": client, "scope": scope, "expires_at": time.time() + data["expires_in"]})
        secret(data["device_code"])


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    def query_token(self, text, hint): return next((token for token in tokens if text in (token.access, token.refresh)), None)
    def revoke_token(self, token, request): token.revoke()


class Issuer(IssuerParameter):
    def get_issuer(self): return base


class Validator(BearerTokenValidator):
    def authenticate_token(self, text): return next((token for token in tokens if token.access == text), None)


def save_token(given, request):
    secret(given["access_token"], given.get("refresh_token"), given.get("id_token"))
    tokens.append(Token(request.client.client_id, request.user, given))


authority = AuthorizationServer(app, clients.get, save_token)
authority.register_grant(CodeGrant, [CodeChallenge(required=True), Identity()])
for grant in (Refresh, Device): authority.register_grant(grant)
for endpoint in (DeviceEndpoint, Revocation): authority.register_endpoint(endpoint)
authority.register_extension(Issuer())
authority.register_token_generator("default", BearerTokenGenerator(lambda **_: generate_token(42), lambda **_: generate_token(48),
    lambda client, grant: control["lifetime"]))
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.before_request
def note():
    requests.append({"method": request.method, "path": request.path, "grant": request.form.get("grant_type")})
    if request.path in ("/token", "/revoke"): secret(*[request.form.get(name) for name in ("code_verifier", "code", "refresh_token", "token")])


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify(issuer=base, authorization_endpoint=base + "/authorize", token_endpoint=base + "/token", revocation_endpoint=base + "/revoke",
        device_authorization_endpoint=base + "/device", response_types_supported=["code"], code_challenge_methods_supported=["S256"],
        authorization_response_iss_parameter_supported=True)


def logged_in(page):
    """A page for whom has logged in; anybody else gets the form for that."""
    @functools.wraps(page)
    def shown():
        form = f'<form method=post><input name=user><input name=password type=password><input type=hidden name=next value="{html.escape(request.full_path)}"><button>Log in</button></form>'
        if "password" in request.form:
            if (request.form["user"], request.form["password"]) != ("ana", "person"): return "<p>Wrong.</p>" + form, 403
            session["user"] = "ana"
            return redirect(request.form["next"])
        return page() if "user" in session else form
    return shown


def question(text, field=""): return f"<p>{text}</p><form method=post>{field}<button name=answer value=yes>Agree</button><button name=answer value=no>Deny</button></form>"


@app.route("/authorize", methods=["GET", "POST"])
@logged_in
def authorize():
    try: grant = authority.get_consent_grant(end_user=session["user"])
    except OAuth2Error as error: return authority.handle_error_response(request, error)
    if request.method == "GET": return question(f"{grant.client.client_id} wants {grant.request.payload.scope}.")
    return authority.create_authorization_response(grant=grant, grant_user=session["user"] if request.form.get("answer") == "yes" else None)


@app.route("/activate", methods=["GET", "POST"])
@logged_in
def activate():
    code = request.values.get("user_code", "")
    if request.method == "GET": return question("Type the code of the device.", f'<input name=user_code value="{code}">')
    if not any(one.get_user_code() == code for one in devices.values()): return "<p>No such code.</p>", 404
    answers[code] = (session["user"], request.form.get("answer") == "yes")
    return "<p>Done. Go back to the console.</p>"


@app.post("/token")
def token(): return authority.create_token_response()


@app.post("/device")
def device(): return authority.create_endpoint_response("device_authorization")


@app.post("/revoke")
def revoke(): return authority.create_endpoint_response("revocation")


@app.get("/contacts")
@protected("contacts.read")
def contacts():
    page = int(request.args.get("page", 1))
    # The token of a test may end between two pages.
    if page == control.get("ends before"):
        del control["ends before"]
        current_token.is_revoked_access = True
        return jsonify(error="invalid_token"), 401
    names = [f"Contact {n}" for n in range(1, 31)]
    return jsonify(total=30, items=[{"id": n, "name": names[n - 1], "of": current_token.user} for n in range(page * 10 - 9, page * 10 + 1) if n <= 30])


@app.route("/control", methods=["GET", "POST"])
def controls():
    given = request.get_json() if request.method == "POST" else {}
    if given.pop("revoke", None):
        for token in tokens: token.revoke()
    if given.pop("forget", None): requests.clear()
    control.update(given)
    return jsonify(requests=[one for one in requests if one["path"] != "/control"], tokens=[
        {"access": token.access, "refresh": token.refresh, "revoked": token.is_revoked_access, "client": token.client_id} for token in tokens])


app.run("127.0.0.1", port, threaded=True)
