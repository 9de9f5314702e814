import BackendClient
import BackendKit
import ConsoleSetup

/// The journal's copy of a record, or of the values sent for one, with gaps in place of secrets.
struct JournalImage: Sendable, Hashable {
  var fields = Object()
  var cleared: [String] = []
  /// The values of parts of fields that were sent, by path; null for a removed part.
  var parts = Object()
  /// The fields with secret values, which are not kept.
  var gaps: [String] = []
  var unloaded: [String] = []
  /// True if a missing field may have a value nevertheless.
  var isPartial = false
  var revision: String?
  /// The number of records that the server deletes with this one, by resource; null if it does not report it. An empty
  /// name stands for orphans of any resource.
  var along = Object()

  /// The maximum size in bytes; of a larger image only the names of fields are kept.
  static let limit = 16 << 20

  enum KnownValue: Sendable, Hashable {
    case value(Value)
    case absent
    case unknown(String)
  }

  func value(of field: String) -> KnownValue {
    if let value = fields[field] { return .value(value) }
    if gaps.contains(field) { return .unknown("secret") }
    if unloaded.contains(field) || isPartial { return .unknown("not read") }
    return .absent
  }

  var known: KnownFields {
    KnownFields(fields, unknown: Set(gaps + unloaded), isPartial: isPartial, revision: revision)
  }

  /// The values sent, as far as they are kept.
  var wanted: WantedFields {
    WantedFields(Object(fields.members + cleared.map { ($0, Value.null) }), parts: parts)
  }

  var hasFile: Bool { fields.members.contains { UploadedFile.facts(in: $0.1) != nil } }

  /// The names of the fields sent, including those of parts.
  var sentNames: [String] {
    var names: [String] = []
    for name in fields.names + cleared + gaps + parts.names.map({ FieldPath($0).field }) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

extension JournalImage {
  /// The stored form as an object.
  var object: Object {
    func list(_ names: [String]) -> Value? { names.isEmpty ? nil : .array(names.map { .string($0) }) }
    return Object(facts: [
      ("fields", fields), ("cleared", list(cleared)), ("parts", parts.isEmpty ? nil : parts), ("gaps", list(gaps)),
      ("unloaded", list(unloaded)), ("partial", isPartial ? true : nil), ("revision", revision),
      ("along", along.isEmpty ? nil : along),
    ])
  }

  /// The stored form as text.
  var text: String {
    let text = JSONWriter.compact(.object(object))
    guard text.utf8.count > Self.limit else { return text }
    var left = JournalImage()
    left.unloaded = fields.names + unloaded
    left.gaps = gaps
    left.isPartial = true
    left.along = along
    return left.text
  }

  /// The image in stored text; nil if it is none.
  init?(text: String) {
    guard let object = (try? JSONReader.read(text))?.object else { return nil }
    self.init(object)
  }

  init(_ object: Object) {
    func names(_ member: String) -> [String] { object[member]?.array?.compactMap(\.text) ?? [] }
    fields = object["fields"]?.object ?? Object()
    cleared = names("cleared")
    parts = object["parts"]?.object ?? Object()
    gaps = names("gaps")
    unloaded = names("unloaded")
    isPartial = object["partial"]?.bool ?? false
    revision = object["revision"]?.text
    along = object["along"]?.object ?? Object()
  }

  /// The image for display, with `[blanked]` for gaps.
  var shown: Value {
    var shown = fields
    for name in gaps { shown[name] = .string(Blanking.mark) }
    for (path, value) in parts.members { shown[path] = value }
    for name in cleared { shown[name] = .null }
    return .object(shown)
  }
}

/// Creates images: the one place that decides what is left out of them.
struct JournalImages: Sendable {
  let blanking: Blanking
  /// The fields that are described as secret, wholly or in part.
  let secret: Set<String>
  /// The described fields, which come first in images of records.
  private let names: [String]

  init(_ blanking: Blanking, _ fields: [FieldDescription]) {
    self.blanking = blanking
    names = fields.map(\.name)
    secret = Set(fields.filter(\.holdsSecret).map(\.name))
  }

  /// The image of a whole record, or with `isPartial` of what is certain of it.
  func image(_ record: Record, isPartial: Bool = false) -> JournalImage {
    let known = KnownFields(record)
    var image = image(of: known.fields.ordered(by: names))
    image.unloaded = record.unloaded + record.listed
    image.isPartial = isPartial
    image.revision = record.revision.map(blanking.text)
    return image
  }

  /// The image of the values to be sent. A value under a secret name is then blanked wherever it occurs.
  func image(sending fields: Object, unset: [String] = [], parts: Object = Object()) -> JournalImage {
    if !parts.isEmpty { _ = blanking.isPlain(parts, isRequest: true) }
    return image(of: fields, unset: unset, parts: parts, isRequest: true)
  }

  /// Returns the known fields of a record without secrets.
  func withoutSecrets(_ known: KnownFields) -> KnownFields {
    let image = image(of: known.fields)
    var known = known
    known.fields = image.fields
    known.unknown.formUnion(image.gaps)
    return known
  }

  private func image(
    of fields: Object, unset: [String] = [], parts: Object = Object(), isRequest: Bool = false
  ) -> JournalImage {
    var image = JournalImage()
    if blanking.isPlain(fields, isRequest: isRequest), secret.isDisjoint(with: fields.names) {
      image.fields = fields
    } else {
      for (name, value) in fields.members {
        if let kept = kept(name, value, of: name, &image) { image.fields[name] = kept }
      }
    }
    for (path, value) in parts.members {
      // A gap covers the whole field, so that the rest of it is unknown.
      if secret.contains(FieldPath(path).field) {
        image.gaps.append(FieldPath(path).field)
      } else if let kept = kept(path, value, of: FieldPath(path).field, &image) {
        image.parts[path] = kept
      }
    }
    image.cleared = unset
    return image
  }

  /// The value to keep under a name or path; nil if it has a secret, which makes its field a gap.
  private func kept(_ name: String, _ value: Value, of field: String, _ image: inout JournalImage) -> Value? {
    if !secret.contains(name), blanking.isPlain(Object([(name, value)])) { return value }
    image.gaps.append(field)
    return nil
  }
}
