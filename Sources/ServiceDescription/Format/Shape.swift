import BackendKit

/// The kinds of values that a key may have.
public indirect enum Shape: Sendable {
  /// Text; empty only if the rule permits it.
  case text(TextRule = .any)
  case boolean
  /// An integer.
  case integer(ClosedRange<Int>)
  /// Anything.
  case any
  /// One of these words.
  case word([Word])
  case list(Shape)
  /// A single value or a list.
  case oneOrMore(Shape)
  /// A map whose keys are names, such as those of fields; `of` says what they name.
  case map(of: String, Shape)
  /// A map with the keys of a section.
  case section(Section.Name)
  /// One of two shapes of different kinds.
  case either(Shape, Shape)
}

/// A permitted word and its meaning.
public typealias Word = (name: String, help: String)

func plain(_ names: String...) -> [Word] { names.map { ($0, "") } }

/// A rule for the content of a text.
public enum TextRule: String, Sendable, Hashable, CaseIterable {
  /// Any text that is not empty.
  case any
  /// Any text.
  case mayBeEmpty
  /// A path to a member of a document: names separated by dots, in double quotes if they contain one; `$` is the
  /// document.
  case member
  /// Segments separated by slashes.
  case path
  /// The end of a path.
  case ending
  /// The name of a header field.
  case header
  /// `PLUGIN/NAME`.
  case hook
  /// A regular expression.
  case pattern
}

/// A map with fixed keys.
public struct Section: Sendable {
  /// The names of the sections.
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
    /// The name in earlier builds. It is refused with the line to write instead; `config migrate` rewrites it.
    public var formerly: String?
  }

  /// The name.
  public var name: Name
  /// The subject, as a clause for the reference.
  public var help: String
  /// The keys, in the order in which they are written.
  public var keys: [Key]
  /// The key that determines the meaning of the others: with another value there, a section replaces the inherited one
  /// instead of being merged with it.
  public var decidingKey: String?
  /// The key whose value is meant if a text takes the place of the section.
  public var shortKey: String?

  /// Returns the key with this name.
  public func key(_ name: String) -> Key? { keys.first { $0.name == name } }

  /// Returns the section with this name.
  public static func of(_ name: Name) -> Section { all[name] ?? Section(name, "") { _ in nil } }

  private static let all = Dictionary(ordered.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
