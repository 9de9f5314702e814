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

  private static func awkward(_ trouble: AwkwardIdentifier.Trouble) -> Part {
    Part(trouble.rawValue) { context throws(CheckStop) in
      let operations = context.addresses.operations
      guard !operations.isEmpty else { throw .notApplicable("no operation takes an identifier") }
      guard trouble != .nothing || !context.resource.identifier.mayBeAbsent else {
        throw .notApplicable("a record may be addressed without an identifier")
      }
      let own = try await context.own.record()
      let beside: RecordID = if let id = own?.id { id } else { try await context.own.absentID() }
      let form = context.resource.identifier.form
      let all = AwkwardIdentifier.all(trouble, of: form, beside: beside)
      guard !all.isEmpty else { throw .notApplicable("identifiers of this resource have no letters") }
      var sent = 0
      for identifier in all {
        for addressing in operations where try await context.addresses.addressed(addressing, identifier.id) {
          sent += 1
          guard context.addresses.mayTry(identifier, addressing, own) else { continue }
          // In another case, a text is as valid an identifier as before.
          let isRight = trouble == .letterCase && form == .text
          try await context.addresses.expectNoRecord(addressing, identifier.id, isRight: isRight)
        }
      }
      if let own {
        try await context.own.requireUnchanged(own, "existed while identifiers that do not exist were requested")
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
    let field = if let last = rule.parts.last { last } else { try context.fields.identifier() }
    let mark = context.sandbox.mark
    for text in ["a/b", "a%2Fb", "a b", "a?b", "a#b", "a&b=c", "a+b", "é", "e\u{301}", "😀", "A", "a."] {
      let chosen = "\(mark)-\(text)"
      let done = "a record was created with the \(field) \(chosen)"
      let (sent, answer) = try await context.own.tried(.only(field, .string(chosen)))
      let id = rule.identifier(in: sent) ?? RecordID(chosen)
      switch answer {
      case .failure(let error): try context.requireRefusal(error, done)
      case .success(let receipt):
        try context.require(
          receipt.id == id, done, expected: "this identifier", found: receipt.id.map(\.quoted) ?? "none")
        let name = try await context.sandbox.template().markField
        let stored = try await context.own.stored(id)
        try context.require(
          stored.fields[name] == sent[name], done, expected: "`get` to return it", found: "another record")
        guard context.operations.contains(.delete) else { continue }
        try await context.own.delete(id)
        if !context.capabilities.keepsDeleted { try await context.own.requireAbsent(id, "was deleted") }
      }
    }
  }
}
