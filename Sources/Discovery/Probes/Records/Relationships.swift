import BackendClient
import BackendKit
import ServiceDescription

/// The relationships of JSON:API records, each to records of one type.
enum Relationships {
  struct Link {
    let name: String
    /// The type of the records that it leads to.
    let type: String
    /// The `data` of each record: an object with type and identifier, a list of these, or null.
    let values: [Value]

    var isList: Bool { values.contains { $0.array != nil } }
    /// The identifier of a record that it leads to.
    var sample: Value? { values.lazy.compactMap { ($0.array?.first ?? $0).object?["id"] }.first }
  }

  static func links(of survey: ResourceSurvey) -> [Link] {
    guard survey.dialect.isJSONAPI else { return [] }
    let rows = survey.rows.prefix(FieldsProbe.mostRows)
    let names = rows.flatMap { $0["relationships"]?.object?.names ?? [] }.unique
    return names.prefix(FieldsProbe.mostFields).compactMap { name in
      let values = rows.compactMap { $0["relationships"]?.object?[name]?.object?["data"] }
      let types = Set(values.flatMap { $0.array ?? [$0] }.compactMap { $0.object?["type"]?.text })
      guard types.count == 1, let type = types.first else { return nil }
      return Link(name: name, type: type, values: values)
    }
  }

  /// Adds each relationship as a field that refers to the resource with records of its type.
  static func claim(_ surveys: [ResourceSurvey]) {
    let types = surveys.compactMap { survey in survey.recordType.map { ($0, survey.name) } }
    let resources = Dictionary(types, uniquingKeysWith: { first, _ in first })
    for survey in surveys {
      for link in links(of: survey) where survey.claims[field: link.name] == nil {
        guard let resource = resources[link.type] else { continue }
        let evidence = "\(counted(link.values.count, "record")) seen, with relationships to records of \(resource)"
        survey.claims.claim(field: link.name, .fieldType, link.isList ? "list" : "text", evidence, .likely)
        survey.claims.claim(field: link.name, .fieldReference, resource, evidence, .likely)
      }
    }
  }
}

extension ResourceSurvey {
  /// The JSON:API type of the records; nil if none was seen.
  var recordType: String? {
    dialect.isJSONAPI ? (identifier?.record ?? rows.first)?["type"]?.text : nil
  }
}
