import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

extension InputIdentifier {
  /// The identifier that a word gives, by itself or by the address that the record shows.
  init(_ word: Word, _ resource: ResourceDescription) throws(UsageError) {
    guard let field = resource.identifier.address, !word.isUnknown, RecordURL.looksLikeOne(word.text) else {
      self.init(id: RecordID(word.text), place: nil)
      return
    }
    guard let last = RecordURL.lastPart(word.text) else {
      throw UsageError(
        "\"\(word.text)\" is not the address of a record", hint: "its last part is the identifier",
        column: word.column)
    }
    self.init(id: RecordID(last), place: nil, address: (word.text, field))
  }
}

extension CommandContext {
  /// Reads the records that are given by their addresses, and throws before the first write where one shows another address:
  /// the same last part may name another record on this server.
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
