"""Posts that are read and written in particular ways, chosen by the first part of the path.

together  the first request is answered at once, each four after it only once all four are there, the last first
pairs     the first request is answered at once, those after it wait for one another, two by two
held      all posts but the first wait until somebody has asked for /release
swapped   the list has five posts, and once the second waits until the third was asked for, or for a second if nobody does
large     a post has 9 MiB
busy      each post says once that there were too many requests, and to come back in a second
plain     as it is
"""

import threading

from loopback import Handler, serve

lock = threading.Condition()
arrived = {}
seen = set()
deleted = set()
released = threading.Event()
asked = threading.Event()
state = {"now": 0, "most": 0, "deletions": 0}


class Posts(Handler):
    methods = "GET DELETE"

    def wait(self, mode):
        """Waits for the others of a group; those that came last go first."""
        size = 4 if mode == "together" else 2
        with lock:
            place = arrived[mode] = arrived.get(mode, 0) + 1
            if place == 1:
                return
            end = (place - 1 + size - 1) // size * size + 1
            lock.notify_all()
            lock.wait_for(lambda: arrived[mode] >= end)

    def respond(self):
        if self.path == "/state":
            return self.reply(200, state)
        if self.path == "/release":
            released.set()
            return self.reply(200, state)
        mode, last = self.path.split("/")[1], self.path.split("/")[-1]
        if self.command == "DELETE":
            return self.delete(mode, int(last))
        if not last.isdigit():
            count = 5 if mode == "swapped" else 1
            posts = [{"userId": 1, "id": n, "title": f"post {n}", "body": "x"} for n in range(1, count + 1)]
            if last == "db":
                return self.reply(200, {"posts": posts})
            return self.reply(200, posts, {"X-Total-Count": str(count)})
        number = int(last)
        with lock:
            state["now"] += 1
            state["most"] = max(state["most"], state["now"])
        try:
            if mode in ("together", "pairs"):
                self.wait(mode)
            if mode == "held" and number > 1:
                released.wait()
            if mode == "swapped" and number == 2:
                asked.wait(1)
            if mode == "swapped" and number in (2, 3):
                asked.set()
            if mode == "busy":
                with lock:
                    first = number not in seen
                    seen.add(number)
                if first:
                    return self.reply(429, {}, {"Retry-After": "1"})
        finally:
            with lock:
                state["now"] -= 1
        if number in deleted or number >= 90:
            return self.reply(404, {})
        self.reply(200, {"userId": 1, "id": number, "title": f"post {number}", "body": "x" * (9 << 20 if mode == "large" else 1)})

    def delete(self, mode, number):
        with lock:
            state["deletions"] += 1
            first = number not in seen
            seen.add(number)
        if mode == "busy" and first:
            return self.reply(429, {}, {"Retry-After": "1"})
        if number >= 90:
            return self.reply(404, {})
        deleted.add(number)
        self.reply(200, {})


serve(Posts)
