"""Keystone over SQLite, with 41 users, 40 projects, 30 groups and roles. keystone_server.py PORT FOLDER"""
import getpass, grp, json, os, subprocess, sys, urllib.request
from pathlib import Path
from real import folder, places, port, ready, send, started

tool = os.path.dirname(sys.executable) + "/keystone-manage"
Path(folder, "keystone.conf").write_text(f"""[DEFAULT]
log_file = {folder}/keystone.log
[database]
connection = sqlite:///{folder}/keystone.db
[token]
provider = fernet
[fernet_tokens]
key_repository = {folder}/fernet
[credential]
key_repository = {folder}/credentials
[security_compliance]
unique_last_password_count = 0
""")
environment = dict(os.environ, OS_KEYSTONE_CONFIG_DIR=folder, OS_KEYSTONE_CONFIG_FILES=folder + "/keystone.conf")
who = ["--keystone-user", getpass.getuser(), "--keystone-group", grp.getgrgid(os.getgid()).gr_name]
settings = ["--config-file", folder + "/keystone.conf"]
for words in (["db_sync"], ["fernet_setup", *who], ["credential_setup", *who], ["bootstrap", "--bootstrap-password", "secret", "--bootstrap-public-url", f"http://127.0.0.1:{port}/v3"]):
    subprocess.run([tool, *settings, *words], env=environment, stdout=subprocess.DEVNULL, check=True)
Path(folder, "serve.py").write_text(f"""
import logging
from werkzeug.serving import run_simple
from keystone.server import wsgi
logging.getLogger("werkzeug").setLevel(logging.ERROR)
run_simple("127.0.0.1", {port}, wsgi.initialize_public_application(), threaded=True)
""")


def fill():
    ready("/v3")
    ask = {"auth": {"identity": {"methods": ["password"], "password": {"user": {"name": "admin", "domain": {"id": "default"}, "password": "secret"}}}, "scope": {"system": {"all": True}}}}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v3/auth/tokens", json.dumps(ask).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response: token = response.headers["X-Subject-Token"]
    Path(folder, "token").write_text(token)
    login = {"X-Auth-Token": token}

    def text(i): return {"description": places[i % 5] if i % 3 == 0 else f"note {i:02}"} if i % 3 < 2 else {}
    for i in range(1, 41): send("POST", "/v3/projects", {"project": dict(name=f"project{i:02}", domain_id="default", enabled=i % 4 > 0, **text(i))}, login)
    for i in range(1, 31): send("POST", "/v3/groups", {"group": dict(name=f"group{i:02}", domain_id="default", **text(i))}, login)
    for i in range(1, 41): send("POST", "/v3/users", {"user": dict(name=f"user{i:02}", domain_id="default", enabled=i % 4 > 0, email=f"user{i:02}@example.org", **text(i))}, login)
    for i in range(1, 31): send("POST", "/v3/roles", {"role": dict(name=f"role{i:02}", **text(i))}, login)


started([sys.executable, folder + "/serve.py"], fill, environment)
