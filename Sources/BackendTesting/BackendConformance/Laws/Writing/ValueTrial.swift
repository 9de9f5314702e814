import BackendKit

/// Writes values into the suite's own records, and checks what is stored.
struct ValueTrial: Sendable {
  let context: LawContext

  /// Writes each value into a field, by a create and an update, and checks what is stored. A refusal must change
  /// nothing.
  func roundTrip(_ values: [Value], in field: String) async throws(CheckStop) {
    try await roundTrip([(field, values)], else: .notApplicable(""))
  }

  /// Does the same in several fields, at least one of which must accept a value; `end` is thrown if there are none.
  func roundTrip(
    _ trials: [(field: String, values: [Value])], byUpdate: Bool = true,
    else end: @autoclosure () async throws(CheckStop) -> CheckStop
  ) async throws(CheckStop) {
    var isKept = false
    for (field, values) in trials { if try await keeps(values, in: field, byUpdate) { isKept = true } }
    if isKept { return }
    guard let last = trials.last?.field else { throw try await end() }
    throw .notApplicable("the server refuses every value that the suite can write to \(last)")
  }

  private func keeps(_ values: [Value], in field: String, _ byUpdate: Bool) async throws(CheckStop) -> Bool {
    try context.needs(.get)
    var kept = 0
    var target: Made?
    for value in values {
      if try await isCreated(with: value, in: field) { kept += 1 }
      guard byUpdate, context.operations.contains(.update) else { continue }
      if target == nil { target = try await context.own.made() }
      if let target, try await isUpdated(to: value, in: field, of: target) { kept += 1 }
    }
    return kept > 0
  }

  private func isCreated(with value: Value, in field: String) async throws(CheckStop) -> Bool {
    let done = "a record was created with \(field) as \(value.shown)"
    guard let made = try await context.own.accepted(.only(field, value), done) else { return false }
    try context.own.requireKept(made.sent, try await context.own.stored(made.id), made.receipt.notes, done)
    return true
  }

  private func isUpdated(to value: Value, in field: String, of made: Made) async throws(CheckStop) -> Bool {
    let done = "\(field) was set to \(value.shown)"
    let before = try await context.own.stored(made.id)
    let refusal: BackendError
    switch await context.own.outcome(updating: made.id, [.set(field, value)]) {
    case .success(let receipt):
      let stored = try await context.own.stored(made.id, "was updated")
      try context.own.requireKept(.only(field, value), stored, receipt.notes, done)
      return true
    case .failure(let error): refusal = error
    }
    // The server stored something else, and the adapter says so.
    if refusal.code == .badResponse, refusal.effect == .unknown || refusal.effect == .applied { return false }
    try context.requireRefusal(refusal, done)
    let after = try await context.own.stored(made.id)
    try context.own.requireOnly(changed: before, to: after, "\(done) and refused with \(refusal)")
    return false
  }

  /// Requires that two values of another kind than the field's are not both accepted and stored as one.
  func requireApart(_ field: FieldDescription) async throws(CheckStop) {
    let pairs: [(Value, Value)] =
      switch field.kind {
      case .text, .html: [(true, false), (12, 13)]
      case .boolean: [("true", "false"), (1, 0), (2, 3)]
      case .integer, .number: [("12", "13"), (true, false)]
      case .date, .day, .object, .list, .any: []
      }
    for (first, second) in pairs {
      guard let one = try await kept(first, in: field.name), let other = try await kept(second, in: field.name)
      else { continue }
      try context.require(
        one == .null || !ValueSimilarity.same(one, other),
        "\(field.name) was sent as \(first.shown) and as \(second.shown)",
        expected: "two different values", found: "\(one.shown) for both")
    }
  }

  private func kept(_ value: Value, in field: String) async throws(CheckStop) -> Value? {
    let answer = try await context.own.tried(.only(field, value)).answer
    guard case .success(let receipt) = answer, let id = receipt.id else { return nil }
    return try await context.own.stored(id).fields[field] ?? .null
  }

  /// Returns values that a server has every reason to accept: those of records, which references require, then plain
  /// ones.
  func likelyValues(of field: FieldDescription) async throws(CheckStop) -> [Value] {
    // A field that is never stored shows its default, so that other values come first.
    let tried = try await listedValues(of: field) + field.samples
    return tried.filter { !$0.isEmptyOfItsKind } + tried.filter(\.isEmptyOfItsKind)
  }

