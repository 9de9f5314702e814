public import BackendKit

/// The fields of a record as far as they are known.
public struct KnownFields: Sendable {
  /// The values that are known.
  public var fields: Object
  /// Fields that may have an unknown value.
  public var unknown: Set<String>
  /// True if other fields may have unknown values, too.
  public var isPartial: Bool
  /// The revision, if it is known.
  public var revision: String?

  /// Known fields.
  public init(_ fields: Object, unknown: Set<String> = [], isPartial: Bool = false, revision: String? = nil) {
    self.fields = fields
    self.unknown = unknown
    self.isPartial = isPartial
    self.revision = revision
  }

  /// The fields of a record as it was read, without those that only lists show.
  public init(_ record: Record) {
    var fields = record.fields
    for name in record.listed { fields[name] = nil }
    self.init(fields, unknown: Set(record.unloaded + record.listed), revision: record.revision)
  }

  func knows(_ name: String) -> Bool {
    fields[name] != nil || !isPartial && !unknown.contains(name)
  }
}

/// The differences between two versions of a record, and the values that a write was to set: the explanation of a
/// conflict.
public struct RecordDifference: Sendable {
  /// The fields whose values differ, in the order of the records. Fields that one of the versions lacks are not
  /// compared.
  public let changed: [String]
  private let (was, now): (KnownFields, KnownFields)
  private let wanted: Object
  private let names: [String]
  private let resource: ResourceDescription

  /// The difference between a record before and now, with the values that a write was to set.
  public init(_ was: KnownFields, _ now: KnownFields, under write: Write, of resource: ResourceDescription) {
    if case .update = write { wanted = WantedFields(write).values } else { wanted = Object() }
    names = Object((was.fields.names + now.fields.names + wanted.names).map { ($0, Value.null) }).names
    // One of the versions may be a row of a list.
    changed = names.filter { name in
      let field = resource.field(named: name)
      let (old, new) = (was.fields[name]?.fitted(to: field), now.fields[name]?.fitted(to: field))
      return was.knows(name) && now.knows(name) && !resource.isSame(old, new, in: name)
    }
    self.was = was
    self.now = now
    self.resource = resource
  }

  /// Returns the old, current and requested value of each field that differs; if only the revision changed, its old and
  /// current value. Empty if nothing differs. With `isWhole`, includes the fields that only the write was to change.
  public func messages(isWhole: Bool = false) -> [FieldMessage] {
    if changed.isEmpty, let old = was.revision, let new = now.revision, old != new, !(isWhole && !wanted.isEmpty) {
      return [FieldMessage("revision", "was \(old), is now \(new)")]
    }
    return names.compactMap { name in
      if changed.contains(name) { return message(name, ["was \(shown(was, name))", "is now \(shown(now, name))"]) }
      return isWhole && wanted[name] != nil ? message(name, ["is \(shown(now, name))"]) : nil
    }
  }

  private func message(_ name: String, _ words: [String]) -> FieldMessage {
    let wanted = wanted[name].map { ["was to be \(shown($0, name))"] } ?? []
    return FieldMessage(name, (words + wanted).joined(separator: ", "))
  }

  private func shown(_ known: KnownFields, _ name: String) -> String { shown(known.fields[name], name) }

  private func shown(_ value: Value?, _ name: String) -> String {
    if resource.field(named: name)?.holdsSecret == true { return "…" }
    return value.map { BackendError.quoted(JSONWriter.compact($0)) ?? "" } ?? "absent"
  }
}
