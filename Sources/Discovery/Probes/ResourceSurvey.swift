import BackendClient
import BackendKit
import ServiceDescription

/// The findings about one resource. Each probe sends the requests that it needs, and adds claims.
final class ResourceSurvey {
  let prober: Prober
  let name: String
  /// The path of the collection from the origin's root, encoded.
  var collection: String
  /// The path above those of the description.
  let base: String
  let documented: DocumentedResource?
  let schemas: SchemaReader?
  var dialect: Dialect
  var claims: Claims
  var differences: [String] = []
  var notes: [String] = []

  // State that the probes share.
  /// The response for the list without parameters.
  var first: ProbeResponse?
  var shape: ListShape?
  /// The answer that refused the list without the right credentials.
  var refused: ProbeResponse?
  /// The path to the records of the whole list, if it differs from that of a page.
  var wholePath: [String]?
  /// The member of each record that contains its fields, and fields beside it; nil if there is no such member.
  var fieldsAt: String?
  var kept: [String] = []
  /// All records found in lists.
  var rows: [Object] = []
  /// The whole list, if all of it was read.
  var whole: [Object]?
  /// The response that ended it.
  var last: ProbeResponse?
  /// The number of records in it: two, or the least that the document allows.
  var fewest = SizeProbe.few
  /// A response with few records of many.
  var few: ProbeResponse?
  var identifier: IdentifierProbe.Found?
  /// A single record that only its own address identifies.
  var linked: ProbeTarget?
  /// The parameter for the page size, if one works.
  var size: String?
  /// The response to a request for more records than a page may have, and their number.
  var most: (answer: ProbeResponse, asked: Int)?
  /// The proved number of records.
  var total: Int?
  /// The treatment of unknown parameters.
  var unknown: String?
  /// True if some probes were not reached.
  private(set) var isCut = false
  /// The condition for equality, if one works.
  var equality: Dialect.Filter?
  /// The further fields that it was tried on.
  var compared: Set<String> = []
  /// Conditions that found exactly the matching records of the whole list.
  var conditions: [FilterProbe.Condition] = []
  /// The fields of a new record according to OPTIONS.
  var options: Object?

  init(
    _ name: String, at collection: String, below base: String, _ prober: Prober, dialect: Dialect,
    documented: DocumentedResource?, schemas: SchemaReader?
  ) {
    self.name = name
    self.collection = collection
    self.base = base
    self.prober = prober
    self.dialect = dialect
    self.documented = documented
    self.schemas = schemas
    claims = Claims(name)
  }

  /// The nested list; nil for top-level resources.
  var nested: NestedCandidate?

  /// The list below a record of an owner that shows records of this list; nil if there is none.
  var below: (owner: String, list: ProbeTarget)?

  /// The methods that may create a record at its own path, if the list is known to refuse POST.
  var itemCreations: [String] = []

  /// True if people seem to choose the identifiers: texts in none of the forms that services generate.
  var hasChosenNames: Bool {
    guard let last = identifier?.fields.last, !rows.isEmpty else { return false }
    let patterns = IdentifierProbe.patterns.compactMap { TextPattern($0) }
    return rows.allSatisfy { row in
      guard let text = row[last]?.text else { return false }
      return Int(text) == nil && !patterns.contains { $0.isFound(in: text) == true }
    }
  }

  /// The names of all surveyed resources, in lowercase.
  var siblings: Set<String> = []

  /// The parameters that each request for the list has.
  var parameters: [(name: String, value: String)] = []

  var target: ProbeTarget {
    let plain = nested.map { ProbeTarget(collection, shownAs: $0.shape) } ?? ProbeTarget(collection)
    return parameters.reduce(plain) { $0.with($1.name, $1.value) }
  }

  /// Shows a shape without identifiers of records in place of a path, wherever the findings have that.
  func show(_ shape: String, for path: String) {
    func shown(_ text: String) -> String { text.replacing(text: Candidates.plain(path), with: Candidates.plain(shape)) }
    claims.rewordEvidence(shown)
    (notes, differences) = (notes.map(shown), differences.map(shown))
  }

  func run() async throws(BackendError) {
    try await ListProbe(self).run()
    guard shape != nil else { return }
    try await IdentifierProbe(self).run()
    try await UnknownProbe(self).run()
    try await SizeProbe(self).run()
    try await PageProbe(self).run()
    try await PairProbe(self).run()
    try await SizeProbe(self).runOnMost()
    try await SizeProbe(self).runOnDefault()
    try await EndProbe(self).run()
    try await RecordProbe(self).run()
    try await WholeProbe(self).run()
    try await AbsenceProbe(self).run()
    try await WriteProbe(self).run()
    let sort = SortProbe(self)
    var found = try await sort.run()
    try await FilterProbe(self).run()
    try await ProjectionProbe(self).run()
    if found == nil { found = try await sort.run(isLast: true) }
    if let found { try await sort.runOnOthers(found) }
    try await FilterProbe(self).runOnOthers()
    try await SearchProbe(self).run()
    FieldsProbe(self).run()
    if prober.isSpent { cut() }
    try await FilterProbe(self).runOnRest()
    try await ExactnessProbe(self).run()
  }

  private func cut() {
    isCut = true
    let reason = prober.spentReason
    notes.append("\(name): \(reason); facts marked untested were not checked")
    // The facts that every survey looks for.
    let facts: [any FactName] = [
      Key.identifierField, Key.sizeParameter, Key.pageStyle, Key.total, Key.unknown, Key.notFound, Key.sortParameter,
    ]
    claims.leave(facts, "not reached: \(reason)")
  }

