import BackendKit

extension Session {
  /// The identifiers that words of a command give, all of the right form; throws where one has another.
  ///
  /// A condition is refused: nothing is read from or written to whatever record there is by that name, and nobody is asked
  /// about records that were never meant. A word in quotes or after `--` is an identifier.
  func identifiers(
    _ words: [Word], of invocation: Invocation, _ target: Target, _ resource: ResourceDescription, _ command: String
  ) async throws -> [GivenIdentifier] {
    try refuseConditions(words, of: invocation, target, command)
    let given = try words.map { word throws(UsageError) in try GivenIdentifier(word, resource) }
    for (word, given) in zip(words, given) where !word.isUnknown {
      if let complaint = resource.identifier.complaint(about: given.id.text) {
        throw UsageError(
          complaint,
          hint: await nearestTarget(word.text).map { "nothing was sent; did you mean \($0)?" }
            ?? "nothing was sent; a target is \(backendNames) or BACKEND/RESOURCE")
      }
    }
    return given
  }

  private func refuseConditions(
    _ words: [Word], of invocation: Invocation, _ target: Target, _ command: String
  ) throws(UsageError) {
    let taken = invocation.words.count - words.count
    let literal = invocation.literalStart.map { $0 - taken } ?? words.count
    guard let word = words.prefix(max(0, literal)).first(where: { !$0.isQuoted && Predicates.looksLikePredicate($0) })
    else { return }
    let more = command == "update" ? " FIELD=VALUE" : ""
    throw UsageError(
      "\"\(word.text)\" is a condition, and \(command) takes identifiers",
      hint:
        "list \(target.description) CONDITION --all -o id prints what \(command) \(target.description) --from FILE\(more) takes, "
        + "and for row in (list \(target.description) CONDITION) goes over the records; "
        + "an identifier that reads like a condition stands in quotes; nothing was sent",
      column: word.column)
  }
}
