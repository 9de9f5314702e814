import BackendKit

extension LawContext {
  /// Ends the law as broken where two values of another kind than a field's are both taken and become one.
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
      try require(
        one == .null || !ValueSimilarity.same(one, other),
        "\(field.name) was sent as \(ValueSimilarity.shown(first)) and as \(ValueSimilarity.shown(second))",
        expected: "two different values", found: "\(ValueSimilarity.shown(one)) for both")
    }
  }

  /// Returns the stored value of a field sent with a new record; nil if it is refused.
  private func kept(_ value: Value, in field: String) async throws(CheckStop) -> Value? {
    guard case .success(let receipt) = try await tried(.only(field, value)).answer, let id = receipt.id else {
      return nil
    }
    return try await stored(id).fields[field] ?? .null
  }

  /// Returns values of a field's kind that a server has every reason to accept: those of records, then plain ones.
  ///
  /// A field that refers to a record of another resource accepts only the former.
  func likelyValues(of field: FieldDescription) async throws(CheckStop) -> [Value] {
    // A field that is never stored shows its default: only another value tells.
    let tried = try await listedValues(of: field) + LawContext.samples(of: field)
    return tried.filter { !$0.isEmptyOfItsKind } + tried.filter(\.isEmptyOfItsKind)
  }

  /// Three values at most that listed records have in a field.
  private func listedValues(of field: FieldDescription) async throws(CheckStop) -> [Value] {
    guard operations.contains(.list) else { return [] }
    var values: [Value] = []
    for record in try await page(query()).records.prefix(20) {
      guard let value = record.fields[field.name], value != .null, field.kind.admits(value) else { continue }
      if !values.contains(value) { values.append(value) }
    }
    return Array(values.prefix(3))
  }

  /// Returns whether a field that takes only some values takes one that is described or that a record has; ends the law as
  /// broken where it does not keep that, and no note says so.
  func takes(_ field: FieldDescription) async throws(CheckStop) -> Bool {
    guard !field.isUnique, !field.holdsSecret else { return false }
    for value in field.values.isEmpty ? try await listedValues(of: field) : Array(field.values.suffix(3)) {
      let (sent, answer) = try await tried(.only(field.name, value))
      guard case .success(let receipt) = answer, let id = receipt.id else { continue }
      let difference = ValueSimilarity.difference(sent, try await stored(id), notes: receipt.notes)
      try require(
        difference == nil, "a record was created with \(field.name) as \(ValueSimilarity.shown(value))",
        expected: "this value, or a note", found: difference ?? "")
      guard operations.contains(.update) else { return true }
      let made = try await made()
      guard let changed = try await set(field.name, value, of: made.id) else { return true }
      let stored = try await stored(made.id, "was updated")
      if let difference = ValueSimilarity.difference(.only(field.name, value), stored, notes: changed.notes) {
        throw .breach(
          "\(field.name) was set to \(ValueSimilarity.shown(value)), which a new record had",
          expected: "this value, or a note", found: difference)
      }
      return true
    }
    return false
  }

  /// Ends the law as broken unless a field takes one of these values from a new record, and keeps it or says so.
  func requireTaken(_ field: FieldDescription, _ values: [Value]) async throws(CheckStop) {
    var refusal: BackendError?
    var lost: String?
    for value in values {
      let (sent, answer) = try await tried(.only(field.name, value))
      switch answer {
      case .failure(let error): refusal = error
      case .success(let receipt):
        guard let id = receipt.id else { throw .notApplicable("the server reports no identifier") }
        let record = try await stored(id)
        let difference = ValueSimilarity.difference(sent, record, notes: receipt.notes)
        try require(
          difference == nil, "a record was created with \(field.name) as \(ValueSimilarity.shown(value))",
          expected: "this value, or a note", found: difference ?? "")
        guard ValueSimilarity.difference(.only(field.name, value), record, notes: []) == nil else {
          lost = lost ?? "\(field.name) as \(ValueSimilarity.shown(record.fields[field.name]))"
          continue
        }
        return try await requireTakenByUpdate(field, value)
      }
    }
    if let lost {
      throw .breach(
        "records were created with \(field.name) as \(values.map(ValueSimilarity.shown).joined(separator: ", "))",
        expected: "one of these values to be stored", found: lost)
    }
    throw .breach(
      "records were created with \(field.name) as \(values.map(ValueSimilarity.shown).joined(separator: ", "))",
      expected: "one to be accepted, as values of the type \"\(field.kind.rawValue)\"",
      found: refusal.map { "the error \($0)" } ?? "nothing to try")
  }

  private func requireTakenByUpdate(_ field: FieldDescription, _ value: Value) async throws(CheckStop) {
    guard operations.contains(.update) else { return }
    let made = try await made()
    let done = "\(field.name) was set to \(ValueSimilarity.shown(value)), which a new record had"
    let receipt = try await attempt(
      done,
      await backend.update(made.id, in: path, changes: [.set(field.name, value)], revision: nil))
    let stored = try await stored(made.id, "was updated")
    if let difference = ValueSimilarity.difference(.only(field.name, value), stored, notes: receipt.notes) {
      throw .breach(done, expected: "this value, or a note", found: difference)
    }
  }
}
