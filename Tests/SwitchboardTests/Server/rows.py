"""Posts that are read and written in particular ways, chosen by the first part of the path.

together  the first request is answered at once, each four after it only once all four are there, the last first
pairs     the first request is answered at once, those after it wait for one another, two by two
busy      each post says once that there were too many requests, and to come back in a second
plain     as it is
"""

import threading

from loopback import Handler, serve

lock = threading.Condition()
arrived = {}
seen = set()
deleted = set()
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
        mode, last = self.path.split("/")[1], self.path.split("/")[-1]
        if self.command == "DELETE":
            return self.delete(mode, int(last))
        if not last.isdigit():
            posts = [{"userId": 1, "id": 1, "title": "post 1", "body": "x"}]
            if last == "db":
                return self.reply(200, {"posts": posts})
            return self.reply(200, posts, {"X-Total-Count": "1"})
        number = int(last)
        with lock:
            state["now"] += 1
            state["most"] = max(state["most"], state["now"])
        try:
            if mode in ("together", "pairs"):
                self.wait(mode)
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
        self.reply(200, {"userId": 1, "id": number, "title": f"post {number}", "body": "x"})

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
