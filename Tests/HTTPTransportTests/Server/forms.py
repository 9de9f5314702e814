"""Logins by a form; what a service does is said by the first part of the path.

`django` gives its token as a cookie with the login page and another with the login, wants it in a header field and the session in a cookie.
`flask` has the token in a hidden field of the page, bound to the session's cookie. `json` gives it as JSON, to whoever is logged in.
`ticket` answers the login with JSON: the session, which goes into a cookie, and the token. `broken` gives none at all, `foreign`
leads the page to the server in the query, and sets the token for another host. `POST /MODE/expire` ends all tokens,
`POST /MODE/end` all sessions, `POST /MODE/stubborn` refuses every token. `/log` has what was sent: method, path, status."""

from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from loopback import LOG, Handler, serve

SESSIONS, TOKENS, STUBBORN, RECORDS = {}, {}, set(), {}
COUNT = iter(range(1, 1000))


class Service(Handler):
    methods = "GET POST PUT"
    kind = None

    def reply(self, status, value, cookies=(), location=None):
        fields = [("Set-Cookie", cookie) for cookie in cookies] + ([("Location", location)] if location else [])
        super().reply(status, value, fields)
        if self.path == "/log":
            # What was told is forgotten.
            LOG.clear()
        else:
            LOG.append(f"{self.command} {self.path} {status}")

    def token(self, mode):
        TOKENS[mode] = f"t&ken+{next(COUNT)}=" if mode == "flask" else f"t0ken{next(COUNT)}"
        return TOKENS[mode]

    def page(self, mode):
        """The login page."""
        if mode == "broken":
            return self.reply(200, '<form><input type="password" name="password"></form>')
        if mode == "foreign":
            return self.reply(200, "", ["csrftoken=stolen; Domain=example.org"])
        token = self.token(mode)
        if mode == "django":
            return self.reply(200, "<form>", [f"csrftoken={token}; Path=/; SameSite=Lax", "lang=en"])
        field = token.replace("&", "&amp;").replace("+", "&#x2B;").replace("=", "&#61;")
        page = f"<!-- <input name=csrf_token value=old> --><META charset=utf-8><form><input type=hidden value='{field}'\n name=csrf_token /><input type=password></form>"
        isKnown = self.cookies.get("session") in SESSIONS.values()
        return self.reply(200, page, [] if isKnown else [f"session=anonymous{next(COUNT)}; HttpOnly"])

    def isForged(self, mode, form):
        if mode in STUBBORN:
            return True
        sent = self.headers.get("X-CSRFToken") or form.get("csrf_token")
        if mode == "django" and (self.cookies.get("csrftoken") != sent or not self.headers.get("Referer", "").startswith("http")):
            return True
        return sent != TOKENS.get(mode)

    def login(self, mode, form):
        if mode in ("django", "flask") and self.isForged(mode, form):
            return self.reply(403, "CSRF verification failed.")
        if form.get("username") != "ana" or form.get("password") != "s3cret":
            if mode == "ticket":
                return self.reply(401, {"message": "no"})
            if mode == "flask":
                return self.reply(302, "", [f"session=anonymous{next(COUNT)}"], f"/{mode}/login/?next=x")
            return self.reply(200, "<form><input type='PASSWORD' name='password'></form>", ["sessionid=nobody"])
        session = f"s3ssion{next(COUNT)}"
        SESSIONS[mode] = session
        if mode == "ticket":
            return self.reply(200, {"data": {"ticket": session, "token": self.token(mode)}})
        name = "sessionid" if mode in ("django", "json") else "session"
        cookies = [f"{name}={session}; Path=/; HttpOnly"]
        if mode == "django":
            cookies.append(f"csrftoken={self.token(mode)}; Path=/")
        return self.reply(302, "", cookies, f"/{mode}/")

    def respond(self):
        raw = self.body.decode()
        self.cookies = {name: morsel.value for name, morsel in SimpleCookie(self.headers.get("Cookie") or "").items()}
        mode, _, rest = self.path[1:].split("?")[0].partition("/")
        form = {name: values[0] for name, values in parse_qs(raw).items()} if "urlencoded" in self.headers.get("Content-Type", "") else {}
        if self.command == "POST" and rest in ("expire", "end", "stubborn"):
            TOKENS.pop(mode, None) if rest == "expire" else SESSIONS.pop(mode, None) if rest == "end" else STUBBORN.add(mode)
            LOG.clear()
            return self.reply(200, {})
        if rest == "login/":
            return self.page(mode) if self.command == "GET" else self.login(mode, form)
        held = self.cookies.get("sessionid") or self.cookies.get("session")
        if not held or held != SESSIONS.get(mode):
            if mode == "flask":
                return self.reply(302, "", location=f"/{mode}/login/?next=/{mode}/{rest}")
            if mode == "django":
                return self.reply(403, {"detail": "Authentication credentials were not provided."})
            return self.reply(401, {"message": "log in"})
        if rest == "token":
            return self.reply(200, {"result": {"csrf": self.token(mode)}})
        if self.command == "GET":
            return self.reply(200, RECORDS.get(mode, []))
        if rest == "logout":
            return self.reply(302, "", [], "/bye") if not self.isForged(mode, form) else self.reply(403, "CSRF")
        if self.isForged(mode, form):
            return self.reply(403 if mode != "flask" else 400, "<p>The CSRF token has expired.</p>")
        RECORDS.setdefault(mode, []).append(raw)
        return self.reply(201, {})


serve(Service)
