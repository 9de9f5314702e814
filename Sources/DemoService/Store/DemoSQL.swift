import GRDB

/// SQL with the values of its question marks.
struct DemoSQL {
  private(set) var text: String
  private(set) var arguments: [any DatabaseValueConvertible] = []

  mutating func append(_ more: String, _ values: [any DatabaseValueConvertible] = []) {
    text += more
    arguments += values
  }

  mutating func append(_ other: DemoSQL) { append(other.text, other.arguments) }

  /// SQLite's path to a property; dots lead into objects.
  static func path(_ name: String) -> String {
    // SQLite cannot escape a quote within a name, so no such property is ever found.
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { part in
      "\"" + part.filter { $0 != "\"" } + "\""
    }
    return name.contains("\"") ? "$.\"\"" : "$." + parts.joined(separator: ".")
  }
}
