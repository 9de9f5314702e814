import BackendClient
import BackendKit
import ServiceDescription

/// Finds the permitted writes without sending any, from the document and OPTIONS.
struct WriteProbe: Probe {
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    var collection: Set<String> = []
    var item: Set<String> = []
    var evidence = "the document"
    var source = SurveyClaim.Source.document
    if let documented = survey.documented {
      collection = Set(documented.collection.operations.keys)
      item = Set(documented.item?.operations.keys.map { $0 } ?? [])
    }
    let options = try await survey.prober.get(survey.target, method: "OPTIONS")
    if let answer = options, let allowed = Self.allowed(answer) {
      compare(collection, allowed, answer)
      // The document takes precedence: OPTIONS may describe the permissions of one user, or only reads.
      if collection.isEmpty {
        (evidence, source) = (answer.evidence("Allow"), .probe)
        collection = allowed
      }
      survey.recognize(options: answer)
      survey.options = FieldOptions.fields(in: answer.document)
    }
    try await readSchema()
    // If the list does not support OPTIONS, its records do not either.
    if let target = record, options.map({ Self.allowed($0) != nil || $0.isSuccess }) == true {
      if item.isEmpty, let answer = try await survey.prober.get(target, method: "OPTIONS"),
        let allowed = Self.allowed(answer)
      {
        item = allowed
        if collection.isEmpty { (evidence, source) = (answer.evidence("Allow"), .probe) }
      }
    }
    if collection.isEmpty, item.isEmpty, let methods = survey.dialect.writes {
      (collection, item) = methods
      (evidence, source) = ("usual for \(survey.dialect.preset)", .preset)
    }
    guard !collection.isEmpty || !item.isEmpty else {
      return survey.claims.leave([Key.create, Key.update, Key.delete], "neither a document nor OPTIONS shows it")
    }
    if collection.contains("POST") {
      survey.suppose(.createMethod, "POST", evidence, from: source)
      if survey.dialect.locates {
        survey.suppose(.createLocation, true, "usual for \(survey.dialect.preset)", from: .preset)
      }
    } else if !item.isDisjoint(with: ["POST", "PUT"]), !collection.isEmpty {
      survey.itemCreations = survey.hasChosenNames ? ["POST", "PUT"].filter(item.contains) : []
      survey.claims.leave(
        .create,
        item.contains("PUT") ? "PUT of a record may create one" : "POST to the path of a record may create one")
    } else if collection.isEmpty {
      survey.claims.leave(.create, "nothing indicates what the list accepts")
    } else if item.isEmpty, survey.hasChosenNames, !survey.claims.isDenied(.pathsItem) {
      // Records that cannot be created in the list may be created at their own paths.
      survey.itemCreations = ["POST", "PUT"]
      survey.claims.leave(.create, "nothing indicates what the path of a record accepts")
    } else {
      survey.suppose(.create, nil, evidence, from: source)
    }
    if survey.dialect.writesForms {
      survey.suppose(.createBody, "form", evidence, from: source)
      survey.suppose(.updateMethod, "POST", evidence, from: source)
      survey.suppose(.updateBody, "form", evidence, from: source)
    } else if item.contains("PATCH") || item.contains("PUT") {
      survey.suppose(.updateMethod, item.contains("PATCH") ? "PATCH" : "PUT", evidence, from: source)
    } else if survey.documented?.change?.method == "POST" {
      survey.suppose(.updateMethod, "POST", evidence, from: source)
    } else if item.isEmpty {
      leave(.update, collection, ["PUT", "PATCH"], evidence)
    } else {
      survey.suppose(.update, nil, evidence, from: source)
    }
    if survey.claims[.updateMethod] != nil, !survey.dialect.updatesAreAtomic {
      survey.suppose(.updateAtomic, false, "usual for \(survey.dialect.preset)", from: .preset)
    }
    if item.contains("DELETE") {
      survey.suppose(.deleteMethod, "DELETE", evidence, from: source)
    } else if item.isEmpty {
      leave(.delete, collection, ["DELETE"], evidence)
    } else {
      survey.suppose(.delete, nil, evidence, from: source)
    }
    takeBodies()
  }

  /// Reads the schema that the list links to, if nothing else describes its fields.
  private func readSchema() async throws(BackendError) {
    let relations = ["describedby", "http://www.w3.org/ns/hydra/core#apidocumentation"]
    guard survey.options == nil, survey.documented == nil,
      let path = relations.lazy.compactMap({ survey.first?.link($0) }).first.flatMap(Link.rootPath),
      let answer = try await survey.prober.get(ProbeTarget(path)), answer.isSuccess
    else { return }
    survey.options = FieldOptions.fields(in: answer.document, of: survey.rows.first?["@type"]?.text)
  }

  /// Takes from the document how the fields of bodies are written, where that differs from how they are read.
  private func takeBodies() {
    guard let documented = survey.documented, let bodies = survey.bodies, !survey.dialect.isJSONAPI,
      !survey.dialect.writesForms, survey.dialect.wrap == nil
    else { return }
    func suppose<Content>(_ key: Key<Content>, _ content: Content?) {
      if content != nil { survey.suppose(key, content, "the document", from: .document) }
    }
    let creates = survey.claims[.createMethod] != nil
    let method = survey.claims[.updateMethod]
    if creates { suppose(.createBody, documented.creation?.form) }
    if method != nil { suppose(.updateBody, documented.change?.operation.form) }
    if method == "PATCH" { suppose(.updatePatchFormat, documented.change?.operation.patchFormat) }
    // Fields within a member are written as they are read.
    if survey.fieldsAt == nil, let body = creates ? bodies.create : method == nil ? nil : bodies.change {
      let place = body.wrap ?? "$"
      if place != survey.claims[.recordsRecordPath] ?? "$" { suppose(.createWrap, place) }
      let change = creates && method != nil ? bodies.change : nil
      if let change, change.wrap != body.wrap { suppose(.updateWrap, change.wrap ?? "$") }
    }
    if creates, let name = survey.claims[.identifierMember] ?? survey.identifier?.field, let schemas = survey.schemas,
      bodies.create?.chooses(name, schemas) == true
    {
      suppose(.createIdentifier, "client")
    }
    let shown = survey.fields(of: survey.identifier?.record ?? survey.rows.first ?? Object())
    let dropped = method == "PUT" ? bodies.dropped(of: shown) : []
    suppose(.updateDrop, dropped.isEmpty ? nil : dropped)
  }

  /// Leaves a write of single records untested, or denies it if neither a path nor the list accepts it.
  private func leave(_ key: Key<Object>, _ collection: Set<String>, _ methods: [String], _ evidence: String) {
    guard !collection.isEmpty, survey.claims.isDenied(.pathsItem), !methods.contains(where: collection.contains)
    else {
      return survey.claims.leave(key, "neither a document nor OPTIONS shows it")
    }
    survey.suppose(key, nil, "\(evidence); no path leads to a single record")
  }

  private var record: ProbeTarget? {
    guard let identifier = survey.identifier, let id = RecordID(identifier.value(of: identifier.record)) else {
      return survey.linked
    }
    return identifier.target(id)
  }

  private static func allowed(_ answer: ProbeResponse) -> Set<String>? {
    // Access-Control-Allow-Methods concerns cross-origin requests of browsers. If OPTIONS itself is refused, Allow has
    // to list the permitted methods.
    guard let text = answer.header("Allow"), answer.status < 400 || answer.status == 405 else { return nil }
    return Set(text.uppercased().split(separator: ",").map { String($0.filter { $0 != " " }) })
  }

  private func compare(_ documented: Set<String>, _ allowed: Set<String>, _ answer: ProbeResponse) {
    guard !documented.isEmpty else { return }
    for method in documented.subtracting(allowed).sorted() {
      survey.differ("the document has \(method) \(survey.target.shape); OPTIONS does not name it")
    }
  }
}
