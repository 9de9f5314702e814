import BackendKit

/// Laws of ``LawGroup/update`` about fields that lose their value.
extension Law {
  static let clearing: [Law] = [clearedField, nullIsAValue, emptyIsAValue]

  private static let clearedField = Law(
    "cleared field", .update,
    "a field that is unset has no value afterwards, and no other changes."
  ) { bench throws(Halt) in
    try bench.needs(.update, .get)
    guard bench.capabilities.canClear else { return .notApplicable("fields cannot be cleared") }
    let made = try await bench.madeFull()
    guard let name = try await bench.clearableField(of: made) else {
      return .notApplicable("no field that may be without a value has one")
    }
    let before = try await bench.stored(made.id)
    if before.fields[name]?.bool != nil {
      // A server may know yes and no alone, and its adapter says so.
      let backend = bench.backend
      do throws(BackendError) {
        _ = try await backend.update(made.id, in: bench.path, changes: [.unset(name)], revision: nil)
      } catch {
        try bench.requireRefusal(error, "\(name) was unset")
        return .notApplicable("\(name) is the only field that may be without a value, and knows yes and no alone")
      }
    }
    _ = try await bench.updated(made.id, [.unset(name)])
    let after = try await bench.stored(made.id, "was updated")
    try bench.require(
      Bench.isWithoutValue(after.fields[name]), "\(name) was unset", expected: "nothing, null or an empty value",
      found: Likeness.shown(after.fields[name]))
    if let change = bench.change(from: before, to: after, touched: [name], sent: made.sent) {
      throw .breach("\(name) alone was unset", expected: "the other fields as they were", found: change)
    }
    return .run
  }

  private static let nullIsAValue = Law(
    "null is a value", .update,
    "a field set to null is null afterwards; where the server does not tell null from nothing, a note names the field."
  ) { bench throws(Halt) in
    try await bench.setWithoutValue(.null)
  }

  private static let emptyIsAValue = Law(
    "empty is a value", .update,
    "a text set to the empty one is empty afterwards, not null and not gone, unless a note names the field."
  ) { bench throws(Halt) in
    try await bench.setWithoutValue("")
  }
}

extension Bench {
  /// A field that holds a value and may lose it.
  func clearableField(of made: Made, texts: Bool = false) async throws(Halt) -> String? {
    let fields = try await writable().filter { field in
      !field.isRequired && made.sent[field.name] != nil && (!texts || [.text, .html].contains(field.kind))
    }
    return fields.first?.name
  }

  /// Sets a field of a record to null or to the empty text, and holds what is read back against it.
  func setWithoutValue(_ value: Value) async throws(Halt) -> Verdict {
    try needs(.update, .get)
    let made = try await madeFull()
    guard let name = try await clearableField(of: made, texts: value != .null) else {
      return .notApplicable("no field that may be without a value has one")
    }
    guard let receipt = try await set(name, value, of: made.id) else {
      return .notApplicable("the server refuses it")
    }
    let stored = try await stored(made.id, "was updated")
    if let difference = Likeness.difference(.only(name, value), stored, notes: receipt.notes) {
      throw .breach("\(name) was set to \(Likeness.shown(value))", expected: "just that", found: difference)
    }
    return .run
  }

  static func isWithoutValue(_ value: Value?) -> Bool {
    switch value {
    case nil, .null?, .string("")?: true
    case .array(let elements)?: elements.isEmpty
    case .object(let object)?: object.isEmpty
    default: false
    }
  }
}
