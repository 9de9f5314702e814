import BackendKit

/// Laws about what a receipt of a write says of it.
extension Law {
  static let receipts: [Law] = [honestReceipt, plainReceipt, changedResources]

  private static let changedResources = Law(
    "changed resources reported", .create,
    "a receipt says that resources changed if, and only if, a live description now has different resources or fields."
  ) { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let before = try await context.liveFields()
    let fields = try await context.sandbox.fields()
    let made = try await context.attempt("a record was created", await context.own.create(fields))
    let between = try await context.liveFields()
    try context.requireReported(made, before, between, "a record was created")
    guard context.operations.contains(.delete), let id = made.id else { return }
    let gone = try await context.attempt("the record \(id) was deleted", await context.backend.delete(.one(id)))
    try context.requireReported(gone, between, try await context.liveFields(), "a record was deleted")
  }

  private static let honestReceipt = Law(
    "kept or echoed is true", .create, by: .engine, needs: [.create, .get],
    "a receipt that says `kept` names a record that exists, and one that says `echoed` names a record that does not; if a"
      + " record that was written can be read, receipt and description say which it is."
  ) { context throws(CheckStop) in
    // The receipt must report whether records are kept.
    if context.capabilities.writes != .echoed { try context.sandbox.needsMaking() }
    try context.needsWriting()
    let fields = try await context.sandbox.fields()
    let fresh = try context.backend(over: context.traffic)
    let receipt = try await context.attempt("a record was created", await context.own.create(fields, by: fresh))
    let done = "a record was created with a receipt that says \"\(receipt.writes.rawValue)\", the adapter's first write"
    let declared = context.capabilities.writes
    try context.require(
      declared == .unknown || receipt.writes == declared, done, expected: "\"\(declared.rawValue)\", as declared",
      found: "\"\(receipt.writes.rawValue)\"")
    guard let id = receipt.id else { throw .notApplicable("the server reports no identifier") }
    try await context.requireSettled(receipt, of: fresh, done)
    guard receipt.writes == .kept else { return try await context.own.requireAbsent(id, "was only echoed") }
    _ = try await context.own.stored(id)
    try await context.eachFirstWrite(to: id, "settled") { receipt, fresh, done throws(CheckStop) in
      try context.require(receipt.writes != .echoed, done, expected: "no receipt that says \"echoed\"", found: "one")
      try await context.requireSettled(receipt, of: fresh, done)
    }
  }

  private static let plainReceipt = Law(
    "no needless notes", .create, by: .engine, needs: [.get],
    "a create or update whose values are stored as sent, and whose receipt shows this, has no note."
  ) { context throws(CheckStop) in
    let made = try await context.own.made()
    try await context.requirePlain(made.receipt, made.sent, "a record was created with \(context.words(made.sent))")
    guard context.operations.contains(.update) else { return }
    let field = try await context.sandbox.template().markField
    let change = Object.only(field, .string("\(context.sandbox.mark)-plain"))
    for backend in [context.backend, try context.backend(over: context.traffic)] {
      let done = "\(field) of the record \(made.id) was set"
      let receipt = try await context.attempt(
        done, await backend.update(made.id, change.members.map { .set($0.0, $0.1) }))
      try await context.requirePlain(receipt, change, done)
    }
  }
}

extension LawContext {
  /// Updates and deletes a record, each as the first write of an adapter, and judges the receipts.
  fileprivate func eachFirstWrite(
    to id: RecordID, _ text: String,
    _ judge: (WriteReceipt, JudgedBackend, _ done: String) async throws(CheckStop) -> Void
  ) async throws(CheckStop) {
    if operations.contains(.update) {
      let field = try await sandbox.template().markField
      let done = "\(field) of the record \(id) was set, the adapter's first write"
      let fresh = try backend(over: traffic)
      let change = Change.set(field, .string("\(sandbox.mark)-\(text)"))
      try await judge(try await attempt(done, await fresh.update(id, [change])), fresh, done)
    }
    guard operations.contains(.delete) else { return }
    let done = "the record \(id) was deleted, the adapter's first write"
    let fresh = try backend(over: traffic)
    try await judge(try await attempt(done, await fresh.delete(.one(id))), fresh, done)
  }

  /// Requires that a receipt reports whether the resources have changed.
  fileprivate func requireReported(
    _ receipt: WriteReceipt, _ before: [String: [String]], _ after: [String: [String]], _ write: String
  ) throws(CheckStop) {
    try require(
      receipt.changesResources == (before != after),
      "the backend was described, \(write), and the backend was described again",
      expected: before == after ? "a receipt that reports no change" : "a receipt that reports the change",
      found: "the opposite")
  }

  fileprivate func liveFields() async throws(CheckStop) -> [String: [String]] {
    let description = try await attempt("the backend was described live", await backend.describe(.live))
    return Dictionary(description.resources.map { ($0.name, $0.fields.map(\.name)) }) { first, _ in first }
  }

  /// Requires that a receipt, and the description after it, say whether writes are kept.
  fileprivate func requireSettled(
    _ receipt: WriteReceipt, of backend: JudgedBackend, _ done: String
  ) async throws(CheckStop) {
    try require(
      receipt.writes != .unknown, done, expected: "a receipt that says whether it is kept", found: "one that does not")
    let known = try await attempt("the backend was described", await backend.describe(.known))
    guard let described = known.resource(named: path.name)?.capabilities.writes else { return }
    try require(
      described == receipt.writes, "\(done), and the backend described",
      expected: "that writes are \(receipt.writes.rawValue), as the receipt says", found: "\"\(described.rawValue)\"")
  }

  /// Requires that a receipt has no notes if everything was stored as sent.
  fileprivate func requirePlain(_ receipt: WriteReceipt, _ sent: Object, _ done: String) async throws(CheckStop) {
    guard let shown = receipt.record, let id = receipt.id, receipt.writes != .echoed else { return }
    let stored = try await own.stored(id)
    let isPlain = sent.members.allSatisfy { name, value in
      shown.fields[name] == value && stored.fields[name] == value
    }
    guard isPlain else { return }
    try require(
      receipt.notes.isEmpty, done, expected: "no note, since everything is as it was sent",
      found: "\"\(receipt.notes.first ?? "")\"")
  }
}
