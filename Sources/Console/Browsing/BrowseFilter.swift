import BackendKit
import CommandLanguage
import ConsoleSystem

/// The conditions typed into a screen: words as those of `list`; all other words together are a text to find.
struct BrowseFilter {
  private(set) var filters: [Filter] = []
  private(set) var search: String?
  /// The same as words of a command.
  private(set) var line: [String] = []

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
    if resource.isDescribed, !resource.mayHaveOtherFields,
      let path = filters.flatMap(\.paths).first(where: { $0.holders.allSatisfy { resource.field(named: $0) == nil } })
    {
      throw UsageError("unknown field \"\(path.field)\" in \(resource.name)")
    }
    guard !plain.isEmpty else { return }
    search = plain.joined(separator: " ")
    line += ["--search", Quoting.word(search ?? "")]
  }
}
