"""scim2-server in memory, with 45 users. scim_server.py PORT FOLDER"""
import json, os, subprocess, sys, threading, time, urllib.request

port = sys.argv[1]


def fill():
    base = f"http://127.0.0.1:{port}/v2/Users"
    for _ in range(600):
        try:
            urllib.request.urlopen(base).read()
            break
        except OSError: time.sleep(0.1)
    for i in range(1, 46):
        user = {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": f"user{i:02}", "displayName": f"User {i:02}", "active": i % 3 != 0}
        urllib.request.urlopen(urllib.request.Request(base, json.dumps(user).encode(), {"Content-Type": "application/scim+json"})).read()
    print("filled", flush=True)


threading.Thread(target=fill, daemon=True).start()
sys.exit(subprocess.call([os.path.dirname(sys.executable) + "/scim2-server", "--port", port], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
