/// The switches of the JSONPlaceholder dialect.
enum JSONPlaceholderSwitches {
  static let all = [
    Switch(
      name: "jsonplaceholder.profile", values: .oneOf(["jsonplaceholder", "json-server"]), standard: "jsonplaceholder",
      help: "jsonplaceholder fakes every write, json-server keeps it"),
    Switch(
      name: "jsonplaceholder.completed", values: .oneOf(["boolean", "number"]), standard: "boolean",
      help: "how a seeded todo says that it is done; number: 0 and 1; counts when data are seeded"),
  ]
}
