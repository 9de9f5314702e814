package import BackendKit

/// Text that is safe to show to a person. Every output takes only this type, so that unescaped text from outside does
/// not compile.
///
/// The literal parts are the console's own. Interpolated values come from outside and pass ``Escaping``: no value of a
/// script, a server or a file name can move the cursor, hide itself or reverse the writing direction.
public struct EscapedText: Sendable, Hashable {
  /// The text.
  public let text: String

  /// A text from outside, on one line.
  public init(_ outside: String) { text = Escaping.text(outside) }

  /// A text from outside of several lines, each ended.
  public init(lines outside: String) { text = Escaping.lines(outside).map { $0 + "\n" }.joined() }

  /// A value as JSON on one line, with invisible characters written as `\u202e`.
  package init(json value: Value) { text = Escaping.json(JSONWriter.compact(value)) }

  /// Wraps the text of a format, which guarantees that everything from outside is escaped in it, unless a program reads
  /// it.
  package init(formatted text: String) { self.text = text }

  /// Concatenates texts.
  public static func + (left: EscapedText, right: EscapedText) -> EscapedText {
    EscapedText(formatted: left.text + right.text)
  }

  /// Appends a text.
  public static func += (left: inout EscapedText, right: EscapedText) { left = left + right }
}

extension EscapedText: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension EscapedText: ExpressibleByStringInterpolation {
  /// The console's own text.
  public init(stringLiteral value: String) { text = value }

  /// The console's own text with interpolated values.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// A text being assembled.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// An empty text.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Appends the console's own text.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends text that is escaped already.
    public mutating func appendInterpolation(_ shown: EscapedText) { text += shown.text }

    /// Appends and escapes text from outside.
    public mutating func appendInterpolation(_ outside: some CustomStringConvertible) {
      text += Escaping.text(outside.description)
    }
  }
}

extension Sequence<EscapedText> {
  package func joined(separator: EscapedText = "") -> EscapedText {
    EscapedText(formatted: map(\.text).joined(separator: separator.text))
  }
}
