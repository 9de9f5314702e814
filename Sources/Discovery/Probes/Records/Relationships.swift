import BackendClient
import BackendKit
import ServiceDescription

/// Resolves the relationships of JSON:API records to resources.
enum Relationships {
  /// Adds each relationship as a field that refers to the resource with records of its type.
  static func claim(_ surveys: [ResourceSurvey]) {
    let types = surveys.compactMap { survey in survey.recordType.map { ($0, survey.name) } }
    let resources = Dictionary(types, uniquingKeysWith: { first, _ in first })
    for survey in surveys where survey.dialect.isJSONAPI {
      let rows = survey.rows.prefix(FieldsProbe.mostRows)
      var seen: Set<String> = []
      let names = rows.flatMap { $0["relationships"]?.object?.names ?? [] }.filter { seen.insert($0).inserted }
      for name in names.prefix(FieldsProbe.mostFields) where survey.claims[field: name] == nil {
        let linked = rows.compactMap { $0["relationships"]?.object?[name]?.object?["data"] }
        let found = Set(linked.flatMap { $0.array ?? [$0] }.compactMap { $0.object?["type"]?.text })
        guard found.count == 1, let type = found.first, let resource = resources[type] else { continue }
        let isList = linked.contains { $0.array != nil }
        let evidence = "\(counted(linked.count, "record")) seen, with relationships to records of \(resource)"
        survey.claims.claim(field: name, .fieldType, isList ? "list" : "text", evidence, .likely)
        survey.claims.claim(field: name, .fieldReference, resource, evidence, .likely)
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
