import BackendKit

/// English plurals, which name collections.
public enum Plural {
  private static let irregular = ["person": "people", "child": "children", "man": "men", "woman": "women"]

  /// The names of collections that a field such as `userId`, without its ending, may refer to: the likeliest first.
  public static func forms(of noun: String) -> [String] {
    var forms = [irregular[noun]].compactMap(\.self)
    if noun.hasSuffix("y"), let before = noun.dropLast().last, !"aeiou".contains(before) {
      forms.append(noun.dropLast() + "ies")
    }
    let hisses = ["s", "x", "ch", "sh"].contains { noun.hasSuffix($0) }
    return forms + (hisses ? [noun + "es", noun + "s"] : [noun + "s", noun + "es"])
  }
}

/// The resources that fields refer to, by description or by name.
struct ReferenceFields: Sendable {
  /// The resource that each described field refers to.
  let described: [String: String]
  /// The ending of the names of fields that refer to a resource, after its singular: `Id`.
  let suffix: String
  /// The names of the resources that have lists.
  let resources: Set<String>

  /// The fields of a resource. `declared` are those whose named records take these along when deleted.
  init(
    of resource: ResourceDescription, declared: [(String, String)], suffix: String, resources: Set<String>
  ) {
    let references = resource.fields.compactMap { field -> (String, String)? in
      guard let reference = field.reference, reference.key == nil else { return nil }
      return (field.name, reference.resource)
    }
    described = Dictionary(references + declared) { first, _ in first }
    self.suffix = suffix
    self.resources = resources
  }

  /// The resource that a field refers to; nil if the field is not a reference.
  func resource(of field: String) -> String? {
    if let resource = described[field] { return resource }
    guard field.hasSuffix(suffix), field.utf8.count > suffix.utf8.count else { return nil }
    return Plural.forms(of: String(field.dropLast(suffix.count))).first { resources.contains($0) }
  }
}

/// The records of a service with their references, from which follows what deletions take along if the service deletes,
/// with each record, all others whose reference does not exist.
struct ReferenceMap: Sendable {
  struct Key: Hashable, Sendable {
    let resource: String
    let id: RecordID
  }

  /// A record and what it refers to.
  struct Row: Sendable {
    let resource: String
    let key: Key?
    /// The records it refers to; an identifier is nil if the value cannot be one.
    let names: [(resource: String, id: RecordID?)]
    /// True if a referring field was not loaded.
    let isPartial: Bool

    init(_ record: Record, of resource: String, _ fields: ReferenceFields) {
      self.resource = resource
      key = record.id.map { Key(resource: resource, id: $0) }
      names = record.fields.names.flatMap { field -> [(resource: String, id: RecordID?)] in
        guard let target = fields.resource(of: field) else { return [] }
        let relation = Relation(FieldPath(field), RecordReference(to: target))
        return relation.names(in: record).map { (target, $0) }
      }
      isPartial = record.unloaded.contains { fields.resource(of: $0) != nil }
    }
  }

  /// Numbers of records of a resource that are deleted along.
  struct Count: Sendable {
    /// Those that name a deleted record.
    var dependents = 0
    /// Those whose reference did not exist before, or no longer exists since an earlier one of the deletions.
    var orphans = 0
  }

  private var rows: [Row] = []
  private var places: [Key: Int] = [:]
  private var referrers: [Key: [Int]] = [:]
  /// The records that refer to one that does not exist.
  private var orphans: [Int] = []

  /// A map of records. References to absent resources are ignored.
  init(_ rows: [Row], absent: Set<String>) {
    for row in rows {
      if let key = row.key { places[key] = self.rows.count }
      for name in row.names where !absent.contains(name.resource) {
        guard let id = name.id else { continue }
        referrers[Key(resource: name.resource, id: id), default: []].append(self.rows.count)
      }
      self.rows.append(row)
    }
    orphans = self.rows.indices.filter { index in
      self.rows[index].names.contains { name in
        guard !absent.contains(name.resource) else { return false }
        return name.id.map { places[Key(resource: name.resource, id: $0)] == nil } ?? true
      }
    }
  }

  /// Returns the number of records, by resource, that are deleted along when records are deleted one after another.
  /// Each deletion takes along the records that refer to the deleted one, and those that earlier deletions orphaned.
  func along(with ids: [RecordID], of resource: String) -> [String: Count] {
    let deleted = Set(ids.map { Key(resource: resource, id: $0) })
    var gone: Set<Int> = []
    var counts: [String: Count] = [:]
    var next = orphans
    for id in ids {
      let key = Key(resource: resource, id: id)
      if let place = places[key] { gone.insert(place) }
      let removed = next + (referrers[key] ?? [])
      next = []
      for place in removed where gone.insert(place).inserted {
        let row = rows[place]
        if let key = row.key { next += referrers[key] ?? [] }
        if let key = row.key, deleted.contains(key) { continue }
        let isDependent = row.names.contains { name in
          name.id.map { deleted.contains(Key(resource: name.resource, id: $0)) } ?? false
        }
        if isDependent {
          counts[row.resource, default: Count()].dependents += 1
        } else {
          counts[row.resource, default: Count()].orphans += 1
        }
      }
    }
    return counts
  }
}
