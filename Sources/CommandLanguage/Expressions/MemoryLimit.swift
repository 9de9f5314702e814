import BackendKit
import ConsoleSystem

/// The limits of what a script keeps: a line or two can double a value, and some dozens of them would take all memory.
package enum MemoryLimit {
  /// The most bytes of one value.
  package static let one = 64 << 20
  /// The most bytes of all variables.
  static let all = 256 << 20
  /// The most elements of a list that an expression makes.
  static let elements = 1_000_000

  /// Throws where a text that is put together would be longer than a value may be.
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
