import BackendKit

extension Law {
  static let updating: [Law] =
    [
      changed, receiptOfUpdate, untouchedFields, lastChange, noChange, neighborsOfUpdate, takenAlike,
    ] + clearing + refusingUpdates + acting

  private static let changed = Law(
    "update sets the values", .update, needs: [.update, .get],
    "`get` after an update of one or several fields returns the values set, unless the receipt's notes say otherwise."
  ) { context throws(CheckStop) in
    let made = try await context.own.made()
    var taken: [Changeable] = []
    for field in try await context.fields.changeable() {
      guard let receipt = try await context.own.set(field.name, field.second, of: made.id) else { continue }
      taken.append(field)
      let done = "\(field.name) was set to \(field.second.shown)"
      let stored = try await context.own.stored(made.id, "was updated")
      try context.own.requireKept(.only(field.name, field.second), stored, receipt.notes, done, expected: "this value")
    }
    try context.require(
      !taken.isEmpty, "each field was set", expected: "at least one to be accepted", found: "all refused")
    let several = Object(taken.prefix(3).map { ($0.name, $0.first) })
    guard several.count > 1 else { return }
    let receipt = try await context.own.updated(made.id, several.members.map { .set($0.0, $0.1) })
    try context.own.requireKept(
      several, try await context.own.stored(made.id, "was updated"), receipt.notes,
      "\(context.words(several)) were set in one update", expected: "all values set")
  }

  private static let receiptOfUpdate = Law(
    "update receipt as stored", .update, by: .engine, needs: [.update, .get],
    "the receipt has the requested identifier, and its record, if any, is the record as it is stored."
  ) { context throws(CheckStop) in
    let made = try await context.own.made()
    let field = try await context.fields.changeable()[0]
    let receipt = try await context.own.updated(made.id, [.set(field.name, field.second)])
    let done = "\(field.name) of the record \(made.id) was set"
    try context.require(
      receipt.id == made.id, done, expected: "its identifier in the receipt", found: receipt.id.map(\.quoted) ?? "none")
    guard let shown = receipt.record else { return }
    try context.own.requireShown(shown, try await context.own.stored(made.id, "was updated"), receipt.notes, done)
  }

  private static let untouchedFields = Law(
    "update keeps other fields", .update, needs: [.update, .get],
    "fields that an update does not change keep their values, numbers to the last digit, and so do fields that the"
      + " adapter does not know."
  ) { context throws(CheckStop) in
    let names = [WritableFields.unknown, WritableFields.unknown + "2"]
    let values: [Value] = [["a": nil, "b": [1, "two"]], nil]
    if context.fields.areOpen,
      case .success(let receipt) = try await context.own.tried(Object(zip(names, values))).answer,
      let id = receipt.id
    {
      let before = try await context.own.stored(id)
      let field = try await context.fields.changeable()[0]
      _ = try await context.own.updated(id, [.set(field.name, field.second)])
      let after = try await context.own.stored(id, "was updated")
      for name in names where after.fields[name] != before.fields[name] {
        throw .breach(
          "only \(field.name) was set", expected: "\(name) as it was, \(before.fields[name].shown)",
          found: after.fields[name].shown)
      }
    }
    let (made, before) = try await context.own.read(full: true)
    let field = try await context.fields.changeable()[0]
    _ = try await context.own.updated(made.id, [.set(field.name, field.second)])
    let after = try await context.own.stored(made.id, "was updated")
    try context.own.requireOnly(
      field.name, changed: before, to: after, sent: made.sent, "only \(field.name) was set",
      expected: "the other fields as they were")
  }

