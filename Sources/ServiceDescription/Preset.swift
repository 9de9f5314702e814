package import BackendKit

/// A description of a kind of service, the basis for descriptions of single services.
public struct Preset: Sendable {
  /// The name in descriptions.
  public let name: String
  private let text: String

  /// The preset with this name; nil if there is none.
  public init?(named name: String) {
    guard let text = EmbeddedTexts.text(of: name + Self.suffix) else { return nil }
    self.name = name
    self.text = text
  }

  /// The names of all presets.
  public static let names = EmbeddedTexts.names.map { String($0.dropLast(suffix.count)) }

  private static let suffix = ".yaml"

  /// True if the preset was tested with a server of its kind. The facts of others are from documents, and only likely.
  public var isRun: Bool { (try? tree())?["source"]?["from"]?.value == "probe" }

  /// The prefix of a preset's name in places.
  public static let filePrefix = "the preset "

  /// Returns the preset as a description, without its survey.
  public func tree() throws(Mistakes) -> Node { try whole().only { $0 != Self.surveyKey } }

  /// The section that only `add` reads, and descriptions do not have: signs of this kind of service, and words to try.
  package var survey: Object { (try? whole())?[Self.surveyKey]?.value.object ?? Object() }

  private static let surveyKey = "survey"

  private func whole() throws(Mistakes) -> Node {
    try DescriptionText.read(Array(text.utf8), file: Self.filePrefix + name)
  }
}
