"""Starts a service of others and fills it over its own API."""
import base64, json, os, subprocess, sys, threading, time, urllib.error, urllib.request

port, folder = int(sys.argv[1]), sys.argv[2]
base = f"http://127.0.0.1:{port}"
# Texts of several alphabets, one for each third record.
places = ["Zürich", "北京", "Łódź", "São Paulo", "Αθήνα"]


def basic(user, password): return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def send(method, path, body=None, headers={}, form=False):
    """The response, as JSON where it is."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    request = urllib.request.Request(base + path, data, {"Content-Type": kind, **headers}, method=method)
    with urllib.request.urlopen(request, timeout=60) as response: text = response.read()
    try: return json.loads(text)
    except ValueError: return text


def ready(path, headers={}):
    """Waits until the service answers at a path."""
    for _ in range(1800):
        try:
            request = urllib.request.Request(base + path, headers=headers)
            with urllib.request.urlopen(request, timeout=10) as response: return response.read()
        except OSError: time.sleep(0.1)
    raise SystemExit(f"{path} does not answer")


def started(arguments, fill, environment={}):
    """Runs the service, fills it, and ends with it."""
    server = subprocess.Popen(arguments, env={**os.environ, **environment}, cwd=folder, stdin=subprocess.DEVNULL)

    def run():
        fill()
        print("filled", flush=True)

    threading.Thread(target=run, daemon=True).start()
    sys.exit(server.wait())
