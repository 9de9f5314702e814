import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Glibc

struct EditWords: CommandPart {
  let context: CommandContext

  /// Returns the requested changes of these fields. A value of a secret field is registered as a secret.
  func edits(
    _ invocation: Invocation, _ fields: [FieldDescription], sendingTo client: Client? = nil
  ) async throws -> FieldEdits {
    var words = invocation.words(.assignment)
    for place in words.indices { words[place] = try await meant(words[place], fields) }
    // The first word may have been meant for the target.
    if let word = words.first, word.isBare, !word.text.contains("="), invocation.word(.target) == nil,
      let question = await targets.question(about: word.text)
    {
      throw UsageError("\"\(word.text)\" is not an assignment", hint: question, column: word.column)
    }
    let unset = invocation.values(of: "unset")
    let edits = try Assignments.edits(from: words, unset: unset, fields: fields, readFile: InputFiles(context).read) {
      path, field in
      guard let client else { throw UsageError("\(field.name) is a file field: use create or update to send a file") }
      let file = try LocalFiles(context).file(path, for: field)
      client.offer(file)
      return file.value
    }
    let secret = Set(fields.filter(\.isSecret).map(\.name))
    reporter.blanking.see(
      edits.changes.compactMap { change in
        guard case .set(let name, let value) = change, secret.contains(name) else { return nil }
        return value.plainText
      })
    return edits
  }

  /// Resolves `name=@ana` if there is a file of that name: it may be the file's text or `@ana` itself. At a terminal
  /// the user is asked; a script has to be explicit.
  private func meant(_ word: Word, _ fields: [FieldDescription]) async throws -> Word {
    guard !word.isUnknown, let (field, file) = Assignments.bareFile(in: word, fields: fields) else { return word }
    try Restriction.current.check(file: file)
    guard access(file, F_OK) == 0 else { return word }
    let refusal = UsageError(
      "\(field)=@\(file) may mean the file \(file) or the text \"@\(file)\"",
      hint:
        "\(field)=@./\(file) reads the file, \(field):=@\(file) reads it as JSON, \(field)=\\@\(file) sets the text",
      column: word.column)
    let question: EscapedText = "\(field): read the file \(file)? No sets the text \"@\(file)\". [y/n] "
    guard run.rehearsal == nil, let answer = await Questions(context).answer(to: question, permits: true) else {
      throw refusal
    }
    var meant = word
    switch answer.lowercased() {
    case "y", "yes": break
    case "n", "no": meant.hasQuotedValue = true
    default: throw refusal
    }
    return meant
  }

  /// The record's undescribed fields, if a word may name one that contains an operator: `a=b=text`.
  func ownFields(
    of id: RecordID, _ invocation: Invocation, _ target: Target, _ resource: ResourceDescription
  ) async throws -> [FieldDescription] {
    guard resource.mayHaveOtherFields, resource.capabilities.operations.contains(.get),
      invocation.words(.assignment).contains(where: { Assignments.mayNameOther($0, resource.fields) })
    else { return [] }
    return try await target.client.get(id, from: target.path).fields.names
      .filter { resource.field(named: $0) == nil }.map { FieldDescription($0, .any) }
  }

  /// Throws for a word whose field depends on the record's own fields, if there are several records: each may have
  /// others.
  func refuseUnclearNames(_ invocation: Invocation, _ resource: ResourceDescription) throws(UsageError) {
    guard resource.mayHaveOtherFields,
      let word = invocation.words(.assignment).first(where: { Assignments.mayNameOther($0, resource.fields) })
    else { return }
    throw UsageError(
      "\"\(word.text)\" has more than one sign that may end the name of the field",
      hint: "put the name in quotes: \"name\"=VALUE", column: word.column)
  }
}
