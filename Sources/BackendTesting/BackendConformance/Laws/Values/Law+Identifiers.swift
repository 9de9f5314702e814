import BackendClient
import BackendKit

extension Law {
  static let identifiers: [Law] = [
    Law(
      "identifiers stay distinct", .identifiers,
      "nothing in an identifier leads to another record or path: an empty identifier, dots, slashes, URL characters,"
        + " white space, another spelling of a number, another case, other code points, 300 characters and wildcards"
        + " each identify their own record, or none.",
      parts: AwkwardIdentifier.Trouble.allCases.map(awkward)),
    chosenAwkward,
  ]

  /// The operations on identifiers of one kind.
  private static func awkward(_ trouble: AwkwardIdentifier.Trouble) -> Part {
    Part(trouble.rawValue) { context throws(CheckStop) in
      let operations = Addressing.allCases.filter { context.operations.contains($0.operation) }
      guard !operations.isEmpty else { throw .notApplicable("no operation takes an identifier") }
      guard trouble != .nothing || !context.resource.identifier.mayBeAbsent else {
        throw .notApplicable("a record may be addressed without an identifier")
      }
      let own = try await context.ownRecord()
      let beside: RecordID = if let id = own?.id { id } else { try await context.absentID() }
      let form = context.resource.identifier.form
      let all = AwkwardIdentifier.all(trouble, of: form, beside: beside)
      guard !all.isEmpty else { throw .notApplicable("identifiers of this resource have no letters") }
      var sent = 0
      for identifier in all {
        for addressing in operations where try await context.addressed(addressing, identifier.id) {
          sent += 1
          guard context.mayTry(identifier, addressing, own) else { continue }
          // Such a text is no more wrong than the one it is not.
          let isRight = trouble == .letterCase && form == .text
          try await context.expectNoRecord(addressing, identifier.id, isRight: isRight)
        }
      }
      if let own {
        try await context.requireUnchanged(own, "existed while identifiers that do not exist were requested")
      }
      if sent == 0 { throw .refused }
    }
  }

  private static let chosenAwkward = Law(
    "unusual chosen identifiers", .identifiers,
    "where `create` may choose the identifier, an unusual one is refused, or leads to its record in every call."
  ) { context throws(CheckStop) in
    guard context.capabilities.takesIdentifiers else { throw .notApplicable("identifiers cannot be chosen") }
    guard context.resource.identifier.form == .text else { throw .notApplicable("identifiers are integers") }
    try context.needs(.get)
    let rule = context.resource.identifier
    let field = if let last = rule.parts.last { last } else { try context.identifierField() }
    let mark = context.sandbox.mark
    for text in ["a/b", "a%2Fb", "a b", "a?b", "a#b", "a&b=c", "a+b", "é", "e\u{301}", "😀", "A", "a."] {
      let chosen = "\(mark)-\(text)"
      let done = "a record was created with the \(field) \(chosen)"
      let (sent, answer) = try await context.tried(.only(field, .string(chosen)))
      let id = rule.identifier(in: sent) ?? RecordID(chosen)
      switch answer {
      case .failure(let error): try context.requireRefusal(error, done)
      case .success(let receipt):
        try context.require(
          receipt.id == id, done, expected: "this identifier", found: receipt.id.map { "\"\($0)\"" } ?? "none")
        let name = try await context.sandbox.template().markField
        let stored = try await context.stored(id)
        try context.require(
          stored.fields[name] == sent[name], done, expected: "`get` to return it", found: "another record")
        guard context.operations.contains(.delete) else { continue }
        try await context.delete(id)
        if !context.capabilities.keepsDeleted { try await context.requireAbsent(id, "was deleted") }
      }
    }
  }
}

extension LawContext {
  /// A record of the suite's own to name and to stay as it is; nil where none can be made.
  func ownRecord() async throws(CheckStop) -> Record? {
    try await ifApplicable(await stored(await made().id))
  }

  /// Returns whether a call may be sent for real: no record except the suite's own may be in danger.
  func mayTry(_ identifier: AwkwardIdentifier, _ addressing: Addressing, _ own: Record?) -> Bool {
    if addressing == .get { return true }
    return own != nil && (identifier.meansOwn || subject.isSandbox)
  }

  /// Makes a call that names a record that is not there, and takes no other for it. A service may stumble over a text
  /// that is no identifier to it, as long as it refuses it.
  func expectNoRecord(_ addressing: Addressing, _ id: RecordID, isRight: Bool) async throws(CheckStop) {
    let codes: [BackendError.Code] = isRight ? [.notFound] : [.notFound, .invalid, .unsupported]
    let field = try await changeable()[0]
    let done = "\(addressing.rawValue) of the record \(ValueSimilarity.shown(.string(id.text))) was requested"
    switch await outcome(of: addressing, id, of: backend, field) {
    case .success(let found):
      try require(
        addressing == .get && found == id, done, expected: "no record, or exactly that one",
        found: "success with the record \(found?.text ?? "")")
    case .failure(let error):
      let isRefused = !isRight && (error.httpStatus ?? 0) >= 400
      try require(
        isRefused || codes.contains(error.code), done,
        expected: "the error \(codes.prefix(2).map { "\"\($0.rawValue)\"" }.joined(separator: " or "))",
        found: "the error \(error)")
    }
  }
}
