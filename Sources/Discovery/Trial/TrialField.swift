import BackendKit

/// A field of a new record, according to the service, its document and OPTIONS.
struct TrialField {
  let name: String
  /// The type, as in a description; nil if unknown.
  let type: String?
  /// The form of its texts.
  var form = TextForm()
  var isRequired = false
  var isReadOnly = false
  var mayBeEmpty = false
  var values: [Value] = []
  var minimum: Int?
  var sample: Value?
  /// True if no two of several records have the same value.
  var isDistinct = false
  var isListed = false
  /// True if all records have the same text, which may be a constant.
  var isConstant = false
  var namesRecords = false
  /// True if a few texts recur, as with a fixed choice.
  var isChoice = false
  /// True if the field repeats the identifier of the record.
  var isTwin = false
  /// True if its values seem to identify records, so that no value of another record is sent.
  var isKey = false
  /// The largest whole number that records have.
  var largest: Int?
  /// The punctuation at the end of all of its texts.
  var ending = ""
  /// True if its values are or contain secrets.
  var isSecret = false
  /// True if its values grant power over the service.
  var grantsRights = false

  /// True if the trial sends it only if required, and never with the value of another record.
  var isGuarded: Bool { isSecret || grantsRights }

  /// Words in names of texts that people write, the most telling first.
  private static let titles = [
    "name", "title", "subject", "label", "summary", "displayname", "description", "text", "note", "comment", "body",
    "content", "message",
  ]
  /// Words in names of texts with rules.
  private static let ruled = [
    "mail", "url", "uri", "href", "link", "phone", "password", "secret", "token", "key", "code", "slug", "path", "file",
    "status", "state", "type", "kind", "lang", "locale", "currency", "country", "date", "time", "color", "zone",
    "version", "schema", "etag", "hash", "image", "avatar", "owner", "user",
  ]

  private func has(_ words: [String]) -> Bool { words.contains { name.lowercased().contains(text: $0) } }

  var isReference: Bool {
    let isNamed = References.noun(in: name) != nil && !isKey && !["boolean", "date", "day"].contains(type)
    return namesRecords || isNamed || name.lowercased().hasSuffix("_ref") || form.format == "uri-reference"
  }

  /// True if people can write any text into the field.
  var isFree: Bool {
    guard !isReadOnly, !isGuarded, values.isEmpty, type == "text" || type == nil && sample == nil else { return false }
    guard form.format == nil, !isReference, sample?.text.map({ !$0.contains("@") && !$0.contains(text: "://") }) ?? true
    else { return false }
    return !has(Self.ruled) || Self.titles.contains(name.lowercased())
  }

  /// True if it contains the address of a page or a service.
  private var isAddress: Bool {
    let plain = name.lowercased()
    return ["text", nil].contains(type) && values.isEmpty
      && (["uri", "url"].contains(form.format) || sample?.text?.contains(text: "://") == true
        || ["url", "uri"].contains { plain.hasPrefix($0) || plain.hasSuffix($0) })
  }

  /// True if the trial can write an address of its own into the field.
  var isFreeAddress: Bool { isAddress && !isReadOnly && !isGuarded && !isReference }

  private var isMail: Bool {
    ["text", nil].contains(type) && (form.format == "email" || has(["mail"]) || sample?.text?.contains("@") == true)
  }

  /// True if no other field is as likely to take a text of the trial, but this one has to have a new one anyway.
  var isNewInEach: Bool {
    !isReadOnly && !isGuarded && !isReference && values.isEmpty && type == "text"
      && (isKey || isMail || ["slug", "hostname"].contains(form.format))
  }

  /// The marker in a form that the field accepts, with some punctuation behind it.
  func holding(_ marker: Marker, end: String = "") -> String? {
    guard values.isEmpty else { return nil }
    var form = form
    if isFreeAddress { form.format = "uri" } else if isMail { form.format = "email" }
    if form.format == "uri" || form.format == "email" { form.isShaped = false }
    return form.holding(marker, end: end)
  }

