import BackendKit

/// A record that a law made.
struct Made: Sendable {
  var id: RecordID
  /// The values sent.
  var sent: Object
  var receipt: WriteReceipt
}

extension LawContext {
  // MARK: Making

  /// Creates a record of just these fields, which is removed after the law.
  func create(
    _ fields: Object, by backend: (any Backend)? = nil
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await (backend ?? self.backend).create(fields, in: path)
    sandbox.adopt(receipt.id)
    return receipt
  }

  /// Creates a record of the suite's own with these fields besides those that every one has; the server may refuse it.
  func tried(_ extra: Object = Object()) async throws(CheckStop) -> (
    sent: Object, answer: Result<WriteReceipt, BackendError>
  ) {
    try await sandbox.needsWriting()
    var fields = try await sandbox.fields()
    for (name, value) in extra.members { fields[name] = value }
    do throws(BackendError) {
      let receipt = try await backend.create(fields, in: path)
      sandbox.adopt(receipt.id)
      if receipt.id == nil { _ = await sandbox.find(fields) }
      return (fields, .success(receipt))
    } catch {
      if error.effect == .unknown || error.effect == .applied {
        sandbox.adopt(possible: resource.identifier.identifier(in: fields))
      }
      return (fields, .failure(error))
    }
  }

  /// Creates a record of the suite's own, which the server has to take.
  func made(_ extra: Object = Object()) async throws(CheckStop) -> Made {
    let (sent, answer) = try await tried(extra)
    let receipt = try await attempt("a record was created with \(words(sent))", answer.get())
    guard let id = receipt.id else {
      throw .notApplicable("the server does not report the identifiers of the records it creates")
    }
    return Made(id: id, sent: sent, receipt: receipt)
  }

  /// Creates a record with a value in as many fields as the server takes one.
  ///
  /// Fields that take only some values are among them where that is said.
  func madeFull(withChoices: Bool = false) async throws(CheckStop) -> Made {
    let free = try await writable().map { ($0.name, LawContext.samples(of: $0)[0]) }
    let all = free + (withChoices ? try await chosenValues() : [])
    // A server that keeps a number this long has to keep all its digits.
    let exact = Number("90071992547409931.10").map { Value.number($0) } ?? 1
    let numbers = Set(try await writable().filter { $0.kind == .number && $0.takesAnyValue }.map(\.name))
    // A number may have to name a record of another resource, and a list may have to hold what nobody declared.
    let attempts = [
      all.map { numbers.contains($0.0) ? ($0.0, exact) : $0 }, all, free,
      free.filter { $0.1.text != nil || $0.1.bool != nil },
    ]
    for extra in attempts {
      let (sent, answer) = try await tried(Object(extra))
      if case .success(let receipt) = answer, let id = receipt.id { return Made(id: id, sent: sent, receipt: receipt) }
    }
    return try await made()
  }

  /// Values for the fields that take only some: the last of a list, which is the default least of all, or one that a record
  /// has where it names a record.
  private func chosenValues() async throws(CheckStop) -> [(String, Value)] {
    let marked = try await sandbox.template().markField
    let owners = try await ownerFields()
    let fields = resource.fields.filter {
      $0.takesValues && !$0.takesAnyValue && !$0.isUnique && $0.name != marked && !owners.contains($0.name)
    }
    var listed: [Record]?
    var values: [(String, Value)] = []
    for field in fields where !resource.identifier.isHeld(by: field.name) {
      if let last = field.values.last {
        values.append((field.name, last))
      } else if field.reference != nil, operations.contains(.list) {
        if listed == nil { listed = try await page(query()).records }
        let seen = listed?.lazy.compactMap { $0.fields[field.name] }.first { $0 != .null }
        if let seen { values.append((field.name, seen)) }
      }
    }
    return values
  }

  // MARK: Reading

  /// A record of the suite's own as it is now.
  func stored(_ id: RecordID, _ when: String = "was created") async throws(CheckStop) -> Record {
    try needs(.get)
    return try await attempt("the record \(id) \(when) and read", await backend.get(id, from: path))
  }

  /// Ends the law as broken unless there is no such record.
  func requireAbsent(_ id: RecordID, _ when: String) async throws(CheckStop) {
    guard operations.contains(.get) else { return }
    try await expectFailure(
      "the record \(id) \(when) and was read", [.notFound],
      of: await backend.get(id, from: path))
  }

  /// Ends the law as broken unless a record is in all as it was, but for what only the server sets.
  func requireUnchanged(_ before: Record, _ when: String) async throws(CheckStop) {
    let id = before.id ?? ""
    let after = try await stored(id, when)
    if let change = change(from: before, to: after, touched: []) {
      throw .breach("the record \(id) \(when)", expected: "the record as it was", found: change)
    }
  }

  /// The first field that changed although it was not touched, as a clause; what only the server sets is left out, and
  /// so is what nobody knows where it was not sent.
  func change(from before: Record, to after: Record, touched: Set<String>, sent: Object? = nil) -> String? {
    func isFree(_ name: String) -> Bool {
      if touched.contains(name) { return true }
      if let field = resource.field(named: name) { return field.isReadOnly && !resource.identifier.isHeld(by: name) }
      return sent.map { $0[name] == nil } ?? false
    }
    for (name, value) in before.fields.members where after.fields[name] != value {
      if after.fields[name] != nil, isFree(name) { continue }
      if touched.contains(name) { continue }
      return "\(name) as \(ValueSimilarity.shown(after.fields[name])) instead of \(ValueSimilarity.shown(value))"
    }
    for (name, value) in after.fields.members where before.fields[name] == nil && !isFree(name) {
      guard resource.field(named: name) != nil || sent == nil else { continue }
      return "\(name) as \(ValueSimilarity.shown(value)) instead of nothing"
    }
    return nil
  }

  // MARK: Words

  /// Fields in a few words.
  func words(_ fields: Object) -> String {
    fields.members.map { "\($0.0)=\(ValueSimilarity.shown($0.1))" }.joined(separator: ", ")
  }
}
