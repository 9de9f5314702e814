enum JSONPlaceholderSwitches {
  static let all = [
    Switch(
      name: "jsonplaceholder.profile", values: .oneOf(["jsonplaceholder", "json-server", "json-server-1"]),
      standard: "jsonplaceholder",
      help: "jsonplaceholder fakes writes; json-server stores them; json-server-1: version 1 of json-server"),
    Switch(
      name: "jsonplaceholder.completed", values: .oneOf(["boolean", "number"]), standard: "boolean",
      help: "type of completed in new data; number: 0 and 1"),
  ]
}
