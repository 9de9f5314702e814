"""Products that `add` knows by what they show: the first part of the path names one. `NAME-without-N` is a service that shows all but its
sign number N, and so only resembles it. With a name as argument, that product is at the root of the server. `GET /log` answers with the
requests so far."""
import json
import re
import sys
from urllib.parse import parse_qs

from loopback import LOG, Handler, serve

ROOT = sys.argv[1] if len(sys.argv) > 1 else None


def rows(key, count=12, **fields):
    return [{"name": f"name {n}", key: n if key == "id" else f"{key}-{n}"} | fields for n in range(1, count + 1)]


def part(query, all, size, start):
    return all[start:start + min(int(query.get(size, [len(all)])[0]), 100)]


def django(query, all):
    start = int(query.get("offset", [0])[0])
    return {}, {"count": len(all), "next": None, "previous": None, "results": part(query, all, "limit", start)}


def numbered(size, wrap=lambda rows, all: rows, total=None):
    def answer(query, all):
        start = (int(query.get("page", [1])[0]) - 1) * int(query.get(size, [len(all)])[0])
        found = part(query, all, size, start)
        next = int(query.get("page", [1])[0]) + 1
        link = {"Link": f'<?{size}={query.get(size, [0])[0]}&page={next}>; rel="next"'} if start + len(found) < len(all) else {}
        return ({total: str(len(all))} | link if total else {}), wrap(found, all)
    return answer


def offset(size, start, wrap=lambda rows, all: rows):
    return lambda query, all: ({}, wrap(part(query, all, size, int(query.get(start, [0])[0])), all))


def whole(wrap=lambda all: all):
    return lambda query, all: ({}, wrap(all))


# `@` stands for what is before the path of the API.
LINKS = {name: f"@/api/{name}/" for name in ("circuits", "core", "dcim", "extras", "ipam", "plugins", "status", "tenancy", "users")}
# Of each: where its API is, its signs (path below it, status, headers, body), its lists (path, member that identifies, rows, how a page
# looks), and what it answers to a write that it refuses.
PRODUCTS = {
    "netbox": ("/api", [
        ("", 200, {"API-Version": "4.6"}, LINKS),
        ("/status/", 200, {}, {"django-version": "5.2.1", "installed_apps": {}, "netbox-version": "4.6.8", "plugins": {}, "python-version": "3.12"}),
        ("/dcim/", 200, {}, {"sites": "@/api/dcim/sites/"})],
        {"/dcim/sites/": ("id", rows("id", slug="a"), django), "/ipam/vrfs/": ("id", rows("id"), django)},
        (400, {"name": ["This field is required."]})),
    "nautobot": ("/api", [
        ("", 200, {"API-Version": "3.1"}, LINKS),
        ("/status/", 200, {}, {"django-version": "4.2.1", "installed-apps": {}, "nautobot-version": "3.1.0", "plugins": {}, "celery-workers-running": 1})],
        {"/dcim/devices/": ("id", rows("id"), django)}, (400, {"name": ["This field is required."]})),
    "gitlab": ("/api/v4", [
        # Both signs are at the same path.
        ("/metadata", 200, {"X-Gitlab-Meta": '{"correlation_id":"1","version":"1"}'}, None),
        ("/metadata", 200, None, {"version": "18.1.0", "revision": "abc", "kas": {}, "enterprise": False})],
        {"/projects": ("id", rows("id", path="a"), numbered("per_page", total="X-Total"))}, (400, {"message": {"name": ["can't be blank"]}})),
    "grafana": ("/api", [
        ("/health", 200, {}, {"database": "ok", "version": "12.0.1", "commit": "abc"}),
        ("/org", 200, {}, {"id": 1, "name": "Main Org.", "address": {"city": ""}})],
        {"/folders": ("uid", rows("uid", title="a"), numbered("limit"))}, (400, {"message": "folder title cannot be empty"})),
    "keycloak": ("/admin/realms/desk", [
        ("", 200, {}, {"id": "1", "realm": "desk", "enabled": True, "sslRequired": "external"}),
        ("!/realms/desk", 200, {}, {"realm": "desk", "public_key": "x", "token-service": "/t", "account-service": "/a", "tokens-not-before": 0})],
        {"/users": ("id", rows("id", username="a"), offset("max", "first"))}, (400, {"errorMessage": "User name is missing"})),
    "airflow": ("/api/v2", [
        ("/version", 200, {}, {"version": "3.1.8", "git_version": None}),
        ("/monitor/health", 200, {}, {"metadatabase": {"status": "healthy"}, "scheduler": {"status": "healthy"}, "triggerer": {"status": None}})],
        {"/variables": ("key", rows("key", value="a"), offset("limit", "offset", lambda rows, all: {"variables": rows, "total_entries": len(all)}))},
        (422, {"detail": [{"loc": ["body", "key"], "msg": "Field required"}]})),
    "prefect": ("/api", [("/hello", 200, {}, "👋"), ("/admin/version", 200, {}, "3.9.1")],
        {}, (409, {"detail": "Flow already exists"})),
    "proxmox": ("/api2/json", [
        ("", 200, {"Server": "pve-api-daemon/3.0"}, {"data": [{"subdir": n} for n in ("access", "cluster", "nodes", "pools", "storage", "version")]}),
        ("/version", 200, {}, {"data": {"version": "9.0.3", "release": "9.0", "repoid": "abc"}})],
        {"/access/users": ("userid", rows("userid", comment="a"), whole(lambda all: {"data": all}))},
        (400, {"errors": {"userid": "property is missing"}, "data": None})),
    "docker": ("", [
        ("/version", 200, {}, {"Version": "28.1.1", "ApiVersion": "1.49", "MinAPIVersion": "1.24", "Os": "linux", "Arch": "amd64"}),
        ("/_ping", 200, {"Api-Version": "1.49", "Docker-Experimental": "false"}, None)],
        {"/networks": ("Id", rows("Id", Driver="bridge"), whole())}, (409, {"message": "network with name a already exists"})),
    "powerdns": ("/api/v1/servers/localhost", [
        ("", 200, {}, {"type": "Server", "id": "localhost", "daemon_type": "authoritative", "version": "4.9.1", "zones_url": "/zones{/zone}"}),
        ("/config", 200, {}, [{"name": "api", "type": "ConfigSetting", "value": "yes"}])],
        {"/zones": ("id", rows("id", kind="Native"), whole())}, (422, {"error": "Domain is not canonical"})),
    "rabbitmq": ("/api", [
        ("/overview", 200, {}, {"rabbitmq_version": "4.1.3", "management_version": "4.1.3", "product_name": "RabbitMQ"}),
        ("/whoami", 200, {}, {"name": "guest", "tags": ["administrator"]})],
        {"/vhosts": ("name", rows("name", description="a"), whole())}, (400, {"error": "bad_request", "reason": "the name is not allowed"})),
    "vault": ("/v1", [
        ("/sys/health", 200, {}, {"initialized": True, "sealed": False, "standby": False, "replication_dr_mode": "disabled", "server_time_utc": 1}),
        ("/sys/seal-status", 200, {}, {"type": "shamir", "initialized": True, "sealed": False, "t": 3, "n": 5, "progress": 0, "version": "1.20.1"})],
        {"/sys/mounts": ("path", rows("path", type="kv"), whole(lambda all: {"data": {row["path"]: {"type": "kv"} for row in all}}))},
        (400, {"errors": ["existing mount at a/"]})),
}


