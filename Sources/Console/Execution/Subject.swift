import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// Resolves the backend, resource and records that words name. The other words have a certain meaning only once the
/// target is resolved.
struct Subject: CommandPart {
  let context: CommandContext

  /// Resolves the target of a command and binds the remaining words. Throws if a word is missing or unexpected.
  func target(of invocation: Invocation) async throws -> (Target, Invocation) {
    let reading = invocation.reading
    let isOnly = reading.words.count - reading.arguments.count == 1
    let (target, isNamed) = try await targets.takeTarget(reading.open, isOnly: isOnly)
    return (target, try await known(reading, isNamed))
  }

  /// The same for the backend of a command.
  func backend(of invocation: Invocation) async throws -> (OpenBackend, Invocation) {
    let (backend, isNamed) = try await targets.takeBackend(invocation.reading.open)
    return (backend, try await known(invocation.reading, isNamed))
  }

  /// Resolves the target of a command that takes identifiers. A record as printed in messages (`todos/8`) is target and
  /// identifier in one; `@3` names the target of the list on the screen.
  func targetOfRecord(_ invocation: Invocation) async throws -> (Target, Invocation) {
    guard let word = invocation.reading.open else { return try await Subject(context).target(of: invocation) }
    if let number = ShownList.number(word) {
      let list = try shownList(word, number)
      let target = try await targets.target(backend: list.backend, path: list.path)
      targets.work(on: target)
      return (target, try await known(invocation.reading, false))
    }
    guard let (target, id) = try await targets.record(named: word.target ?? word.text) else {
      return try await Subject(context).target(of: invocation)
    }
    targets.work(on: target)
    var identifier = word
    identifier.text = id
    return (target, try await known(invocation.reading.replacingOpen(by: identifier), false))
  }

  /// Binds the words after the target was resolved; `isNamed` is true if the first unbound word names it.
  func known(_ reading: CommandReading, _ isNamed: Bool) async throws -> Invocation {
    let bound = reading.bound { _, _ in isNamed }
    if !isNamed, let word = reading.open, bound.arguments[reading.arguments.count].kind == nil,
      row?.takes(.identifier) == false
    {
      throw await targets.unknown(word.text)
    }
    return try Invocation(bound)
  }

  func target(of word: Word) async throws -> Target {
    guard let target = try await targets.target(named: word.target ?? word.text) else {
      throw await targets.unknown(word.text, column: word.column)
    }
    return try await target.spelled
  }

  /// The backend that words name without a resource, unless one of its resources is implied; nil otherwise.
  func wholeBackend(of invocation: Invocation) async throws -> OpenBackend? {
    let word = invocation.reading.open
    guard word != nil || invocation.words.isEmpty, let backend = try await targets.wholeBackend(word?.text) else {
      return nil
    }
    _ = try await known(invocation.reading, word != nil)
    return backend
  }

  // MARK: Records

  /// Expands a word that is a record of the list on the screen (`@3`), or as printed in messages, to its identifier.
  func identifier(_ word: Word, of target: Target) throws(UsageError) -> Word {
    guard word.isBare, !word.isUnknown else { return word }
    if let number = ShownList.number(word) {
      let list = try shownList(word, number)
      guard list.backend == target.client.name, list.path == target.path else {
        throw UsageError(
          "\(word.text) is a record of \(list.backend)/\(list.path), not of \(target.description)", column: word.column)
      }
      guard number <= list.records.count, let id = list.records[number - 1].id else {
        throw UsageError(
          "the list has no record \(word.text)", hint: "it shows \(counted(list.records.count, "record"))",
          column: word.column)
      }
      var word = word.literal(true)
      word.text = id.text
      return word
    }
    for prefix in ["\(target.description)/", "\(target.path)/"]
    where word.text.utf8.count > prefix.utf8.count && word.text.hasPrefix(prefix) {
      return word.dropFirst(prefix.utf8.count)
    }
    return word
  }

  func shownList(_ word: Word, _ number: Int) throws(UsageError) -> ShownList {
    guard run.isInteractive else {
      throw UsageError(
        "\(word.text) refers to a record of the list on the screen, which a script does not have",
        hint: "after -- or in quotes it is an identifier", column: word.column)
    }
    guard number > 0, let list = run.shownList else {
      throw UsageError(
        "\(word.text) is a record of the list on the screen, and \(number > 0 ? "there is none" : "the first is @1")",
        hint: "after -- or in quotes it is an identifier", column: word.column)
    }
    return list
  }

