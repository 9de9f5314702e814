import BackendKit

/// Writes values into the suite's own records, and checks what is stored.
struct ValueTrial: Sendable {
  let context: LawContext

  /// Writes values into fields, by a create and an update, and checks what is stored. A refusal must change nothing. At
  /// least one field must accept a value; `end` is thrown if there are none.
  func roundTrip(
    _ trials: [(field: String, values: [Value])], byUpdate: Bool = true,
    else end: @autoclosure () async throws(CheckStop) -> CheckStop = .refused
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
      if let made = target, try await isUpdated(to: value, in: field, of: made) { kept += 1 } else { target = nil }
    }
    return kept > 0
  }

  private func isCreated(with value: Value, in field: String) async throws(CheckStop) -> Bool {
    let done = "a record was created with \(field) as \(value.shown)"
    guard let made = try await context.own.accepted(.only(field, value), done) else { return false }
    try context.own.requireKept(made.sent, try await context.own.stored(made.id), made.receipt.notes, done)
    // The next record with this value need not be refused.
    await context.sandbox.discard(made.id)
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
    try context.requireRefusal(refusal, orOpen: true, done)
    guard [.notSent, .rejected].contains(refusal.effect) else { return false }
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
      if case .success = try await stores(value, in: field, mustUpdate: false) { return true }
    }
    return false
  }

  /// Requires that a field accepts one of these values in a new record, and stores it or mentions it in a note.
  func requireTaken(_ field: FieldDescription, _ values: [Value]) async throws(CheckStop) {
    var (refusal, lost): (BackendError?, Record?)
    for value in values {
      switch try await stores(value, in: field, mustUpdate: true) {
      case .failure(let error): refusal = error
      case .success(let record):
        if ValueSimilarity.difference(.only(field.name, value), record, notes: []) == nil { return }
        lost = lost ?? record
      }
    }
    let done = "records were created with \(field.name) as \(values.map(\.shown).joined(separator: ", "))"
    if let lost {
      throw .breach(
        done, expected: "one of these values to be stored", found: "\(field.name) as \(lost.fields[field.name].shown)")
    }
    throw .breach(
      done, expected: "one to be accepted, as values of the type \"\(field.kind.rawValue)\"",
      found: refusal.map { "the error \($0)" } ?? "nothing to try")
  }

  /// Creates a record with a value and, if that is stored, sets it in another; returns the new record. What is not
  /// stored must be mentioned in a note.
  private func stores(
    _ value: Value, in field: FieldDescription, mustUpdate: Bool
  ) async throws(CheckStop) -> Result<Record, BackendError> {
    let (sent, answer) = try await context.own.tried(.only(field.name, value))
    guard case .success(let receipt) = answer else { return answer.map { _ in Record(id: nil, fields: Object()) } }
    guard let id = receipt.id else { throw .notApplicable("the server reports no identifier") }
    let record = try await context.own.stored(id)
    try context.own.requireKept(
      sent, record, receipt.notes, "a record was created with \(field.name) as \(value.shown)")
    let isStored = ValueSimilarity.difference(.only(field.name, value), record, notes: []) == nil
    guard isStored, context.operations.contains(.update) else { return .success(record) }
    await context.sandbox.discard(id)
    let made = try await context.own.made()
    let done = "\(field.name) was set to \(value.shown), which a new record had"
    let change =
      mustUpdate
      ? try await context.attempt(done, await context.backend.update(made.id, [.set(field.name, value)]))
      : try await context.own.set(field.name, value, of: made.id)
    guard let change else { return .success(record) }
    let stored = try await context.own.stored(made.id, "was updated")
    try context.own.requireKept(.only(field.name, value), stored, change.notes, done)
    return .success(record)
  }

  /// Requires that the server accepts what a description says that a field may hold.
  func requireClaims(of field: FieldDescription) async throws(CheckStop) {
    guard ![.list, .object].contains(field.kind) else { return }
    let isChosen = !field.values.isEmpty
    let bounds = field.minimum == nil && field.maximum == nil ? [] : field.allowed ?? []
    for value in isChosen ? Array(field.values.prefix(12)) : bounds {
      guard let error = try await refusal(of: value, in: field.name) else { continue }
      // A record may have to be open before it is closed.
      if isChosen, context.operations.contains(.update),
        case .success = await context.own.outcome(updating: try await context.own.made().id, [.set(field.name, value)])
      {
        continue
      }
      throw .breach(
        "a record was created with \(field.name) as \(value.shown)",
        expected: "success, since it is described as possible", found: "the error \(error)")
    }
    if let reference = field.reference { try await requireReferred(field, to: reference.resource) }
  }

  /// Requires that a unique field does not accept a value that another record has.
  func requireUnique(_ field: FieldDescription) async throws(CheckStop) {
    let made = try await context.own.made()
    guard let value = made.sent[field.name], value != .null else { return }
    let (_, answer) = try await context.own.tried(.only(field.name, value))
    try await context.expectFailure(
      "a record was created with the \(field.name) of another one, which is described as unique",
      [.alreadyExists, .conflict, .invalid], of: answer.get())
  }

  /// Requires that a server that checks a reference checks it in the described resource.
  private func requireReferred(_ field: FieldDescription, to path: String) async throws(CheckStop) {
    guard context.operations.contains(.list), let known = await context.referable(by: field) else { return }
    let isNumber = field.kind == .integer || field.kind == .number
    func holds(_ value: Value) -> Bool { known.contains { $0.isSame(as: value) } }
    let absent: Value = isNumber ? 1_999_999_999 : .string(Sandbox.prefix + "absent")
    guard !holds(absent), try await refusal(of: absent, in: field.name) != nil else { return }
    let used = try await context.page(context.query()).records.compactMap { $0.fields[field.name] }
    let other = used.first { $0 != .null && !holds($0) }
    for value in [known.first, known.last, other].compactMap(\.self) {
      let error = try await refusal(of: value, in: field.name)
      try context.require(
        (error == nil) == holds(value), "a record was created with \(field.name) as \(value.shown)",
        expected: holds(value) ? "success, since it identifies a record of \(path)" : "a refusal, as by \(path)",
        found: error.map { "the error \($0)" } ?? "success, although no record of \(path) has it")
    }
  }

  /// The error with which the server refuses a new record with a value; nil if it does not.
  private func refusal(of value: Value, in field: String) async throws(CheckStop) -> BackendError? {
    guard case .failure(let error) = try await context.own.tried(.only(field, value)).answer,
      error.effect == .rejected
    else { return nil }
    return error
  }

  func setWithoutValue(_ value: Value) async throws(CheckStop) {
    try context.needs(.update, .get)
    let made = try await context.own.madeFull()
    let field = try await context.fields.clearableFields(of: made).first {
      $0.hasSamples && $0.isNullable && (value == .null || [.text, .html].contains($0.kind))
    }
    guard let name = field?.name else { throw .notApplicable("no field that can be cleared has a value") }
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
