import BackendClient
import BackendKit
import ServiceDescription

/// Several fields that identify a record together, each a segment of its path: `/queues/{vhost}/{name}`.
struct NameParts {
  let fields: [String]

  init(_ fields: [String]) { self.fields = fields }

  private var rule: IdentifierRule {
    var rule = IdentifierRule(field: nil, form: .text)
    rule.parts = fields
    return rule
  }

  /// The identifier of a record, joined as in a description; nil if one of the fields has no value.
  func id(of row: Object) -> RecordID? {
    let values = fields.compactMap { RecordID(row[$0])?.text }
    return values.count == fields.count ? rule.identifier(joining: values) : nil
  }

  func target(_ id: RecordID, _ template: String) -> ProbeTarget {
    let path = (rule.values(of: id) ?? []).reduce(template) { path, part in
      path.replacing(text: "{\(part.field)}", with: PercentEncoding.encode(part.text))
    }
    return ProbeTarget(path, shownAs: template)
  }

  func replacingLast(of id: RecordID, with text: String) -> RecordID? {
    let values = (rule.values(of: id) ?? []).dropLast().map(\.text)
    return rule.identifier(joining: values + [text])
  }
}

extension IdentifierProbe {
  /// Names of fields that refer to a container.
  private static let holders = [
    "vhost", "namespace", "project", "tenant", "organization", "org", "owner", "group", "database", "schema", "realm",
    "region", "zone", "domain", "site", "bucket", "account", "workspace", "cluster",
  ]
  private static let mostHolders = 3

  /// Tries a field for the container of a record together with one for its name; false if no path leads to the record.
  func findParts(_ rows: [Object]) async throws(BackendError) -> Bool {
    guard survey.nested == nil, survey.documented?.item == nil, let row = rows.last,
      let name = Self.names.first(where: { name in rows.allSatisfy { RecordID($0[name]) != nil } })
    else { return false }
    let (path, ending) = folder
    for holder in holders(row, rows).filter({ $0 != name }).prefix(Self.mostHolders) {
      let parts = NameParts([holder, name])
      let identifiers = rows.compactMap(parts.id)
      guard identifiers.count == rows.count, Set(identifiers).count == rows.count, let id = parts.id(of: row) else {
        continue
      }
      let template = "\(path)/{\(holder)}/{\(name)}\(ending)"
      guard let answer = try await survey.prober.get(parts.target(id, template)), answer.isSuccess,
        let (place, record) = Self.record(in: answer.document, like: row, where: { parts.id(of: $0) == id })
      else { continue }
      survey.identifier = Found(
        field: "", parts: parts.fields, template: template, oneAt: place, record: record, answer: answer)
      let isRecord = Self.shows(record, row, besides: parts.fields)
      let grade: SurveyClaim.Grade = isRecord ? .proved : .likely
      let evidence = answer.evidence(isRecord ? "the same record" : "its identifier, without its other fields")
      survey.claims.add(.identifierFields, parts.fields, grade, evidence)
      survey.claims.add(.pathsItem, template, grade, evidence)
      survey.claims.add(.recordsRecordPath, place.isEmpty ? "$" : place.joined(separator: "."), grade, evidence)
      return true
    }
    return false
  }

  /// Tries the name among the facts about a record, as in Kubernetes; false if no path leads to the record.
  func findMember(_ rows: [Object], _ row: Object) async throws(BackendError) -> Bool {
    let steps = ["metadata", "name"]
    func id(_ row: Object) -> RecordID? { RecordID(ListShape.value(.object(row), at: steps)) }
    let identifiers = rows.compactMap(id)
    guard survey.nested == nil, identifiers.count == rows.count, Set(identifiers).count == rows.count,
      let wanted = id(row)
    else { return false }
    for template in templates() {
      guard let answer = try await survey.prober.get(Found.target(wanted, template)), answer.isSuccess,
        let (place, record) = Self.record(in: answer.document, like: row, where: { id($0) == wanted })
      else { continue }
      survey.identifier = Found(
        field: "", link: steps, template: template, oneAt: place, record: record, answer: answer)
      let evidence = answer.evidence("the same record")
      survey.prove(.identifierMember, steps.joined(separator: "."), evidence)
      survey.prove(.pathsItem, template, evidence)
      survey.prove(.recordsRecordPath, place.isEmpty ? "$" : place.joined(separator: "."), evidence)
      return true
    }
    return false
  }

  /// The fields that may refer to a container: those named like another resource, then those with a usual name.
  private func holders(_ row: Object, _ rows: [Object]) -> [String] {
    let names = row.names.filter { name in
      rows.allSatisfy { row in RecordID(row[name]).map { $0.text.utf8.count <= 60 } == true }
    }
    func isResource(_ name: String) -> Bool {
      Plural.forms(of: name.lowercased()).contains { survey.siblings.contains($0) }
    }
    return names.filter(isResource) + Self.holders.filter { names.contains($0) && !isResource($0) }
  }
}