  private static let takenAlike = Law(
    "update accepts created values", .update, needs: [.create, .update],
    "an update accepts and stores every value that a new record accepts in a field, except null where no field can be"
      + " cleared; dates keep their milliseconds."
  ) { context throws(CheckStop) in
    var target: Made?
    var taken = 0
    let kinds: [FieldDescription.Kind] = [.text, .html, .any]
    // Records that cannot be removed would burden every later list.
    let count = context.operations.contains(.delete) ? Int.max : 1
    let probes = try await context.fields.probes(kinds)
    let marked = try await context.fields.marked()
    for field in probes.prefix(count) + [marked] where probes.isEmpty || field.name != WritableFields.unknown {
      // Services that trim text at its beginning also trim it at its end.
      let mark = field.name == marked.name ? context.sandbox.mark : ""
      // First all that services change at once: case, white space, markup, what can be composed.
      var values: [Value] = [.string(mark + field.fitting(" aB  c\n<b>\u{C9}</b> e\u{301} "))]
      if mark.isEmpty { values += ["", .null] }
      while !values.isEmpty {
        let value = values.removeFirst()
        let (_, answer) = try await context.own.tried(.only(field.name, value))
        guard case .success(let made) = answer, value != .null || context.capabilities.canClear else {
          if value.text?.hasPrefix(mark + " aB") == true {
            values += [" a", "a ", "a\nb", "a  b", "aB", "<b>a</b>", "\u{E9}", "e\u{301}"].map { .string(mark + $0) }
          }
          continue
        }
        taken += 1
        // Values may have to be unique.
        if let id = made.id { await context.sandbox.discard(id) }
        if target == nil { target = try await context.own.made() }
        guard let id = target?.id else { continue }
        let done = "a new record accepted \(value.shown) in \(field.name), and another was set to it"
        let receipt = try await context.attempt(done, await context.backend.update(id, [.set(field.name, value)]))
        guard context.operations.contains(.get), !ValueSimilarity.isWithoutValue(value) else { continue }
        let stored = try await context.own.stored(id, "was updated")
        try context.own.requireKept(.only(field.name, value), stored, receipt.notes, done)
      }
    }
    for field in try await context.fields.probes([.date]).prefix(count) where context.operations.contains(.get) {
      let (_, answer) = try await context.own.tried(.only(field.name, "2026-01-02T03:04:05.678Z"))
      guard case .success(let receipt) = answer, let id = receipt.id else { continue }
      let stored = try await context.own.stored(id).fields[field.name]
      let shown = String(decoding: context.meter.lastHeard.last?.body ?? [], as: UTF8.self)
      taken += 1
      // A service may keep whole seconds.
      guard shown.contains(".678") || shown.contains("1767323045678") else { continue }
      try context.require(
        stored?.text?.contains(".678") == true, "the service showed milliseconds in \(field.name)",
        expected: "these milliseconds", found: stored.shown)
    }
    if taken == 0 { throw try await context.fields.without("no writable field holds text", of: kinds) }
  }

  private static let lastChange = Law(
    "last change wins", .update, by: .engine, needs: [.update, .get],
    "if a field is changed twice, the last change wins."
  ) { context throws(CheckStop) in
    let made = try await context.own.made()
    let field = try await context.fields.changeable()[0]
    let sets: [Change] = [.set(field.name, field.first), .set(field.name, field.second)]
    let changes = [.unset(field.name)] + sets
    var outcome = await context.own.outcome(updating: made.id, context.capabilities.canClear ? changes : sets)
    // Some fields cannot be cleared.
    if context.capabilities.canClear, case .failure(let error) = outcome {
      try context.requireRefusal(error, "\(field.name) was cleared and set in one update")
      outcome = await context.own.outcome(updating: made.id, sets)
    }
    let receipt = try await context.attempt("\(field.name) was set twice in one update", outcome.get())
    let stored = try await context.own.stored(made.id, "was updated")
    try context.require(
      ValueSimilarity.same(stored.fields[field.name], field.second)
        || ValueSimilarity.isTruth(stored.fields[field.name], field.second)
          && ValueSimilarity.isNoted(field.name, receipt.notes),
      "\(field.name) was changed twice in one update",
      expected: "the second value, \(field.second.shown)",
      found: stored.fields[field.name].shown)
  }

  private static let noChange = Law(
    "update without change", .update, by: .engine, needs: [.update, .get],
    "an update without a change, or to the current values, succeeds or is refused, and changes nothing."
  ) { context throws(CheckStop) in
    let (made, before) = try await context.own.read(full: true)
    let field = try await context.fields.changeable().first { before.fields[$0.name] != nil }
    let same = field.flatMap { field in before.fields[field.name].map { [Change.set(field.name, $0)] } } ?? []
    for changes in [[], same] {
      let done = changes.isEmpty ? "an update without a change was sent" : "a field was set to its current value"
      if case .failure(let error) = await context.own.outcome(updating: made.id, changes) {
        try context.requireRefusal(error, done)
      }
      let after = try await context.own.stored(made.id, "was updated")
      try context.own.requireOnly(changed: before, to: after, sent: made.sent, done)
    }
  }

  private static let neighborsOfUpdate = Law(
    "update leaves other records unchanged", .update, needs: [.update, .get],
    "an update of one record leaves the other records as they are."
  ) { context throws(CheckStop) in
    let field = try await context.fields.changeable()[0]
    try await context.own.requireNeighborsUnchanged("updated") { id throws(CheckStop) in
      // Records that had the value, perhaps since an earlier law, then no longer have it.
      _ = try await context.own.updated(id, [.set(field.name, field.first)])
      let before = try await context.listed(with: field.second, in: field.name)
      _ = try await context.own.updated(id, [.set(field.name, field.second)])
      let changed = try await context.listed(with: field.second, in: field.name).subtracting(before)
      let other = changed.first { $0 != id }
      try context.require(
        other == nil, "\(field.name) of the record \(id) was set to \(field.second.shown)",
        expected: "this value in no other record", found: "it in the record \(other??.text ?? "")")
    }
  }
}

extension LawContext {
  /// The records of the first pages that have a value in a field; none if records cannot be listed.
  fileprivate func listed(with value: Value, in field: String) async throws(CheckStop) -> Set<RecordID?> {
    guard operations.contains(.list) else { return [] }
    let records = try await walk(query(), upTo: 3).records
    return Set(records.filter { ValueSimilarity.same($0.fields[field], value) }.map(\.id))
  }
}
