package import BackendKit

/// A description of a kind of service, on which descriptions of single services are built.
public struct Preset: Sendable {
  /// The name by which a description names it.
  public let name: String
  private let text: String

  /// The preset of a name; nil where there is none.
  public init?(named name: String) {
    guard let text = EmbeddedTexts.text(of: name + Self.suffix) else { return nil }
    self.name = name
    self.text = text
  }

  /// The names of all.
  public static let names = EmbeddedTexts.names.map { String($0.dropLast(suffix.count)) }

  private static let suffix = ".yaml"

  /// True if it was held against a server of its kind. What any other says is from documents, and only likely.
  public var isRun: Bool { (try? tree())?["source"]?["from"]?.value == "probe" }

  /// The beginning of the names by which places in presets are shown.
  public static let filePrefix = "the preset "

  /// Returns the tree of the preset's text.
  public func tree() throws(Mistakes) -> Node { try whole().only { $0 != Self.surveyKey } }

  /// The part that only `add` reads: what shows that a service is of the kind, and the words to try on it. A description
  /// has no such section.
  package var survey: Object { (try? whole())?[Self.surveyKey]?.value.object ?? Object() }

  private static let surveyKey = "survey"

  private func whole() throws(Mistakes) -> Node {
    try DescriptionText.read(Array(text.utf8), file: Self.filePrefix + name)
  }
}
