"""Runs a program at a terminal of its own: types the first line at its prompt, then each answer when it asks, and prints what was shown.
`terminal.py PROGRAM LINE ANSWER...`"""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios

program, line, *answers = sys.argv[1:]
signal.alarm(300)
child, terminal = pty.fork()
if child == 0:
    # Wide enough for each question to stand on one line.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
    os.execve(program, [program], os.environ | {"TERM": "xterm"})

shown = b""
# The editor says so when it begins to read a line: only then do keys reach it.
READING = b"\x1b[?2004h"


def wait(*texts):
    """Reads on until one of these is shown that was not there before."""
    global shown
    begin = len(shown)
    while not any(text in shown[begin:] for text in texts):
        shown += os.read(terminal, 65536)


try:
    wait(READING)
    os.write(terminal, line.encode() + b"\r")
    for answer in answers:
        wait(b"[y/N]", b"characters:", b"[1]", b"The user name:", b"The environment variable")
        os.write(terminal, answer.encode() + b"\r")
    wait(READING)
    os.write(terminal, b"\x04")
    while piece := os.read(terminal, 65536):
        shown += piece
except OSError:
    pass
os.waitpid(child, 0)
print(shown.decode(errors="replace"))
