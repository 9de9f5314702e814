"""Redmine over SQLite, with 60 issues, four of them closed, 40 projects and 36 users. redmine_server.py PORT FOLDER"""
import os, subprocess
from pathlib import Path
from real import basic, folder, places, port, ready, send, started

site = Path(folder, "site")
for name in ("config", "files", "log", "tmp", "public"): (site / name).mkdir(parents=True)
(site / "config/database.yml").write_text(f"production: {{adapter: sqlite3, database: {folder}/redmine.db, encoding: utf8}}\n")
(site / "config/secret_key.txt").write_text("0123456789abcdef" * 4)
# An instance is a folder below the package's own, and this one is elsewhere.
environment = dict(os.environ, RAILS_ENV="production", HOME=folder, REDMINE_INSTANCE="../" * 16 + str(site)[1:], SCHEMA=folder + "/schema.rb")
prepare = "Redmine::DefaultData::Loader.load('en'); Setting.rest_api_enabled = 1; User.find_by(login: 'admin').update!(password: 'secret-of-the-desk', must_change_passwd: false)"
for words in (["rake", "db:migrate"], ["bin/rails", "runner", prepare]):
    subprocess.run(words, cwd="/usr/share/redmine", env=environment, check=True, stdout=subprocess.DEVNULL)
login = basic("admin", "secret-of-the-desk")


def fill():
    ready("/users.json", login)

    def text(i, other): return places[i // 3 % 5] if i % 3 == 0 else other if i % 3 == 1 else None
    for i in range(1, 41): send("POST", "/projects.json", {"project": dict(name=f"{places[i % 5]} {i:02}" if i % 3 == 0 else f"Project {i:02}", identifier=f"project{i:02}", description=text(i, f"note {i:02}"), homepage="https://example.org/" if i % 4 == 0 else None, is_public=i % 5 > 0)}, login)
    for i in range(1, 36): send("POST", "/users.json", {"user": dict(login=f"user{i:02}", firstname=places[i % 5], lastname=f"Person {i:02}", mail=f"user{i:02}@example.org", password="secret-of-one", admin=i % 7 == 0)}, login)
    for i in range(1, 61):
        issue = dict(project_id=1 + i % 4, tracker_id=1 + i % 3, priority_id=1 + i % 5, subject=f"{places[i % 5]} {i:02}" if i % 3 == 0 else f"Issue {i:02}", description=text(i, f"text {i:02}"), start_date=f"2026-{1 + i % 12:02}-{1 + i % 28:02}", due_date=f"2027-{1 + i % 12:02}-15" if i % 2 else None, done_ratio=i % 10 * 10, estimated_hours=i / 4 if i % 3 else None, is_private=i % 6 == 0)
        send("POST", "/issues.json", {"issue": issue}, login)
        if i % 15 == 7: send("PUT", f"/issues/{i}.json", {"issue": dict(status_id=5)}, login)


started(["puma", "--dir", "/usr/share/redmine", "--bind", f"tcp://127.0.0.1:{port}", "--threads", "1:4", "--quiet", "config.ru"], fill, environment)
