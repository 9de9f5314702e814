import BackendClient
import BackendKit
import ServiceDescription

/// A resource that only a document described, with what a survey has proved of it. What was not proved stays as the
/// document has it, and likely.
struct ProvedOutline {
  /// A description with this resource alone.
  let description: Object

  /// Nil of a resource that the description itself has. Throws if its list was not read.
  init?(
    of name: String, in source: DescriptionSource?, _ surveys: [ResourceSurvey], below base: String
  ) throws(BackendError) {
    guard let outlined = try source.map(Changes.description)?.documented(name) else { return nil }
    guard let survey = surveys.first(where: { $0.name == name && $0.shape != nil }) else {
      throw BackendError(
        .badResponse, surveys.flatMap(\.notes).first ?? "no list of records was found", effect: .rejected,
        hint: "\(name) stays as the document describes it")
    }
    let claims = survey.claims
    let found = ResourceFacts(survey, base: base).sections
    var (sections, likely) = (found, [String]())
    func keep(_ names: String...) {
      for name in names {
        sections[name] = outlined[name]
        guard let section = outlined[name]?.object else { continue }
        likely.append(name)
        survey.suppose(Key<Object>(name), section, "as the document has it", from: .document)
      }
    }
    let isPaged = claims.isProved(.pageStyle) || claims.isContradicted(.pageStyle) || claims.isProved(.total)
    if !isPaged, outlined["page"]?.object != nil { keep("page", "size", "end", "total") }
    // Without the document, a survey knows of no write.
    if survey.documented == nil { keep("create", "update", "delete") }
    if survey.documented == nil || found["fields"] == nil { keep("fields") }
    let isBelow = outlined["owners"] != nil
    if isBelow || survey.identifier == nil {
      // Its path depends on the records that own it.
      survey.claims.withdraw(.pathsItem)
      sections["paths"] = outlined["paths"]
      var general = found["base"]?.object ?? Object()
      general["suffix"] = outlined["base"]?.object?["suffix"]
      sections["base"] = general.isEmpty ? nil : Value.object(general)
    }
    let isOfParts = outlined["identifier"]?.object?[Key.identifierFields.name] != nil
    if survey.identifier == nil || isBelow && isOfParts { sections["identifier"] = outlined["identifier"] }
    for name in ["owners", Key.operationsBelow.name] { sections[name] = outlined[name] }
    if !likely.isEmpty { sections[.likely] = likely }
    description = Object([
      ("switchboard", 1), ("resources", .object(Object([(name, .object(sections))]))),
    ])
  }
}
