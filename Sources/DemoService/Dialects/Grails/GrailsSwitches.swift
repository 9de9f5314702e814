enum GrailsSwitches {
  static let all = [
    Switch(
      name: "grails.release", values: .oneOf(["3.3.0", "3.3.9"]), standard: "3.3.0",
      help: "what an update with unreadable JSON does: 3.3.0 refuses it with 422, 3.3.9 answers 200 and changes nothing"
    ),
    Switch(
      name: "grails.order", values: .oneOf(["insertion", "shuffled"]), standard: "insertion",
      help: "the order of a list that asks for none; shuffled is the same at each request"),
    Switch(
      name: "grails.singular", values: .oneOf(["random", "v1", "v2"]), standard: "random",
      help: "which list GET /announcement answers with; random is picked once at start"),
    Switch(
      name: "grails.nullbody", values: .oneOf(["no", "yes"]), standard: "no",
      help: "yes: the last seeded announcement has no body; counts when data are seeded"),
    Switch(
      name: "grails.errors", values: .oneOf(["views", "several", "classic"]), standard: "views",
      help: "the shape of a 422: of JSON views, the same with two errors, or the classic converter's"),
  ]
}
