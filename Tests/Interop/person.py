"""A person at a terminal and a browser, who logs in to an authorization server of others; and what that server says of it."""
import glob, json, os, pty, re, select, subprocess, time, urllib.error, urllib.parse, urllib.request
from pathlib import Path

here = Path(__file__).resolve().parent
OFFICE = "0ffice: s3cret+%"
DESCRIPTION = """
records: {listPath: items}
page: {style: number, parameter: page, first: 1}
size: {default: 10, maximum: 10}
total: {member: total}
end: {when: [total]}
resources: {contacts: {fields: {id: integer, name: text, of: text}}}
"""


class Person:
    def __init__(self, console, python, port, home, folder, spec):
        """`spec`: where the server has what, and `without` which parts of the steps it is tried."""
        self.spec, self.without = spec, spec.get("without", [])
        self.console, self.python, self.base = str(console), str(python), f"http://127.0.0.1:{port}"
        self.home, self.folder, self.told = Path(home), Path(folder), []
        self.problems = []
        browser = self.home / "browser"
        browser.write_text(f"#!/bin/sh\nexec '{python}' -B '{here}/browser.py' \"$1\" '{home}' > '{home}/browser.said' 2>&1\n")
        browser.chmod(0o755)
        self.state = self.home / ".local/state/switchboard"
        self.configure()

    def configure(self):
        def backend(client, grant="authorizationCode", secret=None, **login):
            credentials = {"clientID": client} | ({"clientSecret": {"env": secret}} if secret else {})
            return {"plugin": "rest", "url": self.base, "description": "crm.yaml", "credentials": credentials,
                    "login": {"kind": "oauth2", "grant": grant, "issuer": self.base + self.spec.get("issuer", ""), "scope": "openid contacts.read", **login}}
        device = {"scope": "contacts.read"} | ({"deviceURL": self.spec["deviceURL"]} if "deviceURL" in self.spec else {})
        folder = self.home / ".config/switchboard"
        folder.mkdir(parents=True, mode=0o700)
        (folder / "crm.yaml").write_text(DESCRIPTION)
        (folder / "config.json").write_text(json.dumps({"switchboard": 1, "backends": {
            "desk": backend("desk"), "office": backend("office", secret="OFFICE_SECRET"),
            "post": backend("post", secret="POST_SECRET", clientAuthentication="body"),
            "phone": backend("phone", "device", **device), "officephone": backend("officephone", "device", "OFFICE_SECRET", **device),
            "wide": backend("desk", scope="openid contacts.read contacts.write reports"),
            "stranger": backend("nobody"), "wrong": backend("office", secret="WRONG_SECRET"),
        }}))

    # The console

    def variables(self, **more):
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLUMNS": "200",
                "OFFICE_SECRET": OFFICE, "POST_SECRET": "p0st s3cret & more", "WRONG_SECRET": "wr0ng secret of office", **more}

    def watched(self): return ["--log", f"{self.home}/log", "--trace"]

    def run(self, *commands, options=[]):
        """What commands of a script said, after the status."""
        words = [word for command in commands for word in ("-c", command)]
        done = subprocess.run([self.console, *self.watched(), *options, *words], env=self.variables(), cwd=self.home, capture_output=True, text=True)
        self.told.append(done.stdout + done.stderr)
        return done.returncode, done.stdout, done.stderr

    def counted(self, backend):
        status, output, errors = self.run(f"list {backend}/contacts --all -o id")
        return len(output.split()) if status == 0 else f"{status}: {lines(errors)}"

    def terminal(self, *words, typed=(), person=None, browser=True, wait=120):
        """What the console shows at a terminal, after the status. `typed` are pairs of what is awaited and a line; `person` gets a code."""
        variables = self.variables(**({"BROWSER": f"{self.home}/browser"} if browser else {}))
        process, master = pty.fork()
        if process == 0:
            os.chdir(self.home)
            os.execve(self.console, [self.console, *self.watched(), *words], variables)
        text, end, typed = "", time.monotonic() + wait, list(typed)
        try:
            while time.monotonic() < end:
                if select.select([master], [], [], 0.2)[0]:
                    try: piece = os.read(master, 65536)
                    except OSError: break
                    if not piece: break
                    text += piece.decode(errors="replace")
                if typed and (typed[0][0]() if callable(typed[0][0]) else re.search(typed[0][0], text)):
                    os.write(master, typed.pop(0)[1].encode())
                if person and (found := re.search(r"type the code (\S+):\s+(http\S+)", text)):
                    (seen, person) = (person, None)
                    seen(found[1], found[2])
            else: text += "\n(nothing more for too long)"
        finally:
            os.close(master)
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            self.told.append(text)
        return status, re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", text)

    def login(self, backend, trick=None, answer="yes", **how):
        self.wish(answer=answer, trick=trick)
        return self.terminal("login", backend, **how)

    def logout(self, backend): self.run(f"logout {backend}")

    # The person, and the server

    def wish(self, **wishes):
        (self.home / "browser.json").write_text(json.dumps(wishes | {"token": self.base + self.token}))
        (self.home / "browser.log").write_text("")

    def pages(self, part=""):
        return [page for line in (self.home / "browser.log").read_text().splitlines() if part in (page := json.loads(line))["address"]]

    def phone(self, answer="yes", code=None):
        def seen(shown, address):
            self.wish(answer=answer, code=code or shown)
            subprocess.run([self.python, "-B", here / "browser.py", address, self.home], check=True)
        return seen

    @property
    def token(self): return self.spec.get("token", "/token")

    def send(self, path, form=None, body=None, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = urllib.parse.urlencode(form).encode() if form else None
        if body is not None: data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(urllib.request.Request(self.base + path, data, headers), timeout=60) as response: return response.status, json.load(response)
        except urllib.error.HTTPError as error: return error.code, json.load(error)

    def control(self, **given): return self.send("/control", body=given)[1]
    def grants(self): return [one["grant"] for one in self.control()["requests"] if one["path"] == "/token"]
    def stored(self): return [json.loads(Path(file).read_text()) for file in glob.glob(f"{self.state}/tokens/*") if not file.endswith(".lock")]
    def secrets(self): return set((self.folder / "secrets").read_text().split("\n")) - {""}


def lines(text): return "\n".join(line for line in text.splitlines() if not re.match(r"\S*\s*(>|<|\d+ ms)", line))[-600:]
