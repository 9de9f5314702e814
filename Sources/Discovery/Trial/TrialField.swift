import BackendKit

/// A field of a new record, as far as the service, its document and OPTIONS tell of it.
struct TrialField {
  let name: String
  /// Its type in the words of a description; nil where it is not known.
  let type: String?
  /// What the document calls the form of a text: `email`, `uuid`.
  let format: String?
  let isRequired: Bool
  let isReadOnly: Bool
  /// Whether a record was seen without a value in it.
  let mayBeEmpty: Bool
  let values: [Value]
  let maximumLength: Int?
  let minimum: Int?
  /// A value of a record that was seen.
  let sample: Value?
  /// Whether no two of several records have the same value.
  let isDistinct: Bool
  /// Whether records of a list show it.
  let isListed: Bool
  /// Whether all records have the same text, which may be a constant.
  let isConstant: Bool
  /// Whether its values are paths of records.
  let namesRecords: Bool
  /// Whether few texts come again and again, as those of a choice do.
  var isChoice = false
  /// Whether it repeats what names the record.
  var isTwin = false
  /// The sign in which all of its texts end.
  var ending = ""

  /// Words in names of texts that people write, the most telling first.
  private static let titles = [
    "name", "title", "subject", "label", "summary", "displayname", "description", "text", "note", "comment", "body",
    "content", "message",
  ]
  /// Words in names of texts that follow rules.
  private static let ruled = [
    "mail", "url", "uri", "href", "link", "phone", "password", "secret", "token", "key", "code", "slug", "path", "file",
    "status", "state", "type", "kind", "lang", "locale", "currency", "country", "date", "time", "color", "zone",
    "version", "schema", "etag", "hash", "image", "avatar", "owner", "user",
  ]

  private func has(_ words: [String]) -> Bool { words.contains { name.lowercased().contains(text: $0) } }

  /// Whether its value names another record.
  var isReference: Bool {
    let plain = name.lowercased()
    return namesRecords || plain.hasSuffix("id") && plain != "id" || plain.hasSuffix("_ref")
      || format == "uri-reference"
  }

  /// Whether people write what they like into it.
  var isFree: Bool {
    guard !isReadOnly, values.isEmpty, type == "text" || type == nil && sample == nil else { return false }
    guard format == nil, !isReference, sample?.text.map({ !$0.contains("@") && !$0.contains(text: "://") }) ?? true
    else { return false }
    return !has(Self.ruled) || Self.titles.contains(name.lowercased())
  }

  /// How well it holds a marker; smaller is better.
  var rank: Int {
    let place =
      Self.titles.firstIndex(of: name.lowercased())
      ?? Self.titles.firstIndex { name.lowercased().contains(text: $0) }.map { $0 + 20 }
    return (place ?? 60) + (isListed ? 0 : 100) + (isConstant ? 200 : 0) + (isTwin ? 250 : 0) + (isChoice ? 300 : 0)
  }

  /// Whether it was seen to hold different texts.
  var isSureToHold: Bool { sample != nil && rank < 200 }

  /// A value that the service may accept; nil where nothing tells of one. `turn` counts the attempts, of which each gives another
  /// value.
  func value(_ marker: Marker, turn: Int = 0) -> Value? {
    if !values.isEmpty { return values[turn % values.count] }
    if isReference { return sample }
    switch type {
    case "boolean": return false
    case "integer", "number":
      guard let number = sample?.integer, number < Int.max - 10 else {
        return sample ?? .int(max(minimum ?? 1, 0) + turn)
      }
      return .int(number + turn)
    case "date": return sample ?? "2026-01-01T00:00:00Z"
    case "day": return sample ?? "2026-01-01"
    case "list": return sample ?? .array([])
    case "object": return sample ?? .object(Object())
    case "text", nil: return text(marker, turn).map { .string($0) }
    default: return sample
    }
  }

  private func text(_ marker: Marker, _ turn: Int) -> String? {
    let looks = sample?.text ?? ""
    if format == "email" || has(["mail"]) || looks.contains("@") { return marker.text + "@example.invalid" }
    if format == "uuid" { return UsualIdentifier.uuid }
    if format == "uri" || has(["url", "uri"]) || looks.contains(text: "://") {
      return "https://example.invalid/" + marker.text
    }
    if has(["password"]) { return "Sw1!" + marker.text }
    if isChoice, turn == 0 { return looks }
    if !ending.isEmpty { return marker.text(upTo: maximumLength).map { $0 + ending } }
    if isFree || sample == nil || isDistinct || turn > 0 { return marker.text(upTo: maximumLength) }
    return looks
  }
}

extension TrialField {
  /// A field that no record has, and that a refusal names.
  init(missing name: String) {
    self.init(
      name: name, type: "text", format: nil, isRequired: true, isReadOnly: false, mayBeEmpty: false, values: [],
      maximumLength: nil, minimum: nil, sample: nil, isDistinct: false, isListed: false, isConstant: false,
      namesRecords: false)
  }
}
