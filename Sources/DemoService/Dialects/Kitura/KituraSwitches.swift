enum KituraSwitches {
  static let all = [
    Switch(
      name: "kitura.profile", values: .oneOf(["3.0", "2.0", "2.0.0"]), standard: "3.0",
      help: "the release of the server; 2.0.0 takes no parameter after application/json"),
    Switch(
      name: "kitura.url", values: .oneOf(["fixed", "own"]), standard: "fixed",
      help: "whether url names localhost:8080, as the sample does, or the address of this server"),
    Switch(
      name: "kitura.keys", values: .oneOf(["stored", "shuffled"]), standard: "stored",
      help: "the order of a todo's members; shuffled is another one each time, as on the real server"),
    Switch(
      name: "kitura.patch", values: .oneOf(["merged", "echo"]), standard: "merged",
      help: "whether PATCH answers with the whole record or only with what was sent, as the SQL variant does"),
    Switch(
      name: "kitura.put", values: .oneOf(["present", "absent"]), standard: "present",
      help: "absent: there is no PUT, as on the workshop server"),
    Switch(
      name: "kitura.delete", values: .oneOf(["strict", "lenient"]), standard: "strict",
      help: "lenient: deleting what is not there succeeds, and all with the identifier go, as on the SQL variant"),
    Switch(
      name: "kitura.incomplete", values: .oneOf(["stored", "unavailable"]), standard: "stored",
      help: "unavailable: a POST or PUT without title, user or order answers 503, as on the SQL variant"),
    Switch(
      name: "kitura.ids", values: .oneOf(["counter", "count", "repeated"]), standard: "counter",
      help: "where a new id comes from: a counter, the number of todos, or once more the last one"),
  ]
}
