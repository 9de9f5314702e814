import BackendKit

/// Laws of ``LawGroup/update`` about fields that lose their value.
extension Law {
  static let clearing: [Law] = [
    clearedField,
    Law(
      "null and empty are values", .update,
      "a field set to null is null afterwards, and text set to the empty string is empty, unless a note names the"
        + " field.",
      parts: [nullIsAValue, emptyIsAValue]),

  ]

  private static let clearedField = Law(
    "unset removes the value", .update, needs: [.update, .get],
    "a field that is unset, alone or together with one that is set, has no value afterwards, and no other field"
      + " changes."
  ) { context throws(CheckStop) in
    guard context.capabilities.canClear else { throw .notApplicable("fields cannot be cleared") }
    let made = try await context.madeFull(withChoices: true)
    let names = try await context.clearableFields(of: made)
    guard !names.isEmpty else { throw .notApplicable("no field that can be cleared has a value") }
    var cleared: [String] = []
    for field in names {
      if try await context.clears(field, of: made) { cleared.append(field.name) }
    }
    guard !cleared.isEmpty else {
      let words = names.map(\.name).joined(separator: ", ")
      try context.require(
        names.allSatisfy { $0.kind == .boolean || !$0.takesAnyValue }, "\(words) were unset",
        expected: "at least one to be accepted", found: "all refused")
      throw .notApplicable("the server refuses to clear \(words)")
    }
    guard let other = try await context.changeable().first(where: { !cleared.contains($0.name) }) else {
      return
    }
    let second = try await context.madeFull(withChoices: true)
    _ = try await context.updated(second.id, [.set(other.name, other.second)] + cleared.map { .unset($0) })
    let after = try await context.stored(second.id, "was updated")
    for name in cleared where second.sent[name] != nil {
      try context.requireCleared(
        name, second, after, "\(other.name) was set and \(cleared.joined(separator: ", ")) unset")
    }
  }

  private static let nullIsAValue = Part("set to null") { context throws(CheckStop) in
    try await context.setWithoutValue(.null)
  }

  private static let emptyIsAValue = Part("set to empty string") { context throws(CheckStop) in
    try await context.setWithoutValue("")
  }
}

extension LawContext {
  /// A field that holds a value and may lose it.
  func clearableField(of made: Made, texts: Bool = false) async throws(CheckStop) -> String? {
    let fields = try await writable().filter { field in
      !field.isRequired && field.isNullable && made.sent[field.name] != nil
        && (!texts || [.text, .html].contains(field.kind))
    }
    return fields.first?.name
  }

  /// The fields of a record that hold a value and may be without one, those among them that take only some values, too.
  fileprivate func clearableFields(of made: Made) async throws(CheckStop) -> [FieldDescription] {
    let template = try await sandbox.template()
    let owners = try await ownerFields()
    return resource.fields.filter { field in
      !field.isRequired && field.isNullable && field.takesValues && made.sent[field.name] != nil
        && field.name != template.markField
        && !resource.identifier.isHeld(by: field.name) && !owners.contains(field.name)
    }
  }

  /// Unsets a field and holds the record against that; false where the field may not be without a value.
  fileprivate func clears(_ field: FieldDescription, of made: Made) async throws(CheckStop) -> Bool {
    let name = field.name
    let before = try await stored(made.id)
    do throws(BackendError) {
      _ = try await backend.update(made.id, in: path, changes: [.unset(name)], revision: nil)
    } catch {
      // A service may know yes and no alone, or want a list, and its adapter says so.
      try requireRefusal(error, "\(name) was unset")
      return false
    }
    let after = try await stored(made.id, "was updated")
    try requireCleared(name, made, after, "\(name) was unset")
    if let change = change(from: before, to: after, touched: [name], sent: made.sent) {
      throw .breach("only \(name) was unset", expected: "the other fields as they were", found: change)
    }
    return true
  }

  /// Ends the law as broken unless a field has lost its value, or has the one that the service gives where none is sent.
  fileprivate func requireCleared(_ name: String, _ made: Made, _ after: Record, _ done: String) throws(CheckStop) {
    let field = resource.field(named: name)
    let isChosen = field?.values.isEmpty == false
    let isDefault = field?.serverDefault.map { after.fields[name]?.isSame(as: $0) == true } == true
    let isReset = isDefault || isChosen && !ValueSimilarity.same(after.fields[name], made.sent[name])
    try require(
      LawContext.isWithoutValue(after.fields[name]) || isReset, done,
      expected: "no value, null or an empty value in \(name)", found: ValueSimilarity.shown(after.fields[name]))
  }

  /// Sets a field of a record to null or to the empty text, and holds what is read back against it.
  func setWithoutValue(_ value: Value) async throws(CheckStop) {
    try needs(.update, .get)
    let made = try await madeFull()
    guard let name = try await clearableField(of: made, texts: value != .null) else {
      throw .notApplicable("no field that can be cleared has a value")
    }
    guard let receipt = try await set(name, value, of: made.id) else {
      throw .notApplicable("the server refuses it")
    }
    let stored = try await stored(made.id, "was updated")
    if let difference = ValueSimilarity.difference(.only(name, value), stored, notes: receipt.notes) {
      throw .breach("\(name) was set to \(ValueSimilarity.shown(value))", expected: "this value", found: difference)
    }
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
