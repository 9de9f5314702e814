"""Mailman Core over SQLite, with 26 domains, 30 lists, 40 users and members. mailman_server.py PORT FOLDER"""
import os, sys
from pathlib import Path
from urllib.parse import urlencode
from real import basic, folder, places, port, ready, send, started

login = basic("restadmin", "restpass")
Path(folder, "mailman.cfg").write_text(f"""[mailman]
layout: here
[paths.here]
var_dir: {folder}/var
[webservice]
hostname: 127.0.0.1
port: {port}
admin_user: restadmin
admin_pass: restpass
workers: 1
[mta]
incoming: mailman.mta.null.NullMTA
[devmode]
enabled: no
""")
# The web service alone: no mail is sent or taken.
for name in ["archive", "bounces", "command", "digest", "in", "lmtp", "nntp", "out", "pipeline", "retry", "task", "virgin"]:
    with open(folder + "/mailman.cfg", "a") as f: f.write(f"[runner.{name}]\nstart: no\n")


def fill():
    api = "/3.1/"
    ready(api + "system", login)
    def make(path, **values): send("POST", api + path, urlencode(values).encode(), login, form=True)
    for i in range(1, 27): make("domains", mail_host=f"domain{i:02}.example.org", **({"description": places[i % 5]} if i % 3 else {}))
    for i in range(1, 31): make("lists", fqdn_listname=f"list{i:02}@domain{i % 3 + 1:02}.example.org")
    for i in range(1, 41): make("users", email=f"user{i:02}@example.com", **({"display_name": f"{places[i % 5]} {i}"} if i % 3 else {}))
    for i in range(1, 26): make("members", list_id="list01.domain02.example.org", subscriber=f"user{i:02}@example.com", pre_verified="true", pre_confirmed="true", pre_approved="true", send_welcome_message="false")


started([os.path.dirname(sys.executable) + "/master", "-C", folder + "/mailman.cfg"], fill)
