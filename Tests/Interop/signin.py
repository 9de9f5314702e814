"""Logs in to an authorization server of others as a person does, and says what of it held."""
import glob, os, re, signal, subprocess, time, urllib.parse
from pathlib import Path
from person import OFFICE, Person, here


class SignIn(Person):
    # The steps: each notes what does not hold.

    def holds(self, what, so, seen=""):
        if not so: self.problems.append(f"{what}: {str(seen).strip()[-1500:]!r}")

    def browser(self):
        """A login in the browser: the client without a secret, with one in a header field, and with one in the form."""
        for backend in ("desk", "office", "post"):
            status, text = self.login(backend)
            self.holds(f"login {backend}", status == 0 and f"logged in to {backend} as ana" in text, text)
            self.holds(f"list {backend}", (count := self.counted(backend)) == 30, count)
            who = self.run(f"whoami {backend}")[1]
            self.holds(f"whoami {backend}", all(word in who for word in ("ana", "expires", "openid contacts.read")), who)
            self.holds(f"page {backend}", "Back to the terminal" in self.pages("/callback")[-1]["text"], self.pages())
        for file in glob.glob(f"{self.state}/tokens/*"): self.holds("mode of " + file, os.stat(file).st_mode & 0o777 == 0o600)

    def device(self):
        """A login on another device: as configured, with a secret, and without a browser."""
        for backend in ["phone", "officephone"] + ([] if "device for all" in self.without else ["desk"]):
            status, text = self.terminal("login", backend, browser=False, person=self.phone())
            self.holds(f"login {backend}", status == 0 and f"logged in to {backend}" in text, text)
            self.holds(f"list {backend}", (count := self.counted(backend)) == 30, count)
        if "slow" in self.without: return
        self.control(slow=1, forget=True)
        start = time.monotonic()
        status, text = self.terminal("login", "phone", browser=False, person=lambda code, address: (time.sleep(3), self.phone()(code, address)))
        # After the first answer it waits for six seconds each time.
        self.holds("told to slow down", status == 0 and 2 <= len(self.grants()) <= 2 + (time.monotonic() - start) / 6, (text, self.grants()))

    def refused(self):
        """Both logins denied, a code typed wrongly or too late, and clients that the server does not know."""
        before = self.stored()
        for what, (status, text), words in (
            ("denied", self.login("desk", answer="no"), f"the login was denied at {self.base}/authorize"),
            ("denied on a device", self.terminal("login", "phone", browser=False, person=self.phone("no")), f"the login was denied at {self.base}"),
            ("wrong secret", self.login("wrong"), "invalid_client"),
        ): self.holds(what, status == 1 and words in text, text)
        self.control(device=3)
        status, text = self.terminal("login", "phone", browser=False, person=self.phone(code="XXXX-XXXX"))
        self.control(device=600)
        self.holds("too late", status == 1 and "was not used in time, and is no longer valid" in text, text)
        self.holds("nothing stored", self.stored() == before)
        # The server shows its refusal in the browser alone, and the console waits until it is told otherwise.
        there = lambda: any(page["status"] == 400 and "invalid_client" in page["text"] for page in self.pages("/authorize"))
        status, text = self.login("stranger", typed=[(there, "\x03")])
        self.holds("unknown client", status == 130, text)

    def attacked(self):
        """What a browser brings that is not of this login; nothing of it counts."""
        for trick, statuses in (("other state", [403, 200]), ("no state", [403, 200]), ("twice", [200, 0])):
            status, text = self.login("desk", trick)
            self.holds(trick, status == 0 and [page["status"] for page in self.pages("/callback")] == statuses, (text, self.pages("/callback")))
        for trick in ["other issuer"] + ([] if "iss" in self.without else ["no issuer"]):
            self.control(forget=True)
            status, text = self.login("desk", trick)
            self.holds(trick, status == 1 and "the browser came back from another server" in text and not self.grants(), (text, self.grants()))
        for trick in ("other challenge", "no challenge", "other code"):
            status, text = self.login("desk", trick)
            self.holds(trick, status == 1 and re.search(self.base + r"\S* refuses the login: [^\n]", text), text)
        status, text = self.login("desk", "code used before")
        stolen = self.pages(self.token)
        self.holds("a thief without the verifier", len(stolen) == 1 and stolen[0]["status"] == 400, stolen)

    def replayed(self):
        """A code used again is refused, and what the server then ends is renewed or asked for."""
        self.login("desk")
        address = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.pages("/callback")[-1]["address"]).query))
        verifier = (self.folder / "secrets").read_text().splitlines()
        place = self.pages("/callback")[-1]["address"].split("?")[0]
        form = {"grant_type": "authorization_code", "client_id": "desk", "code": address["code"], "redirect_uri": place,
                "code_verifier": verifier[verifier.index(address["code"]) + 1]}
        self.holds("replay", self.send(self.token, form)[0] == 400)
        if "end of replayed" in self.without: return
        count = self.counted("desk")
        self.holds("asked to log in", isinstance(count, str) and "switchboard login desk" in count, count)

    def lapsing(self):
        """Tokens of two seconds: renewed before a request, once for all consoles, with a refresh token that is then used up."""
        self.control(lifetime=2)
        self.login("desk")
        old = self.control()["tokens"][-1]
        self.control(forget=True, lifetime=3600)
        time.sleep(2.1)
        words = [self.console, *self.watched(), "-c", "count desk/contacts"]
        consoles = [subprocess.Popen(words, env=self.variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(6)]
        done = [one.communicate() for one in consoles]
        self.told += [output + errors for output, errors in done]
        self.holds("six consoles", all(output == "30\n" for output, _ in done), done)
        self.holds("one renewal", self.grants() == ["refresh_token"], self.grants())
        new = self.control()["tokens"][-1]
        self.holds("rotated", new["refresh"] != old["refresh"] and any(one.get("refresh") == new["refresh"] for one in self.stored()))
        # Whoever had stolen the old one ends the login of both, and the console asks for a person.
        form = {"grant_type": "refresh_token", "client_id": "desk", "refresh_token": old["refresh"]}
        self.holds("old refresh token", self.send(self.token, form)[0] == 400)
        count = self.counted("desk")
        self.holds("asked to log in", isinstance(count, str) and "switchboard login desk" in count, count)

    def clock(self):
        """The clock of the service is ahead, or the token ends between two pages: renewed, and the list goes on."""
        self.login("desk")
        self.control(ahead=4000, forget=True)
        status, output, errors = self.run("list desk/contacts -n 1 -o id")
        self.control(ahead=0)
        self.holds("ahead", status in (0, 1) and "refresh_token" in self.grants(), errors)
        self.login("desk")
        self.control(forget=True, **{"ends before": 3})
        self.holds("in the middle", (count := self.counted("desk")) == 30 and self.grants() == ["refresh_token"], (count, self.grants()))

    def revoked(self):
        """Logout ends both tokens at the server; tokens that the server ends are not used as nobody."""
        for backend, client in (("desk", "desk"), ("office", "office"), ("post", "post")):
            self.login(backend)
            held = [one for one in self.control()["tokens"] if one["client"] == client][-1]
            status, output, errors = self.run(f"logout {backend}")
            self.holds(f"logout {backend}", status == 0 and self.send("/contacts", token=held["access"])[0] == 401, errors)
            form = {"grant_type": "refresh_token", "client_id": "desk", "refresh_token": held["refresh"]}
            self.holds(f"refresh token of {backend}", self.send(self.token, form)[0] in (400, 401))
        self.login("desk")
        self.control(revoke=True, forget=True)
        count = self.counted("desk")
        self.holds("ended by the server", isinstance(count, str) and "switchboard login desk" in count, count)
        again = self.counted("desk")
        sent = [one["path"] for one in self.control()["requests"]]
        self.holds("then nothing is sent", "switchboard login desk" in str(again) and sent.count("/contacts") == 1 and sent.count("/token") == 1, (again, sent))

    def scopes(self):
        """The server gives less than was requested."""
        status, text = self.login("wide")
        self.holds("less", status == 0 and "without contacts.write reports" in text.replace("\n", " ") or "without reports" in text, text)

    def session(self):
        """A session at a prompt, with a recording and requests as commands of curl: nothing that was shown or kept has a secret."""
        self.wish()
        record = f"{self.home}/recording"
        status, text = self.terminal("--record", record, typed=[(r"> ", "login desk\r"), ("logged in to desk", "request desk GET contacts?page=1 --as curl\r"),
            ("curl [^>]*contacts", "count desk/contacts\r"), (r"\n30\r", "quit\r")])
        self.holds("session", status == 0 and "30" in text, text)
        status, output, errors = self.run("count office/contacts", "whoami office", "request office GET contacts?page=1 --as curl", "set", "backends", "config", options=["--trace=curl"])
        self.run("count desk/contacts", options=["--replay", record])
        kept = {path: Path(path).read_text(errors="replace") for path in [f"{self.home}/log", record, *glob.glob(f"{self.state}/**", recursive=True)]
                if os.path.isfile(path) and "/tokens/" not in path}
        kept |= {f"run {n}": text for n, text in enumerate(self.told)}
        secrets = self.secrets() | {OFFICE, "p0st s3cret & more", "wr0ng secret of office"}
        secrets |= {urllib.parse.quote(one, safe="") for one in secrets} | {urllib.parse.quote_plus(one) for one in secrets}
        leaks = [(secret[:6], place) for secret in secrets for place, text in kept.items() if secret in text]
        self.holds("kept and shown", not leaks and len(secrets) > 50 and any("history" in place for place in kept), leaks or list(kept))

    def steps(self):
        done = []
        for name in ("browser", "device", "refused", "attacked", "replayed", "lapsing", "clock", "revoked", "scopes", "session"):
            if name in self.without: continue
            self.problems = []
            try: getattr(self, name)()
            except (OSError, ValueError, KeyError, IndexError, subprocess.SubprocessError) as error: self.problems.append(f"{type(error).__name__} {error}")
            for problem in self.problems: print(f"    {name}: {problem}", flush=True)
            done.append((name, not self.problems))
        return done
