extension Session {
  /// Refuses a condition in the place of an identifier: a write is not made to whatever records there are by that name, and
  /// nobody is asked about records that were never meant. A word in quotes or after `--` is an identifier.
  func refuseConditions(
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
