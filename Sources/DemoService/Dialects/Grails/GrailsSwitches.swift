enum GrailsSwitches {
  static let all = [
    Switch(
      "grails.release", ["3.3.0", "3.3.9"],
      "response to an update with invalid JSON: 422 (3.3.0), or 200 without a change (3.3.9)"),
    Switch(
      "grails.order", ["insertion", "shuffled"],
      "order of a list without sort parameters; shuffled: the same for each request"),
    Switch(
      "grails.singular", ["random", "v1", "v2"], "the list that GET /announcement returns; random: chosen once at start"
    ),
    Switch("grails.nullbody", ["no", "yes"], "yes: the last announcement of new data has no body"),
    Switch(
      "grails.errors", ["views", "several", "classic"],
      "format of a 422: that of JSON views, the same with two errors, or that of the classic converter"),
  ]
}
