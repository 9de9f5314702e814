"""ara, the recorder of playbooks, with 45 labels and some playbooks. ara_server.py PORT FOLDER"""
import json, os, subprocess, sys, threading, time, urllib.request

port, folder = sys.argv[1:3]
os.environ.update(ARA_BASE_DIR=folder, ARA_ALLOWED_HOSTS="['127.0.0.1']", ARA_READ_LOGIN_REQUIRED="false", ARA_DEBUG="false", ARA_LOG_LEVEL="ERROR")
tool = os.path.dirname(sys.executable) + "/ara-manage"
subprocess.run([tool, "migrate"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def fill():
    base = f"http://127.0.0.1:{port}/api/v1/"
    for _ in range(600):
        try:
            urllib.request.urlopen(base).read()
            break
        except OSError: time.sleep(0.1)

    def post(name, record):
        request = urllib.request.Request(base + name, json.dumps(record).encode(), {"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()

    for i in range(1, 46):
        post("playbooks", {"ansible_version": "2.15", "started": f"2026-01-01T00:{i:02}:00Z", "status": ["running", "completed", "failed"][i % 3], "labels": ["nightly"], "path": f"/site{i:02}.yml"})
    print("filled", flush=True)


threading.Thread(target=fill, daemon=True).start()
sys.exit(subprocess.call([tool, "runserver", "--noreload", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
