import BackendKit

extension Law {
  static let updating: [Law] = [untouchedFields, updateMissing]

  private static let untouchedFields = Law(
    "untouched fields", .update, "fields that no change names keep their values, numbers to the last digit."
  ) { bench throws(Halt) in
    try bench.needs(.update, .get)
    let id = try await bench.sandbox.make(1)[0]
    let field = try await bench.sandbox.template().markField
    let before = try await bench.get(id).fields
    let text = Value.string(bench.sandbox.mark + "-changed")
    _ = try await bench.attempt("the field \(field) of a record was changed") { () throws(BackendError) in
      try await bench.backend.update(id, in: bench.path, changes: [.set(field, text)], revision: nil)
    }
    let after = try await bench.get(id).fields
    try bench.require(
      after[field] == text, "the field \(field) of a record was changed", expected: JSONWriter.compact(text),
      found: after[field].map(JSONWriter.compact) ?? "no \(field)")
    for name in before.names + after.names where name != field {
      if bench.isServersOwn(name, before[name], after[name]) { continue }
      try bench.require(
        before[name] == after[name], "the field \(field) of a record was changed",
        expected: "\(name) as it was, \(before[name].map(JSONWriter.compact) ?? "missing")",
        found: after[name].map(JSONWriter.compact) ?? "no \(name)")
    }
    return .run
  }

  private static let updateMissing = Law(
    "update missing", .update, "an identifier that names no record throws `notFound`."
  ) { bench throws(Halt) in
    try bench.needs(.update)
    try bench.needsWriting()
    let field = try await bench.sandbox.template().markField
    let id = try await bench.missingID()
    try await bench.expectFailure(
      "the record \(id) was changed, which is not there", [.notFound], effects: [.rejected, .notSent]
    ) { () throws(BackendError) in
      try await bench.backend.update(
        id, in: bench.path, changes: [.set(field, .string(bench.sandbox.mark))], revision: nil)
    }
    return .run
  }
}

extension Bench {
  /// Whether a change of a field is the server's own business: one that only it sets, or one that nobody described and
  /// that tells when, or how often, the record was changed.
  func isServersOwn(_ name: String, _ before: Value?, _ after: Value?) -> Bool {
    if let field = resource.field(named: name) { return field.isReadOnly }
    switch (before, after) {
    case (.string(let before)?, .string(let after)?):
      return Bench.isTime(before) && Bench.isTime(after) && before < after
    case (.number(let before)?, .number(let after)?): return before.integer.map { $0 + 1 } == after.integer
    default: return false
    }
  }

  /// Whether a text begins as a date of ISO 8601 does.
  private static func isTime(_ text: String) -> Bool {
    let shape = text.utf8.prefix(10).map { $0 >= 0x30 && $0 <= 0x39 ? UInt8(ascii: "0") : $0 }
    return shape == Array("0000-00-00".utf8)
  }
}
