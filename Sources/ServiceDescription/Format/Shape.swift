import BackendKit

/// The kind of value that a key of a description may have.
public indirect enum Shape: Sendable {
  /// A text that is not empty.
  case text(TextRule = .any)
  case boolean
  /// A whole number.
  case integer(ClosedRange<Int>)
  /// Anything.
  case any
  /// One of these words, each with what it means.
  case word([Word])
  case list(Shape)
  /// One, or a list of them.
  case oneOrMore(Shape)
  /// A map whose keys are names, such as those of fields; `of` says whose.
  case map(of: String, Shape)
  /// A map with the keys of a section.
  case section(Section.Name)
  /// One of two, which differ in kind.
  case either(Shape, Shape)
}

/// A word that may stand at a key, and what it means.
public typealias Word = (name: String, help: String)

/// Words that need no help.
func plain(_ names: String...) -> [Word] { names.map { ($0, "") } }

/// A rule for the content of a text.
public enum TextRule: String, Sendable, Hashable, CaseIterable {
  /// Any text.
  case any
  /// Any text, an empty one too.
  case mayBeEmpty
  /// A path to a member of a document: names separated by dots, a name that contains a dot in double quotes; `$` is the
  /// document itself.
  case member
  /// Segments with slashes between them.
  case path
  /// The text after a path.
  case ending
  /// The name of a header field.
  case header
  /// `PLUGIN/NAME`.
  case hook
  /// A regular expression.
  case pattern
}

/// A map of a description whose keys are fixed.
public struct Section: Sendable {
  /// The sections there are.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case description, resource, documented, base, version, discovery, errors, fieldMessages, errorMapping, limits, hooks
    case paths, records, values, notFound, identifier, lists, listRequest, page, longPoll, size, end, total, location,
      arrays
    case filter, condition, language, joining, sort, projection, search, expand
    case create, update, delete, revision, job, jobAddress, persistence
    case action, field, file, reference, owner, cascadeDeletes, bound, source

    /// True if the section has the key `source`.
    var hasSource: Bool {
      let parts: [Name] = [
        .version, .arrays, .fieldMessages, .errorMapping, .condition, .language, .joining, .location, .jobAddress,
        .bound, .reference, .owner, .cascadeDeletes, .source,
      ]
      return !parts.contains(self)
    }
  }

  /// A key of a section.
  public struct Key: Sendable {
    /// The name.
    public var name: String
    /// The kind of value that the key may have.
    public var shape: Shape
    /// The meaning of the key, as a clause for the reference.
    public var help: String
    /// The name of the key in earlier builds. It is refused with the line as it is now, and `config migrate` rewrites
    /// it.
    public var formerly: String?
  }

  /// The name.
  public var name: Name
  /// The subject of the section, as a clause for the reference.
  public var help: String
  /// The keys, in the order in which they are written.
  public var keys: [Key]
  /// The key that decides what the others mean: a section that says another word there is not added to the one that it
  /// was inherited from, but takes its place.
  public var decidingKey: String?
  /// The key that a text alone, in the place of the section, is the value of.
  public var shortKey: String?

  /// The key with this name.
  public func key(_ name: String) -> Key? { keys.first { $0.name == name } }

  /// The section of a name.
  public static func of(_ name: Name) -> Section { all[name] ?? Section(name, "") { _ in nil } }

  private static let all = Dictionary(ordered.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
