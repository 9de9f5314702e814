import BackendClient
import BackendKit
import ServiceDescription

/// Reads the list without parameters: the place of the records and the dialect.
struct ListProbe: Probe {
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    let prober = survey.prober
    guard var answer = try await prober.getInAnyType(survey.target) else {
      return survey.note("no response to GET \(survey.target.shown)" + (prober.problem.map { ": \($0)" } ?? ""))
    }
    if answer.isPage, survey.nested == nil, let list = try await prober.getList(of: survey.collection) {
      (survey.collection, answer) = (list.path, list.answer)
    }
    follow(answer)
    guard answer.isSuccess else {
      if AccessRefusal.isShown(by: answer) { survey.refused = answer }
      return survey.note("\(answer.evidence())")
    }
    survey.first = answer
    guard let shape = try await self.shape(answer) else {
      let reason =
        answer.isCut
        ? "it is cut off, is longer than 2 MiB, or took longer than 10 s"
        : answer.isPage ? "a web page" : "no list of records in it"
      return survey.note("\(answer.evidence(reason))")
    }
    survey.shape = shape
    survey.rows = shape.rows
    survey.recognize(answer)
    try await recognizeAsked(answer)
    let place = shape.path.isEmpty ? "$" : shape.path.joined(separator: ".")
    survey.claims.add(
      .recordsListPath, .string(place), shape.rows.isEmpty ? .likely : .proved,
      answer.evidence(counted(shape.rows.count, "record")))
    if shape.isTable {
      survey.prove(.recordsLayout, "table", answer.evidence("columns next to the rows"))
    }
    if let field = shape.valueField {
      survey.prove(.recordsValueField, field, answer.evidence("plain texts"))
    }
    if let field = shape.keyField {
      let evidence = shape.holdsKeys ? "each key is the \(field) of its record" : "records are read by their keys"
      survey.prove(.recordsLayout, "map", answer.evidence(evidence))
    }
    findFields(answer)
    if let documented = survey.documented, let schemas = survey.schemas,
      let said = schemas.records(in: documented.collection.operations["GET"]?.response), said.path != shape.path
    {
      let said = said.path.isEmpty ? "the document itself" : said.path.joined(separator: ".")
      survey.claims.add(.documentedList, said, .contradicted, answer.evidence("it is at \(place)"))
      survey.differ("the document says that the list is at \(said); the service sends it at \(place)")
    }
  }

  /// Adopts a redirection that only adds a slash to the path, because writes are not redirected.
  private func follow(_ answer: ProbeResponse) {
    guard let other = answer.redirectedTo, survey.nested == nil else { return }
    guard answer.isSlashed else {
      return survey.note("reads of \(survey.target.shown) are redirected to \(SurveyText.cut(other)); writes are not")
    }
    let path = survey.collection.prefix { $0 != "?" }
    survey.collection = path + "/" + survey.collection.dropFirst(path.count)
  }

  /// The list or map in a response. An object counts as a map if its records contain their keys, or two of them can be
  /// read by their keys; otherwise it is a single record with parts.
  private func shape(_ answer: ProbeResponse) async throws(BackendError) -> ListShape? {
    guard IndexShape(answer.document) == nil else { return nil }
    let list = ListShape(answer.document, resource: survey.name)
    guard survey.nested == nil, let map = ListShape(mapIn: answer.document, resource: survey.name),
      list.map(map.holds) ?? true
    else { return list }
    if map.holdsKeys { return map }
    guard let field = map.keyField else { return list }
    let path = Candidates.plain(survey.collection) + "/{id}"
    for row in map.rows.suffix(2) {
      guard let id = RecordID(row[field]),
        let one = try await survey.prober.get(IdentifierProbe.Found.target(id, path)), one.isSuccess,
        IdentifierProbe.unnamed(in: one.document, like: row, without: field) != nil
      else { return list }
    }
    return map
  }

  /// Directus is only recognized if asked for its counts.
  private func recognizeAsked(_ answer: ProbeResponse) async throws(BackendError) {
    guard survey.dialect.isPlain, answer.document?.object?.names == ["data"],
      survey.collection.split(separator: "/").dropLast().last == "items",
      let asked = try await survey.prober.get(survey.target.with("meta", "*"))
    else { return }
    survey.recognize(asked)
  }

  /// Finds the member of each record that contains its fields, if there is one.
  private func findFields(_ answer: ProbeResponse) {
    guard !survey.dialect.isJSONAPI, let first = survey.rows.first else { return }
    let member = ["attributes", "fields", "properties"].first { name in
      survey.rows.allSatisfy { row in
        row[name]?.object?.isEmpty == false && row.count <= 5 && row.count < (row[name]?.object?.count ?? 0) + 3
      }
    }
    guard let member else { return }
    survey.fieldsAt = member
    survey.kept = first.members.filter { $0.0 != member && $0.1.object == nil && $0.1.array == nil }.map(\.0)
    // It may just as well be a field with an object.
    survey.suppose(.recordsFieldsPath, member, answer.evidence("an object in every record"))
  }
}
