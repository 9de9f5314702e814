"""JupyterHub with 231 users, 30 groups and 12 services, and no proxy before it. jupyterhub_server.py PORT FOLDER"""
import os, sys
from pathlib import Path
from urllib.parse import quote
from real import folder, places, port, ready, send, started

Path(folder, "config.py").write_text(f"""
from jupyterhub.proxy import Proxy

class Nothing(Proxy):
    should_start = False
    async def add_route(self, routespec, target, data): pass
    async def delete_route(self, routespec): pass
    async def get_all_routes(self): return {{}}

c.JupyterHub.proxy_class = Nothing
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.db_url = "sqlite:///{folder}/hub.db"
c.JupyterHub.cookie_secret_file = "{folder}/cookie"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = "secret"
c.Authenticator.allow_all = True
c.Authenticator.admin_users = {{"ana"}}
c.JupyterHub.services = [{{"name": "desk", "api_token": "secret-token-of-the-desk", "admin": True}}]
c.JupyterHub.log_level = "ERROR"
""")
login = {"Authorization": "Bearer secret-token-of-the-desk"}


def fill():
    ready("/hub/api/users", login)
    for i in range(1, 231): send("POST", "/hub/api/users/" + quote(f"{places[i % 5].lower()} {i:03}" if i % 3 == 0 else f"user{i:03}"), dict(admin=i % 4 == 0), login)
    for i in range(1, 31):
        send("POST", "/hub/api/groups/" + quote(f"{places[i % 5]} {i:02}" if i % 3 == 0 else f"group{i:02}"), dict(users=["user001"] if i % 2 else []), login)
        if i % 3 == 1: send("PUT", f"/hub/api/groups/group{i:02}/properties", dict(quota=i), login)
    for i in range(1, 12): send("POST", f"/hub/api/services/service{i:02}", dict(name=f"service{i:02}", info={"team": places[i % 5]} if i % 2 else {}, display=i % 3 > 0, oauth_no_confirm=False), login)


started([os.path.dirname(sys.executable) + "/jupyterhub", "-f", folder + "/config.py"], fill)
