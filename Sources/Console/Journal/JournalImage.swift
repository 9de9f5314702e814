import BackendClient
import BackendKit
import ConsoleSetup

/// The journal's copy of a record, or of the values sent for one: values, and gaps in place of secrets.
struct JournalImage: Sendable, Hashable {
  /// The fields with their values.
  var fields = Object()
  /// The fields that are cleared.
  var cleared: [String] = []
  /// The fields of which a part was sent, each by its path, with its value; null where the part is removed.
  var parts = Object()
  /// The fields whose values are secrets, of which nothing is kept.
  var gaps: [String] = []
  /// The fields that were not loaded.
  var unloaded: [String] = []
  /// True if a missing field may have a value all the same.
  var isPartial = false
  /// The revision, where one is known.
  var revision: String?
  /// The records that the server deletes with this one, by resource, of which an empty name stands for orphans of any; null where it
  /// does not tell how many.
  var along = Object()

  /// The most bytes of an image; of a larger one nothing is kept but the names of its fields.
  static let limit = 16 << 20

  /// The known value of a field.
  enum KnownValue: Sendable, Hashable {
    case value(Value)
    case absent
    case unknown(String)
  }

  /// Returns the known value of a field of the record.
  func value(of field: String) -> KnownValue {
    if let value = fields[field] { return .value(value) }
    if gaps.contains(field) { return .unknown("secret") }
    if unloaded.contains(field) || isPartial { return .unknown("not read") }
    return .absent
  }

  /// The known fields of the record.
  var known: KnownFields {
    KnownFields(fields, unknown: Set(gaps + unloaded), isPartial: isPartial, revision: revision)
  }

  /// The values sent, as far as they are kept.
  var wanted: WantedFields {
    WantedFields(Object(fields.members + cleared.map { ($0, Value.null) }), parts: parts)
  }

  /// True if a file is among the values.
  var hasFile: Bool { fields.members.contains { UploadedFile.facts(in: $0.1) != nil } }

  /// The fields that were sent, by their names, those with parts among them.
  var sentNames: [String] {
    var names: [String] = []
    for name in fields.names + cleared + gaps + parts.names.map({ FieldPath($0).field }) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

extension JournalImage {
  /// The image as it is kept: as an object.
  var object: Object {
    func list(_ names: [String]) -> Value? { names.isEmpty ? nil : .array(names.map { .string($0) }) }
    return Object(facts: [
      ("fields", fields), ("cleared", list(cleared)), ("parts", parts.isEmpty ? nil : parts), ("gaps", list(gaps)),
      ("unloaded", list(unloaded)), ("partial", isPartial ? true : nil), ("revision", revision),
      ("along", along.isEmpty ? nil : along),
    ])
  }

  /// The image as it is kept: as a text.
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

  /// The image in a text; nil where it is none.
  init?(text: String) {
    guard let object = (try? JSONReader.read(text))?.object else { return nil }
    self.init(object)
  }

  /// The image in an object.
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

  /// The image as it is shown: `[blanked]` where there is a gap.
  var shown: Value {
    var shown = fields
    for name in gaps { shown[name] = .string(Blanking.mark) }
    for (path, value) in parts.members { shown[path] = value }
    for name in cleared { shown[name] = .null }
    return .object(shown)
  }
}

/// Makes images of records and writes: the one place that decides what is left out of them.
struct JournalImages: Sendable {
  let blanking: Blanking
  /// The fields that are secret by their description, whole or in part.
  let secret: Set<String>
  /// The described fields, which come first in the image of a record.
  private let names: [String]

  init(_ blanking: Blanking, _ fields: [FieldDescription]) {
    self.blanking = blanking
    names = fields.map(\.name)
    secret = Set(fields.filter(\.holdsSecret).map(\.name))
  }

  /// A record as a whole, or, with `isPartial`, what of it is certain.
  func image(_ record: Record, isPartial: Bool = false) -> JournalImage {
    let known = KnownFields(record)
    var image = image(of: known.fields.ordered(by: names))
    image.unloaded = record.unloaded + record.listed
    image.isPartial = isPartial
    image.revision = record.revision.map(blanking.text)
    return image
  }

  /// Returns an image of the values to be sent. A value under a secret name is a secret wherever else it occurs.
  func image(sending fields: Object, unset: [String] = [], parts: Object = Object()) -> JournalImage {
    if !parts.isEmpty { _ = blanking.isPlain(parts, isRequest: true) }
    return image(of: fields, unset: unset, parts: parts, isRequest: true)
  }

  /// Returns the known fields of a record, without its secrets.
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
      // A gap is one of the whole field: what is left of it is not known.
      if secret.contains(FieldPath(path).field) {
        image.gaps.append(FieldPath(path).field)
      } else if let kept = kept(path, value, of: FieldPath(path).field, &image) {
        image.parts[path] = kept
      }
    }
    image.cleared = unset
    return image
  }

  /// The value under a name, or a path, as it is kept; nil where it holds a secret: its field is a gap then.
  private func kept(_ name: String, _ value: Value, of field: String, _ image: inout JournalImage) -> Value? {
    if !secret.contains(name), blanking.isPlain(Object([(name, value)])) { return value }
    image.gaps.append(field)
    return nil
  }
}
