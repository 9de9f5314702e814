import BackendClient
import BackendKit
import ServiceDescription

/// Combines the facts about a service's resources into a description, in which common facts occur once.
struct Proposal {
  private let surveys: [ResourceSurvey]
  private let base: String
  /// The document of the service and its version; nil without a document or a version.
  private let document: (place: String, version: String)?
  /// The resources that only the document describes.
  private let outline: DocumentOutline?

  init(
    _ surveys: [ResourceSurvey], base: String, document: (place: String, version: String)? = nil,
    outline: DocumentOutline? = nil
  ) {
    self.surveys = surveys.filter { $0.shape != nil }
    (self.base, self.document, self.outline) = (base, document, outline)
  }

  static func file(of description: Object) -> String {
    YAMLWriter.text(.object(description), listsOnOneLine: true) + "\n"
  }

  func survey(
    notes: [String], differences: [String], requests: Int, document: String?
  ) throws(BackendError) -> ServiceSurvey {
    guard !surveys.isEmpty || outline != nil else {
      throw BackendError(
        .badResponse, notes.first ?? "no list of records was found", effect: .rejected,
        hint: "try the address of a list, or name the resources: add ADDRESS --only NAME")
    }
    var description = description()
    let outlined = outline.map { DocumentedLine.file($0.resources) }
    if let outlined { description["documented"] = .object(outlined.section) }
    let file = Self.file(of: description)
    let defect = self.defect
    if defect != nil, surveys.count > 1 {
      // A resource whose description is invalid does not prevent the others from being added.
      let sound = surveys.filter { Proposal([$0], base: base).defect == nil }
      if !sound.isEmpty, sound.count < surveys.count {
        let lost = surveys.filter { survey in !sound.contains { $0 === survey } }.map { survey in
          "\(survey.name): left out: \(Proposal([survey], base: base).defect ?? "")"
        }
        return try Proposal(sound, base: base, document: self.document, outline: outline).survey(
          notes: notes + lost, differences: differences, requests: requests, document: document)
      }
    }
    var claims = surveys.flatMap(\.claims.list)
    if let document {
      claims.insert(
        SurveyClaim(
          resource: nil, fact: "document", value: .string(document), grade: .proved, evidence: "GET \(document) → 200"),
        at: 0)
    }
    var survey = ServiceSurvey(
      base: base, description: description, file: file, claims: claims, differences: differences, notes: notes,
      requests: requests, defect: defect)
    (survey.companion, survey.outlines) = (outlined?.bytes, outline?.resources.map(\.outline) ?? [])
    return survey
  }

  private var defect: String? {
    do throws(Mistakes) {
      _ = try Description(reading: Array(Self.file(of: description()).utf8), file: "the description").service()
      return nil
    } catch { return error.description }
  }

  func description() -> Object {
    var resources: [(name: String, sections: Object)] = surveys.map {
      ($0.name, ResourceFacts($0, base: base).sections)
    }
    var shared = Object()
    if let first = resources.first?.sections {
      for (name, section) in first.members
      where !["fields", "paths", "additionalFields", "owners", "operationsBelow"].contains(name) {
        guard resources.allSatisfy({ $0.sections[name] == section }) else { continue }
        shared[name] = section
        for place in resources.indices { resources[place].sections[name] = nil }
      }
    }
    var description = Object([("switchboard", 1)])
    if let document {
      description["source"] = .object(
        Evidence.source(
          "document", "GET \(document.place) → 200", date: surveys.first?.prober.date, version: document.version))
    }
    for (name, section) in shared.members { description[name] = section }
    description["resources"] = .object(Object(resources.map { ($0.name, .object($0.sections)) }))
    return description
  }
}