def response(method, name, path, query, sent):
    """Status, headers and body of a request, with the path below the part that names the product."""
    name, _, without = name.partition("-without-")
    if name not in PRODUCTS:
        return 404, {}, {"message": "not found"}
    base, signs, lists, refusal = PRODUCTS[name]
    if name == "docker":
        path = re.sub("^/v1[.][0-9]+", "", path)
    found = None
    for number, (place, status, head, body) in enumerate(signs):
        place = place[1:] if place.startswith("!") else base + place
        if path.rstrip("/") == place.rstrip("/") and method == "GET" and without != str(number):
            before = found or (0, {}, None)
            found = (status, before[1] | (head or {}), body if body is not None else before[2])
    if found and found[0]:
        return found
    if method != "GET":
        if path.endswith("/filter"):
            start = sent.get("offset", 0)
            return 200, {}, rows("id")[start:start + sent.get("limit", 200)]
        return (200, {}, len(rows("id"))) if path.endswith("/count") else (refusal[0], {}, refusal[1])
    for place, (key, all, page) in lists.items():
        at = base + place
        if path.rstrip("/") == at.rstrip("/"):
            return (200, *page(query, all))
        one = path.removeprefix(at.rstrip("/") + "/").strip("/")
        for row in all:
            if path.startswith(at.rstrip("/")) and str(row[key]) == one:
                if name == "vault":
                    return 200, {}, {"data": {"type": "kv"}}
                return 200, {}, {"data": row} if name == "proxmox" else row
    return 404, {}, {"message": "not found", "detail": "Not found."}


class Service(Handler):
    server_version, sys_version = "server", ""
    has_lines = True

    def respond(self):
        LOG.append(f"{self.command} {self.path}")
        name, path = (ROOT, self.url.path) if ROOT else re.match("/([^/]*)(.*)", self.url.path).groups()
        sent = self.json({}) if self.path.endswith("/filter") else {}
        status, head, body = response(self.command, name, path, parse_qs(self.url.query), sent)
        self.reply(status, json.dumps(body).replace("@", "" if ROOT else f"/{name}"), head)


serve(Service)
