import GRDB

/// The SQL function `fold_case(text)`: lowercase for all of Unicode, unlike SQLite's own for ASCII.
enum FoldCase {
  static let function = DatabaseFunction("fold_case", argumentCount: 1, pure: true) { values in
    guard let value = values.first, let text = String.fromDatabaseValue(value) else { return nil }
    return text.lowercased()
  }
}