  /// The rank of the field for the marker; lower is better.
  var rank: Int {
    let place =
      Self.titles.firstIndex(of: name.lowercased())
      ?? Self.titles.firstIndex { name.lowercased().contains(text: $0) }.map { $0 + 20 }
    return (place ?? 60) + (isListed ? 0 : 100) + (isConstant ? 200 : 0) + (isTwin ? 250 : 0) + (isChoice ? 300 : 0)
  }

  /// True if the field is known to have different texts.
  var isSureToHold: Bool { sample != nil && rank < 200 }

  /// A value that the service may accept; nil if unknown. `turn` counts the attempts, each with another value.
  func value(_ marker: Marker, turn: Int = 0) -> Value? {
    if isGuarded { return harmless(marker) }
    if !values.isEmpty { return values[turn % values.count] }
    if isKey {
      // A new record gets its own address from the service.
      guard !namesRecords else { return nil }
      if let value = new(marker, turn) { return value }
    }
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
    case "object": return (sample?.object).map { .object(anonymous($0, marker)) } ?? .object(Object())
    case "text", nil: return text(marker, turn).map { .string($0) }
    default: return sample
    }
  }

  /// A value that is not the secret of another record, and grants no right; nil if there is none.
  private func harmless(_ marker: Marker) -> Value? {
    switch type {
    case "boolean": return false
    case "list": return .array([])
    case "object": return .object(Object())
    default:
      guard isSecret, ["text", nil].contains(type) else { return nil }
      return marker.text(upTo: form.maximum.map { $0 - 4 }).map { .string("Sw1!" + $0) }
    }
  }

  /// A value that no other record has, of the same form; nil for references.
  private func new(_ marker: Marker, _ turn: Int) -> Value? {
    guard !isReference else { return nil }
    switch type {
    case "integer": return largest.flatMap { $0 < Int.max - 10 ? .int($0 + 1 + turn) : nil }
    case "text", nil:
      let isDrawn = turn > 0 || form.hasFixedLength
      let held = holding(marker, end: ending)
      return ((isDrawn ? form.another() : held) ?? held ?? form.another()).map { .string($0) }
    default: return nil
    }
  }

  /// A value for another record than those that are known, unlike this one; nil if the field identifies none.
  func another(than value: Value, _ marker: Marker) -> Value? {
    isKey ? (1...2).lazy.compactMap { self.new(marker, $0) }.first { !$0.isSame(as: value) } : nil
  }

  /// An object of another record with texts of the trial in the place of its names, if it is not a reference.
  private func anonymous(_ object: Object, _ marker: Marker) -> Object {
    guard object["id"] == nil, (Self.titles + ["metadata"]).contains(name.lowercased()) else { return object }
    return Object(
      object.members.map { name, value in
        let isText = Self.identifies(name) || (Self.titles + ["rendered", "raw", "value"]).contains(name.lowercased())
        return (name, isText && value.text != nil ? .string(marker.text) : value)
      })
  }

  private static let keys: Set<String> = [
    "name", "slug", "code", "email", "mail", "key", "username", "login", "uuid", "guid", "uid", "ulid", "sku", "handle",
    "alias", "identifier",
  ]

  /// Returns whether a name is that of a field that identifies records, by its last word: `slug`, `displayName`.
  static func identifies(_ name: String) -> Bool {
    let start = name.lastIndex { !$0.isLetter }.map { name.index(after: $0) } ?? name.startIndex
    let word = name[start...]
    let capital = word.lastIndex(where: \.isUppercase) ?? word.startIndex
    return keys.contains(word.lowercased()) || keys.contains(word[capital...].lowercased())
  }

  private func text(_ marker: Marker, _ turn: Int) -> String? {
    let looks = sample?.text ?? ""
    if isMail { return holding(marker) }
    if form.format == "uuid" { return UsualIdentifier.uuid }
    if isAddress { return holding(marker) }
    if has(["password"]) { return "Sw1!" + marker.text }
    if isChoice, turn == 0 { return looks }
    if !ending.isEmpty { return form.holding(marker, end: ending) }
    if isFree || sample == nil || isDistinct || turn > 0 { return form.holding(marker) ?? form.another() }
    return looks
  }
}

extension TrialField {
  /// A field that no record shows, but a refusal names.
  init(missing name: String) {
    self.init(name: name, type: "text", isRequired: true)
    grantsRights = Rights.areGranted(by: name)
  }
}
