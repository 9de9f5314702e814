import BackendClient
import BackendKit

/// The form of the texts of a field, according to a document, existing records and refusals.
struct TextForm {
  var format: String?
  var minimum: Int?
  var maximum: Int?
  var patterns: [TextPattern] = []
  /// Texts of records.
  var samples: [String] = []
  /// True if other texts have to look like them.
  var isShaped = false

  /// The marker in a form that fits, with room for changes; nil if there is none. `end` is the punctuation behind it.
  func holding(_ marker: Marker, end: String = "") -> String? {
    let texts: [String]
    switch format {
    case "email": texts = [marker.text, marker.short].map(Marker.mail)
    case "uri", "url": texts = [marker.text, marker.short].map(Marker.address)
    case "uuid", "ipv4", "ipv6", "date", "date-time", "time": texts = []
    default: texts = marker.spellings.map { lengthened($0) + end }
    }
    return texts.first { fits($0) && fits(Marker.changed($0)) }
  }

  /// Another text of the same form, without the marker and without a verb; nil if none is known.
  func another() -> String? {
    switch format {
    case "uuid": return UsualIdentifier.uuid
    case "ipv4": return "192.0.2.\(Int.random(in: 1...254))"
    case "ipv6": return "2001:db8::\(Int.random(in: 1...9999))"
    case "date": return "2026-01-01"
    case "date-time": return "2026-01-01T00:00:00Z"
    case "time": return "00:00:00"
    default: break
    }
    guard let like = samples.last else { return nil }
    let isHex = samples.allSatisfy { $0.allSatisfy { !$0.isLetter || $0.isHexDigit } }
    for _ in 0..<20 {
      let text = Self.drawn(like, isHex)
      if !samples.contains(text), fits(text), ActionWords.verb(in: "/\(text)") == nil { return text }
    }
    return nil
  }

  private func lengthened(_ text: String) -> String {
    minimum.map { text + String(repeating: "0", count: min(max($0 - text.count, 0), 1_000)) } ?? text
  }

  /// Returns whether a text fits all that is known.
  func fits(_ text: String) -> Bool {
    text.count >= minimum ?? 0 && text.count <= maximum ?? .max
      && patterns.allSatisfy { $0.isFound(in: text) != false } && isAlike(text)
  }

  /// True if texts have to have the length of all samples.
  var hasFixedLength: Bool { isShaped && samples.count > 2 && samples.allSatisfy { $0.count == samples[0].count } }

  /// Returns whether a text has no other kinds of characters than the samples.
  private func isAlike(_ text: String) -> Bool {
    guard isShaped, !samples.isEmpty else { return true }
    let kinds = Set(samples.flatMap { $0.map(Self.kind) })
    return text.allSatisfy { kinds.contains(Self.kind($0)) }
  }

  /// A character that stands for all of its kind.
  private static func kind(_ character: Character) -> Character {
    character.isNumber ? "0" : !character.isLetter ? character : character.isUppercase ? "A" : "a"
  }

  /// A text with other letters and digits at the same places.
  private static func drawn(_ text: String, _ isHex: Bool) -> String {
    let letters = isHex ? "abcdef" : "abcdefghijklmnopqrstuvwxyz"
    return String(
      text.map { character in
        switch kind(character) {
        case "0": "123456789".randomElement() ?? character
        case "a": letters.randomElement() ?? character
        case "A": letters.uppercased().randomElement() ?? character
        default: character
        }
      })
  }
}
