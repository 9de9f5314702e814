import BackendKit

/// A field of a new record, as far as the service, its document and OPTIONS tell of it.
struct TrialField {
  let name: String
  /// Its type in the words of a description; nil where it is not known.
  let type: String?
  /// The format of a text according to the document: `email`, `uuid`.
  var format: String?
  var isRequired = false
  var isReadOnly = false
  /// True if a record without a value in the field was seen.
  var mayBeEmpty = false
  var values: [Value] = []
  var maximumLength: Int?
  var minimum: Int?
  /// A value of a record that was seen.
  var sample: Value?
  /// True if no two of several records have the same value.
  var isDistinct = false
  /// True if the records of a list include the field.
  var isListed = false
  /// True if all records have the same text, which may be a constant.
  var isConstant = false
  /// True if its values are paths of records.
  var namesRecords = false
  /// True if a few texts recur, as in a field with a fixed choice.
  var isChoice = false
  /// True if the field repeats the identifier of the record.
  var isTwin = false
  /// The sign in which all of its texts end.
  var ending = ""
  /// True if its values are secrets, or have some in them.
  var isSecret = false
  /// True if its values give power over the service.
  var grantsRights = false

  /// True if the trial sends it only where it is required, and then no value of another record.
  var isGuarded: Bool { isSecret || grantsRights }

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

  /// True if its value refers to another record.
  var isReference: Bool {
    let plain = name.lowercased()
    return namesRecords || plain.hasSuffix("id") && plain != "id" || plain.hasSuffix("_ref")
      || format == "uri-reference"
  }

  /// True if people can write any text into the field.
  var isFree: Bool {
    guard !isReadOnly, !isGuarded, values.isEmpty, type == "text" || type == nil && sample == nil else { return false }
    guard format == nil, !isReference, sample?.text.map({ !$0.contains("@") && !$0.contains(text: "://") }) ?? true
    else { return false }
    return !has(Self.ruled) || Self.titles.contains(name.lowercased())
  }

  /// True if it holds the address of a page or a service.
  private var isAddress: Bool {
    let plain = name.lowercased()
    return ["text", nil].contains(type) && values.isEmpty
      && (["uri", "url"].contains(format) || sample?.text?.contains(text: "://") == true
        || ["url", "uri"].contains { plain.hasPrefix($0) || plain.hasSuffix($0) })
  }

  /// True if an address of the trial's own can be written into the field.
  var isFreeAddress: Bool { isAddress && !isReadOnly && !isGuarded && !isReference }

  /// The marker as the field can hold it.
  func holding(_ marker: Marker) -> String? {
    isFreeAddress ? marker.address(upTo: maximumLength) : marker.text(upTo: maximumLength)
  }

  /// The rank of the field as a holder of the marker; lower is better.
  var rank: Int {
    let place =
      Self.titles.firstIndex(of: name.lowercased())
      ?? Self.titles.firstIndex { name.lowercased().contains(text: $0) }.map { $0 + 20 }
    return (place ?? 60) + (isListed ? 0 : 100) + (isConstant ? 200 : 0) + (isTwin ? 250 : 0) + (isChoice ? 300 : 0)
  }

  /// True if the field was seen to hold different texts.
  var isSureToHold: Bool { sample != nil && rank < 200 }

  /// A value that the service may accept; nil where nothing tells of one. `turn` counts the attempts, of which each
  /// gives another value.
  func value(_ marker: Marker, turn: Int = 0) -> Value? {
    if isGuarded { return harmless(marker) }
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

  /// A value that is no other record's secret and grants no right; nil where there is none.
  private func harmless(_ marker: Marker) -> Value? {
    switch type {
    case "boolean": return false
    case "list": return .array([])
    case "object": return .object(Object())
    default:
      guard isSecret, ["text", nil].contains(type) else { return nil }
      return marker.text(upTo: maximumLength.map { $0 - 4 }).map { .string("Sw1!" + $0) }
    }
  }

  private func text(_ marker: Marker, _ turn: Int) -> String? {
    let looks = sample?.text ?? ""
    if format == "email" || has(["mail"]) || looks.contains("@") { return marker.text + "@example.invalid" }
    if format == "uuid" { return UsualIdentifier.uuid }
    if isAddress { return marker.address(upTo: maximumLength) }
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
    self.init(name: name, type: "text", isRequired: true)
    grantsRights = Rights.areGranted(by: name)
  }
}