  /// The identifiers that the words name. Throws if one is malformed, or if there are none; a resource of a single
  /// record needs none, unless it also has others and nothing implies the single one.
  ///
  /// A condition is refused, since it could be read as an identifier of a record that was never meant. A word in quotes
  /// or after `--` is always an identifier.
  func identifiers(
    _ invocation: Invocation, of target: Target, _ resource: ResourceDescription
  ) async throws -> [InputIdentifier] {
    let rule = resource.identifier
    let change = invocation.word(.assignment)
    let isMeant = change != nil || invocation.has("unset") || row?.effects.contains(.writesRecords) == false
    guard invocation.word(.identifier) != nil else {
      if rule.form == .none || rule.isOptional && isMeant { return [InputIdentifier(id: .sole, place: nil)] }
      guard let change else { throw invocation.reading.lacks(.identifier) }
      let typed = invocation.words.map { $0 == change ? "ID \($0.text)" : $0.text }.joined(separator: " ")
      throw UsageError(
        "which record? \(row?.name ?? "") \(typed)",
        hint: "an identifier that looks like a condition must be quoted", column: change.column)
    }
    let words = invocation.words(.identifier)
    try refuseConditions(words, target)
    let meant = try words.map { word throws(UsageError) in try identifier(word, of: target) }
    let given = try meant.map { word throws(UsageError) in try identifier(word, resource) }
    for (word, given) in zip(meant, given) where !word.isUnknown {
      if let complaint = rule.complaint(about: given.id.text) {
        throw UsageError(
          "\(target.description): \(complaint)",
          hint: await targets.advice(on: word.text))
      }
    }
    return given
  }

  /// The records, or their writes, without those that equal the one before of the same record, which a note names: they
  /// would fail, or be made twice. Where records share an identifier, each may mean another one.
  func once<Item, Key: Hashable>(
    _ given: [Item], _ resource: ResourceDescription, id: (Item) -> RecordID?, by key: (Item) -> Key
  ) -> [Item] {
    guard !resource.identifier.mayRepeat, run.rehearsal == nil else { return given }
    var (last, again): ([RecordID: Key], [String]) = ([:], [])
    let once = given.filter { item in
      guard let id = id(item) else { return true }
      let before = last.updateValue(key(item), forKey: id)
      if before == key(item) { again.append(id.text) }
      return before != key(item)
    }
    let names = again.unique
    guard !names.isEmpty else { return given }
    let verbs = names.count == 1 ? ("is", "counts") : ("are", "count")
    note("\(NameList.text(names, most: 5)) \(verbs.0) given several times, and \(verbs.1) once")
    return once
  }

  private func refuseConditions(_ words: [Word], _ target: Target) throws(UsageError) {
    guard let word = words.first(where: { $0.isBare && Predicates.looksLikePredicate($0) }) else { return }
    let command = row?.name ?? ""
    let more = row?.takes(.assignment) == true ? " FIELD=VALUE" : ""
    throw UsageError(
      "\"\(word.text)\" is a condition, and \(command) takes identifiers",
      hint:
        "list \(target.description) CONDITION --all -o id prints the identifiers for \(command) \(target.description) --from FILE\(more), "
        + "and for row in (list \(target.description) CONDITION) runs commands for each record; "
        + "an identifier that looks like a condition must be quoted",
      column: word.column)
  }

  /// The identifier in a word, directly or as the address that a record shows.
  private func identifier(_ word: Word, _ resource: ResourceDescription) throws(UsageError) -> InputIdentifier {
    guard let field = resource.identifier.address, !word.isUnknown, RecordURL.looksLikeOne(word.text) else {
      return InputIdentifier(id: RecordID(word.text), place: nil)
    }
    guard let last = RecordURL.lastPart(word.text) else {
      throw UsageError(
        "\"\(word.text)\" is not the address of a record", hint: "its last part is the identifier",
        column: word.column)
    }
    return InputIdentifier(id: RecordID(last), place: nil, address: (word.text, field))
  }

  /// Reads the records given by their addresses, and throws before the first write if one shows another address: the
  /// same last part may name another record on this server.
  func checkAddresses(_ given: [InputIdentifier], of target: Target) async throws {
    for given in given {
      guard let (text, field) = given.address else { continue }
      try run.endRehearsal()
      let shown = try await target.client.get(given.id, from: target.path).fields[field] ?? .null
      guard shown.text.map({ $0.utf8.elementsEqual(text.utf8) }) != true else { continue }
      throw CommandFailure(
        .failure,
        "the \(field) of \(target.description(of: given.id)) is \(JSONWriter.compact(shown)), not \"\(text)\"; nothing was written",
        hint: "use its identifier: \(given.id)")
    }
  }
}
