"""Kinto in memory, with a bucket and a collection of 45 records. kinto_server.py PORT FOLDER"""
import sys, threading, json, base64, time, urllib.request
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server
from kinto import main

port = int(sys.argv[1])
app = main({}, **{
    "kinto.userid_hmac_secret": "interop", "kinto.bucket_create_principals": "system.Everyone",
    "kinto.storage_backend": "kinto.core.storage.memory", "kinto.permission_backend": "kinto.core.permission.memory",
    "kinto.cache_backend": "kinto.core.cache.memory", "multiauth.policies": "basicauth", "kinto.paginate_by": "20",
    "multiauth.policy.basicauth.use": "kinto.core.authentication.BasicAuthAuthenticationPolicy",
    "kinto.includes": "kinto.plugins.default_bucket", "kinto.basicauth_enabled": "true"})


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments): pass


server = make_server("127.0.0.1", port, app, handler_class=Quiet)


def fill():
    base = f"http://127.0.0.1:{port}/v1/buckets/desk"
    login = "Basic " + base64.b64encode(b"ana:secret").decode()

    def put(path, data):
        request = urllib.request.Request(
            base + path, json.dumps({"data": data}).encode(), {"Authorization": login, "Content-Type": "application/json"}, method="PUT")
        urllib.request.urlopen(request).read()

    put("", {})
    put("/collections/tasks", {})
    for i in range(1, 46):
        put(f"/collections/tasks/records/task{i:02}", {"title": f"task {i:02}", "n": i * 7 % 31, "done": i % 3 == 0, "note": None})
        time.sleep(0.003)
    print("filled", flush=True)


threading.Thread(target=fill, daemon=True).start()
server.serve_forever()