  /// Adds a fact that the service has shown.
  func prove<Content>(_ key: Key<Content>, _ content: Content?, _ evidence: String) {
    claims.add(key, content, .proved, evidence)
  }

  /// Adds a fact that is only likely.
  func suppose<Content>(
    _ key: Key<Content>, _ content: Content?, _ evidence: String, from source: SurveyClaim.Source = .probe
  ) {
    claims.add(key, content, .likely, evidence, from: source)
  }

  func note(_ sentence: String) { notes.append("\(name): \(sentence)") }

  /// Adds a difference between the document and the service.
  func differ(_ sentence: String) { differences.append("\(name): \(sentence)") }

  /// Adopts the dialect that a response shows, if any.
  func recognize(_ answer: ProbeResponse) {
    guard let (dialect, mark) = Dialect.recognized(answer) else { return }
    self.dialect = dialect
    prove(.preset, dialect.preset, answer.evidence(mark))
  }

  /// Adopts the dialect that a response to OPTIONS shows: it reveals some kinds that a list without pages does not.
  func recognize(options answer: ProbeResponse) {
    guard dialect.isPlain, let (dialect, mark) = Dialect.recognized(options: answer) else { return }
    self.dialect = dialect
    prove(.preset, dialect.preset, answer.evidence(mark))
  }

  /// The records at the known place in a response; nil if it failed, or has none there.
  func rows(of answer: ProbeResponse?) -> [Object]? {
    guard let answer, answer.isSuccess else { return nil }
    let places = [shape?.path, wholePath].compactMap(\.self)
    let (key, field) = (shape?.keyField, shape?.valueField)
    let found = places.lazy.compactMap {
      ListShape(answer.document, resource: self.name, known: $0, keyedBy: key, valuesIn: field)?.rows
    }.first
    return found ?? (claims[.recordsNullIsEmpty] == true && lacksRecords(answer) ? [] : nil)
  }

  /// Returns whether a response is an object with the members around the records but without these.
  func lacksRecords(_ answer: ProbeResponse) -> Bool {
    guard let path = shape?.path, path.count == 1, let last = path.first, let object = answer.document?.object,
      object[last] ?? .null == .null, let known = first?.document?.object
    else { return false }
    let around = known.names.filter { $0 != last }
    return !around.isEmpty && around.allSatisfy { object[$0] != nil }
  }

  /// The fields of a record; in JSON:API its attributes.
  func fields(of row: Object) -> Object {
    if let fieldsAt, let inner = row[fieldsAt]?.object {
      var fields = Object(kept.compactMap { name in row[name].map { (name, $0) } })
      for (name, value) in inner.members { fields[name] = value }
      return fields
    }
    guard dialect.isJSONAPI, row["type"]?.text != nil, let attributes = row["attributes"]?.object else { return row }
    return attributes
  }

  /// The bodies that the document describes for writes of its records; nil without a document.
  var bodies: OutlineBodies? {
    guard let schemas, let documented else { return nil }
    let known = (rows.first.map { [$0] } ?? []) + (identifier.map { [$0.record] } ?? [])
    let record = known.reduce(into: Object()) { record, row in
      for (name, value) in fields(of: row).members { record[name] = value }
    }
    return OutlineBodies(
      documented, like: record, named: [name] + (identifier?.oneAt.last.map { [$0] } ?? []), schemas)
  }

  /// True if only records show a field: neither OPTIONS nor a document describes it.
  func isUndescribed(_ name: String) -> Bool { documented == nil && options?[name] == nil }

  /// The permitted values of a field according to OPTIONS or the document; nil if unknown, or refuted by a record.
  func choices(of name: String) -> [Value]? {
    guard let said = saidChoices(of: name) else { return nil }
    let isRefuted = rows.contains { row in
      guard let value = fields(of: row)[name], value != .null, value.object == nil else { return false }
      // A reference may be shown as an object, and a missing value as an empty text.
      return (value.array ?? [value]).contains { one in
        one != "" && one.object == nil && !said.contains { $0.isSame(as: one) }
      }
    }
    return isRefuted ? nil : said
  }

  /// The permitted values of a field according to OPTIONS or the document.
  func saidChoices(of name: String) -> [Value]? {
    let said = FieldsProbe(self).schema()?[name].flatMap { schemas?.folded($0) }
    let choices = options?[name]?.object?["choices"]?.array?.compactMap { $0.object?["value"] } ?? said?["enum"]?.array
    return choices.flatMap { $0.isEmpty || $0.count > 100 ? nil : $0 }
  }

  /// Returns whether a value is the path of a record of this service: it leads below the folder of the list.
  func namesRecord(_ value: Value) -> Bool {
    let path = Candidates.plain(collection)
    guard let text = value.text, let slash = path.lastIndex(of: "/"), text.hasPrefix(path[...slash]) else {
      return false
    }
    return text.dropFirst(path[...slash].count).split(separator: "/").count > 1
  }

  /// The value that identifies a record among the others.
  func key(_ row: Object) -> Value { identifier?.value(of: row) ?? .object(row) }

  func keys(_ rows: [Object]) -> [Value] { rows.map(key) }
}

/// A part of a resource's survey.
protocol Probe {
  init(survey: ResourceSurvey)
}

extension Probe {
  init(_ survey: ResourceSurvey) { self.init(survey: survey) }
}
