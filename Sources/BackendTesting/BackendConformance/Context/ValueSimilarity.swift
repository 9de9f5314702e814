import BackendKit

/// Compares the values sent with those read.
enum ValueSimilarity {
  /// Returns whether two values are equal, regardless of how numbers and moments are written and objects ordered.
  static func same(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if let moment = left.text.flatMap({ Instant($0) }), let other = right.text {
      return moment.order(of: other) == .same
    }
    return left.isSame(as: right)
  }

  /// Returns whether both are the same boolean, possibly written as 0 or 1.
  static func isTruth(_ left: Value?, _ right: Value?) -> Bool {
    guard let left = left?.truth else { return false }
    return left == right?.truth
  }

  /// Returns whether most services consider a value missing: null, or an empty text, list or object.
  static func isWithoutValue(_ value: Value?) -> Bool {
    switch value {
    case nil, .null?, .string("")?: true
    case .array(let elements)?: elements.isEmpty
    case .object(let object)?: object.isEmpty
    default: false
    }
  }

  /// The first field that is not stored as sent, and not mentioned in a note, as a clause; nil for none.
  static func difference(_ sent: Object, _ stored: Record, notes: [String]) -> String? {
    for (name, value) in sent.members where !same(value, stored.fields[name]) && !isNoted(name, notes) {
      return "\(name) as \(stored.fields[name].shown) instead of \(value.shown), and no note names it"
    }
    return nil
  }

  static func isNoted(_ field: String, _ notes: [String]) -> Bool {
    notes.contains { $0.contains(text: field) }
  }
}

extension Value {
  var shown: String {
    let text = JSONWriter.compact(self)
    return text.utf8.count <= 80 ? text : "\(text.prefix(60))… (\(text.utf8.count) bytes)"
  }
}

extension Value? {
  var shown: String { map(\.shown) ?? "nothing" }
}

extension String {
  /// The text with capitals for small letters and the reverse.
  var inOtherCase: String { map { $0.isUppercase ? $0.lowercased() : $0.uppercased() }.joined() }
}

extension RecordID {
  var quoted: String { "\"\(self)\"" }
}
