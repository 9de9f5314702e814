import BackendKit

/// Laws of ``LawGroup/update`` about fields that lose their value.
extension Law {
  static let clearing: [Law] = [
    clearedField,
    Law(
      "null and empty are values", .update,
      "a field set to null is null afterwards, and text set to the empty string is empty, unless a note names the"
        + " field.",
      parts: [("set to null", Value.null), ("set to empty string", "")].map { name, value in
        Part(name) { context throws(CheckStop) in try await context.values.setWithoutValue(value) }
      }),
  ]

  private static let clearedField = Law(
    "unset removes the value", .update, needs: [.update, .get],
    "a field that is unset, alone or together with one that is set, has no value afterwards, and no other field"
      + " changes."
  ) { context throws(CheckStop) in
    guard context.capabilities.canClear else { throw .notApplicable("fields cannot be cleared") }
    let made = try await context.own.madeFull(withChoices: true)
    let names = try await context.fields.clearableFields(of: made)
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
    guard let other = try await context.fields.changeable().first(where: { !cleared.contains($0.name) }) else {
      return
    }
    let second = try await context.own.madeFull(withChoices: true)
    _ = try await context.own.updated(second.id, [.set(other.name, other.second)] + cleared.map { .unset($0) })
    let after = try await context.own.stored(second.id, "was updated")
    for name in cleared where second.sent[name] != nil {
      try context.requireCleared(
        name, second, after, "\(other.name) was set and \(cleared.joined(separator: ", ")) unset")
    }
  }
}

extension LawContext {
  /// Unsets a field and checks the record; false if the field must have a value.
  fileprivate func clears(_ field: FieldDescription, of made: Made) async throws(CheckStop) -> Bool {
    let name = field.name
    let before = try await own.stored(made.id)
    do throws(BackendError) {
      _ = try await backend.update(made.id, [.unset(name)])
    } catch {
      // A service may only accept yes and no, or require a list, and its adapter says so.
      try requireRefusal(error, "\(name) was unset")
      try require(
        error.effect != .rejected || field.kind == .boolean || !field.takesAnyValue || capabilities.clearingIsUntested,
        "\(name) was unset",
        expected: "success, since it is not described as a field that cannot be null or cleared",
        found: "the error \(error)")
      return false
    }
    let after = try await own.stored(made.id, "was updated")
    try requireCleared(name, made, after, "\(name) was unset")
    try own.requireOnly(
      name, changed: before, to: after, sent: made.sent, "only \(name) was unset",
      expected: "the other fields as they were")
    return true
  }

  /// Requires that a field has no value, or the service's default.
  fileprivate func requireCleared(_ name: String, _ made: Made, _ after: Record, _ done: String) throws(CheckStop) {
    let field = resource.field(named: name)
    let isChosen = field?.values.isEmpty == false
    let isDefault = field?.serverDefault.map { after.fields[name]?.isSame(as: $0) == true } == true
    let isReset = isDefault || isChosen && !ValueSimilarity.same(after.fields[name], made.sent[name])
    try require(
      ValueSimilarity.isWithoutValue(after.fields[name]) || isReset, done,
      expected: "no value, null or an empty value in \(name)", found: after.fields[name].shown)
  }
}
