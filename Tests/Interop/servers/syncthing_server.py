"""Syncthing with 40 folders and 13 devices, one of which is its own, on no network. syncthing_server.py PORT FOLDER"""
import base64, hashlib, os, re, subprocess
from pathlib import Path
from real import folder, places, port, ready, send, started

login = {"X-API-Key": "secret-key-of-the-desk"}
subprocess.run(["/usr/bin/syncthing", "generate", f"--home={folder}/home", "--no-default-folder"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HOME": folder})
file = Path(folder, "home/config.xml")
text = re.sub(r"<apikey>.*</apikey>", f"<apikey>{login['X-API-Key']}</apikey>", file.read_text())
for name in ["globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "crashReportingEnabled"]: text = text.replace(f"<{name}>true", f"<{name}>false")
text = text.replace("<listenAddress>default", "<listenAddress>tcp://127.0.0.1:0")
file.write_text(text)


def device(number):
    """An identifier of a device: 32 bytes in base 32, a check digit behind each 13 signs."""
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    plain = base64.b32encode(hashlib.sha256(b"%d" % number).digest()).decode().rstrip("=")
    whole = ""
    for part in (plain[at:at + 13] for at in range(0, 52, 13)):
        added = [(1 + at % 2) * signs.index(sign) for at, sign in enumerate(part)]
        whole += part + signs[-sum(n // 32 + n % 32 for n in added) % 32]
    return "-".join(whole[at:at + 7] for at in range(0, 56, 7))


def fill():
    ready("/rest/config/folders", login)
    for i in range(1, 41):
        label = f"{places[i % 5]} {i:02}" if i % 3 == 0 else f"Team {i:02}"
        send("POST", "/rest/config/folders", dict(id=f"share-{i:02}", label=label, path=f"{folder}/data/{i}", paused=True, rescanIntervalS=60 * i, maxConflicts=i % 4), login)
    for i in range(1, 13):
        name = f"{places[i % 5]} {i:02}" if i % 3 == 0 else f"desk{i:02}"
        send("POST", "/rest/config/devices", dict(deviceID=device(i), name=name, paused=True, introducer=i % 4 == 0, maxSendKbps=100 * i), login)


started(["/usr/bin/syncthing", "serve", f"--home={folder}/home", f"--gui-address=127.0.0.1:{port}", "--no-browser", "--no-restart", "--no-upgrade", "--logfile=-", "--log-max-size=0"], fill, {"HOME": folder, "STNOUPGRADE": "1"})
