"""A server of HTTP/2 over TLS whose streams do what a word says.

usage: http2.py CERTIFICATE KEY WORD [BYTES]
  refuse   the first stream is refused without being looked at, later ones are answered
  reset    each stream is reset once its request was read
  answer   each stream is answered, with as many bytes as are named

Prints `listening at https://127.0.0.1:PORT`, then for each request `request CONNECTION STREAM BYTES`, with the length of its body. Reads no
header fields: it speaks of streams alone.
"""
import ssl
import socket
import struct
import sys
import threading

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM = ACK = 1
END_HEADERS = 4
INTERNAL_ERROR, REFUSED_STREAM = 2, 7
certificate, key, word = sys.argv[1:4]
length = int(sys.argv[4]) if len(sys.argv) > 4 else 2
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)
context.set_alpn_protocols(["h2"])


class Connection:
    def __init__(self, raw, number):
        self.socket, self.number = context.wrap_socket(raw, server_side=True), number
        self.window, self.first_window = 65_535, 65_535
        # By stream: the bytes of its request so far, the window, and the bytes of its response that are left.
        self.received, self.windows, self.left = {}, {}, {}

    def read(self, count):
        bytes = b""
        while len(bytes) < count:
            piece = self.socket.recv(count - len(bytes))
            if not piece:
                raise EOFError
            bytes += piece
        return bytes

    def write(self, kind, flags, stream, payload=b""):
        self.socket.sendall(struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload)

    def serve(self):
        try:
            self.read(24)
            self.write(SETTINGS, 0, 0)
            while True:
                head = self.read(9)
                kind, flags, stream = struct.unpack(">BBI", head[3:])
                self.take(kind, flags, stream, self.read(int.from_bytes(head[:3], "big")))
                self.pump()
        except (EOFError, OSError):
            pass

    def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for name, value in struct.iter_unpack(">HI", payload):
                if name == 4:
                    self.windows = {s: w + value - self.first_window for s, w in self.windows.items()}
                    self.first_window = value
            self.write(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self.write(PING, ACK, 0, payload)
        elif kind == WINDOW_UPDATE:
            more = int.from_bytes(payload, "big")
            if stream == 0:
                self.window += more
            elif stream in self.windows:
                self.windows[stream] += more
        elif kind in (HEADERS, DATA):
            self.received[stream] = self.received.get(stream, 0) + (len(payload) if kind == DATA else 0)
            if flags & END_STREAM:
                self.answer(stream)

    def answer(self, stream):
        print("request", self.number, stream, self.received[stream], flush=True)
        if word == "refuse" and self.number == 1 and stream == 1:
            self.write(RST_STREAM, 0, stream, struct.pack(">I", REFUSED_STREAM))
        elif word == "reset":
            self.write(RST_STREAM, 0, stream, struct.pack(">I", INTERNAL_ERROR))
        else:
            # Of the static table: the status 200, and content-type with a value.
            self.write(HEADERS, END_HEADERS, stream, b"\x88\x5f\x10application/json")
            self.windows[stream], self.left[stream] = self.first_window, length

    def pump(self):
        """Sends of the responses what the windows allow."""
        for stream in list(self.left):
            while self.left[stream]:
                count = min(self.left[stream], self.window, self.windows[stream], 16_384)
                if count <= 0:
                    break
                self.left[stream] -= count
                self.window -= count
                self.windows[stream] -= count
                body = b"{}" if length == 2 else b" " * count
                self.write(DATA, 0 if self.left[stream] else END_STREAM, stream, body)
            if not self.left[stream]:
                del self.left[stream]


def accept(server):
    number = 0
    while True:
        raw, _ = server.accept()
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number += 1
        connection = Connection(raw, number)
        threading.Thread(target=connection.serve, daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(f"listening at https://127.0.0.1:{listener.getsockname()[1]}", flush=True)
threading.Thread(target=accept, args=[listener], daemon=True).start()
sys.stdin.read()
