import BackendClient
import BackendKit
import ServiceDescription

extension Surveyor {
  /// Surveys a list below records. Returns nil if it shows records of another resource, which then gets an owner.
  func survey(
    _ nested: NestedCandidate, beside surveys: [ResourceSurvey], _ prober: Prober, _ schemas: SchemaReader?
  ) async throws(BackendError) -> ResourceSurvey? {
    guard let owner = surveys.first(where: { $0.name == nested.owner }), owner.identifier != nil else { return nil }
    var nested = nested
    var other: String?
    if let known = surveys.first(where: { $0.name == nested.same && $0.shape != nil }) {
      let likeness = NestedLikeness(nested: nested, owner: owner, known: known, prober: prober)
      guard try await likeness.isOther() else {
        try await NestedProbe(nested: nested, owner: owner, prober: prober).relate(known)
        return nil
      }
      // The paths of single records belong to the other resource.
      nested.item = nil
      other = known.name
    }
    let probe = NestedProbe(nested: nested, owner: owner, prober: prober)
    guard let survey = try await probe.survey(schemas) else { return nil }
    if let other { survey.notes.append("\(nested.name): GET \(nested.shape) returns different records from \(other)") }
    survey.namePath(of: nested)
    return survey
  }
}

/// Compares the records of a nested list with those of the resource that they may belong to.
struct NestedLikeness {
  /// The maximum number of owners whose lists are read, and of records compared for each.
  private static let most = 3
  let nested: NestedCandidate
  let owner: ResourceSurvey
  let known: ResourceSurvey
  let prober: Prober

  /// Returns whether the list has records that the resource lacks; equal identifiers do not prove otherwise.
  func isOther() async throws(BackendError) -> Bool {
    for row in owner.rows.prefix(Self.most) {
      guard let id = RecordID(owner.key(row)) else { continue }
      guard let answer = try await prober.get(nested.target(below: id)), answer.isSuccess,
        let rows = ListShape(answer.document, resource: nested.name)?.rows, !rows.isEmpty
      else { continue }
      for row in rows.prefix(Self.most) {
        guard try await isKnown(row) else { return true }
      }
      return false
    }
    return false
  }

  private func isKnown(_ row: Object) async throws(BackendError) -> Bool {
    let key = known.key(row)
    if let other = known.rows.first(where: { known.key($0).isSame(as: key) }) { return isAlike(row, other) }
    guard let identifier = known.identifier, let id = RecordID(identifier.value(of: row)),
      let record = try await identifier.read(id, prober)
    else { return false }
    return isAlike(row, record)
  }

  /// Returns whether the scalar fields that both records have are equal, and are most of their fields.
  private func isAlike(_ row: Object, _ other: Object) -> Bool {
    let (row, other) = (scalars(row), scalars(other))
    let common = row.members.filter { name, _ in other[name] != nil }
    return !common.isEmpty && common.count * 2 >= min(row.count, other.count)
      && common.allSatisfy { name, value in other[name]?.isSame(as: value) == true }
  }

  private func scalars(_ row: Object) -> Object {
    Object(
      known.fields(of: row).members.filter { name, value in
        name != known.identifier?.field && value.object == nil && value.array == nil
      })
  }
}

extension ResourceSurvey {
  /// Adds the last segment of the path if it differs from the name.
  fileprivate func namePath(of nested: NestedCandidate) {
    let key = Key.owner(nested.owner)
    guard let last = Candidates.last(nested.shape).map({ Candidates.bare($0) }), last != name,
      let claim = claims.claim(key), var facts = claim.value.object
    else { return }
    facts["path"] = .string(last)
    claims.replace(key, facts, claim.grade, claim.evidence)
  }
}
