enum JSONPlaceholderSwitches {
  static let all = [
    Switch(
      "jsonplaceholder.profile", ["jsonplaceholder", "json-server", "json-server-1"],
      "jsonplaceholder fakes writes; json-server stores them; json-server-1: version 1 of json-server"),
    Switch("jsonplaceholder.completed", ["boolean", "number"], "type of completed in new data; number: 0 and 1"),
  ]
}
