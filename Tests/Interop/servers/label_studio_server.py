"""Label Studio over SQLite, with 64 projects, 40 webhooks and 36 users. label_studio_server.py PORT FOLDER"""
import os, sys
from pathlib import Path
from real import folder, places, port, ready, send, started

token = "secret-token-of-the-desk"
Path(folder, "token").write_text("Token " + token)
# Nothing is asked of or told to others, and addresses of webhooks need not be known here.
environment = dict(
    HOME=folder, LABEL_STUDIO_BASE_DATA_DIR=folder + "/data", DJANGO_DB="sqlite", LATEST_VERSION_CHECK="false", COLLECT_ANALYTICS="false", SENTRY_DSN="", FRONTEND_SENTRY_DSN="",
    SSRF_PROTECTION_ENABLED="false", LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN="true")
login = {"Authorization": "Token " + token}
choices = '<View><Text name="text" value="$text"/><Choices name="topic" toName="text"><Choice value="yes"/><Choice value="no"/></Choices></View>'


def fill():
    ready("/api/projects/", login)

    def text(i, other): return places[i // 3 % 5] if i % 3 == 0 else other if i % 3 == 1 else None
    for i in range(1, 65):
        title = f"{places[i % 5]} {i:02}" if i % 3 == 0 else f"Project {i:02}"
        send("POST", "/api/projects/", dict(title=title, description=text(i, f"text {i:02}"), label_config=choices if i % 2 else "<View></View>", expert_instruction=f"<b>{i}</b>" if i % 4 == 0 else "", color=f"#{i * 40503:06X}"[:7], maximum_annotations=1 + i % 5, show_skip_button=i % 3 > 0, sampling=["Sequential sampling", "Uniform sampling", None][i % 3], is_published=i % 5 == 0, pinned_at=f"2026-0{1 + i % 9}-15T10:30:00Z" if i % 16 == 0 else None), login)
    for i in range(1, 41): send("POST", "/api/webhooks/", dict(project=1 + i % 30, url=f"http://hook{i % 8}.invalid/{places[i % 5].replace(' ', '-') if i % 3 == 0 else 'notes'}/{i:02}", send_payload=i % 4 > 0, send_for_all_actions=False, is_active=i % 3 == 0, headers={"X-Team": f"team{i}"} if i % 2 else {}, actions=["PROJECT_UPDATED", "TASKS_CREATED"][:i % 3]), login)
    for i in range(1, 36): send("POST", "/api/users/", dict(email=f"user{i:02}@example.org", username=f"user{i:02}", first_name=places[i % 5] if i % 3 == 0 else f"Person {i:02}", last_name=f"Smith {i:02}" if i % 4 else "", phone=f"+41 44 {i:03}" if i % 2 else "", allow_newsletters=[True, False, None][i % 3]), login)


started([os.path.dirname(sys.executable) + "/label-studio", "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port), "--username", "ana@example.org", "--password", "secret-of-the-desk", "--user-token", token, "--enable-legacy-api-token", "--log-level", "ERROR"], fill, environment)
