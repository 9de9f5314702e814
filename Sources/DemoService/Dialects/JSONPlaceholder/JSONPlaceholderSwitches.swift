enum JSONPlaceholderSwitches {
  static let all = [
    Switch(
      name: "jsonplaceholder.profile", values: .oneOf(["jsonplaceholder", "json-server", "json-server-1"]),
      standard: "jsonplaceholder",
      help: "jsonplaceholder fakes every write, json-server keeps it; json-server-1 is the next generation of that"),
    Switch(
      name: "jsonplaceholder.completed", values: .oneOf(["boolean", "number"]), standard: "boolean",
      help: "how a seeded todo says that it is done; number: 0 and 1; counts when data are seeded"),
  ]
}
