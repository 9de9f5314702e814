"""Airflow's API server over SQLite, with variables, connections and pools. airflow_server.py PORT FOLDER"""
import json, os, subprocess, sys
from pathlib import Path
from real import folder, places, port, ready, send, started

tool = os.path.dirname(sys.executable) + "/airflow"
environment = dict(
    AIRFLOW_HOME=folder, AIRFLOW__CORE__LOAD_EXAMPLES="False", AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS="True", AIRFLOW__API_AUTH__JWT_SECRET="interop" * 10,
    AIRFLOW__API__SECRET_KEY="interop" * 5, AIRFLOW__CORE__FERNET_KEY="", AIRFLOW__USAGE_DATA_COLLECTION__ENABLED="False", PATH=os.path.dirname(sys.executable) + ":/usr/bin:/bin", HOME=folder)
subprocess.run([tool, "db", "migrate"], env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=True)


def fill():
    ready("/api/v2/version")
    token = json.loads(ready("/auth/token"))["access_token"]
    Path(folder, "token").write_text(token)
    login = {"Authorization": "Bearer " + token}
    for i in range(1, 121):
        send("POST", "/api/v2/variables", dict(key=f"variable{i:03}", value=str(i * 7 % 31), description=places[i % 5] if i % 3 == 0 else f"note {i:03}" if i % 3 == 1 else None), login)
    for i in range(1, 31):
        send("POST", "/api/v2/pools", dict(name=f"pool{i:02}", slots=i * 7 % 31 + 1, description=places[i % 5] if i % 3 == 0 else f"note {i:02}" if i % 3 == 1 else None, include_deferred=i % 2 == 0), login)
        send("POST", "/api/v2/connections", dict(connection_id=f"connection{i:02}", conn_type=["http", "sqlite", "ssh"][i % 3], host=f"host{i}.example.org" if i % 2 else None, port=8000 + i if i % 3 else None, description=places[i % 5] if i % 3 == 0 else None), login)


started([tool, "api-server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"], fill, environment)
