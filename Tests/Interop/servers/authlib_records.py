"""The clients, codes and tokens of the authorization server of Authlib, and what a test changes of it."""
import time
from urllib.parse import urlsplit
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
control = {"lifetime": 3600, "allowed": "openid contacts.read contacts.write", "ahead": 0, "slow": 0, "device": 600}


class Client(ClientMixin):
    def __init__(self, name, password, method): self.client_id, self.client_secret, self.method = name, password, method
    def get_client_id(self): return self.client_id
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return " ".join(one for one in (scope or "").split() if one in control["allowed"].split())
    def check_client_secret(self, given): return given == self.client_secret
    def check_endpoint_auth_method(self, method, endpoint): return method in self.method
    def check_response_type(self, kind): return kind == "code"
    def check_grant_type(self, grant): return grant in ("authorization_code", "refresh_token", DEVICE)

    # The port of this machine is free (RFC 8252, section 7.3).
    def check_redirect_uri(self, address):
        parts = urlsplit(address)
        return (parts.scheme, parts.hostname, parts.path, parts.query) == ("http", "127.0.0.1", "/callback", "")


clients = {one.client_id: one for one in (
    Client("desk", "", ["none"]), Client("office", "0ffice: s3cret+%", ["client_secret_basic"]),
    Client("phone", "", ["none"]), Client("officephone", "0ffice: s3cret+%", ["client_secret_basic"]),
    Client("post", "p0st s3cret & more", ["client_secret_post"]))}


class Code(AuthorizationCodeMixin):
    def __init__(self, **facts): self.__dict__.update(facts)
    def get_redirect_uri(self): return self.redirect_uri
    def get_scope(self): return self.scope
    def get_nonce(self): return self.nonce
    def get_auth_time(self): return self.auth_time
    def get_acr(self): return None
    def get_amr(self): return None


class Token(TokenMixin):
    def __init__(self, client, user, given):
        self.client_id, self.user, self.scope = client, user, given.get("scope", "")
        self.access, self.refresh, self.life = given["access_token"], given.get("refresh_token"), given["expires_in"]
        self.issued, self.is_revoked_access, self.is_revoked_refresh = time.time(), False, False

    def check_client(self, client): return self.client_id == client.client_id
    def get_scope(self): return self.scope
    def get_expires_in(self): return self.life
    def is_expired(self): return time.time() + control["ahead"] > self.issued + self.life
    def is_revoked(self): return self.is_revoked_access
    def get_user(self): return self.user
    def get_client(self): return clients[self.client_id]
    def revoke(self): self.is_revoked_access = self.is_revoked_refresh = True
