"""Prefect's server over SQLite, with flows, variables and work pools. prefect_server.py PORT FOLDER"""
import os, sys
from real import folder, places, port, ready, send, started

tool = os.path.dirname(sys.executable) + "/prefect"
environment = dict(
    HOME=folder, PREFECT_HOME=folder, PREFECT_SERVER_ANALYTICS_ENABLED="false", PREFECT_LOGGING_LEVEL="ERROR", PREFECT_LOGGING_SERVER_LEVEL="ERROR",
    PREFECT_API_URL=f"http://127.0.0.1:{port}/api", PATH=os.path.dirname(sys.executable) + ":/usr/bin:/bin")


def fill():
    ready("/api/health")
    for i in range(1, 31): send("POST", "/api/flows/", dict(name=f"flow {i:02} {places[i % 5]}", tags=["nightly"] if i % 2 else []))
    for i in range(1, 46): send("POST", "/api/variables/", dict(name=f"variable_{i:02}", value=places[i % 5] if i % 3 == 0 else i * 7 % 31 if i % 3 == 1 else None, tags=[]))
    for i in range(1, 26):
        send("POST", "/api/work_pools/", dict(name=f"pool {i:02}", type=["process", "prefect-agent"][i % 2], description=places[i % 5] if i % 3 else None, concurrency_limit=i if i % 4 else None))


started([tool, "server", "start", "--host", "127.0.0.1", "--port", str(port)], fill, environment)
