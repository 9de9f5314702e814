enum GrailsSwitches {
  static let all = [
    Switch(
      name: "grails.release", values: .oneOf(["3.3.0", "3.3.9"]), standard: "3.3.0",
      help: "response to an update with invalid JSON: 422 (3.3.0), or 200 without a change (3.3.9)"
    ),
    Switch(
      name: "grails.order", values: .oneOf(["insertion", "shuffled"]), standard: "insertion",
      help: "order of a list without sort parameters; shuffled: the same for each request"),
    Switch(
      name: "grails.singular", values: .oneOf(["random", "v1", "v2"]), standard: "random",
      help: "the list that GET /announcement returns; random: chosen once at start"),
    Switch(
      name: "grails.nullbody", values: .oneOf(["no", "yes"]), standard: "no",
      help: "yes: the last announcement of new data has no body"),
    Switch(
      name: "grails.errors", values: .oneOf(["views", "several", "classic"]), standard: "views",
      help: "format of a 422: that of JSON views, the same with two errors, or that of the classic converter"),
  ]
}
