"""A service whose resources fail, each in the way that its name says: a status, `page` (HTML), `silent` or `closed`."""

import threading

from loopback import Handler, serve

WORDS = {
    401: "the token has expired",
    403: "for admins only",
    404: "no such ticket",
    409: "the ticket is in use",
    422: "the title is too short",
    429: "slow down",
    500: "division by zero",
    503: "down for maintenance",
}


class Service(Handler):
    methods = "GET POST PATCH DELETE"

    def respond(self):
        way = self.names[0]
        if way == "page":
            return self.reply(200, "<html>Welcome</html>", kind="text/html")
        if way == "silent":
            return threading.Event().wait()
        if way == "closed":
            self.close_connection = True
            return None
        status = int(way.removeprefix("s"))
        return self.reply(status, {"message": WORDS[status]}, {"Retry-After": "60"} if status == 429 else {})


serve(Service)
