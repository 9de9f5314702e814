"""A service that does later what it is asked for.

POST /builds is accepted with the address of a task, which runs until somebody says what becomes of it: PUT /tasks/1 {"state": "done"}.
The address of one named guarded has a token. POST /plain is accepted, and says no more.
"""
from loopback import LOG, Handler, serve

BUILDS, TASKS = [], {}


class Service(Handler):
    methods = "GET POST PUT DELETE"

    def respond(self):
        body, path = self.json({}), self.names
        LOG.append(f"{self.command} {self.path}")
        if self.command == "POST":
            if path[0] == "plain":
                return self.reply(202, {})
            number = str(len(TASKS) + 1)
            TASKS[number] = {"state": "running", "percent": 40, "build": body}
            query = "?access_token=SEKRETZQ9xyz7&part=1" if body.get("name") == "guarded" else ""
            return self.reply(202, {}, {"Location": f"/tasks/{number}{query}"})
        if path[0] == "tasks":
            task = TASKS[path[1]]
            if self.command == "PUT":
                task.update(body)
                if task["state"] == "done":
                    BUILDS.append(task["build"] | {"id": len(BUILDS) + 1})
                    task["result"] = len(BUILDS)
            return self.reply(200, {k: v for k, v in task.items() if k != "build"})
        if len(path) == 1:
            return self.reply(200, BUILDS)
        found = [build for build in BUILDS if str(build["id"]) == path[1]]
        return self.reply(200, found[0]) if found else self.reply(404, {})


serve(Service)
