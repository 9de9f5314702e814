enum KituraSwitches {
  static let all = [
    Switch(
      name: "kitura.profile", values: .oneOf(["3.0", "2.0", "2.0.0"]), standard: "3.0",
      help: "release of the server; 2.0.0 accepts no parameter after application/json"),
    Switch(
      name: "kitura.url", values: .oneOf(["fixed", "own"]), standard: "fixed",
      help: "host in url: localhost:8080 as in the sample, or the address of this server"),
    Switch(
      name: "kitura.keys", values: .oneOf(["stored", "shuffled"]), standard: "stored",
      help: "order of the members of a todo; shuffled: different each time, as on the real server"),
    Switch(
      name: "kitura.patch", values: .oneOf(["merged", "echo"]), standard: "merged",
      help: "response to PATCH: the whole record, or only the fields that were sent, as in the SQL variant"),
    Switch(
      name: "kitura.put", values: .oneOf(["present", "absent"]), standard: "present",
      help: "absent: no PUT, as on the workshop server"),
    Switch(
      name: "kitura.delete", values: .oneOf(["strict", "lenient"]), standard: "strict",
      help: "lenient: deletes all records with the identifier, and succeeds if there is none, as in the SQL variant"),
    Switch(
      name: "kitura.incomplete", values: .oneOf(["stored", "unavailable"]), standard: "stored",
      help: "unavailable: POST or PUT without title, user or order returns 503, as in the SQL variant"),
    Switch(
      name: "kitura.ids", values: .oneOf(["counter", "count", "repeated"]), standard: "counter",
      help: "source of a new id: a counter, the number of todos, or the last id again"),
  ]
}