  private func listedValues(of field: FieldDescription) async throws(CheckStop) -> [Value] {
    guard context.operations.contains(.list) else { return [] }
    var values: [Value] = []
    for record in try await context.page(context.query()).records.prefix(20) {
      guard let value = record.fields[field.name], value != .null, field.kind.admits(value) else { continue }
      if !values.contains(value) { values.append(value) }
    }
    return Array(values.prefix(3))
  }

  /// Returns whether a restricted field accepts a known value. Requires that it is stored, or mentioned in a note.
  func takes(_ field: FieldDescription) async throws(CheckStop) -> Bool {
    guard !field.isUnique, !field.holdsSecret else { return false }
    for value in field.values.isEmpty ? try await listedValues(of: field) : Array(field.values.suffix(3)) {
      let (sent, answer) = try await context.own.tried(.only(field.name, value))
      guard case .success(let receipt) = answer, let id = receipt.id else { continue }
      let done = "a record was created with \(field.name) as \(value.shown)"
      try context.own.requireKept(sent, try await context.own.stored(id), receipt.notes, done)
      guard context.operations.contains(.update) else { return true }
      let made = try await context.own.made()
      guard let changed = try await context.own.set(field.name, value, of: made.id) else { return true }
      let stored = try await context.own.stored(made.id, "was updated")
      try context.own.requireKept(
        .only(field.name, value), stored, changed.notes,
        "\(field.name) was set to \(value.shown), which a new record had")
      return true
    }
    return false
  }

  /// Requires that a field accepts one of these values in a new record, and stores it or mentions it in a note.
  func requireTaken(_ field: FieldDescription, _ values: [Value]) async throws(CheckStop) {
    var refusal: BackendError?
    var lost: String?
    for value in values {
      let (sent, answer) = try await context.own.tried(.only(field.name, value))
      switch answer {
      case .failure(let error): refusal = error
      case .success(let receipt):
        guard let id = receipt.id else { throw .notApplicable("the server reports no identifier") }
        let record = try await context.own.stored(id)
        let done = "a record was created with \(field.name) as \(value.shown)"
        try context.own.requireKept(sent, record, receipt.notes, done)
        guard ValueSimilarity.difference(.only(field.name, value), record, notes: []) == nil else {
          lost = lost ?? "\(field.name) as \(record.fields[field.name].shown)"
          continue
        }
        return try await requireTakenByUpdate(field, value)
      }
    }
    let done = "records were created with \(field.name) as \(values.map(\.shown).joined(separator: ", "))"
    if let lost { throw .breach(done, expected: "one of these values to be stored", found: lost) }
    throw .breach(
      done, expected: "one to be accepted, as values of the type \"\(field.kind.rawValue)\"",
      found: refusal.map { "the error \($0)" } ?? "nothing to try")
  }

  private func requireTakenByUpdate(_ field: FieldDescription, _ value: Value) async throws(CheckStop) {
    guard context.operations.contains(.update) else { return }
    let made = try await context.own.made()
    let done = "\(field.name) was set to \(value.shown), which a new record had"
    let receipt = try await context.attempt(done, await context.backend.update(made.id, [.set(field.name, value)]))
    let stored = try await context.own.stored(made.id, "was updated")
    try context.own.requireKept(.only(field.name, value), stored, receipt.notes, done)
  }

  func setWithoutValue(_ value: Value) async throws(CheckStop) {
    try context.needs(.update, .get)
    let made = try await context.own.madeFull()
    guard let name = try await context.fields.clearableField(of: made, texts: value != .null) else {
      throw .notApplicable("no field that can be cleared has a value")
    }
    guard let receipt = try await context.own.set(name, value, of: made.id) else {
      throw .notApplicable("the server refuses it")
    }
    let stored = try await context.own.stored(made.id, "was updated")
    try context.own.requireKept(
      .only(name, value), stored, receipt.notes, "\(name) was set to \(value.shown)", expected: "this value")
  }
}

extension LawContext {
  var values: ValueTrial { ValueTrial(context: self) }
}
