import BackendKit
import ConsoleSystem

/// Limits on memory used by a script: each line may double a value, so a few dozen could exhaust it.
package enum MemoryLimit {
  /// The maximum number of bytes of one value.
  package static let one = 64 << 20
  /// The maximum number of bytes of all variables.
  static let all = 256 << 20
  /// The maximum number of elements of a list that an expression creates.
  static let elements = 1_000_000

  /// Throws if a text would be longer than a value may be.
  static func check(_ count: Int, at column: Int? = nil) throws(UsageError) {
    guard count > one else { return }
    throw UsageError("the text is longer than \(one >> 20) MiB", column: column)
  }
}

extension ScriptResult {
  /// The approximate number of bytes of memory that it takes.
  var roughSize: Int {
    switch self {
    case .records(let records, _, _): records.reduce(0) { $0 + 96 + $1.fields.roughSize }
    case .value(let value): value.roughSize
    }
  }
}
