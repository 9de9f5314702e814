"""Counts the acknowledgements that the system delays while a client reads from a server that sends head and body apart, as many do: each by
a call of its own, with Nagle's algorithm on, so that the body leaves when the head is acknowledged.

usage: unshare --net python3 acknowledgements.py REQUESTS [--tls CERTIFICATE KEY] [COMMAND [WORD ...]]

Runs in a network of its own: nobody else changes its counters, and the server is always at 127.0.0.1:8000. The command is the client;
without one, plain sockets send so many requests, and leave acknowledgements to the system. Prints the numbers of connections, requests and
delayed acknowledgements, after what the command prints."""

import fcntl
import socket
import ssl
import struct
import subprocess
import sys
import threading

BODY = b'{"id":1,"title":"a"}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY)
SIOCSIFFLAGS, UP_LOOPBACK_RUNNING = 0x8914, 0x49
ADDRESS = ("127.0.0.1", 8000)
count, words = int(sys.argv[1]), sys.argv[2:]
served = client = None
if words[:1] == ["--tls"]:
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    served.load_cert_chain(words[1], words[2])
    client = ssl._create_unverified_context()
    words = words[3:]
connections, requests = [], []


def delayed():
    with open("/proc/net/netstat") as file:
        names, values = [line.split() for line in file if line.startswith("TcpExt:")]
    return int(values[names.index("DelayedACKs")])


def read_head(connection):
    """Everything up to a blank line; nothing where the other side has ended."""
    text = b""
    while not text.endswith(b"\r\n\r\n"):
        piece = connection.recv(1)
        if not piece:
            return b""
        text += piece
    return text


def serve(connection):
    if served:
        connection = served.wrap_socket(connection, server_side=True)
    while read_head(connection):
        requests.append(connection)
        connection.send(HEAD)
        connection.send(BODY)


def accept(server):
    while True:
        connection, _ = server.accept()
        connections.append(connection)
        threading.Thread(target=serve, args=[connection], daemon=True).start()


def read():
    connection = socket.create_connection(ADDRESS)
    if client:
        connection = client.wrap_socket(connection)
    for _ in range(count):
        connection.send(b"GET /posts/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        read_head(connection)
        rest = len(BODY)
        while rest:
            rest -= len(connection.recv(rest))
    connection.close()


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", UP_LOOPBACK_RUNNING))
threading.Thread(target=accept, args=[socket.create_server(ADDRESS)], daemon=True).start()
before = delayed()
if words:
    subprocess.run(words, check=True)
else:
    read()
print(len(connections), len(requests), delayed() - before)
