import BackendKit
import CommandLanguage
import ConsoleSystem

/// The conditions typed into a screen: words as those of `list`; all other words together are a text to find.
struct BrowseFilter {
  private(set) var filters: [Filter] = []
  private(set) var search: String?
  /// The same as words of a command.
  private(set) var line: [String] = []
  /// Notes on the conditions, as list and count warn of them.
  private(set) var notes: [String] = []

  init(_ text: String, of resource: ResourceDescription) throws(UsageError) {
    var plain: [String] = []
    for word in try LineLexer.words(in: text) {
      guard Predicates.looksLikePredicate(word) else {
        plain.append(word.text)
        continue
      }
      filters.append(try Predicates.filter(from: word, of: resource))
      line.append(Quoting.word(word.text))
    }
    filters = try resource.dated(filters)
    for error in resource.unknownFields(filters.flatMap(\.paths).filter { !$0.isMember }, of: resource.name) {
      guard resource.mayHaveOtherFields else { throw error }
      notes.append(error.sentence)
    }
    if resource.isDescribed { notes += resource.notes(on: filters) }
    guard !plain.isEmpty else { return }
    search = plain.joined(separator: " ")
    line += ["--search", Quoting.word(search ?? "")]
  }
}
