"""RabbitMQ with its management API: 45 queues, users, exchanges, bindings and policies. rabbitmq_server.py PORT FOLDER"""
import os, socket, subprocess, time
from pathlib import Path
from urllib.parse import quote
from real import basic, folder, places, port, ready, send, started

login = basic("guest", "guest")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s: return s.getsockname()[1]


names, node, amqp = free_port(), free_port(), free_port()
Path(folder, "plugins").write_text("[rabbitmq_management].\n")
Path(folder, "rabbitmq.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{amqp}\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = {port}\nlog.console = false\n")
tool = next(p for p in ["/usr/bin/epmd", *map(str, Path("/usr/lib/erlang").glob("erts-*/bin/epmd"))] if os.path.exists(p))
# A name server of its own, that ends with the others.
subprocess.Popen([tool, "-port", str(names), "-address", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def fill():
    ready("/api/overview", login)
    for i in range(1, 46):
        send("PUT", f"/api/queues/%2F/{quote(places[i // 3 % 5])}-{i:02}" if i % 3 == 0 else f"/api/queues/%2F/queue{i:02}", dict(durable=i % 2 == 0, auto_delete=False, arguments={"x-max-length": i} if i % 4 == 0 else {}), login)
    for i in range(1, 31): send("PUT", f"/api/users/user{i:02}", dict(password="x", tags=["management", "", "policymaker"][i % 3]), login)
    send("PUT", "/api/users/" + quote("Łukasz"), dict(password="x", tags="monitoring"), login)
    for i in range(1, 13): send("PUT", f"/api/vhosts/desk{i:02}", dict(description=places[i % 5], tags=""), login)
    for i in range(1, 12): send("PUT", f"/api/policies/%2F/policy{i:02}", {"pattern": f"^p{i}", "priority": i, "apply-to": ["queues", "all"][i % 2], "definition": {"max-length": i * 10}}, login)
    # What queues hold is counted every five seconds: until then their records are not whole.
    while b'"policy"' not in ready("/api/queues/%2F/queue01", login): time.sleep(0.2)


started(["/usr/lib/rabbitmq/bin/rabbitmq-server"], fill, dict(
    HOME=folder, ERL_EPMD_PORT=str(names), RABBITMQ_DIST_PORT=str(node), RABBITMQ_NODENAME=f"desk{port}@localhost", RABBITMQ_MNESIA_BASE=folder + "/data", RABBITMQ_LOG_BASE=folder + "/logs",
    RABBITMQ_ENABLED_PLUGINS_FILE=folder + "/plugins", RABBITMQ_CONFIG_FILE=folder + "/rabbitmq", RABBITMQ_CONF_ENV_FILE=folder + "/none",
    RABBITMQ_PID_FILE=folder + "/pid", RABBITMQ_FEATURE_FLAGS_FILE=folder + "/flags", RABBITMQ_GENERATED_CONFIG_DIR=folder + "/generated"))
