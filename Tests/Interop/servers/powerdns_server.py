"""PowerDNS Authoritative Server over SQLite, with 45 zones and some keys. powerdns_server.py PORT FOLDER"""
import os, socket, sqlite3
from real import folder, places, port, ready, send, started

key = {"X-API-Key": "secret"}
database = folder + "/zones.db"
sqlite3.connect(database).executescript(open("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql").read())
with socket.create_server(("127.0.0.1", 0)) as s: dns = s.getsockname()[1]


def fill():
    api = "/api/v1/servers/localhost"
    ready(api, key)
    for i in range(1, 46):
        account = places[i // 3 % 5] if i % 3 == 0 else "" if i % 3 == 1 else f"team {i:02}"
        zone = dict(name=f"zone{i:02}.example.", kind=["Native", "Master", "Slave"][i % 3], account=account, dnssec=False, masters=["192.0.2.1"] if i % 3 == 2 else [], nameservers=[])
        if i % 3 != 2: zone["rrsets"] = [{"name": zone["name"], "type": "SOA", "ttl": 3600, "records": [{"content": f"ns1.example. admin.example. {2026000000 + i * 7 % 31} 3600 600 86400 3600", "disabled": False}]}]
        send("POST", api + "/zones", zone, key)
    for i in range(1, 8): send("POST", api + "/tsigkeys", dict(name=f"key{i}", algorithm=["hmac-sha256", "hmac-md5"][i % 2]), key)


started(["/usr/sbin/pdns_server", "--no-config", "--daemon=no", "--guardian=no", "--write-pid=no", "--launch=gsqlite3", f"--gsqlite3-database={database}", "--local-address=127.0.0.1", f"--local-port={dns}", f"--socket-dir={folder}", "--api=yes", "--api-key=secret", "--webserver=yes", "--webserver-address=127.0.0.1", f"--webserver-port={port}", "--loglevel=3"], fill)
