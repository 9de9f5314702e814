enum KituraSwitches {
  static let all = [
    Switch(
      "kitura.profile", ["3.0", "2.0", "2.0.0"],
      "release of the server; 2.0.0 accepts no parameter after application/json"),
    Switch(
      "kitura.url", ["fixed", "own"], "host in url: localhost:8080 as in the sample, or the address of this server"),
    Switch(
      "kitura.keys", ["stored", "shuffled"],
      "order of the members of a todo; shuffled: different each time, as on the real server"),
    Switch(
      "kitura.patch", ["merged", "echo"],
      "response to PATCH: the whole record, or only the fields that were sent, as in the SQL variant"),
    Switch("kitura.put", ["present", "absent"], "absent: no PUT, as on the workshop server"),
    Switch(
      "kitura.delete", ["strict", "lenient"],
      "lenient: deletes all records with the identifier, and succeeds if there is none, as in the SQL variant"),
    Switch(
      "kitura.incomplete", ["stored", "unavailable"],
      "unavailable: POST or PUT without title, user or order returns 503, as in the SQL variant"),
    Switch(
      "kitura.ids", ["counter", "count", "repeated"],
      "source of a new id: a counter, the number of todos, or the last id again"),
  ]
}
