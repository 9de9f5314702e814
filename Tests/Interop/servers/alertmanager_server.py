"""Prometheus Alertmanager with 45 alerts and 30 silences. alertmanager_server.py PORT FOLDER"""
from pathlib import Path
from real import folder, places, port, ready, send, started

Path(folder, "alertmanager.yml").write_text("route:\n  receiver: desk\nreceivers:\n- name: desk\n- name: night\n")


def fill():
    ready("/-/ready")
    send("POST", "/api/v2/alerts", [{
        "labels": {"alertname": f"Disk{i:02}", "severity": ["page", "ticket", "info"][i % 3], "place": places[i % 5]},
        "annotations": {"summary": f"disk {i} is full"}, "startsAt": "2026-01-01T00:00:00Z", "endsAt": "2039-01-01T00:00:00Z"} for i in range(1, 46)])
    for i in range(1, 31):
        send("POST", "/api/v2/silences", {
            "matchers": [{"name": "alertname", "value": f"Disk{i:02}", "isRegex": False, "isEqual": True}], "startsAt": f"2030-01-{i:02}T00:00:00Z",
            "endsAt": f"2039-01-{i:02}T00:00:00Z", "createdBy": places[i % 5] if i % 3 == 0 else "ana", "comment": f"silence {i:02}"})


started(["/usr/bin/prometheus-alertmanager", f"--config.file={folder}/alertmanager.yml", f"--storage.path={folder}/data", f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address=", "--log.level=error"], fill)
