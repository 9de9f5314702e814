import BackendClient
import BackendKit
import ServiceDescription

/// Compares single records with their rows in the list, and requests a missing one.
struct RecordProbe: Probe {
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard let identifier = survey.identifier else { return }
    try await compare(identifier)
    if let tag = identifier.answer.header("ETag") {
      let isWeak = tag.hasPrefix("W/")
      survey.suppose(.revisionFrom, "etag", identifier.answer.evidence("with an ETag"))
      if isWeak { survey.suppose(.revisionWeak, true, identifier.answer.evidence("the ETag is weak")) }
    } else if let field = ["_etag", "etag", "@odata.etag"].first(where: { identifier.record[$0]?.text != nil }) {
      survey.suppose(.revisionFrom, "field", identifier.answer.evidence())
      survey.suppose(.revisionField, field, identifier.answer.evidence())
    }
    if survey.dialect.requiresRevision, survey.claims[.revisionFrom] != nil {
      let evidence = "usual for \(survey.dialect.preset)"
      survey.suppose(.revisionRequired, true, evidence)
      survey.suppose(.revisionOnDelete, true, evidence)
    }
    try await missing(identifier)
  }

  /// The maximum number of records to compare. The first was read already; one that differs is read again.
  static let sample = 3
  static let requests = sample

  /// Compares records with their rows, field by field: a field that is missing or different in the row is not loaded in
  /// lists. If it differs between two reads of the record, it proves nothing.
  private func compare(_ identifier: IdentifierProbe.Found) async throws(BackendError) {
    var (omitted, links): ([String], [String]) = ([], [])
    var compared = 0
    var changing: Set<String>?
    for row in rows(identifier) {
      guard let id = RecordID(identifier.value(of: row)), let record = try await identifier.read(id, survey.prober)
      else { continue }
      compared += 1
      let (listed, whole) = (survey.fields(of: row), survey.fields(of: record))
      let other = whole.members.filter { name, value in listed[name].map { !$0.isSame(as: value) } ?? true }
      links += other.filter { name, value in listed[name] != nil && Self.hasLinks(value) }.map(\.0)
      omitted += other.filter { name, _ in listed[name] == nil }.map(\.0)
      let altered = other.filter { name, value in listed[name] != nil && !Self.hasLinks(value) }.map(\.0)
      guard !altered.isEmpty else { continue }
      if changing == nil {
        survey.prober.forget(identifier.target(id))
        guard let again = try await identifier.read(id, survey.prober) else { continue }
        let fields = survey.fields(of: again)
        changing = Set(
          whole.members.filter { name, value in fields[name].map { !$0.isSame(as: value) } ?? true }.map(\.0))
      }
      omitted += altered.filter { changing?.contains($0) != true }
    }
    let evidence = "\(identifier.answer.evidence()), \(counted(compared, "record")) compared with the list"
    claim(.recordsNotFields, links, "\(identifier.answer.evidence("links")), different from those in its row")
    claim(.listsOmit, omitted, evidence)
  }

  private func claim(_ key: Key<[String]>, _ names: [String], _ evidence: String) {
    guard !names.isEmpty else { return }
    survey.prove(key, Array(names.unique.prefix(50)), evidence)
  }

  /// The rows to compare: that of the record already read, the first, and one in the middle.
  private func rows(_ identifier: IdentifierProbe.Found) -> [Object] {
    let known = identifier.value(of: identifier.record)
    guard let place = survey.rows.firstIndex(where: { survey.key($0).isSame(as: known) }) else { return [] }
    return [place, 0, survey.rows.count / 2].unique.prefix(Self.sample).map { survey.rows[$0] }
  }

  private static func hasLinks(_ value: Value) -> Bool {
    guard let object = value.object else { return false }
    return object.members.contains { name, member in name == "href" && member.text != nil || hasLinks(member) }
  }

  /// An identifier that no record has, and whether it certainly has a form that the service uses.
  private func absent(_ identifier: IdentifierProbe.Found) -> (id: RecordID, isUsual: Bool) {
    let known = RecordID(identifier.value(of: identifier.record)) ?? RecordID("")
    if Int(known.text).map(String.init) == known.text { return (RecordID("2147483601"), true) }
    let pattern = IdentifierProbe.patterns.first { TextPattern($0)?.isFound(in: known.text) == true }
    if let usual = pattern.flatMap(UsualIdentifier.matching) { return (RecordID(usual), true) }
    let unusual = "zz-no-such-record"
    // The parents of the record have to exist.
    let other = identifier.parts.isEmpty ? nil : NameParts(identifier.parts).replacingLast(of: known, with: unusual)
    return (other ?? RecordID(unusual), false)
  }

  private func missing(_ identifier: IdentifierProbe.Found) async throws(BackendError) {
    var (absent, isUsual) = absent(identifier)
    // A random identifier may look like a verb, and then would not be read.
    if survey.prober.gate.refusal(of: identifier.target(absent)) != nil { (absent, isUsual) = self.absent(identifier) }
    guard let answer = try await survey.prober.get(identifier.target(absent)) else { return }
    let meaning: String
    switch answer.status {
    case 200..<300:
      let isEmpty =
        answer.document == nil || answer.document?.array?.isEmpty == true || answer.document?.object?.isEmpty == true
      meaning = isEmpty ? "empty" : "other"
    default: meaning = String(answer.status)
    }
    // 400 and 422 may refuse the form of the identifier.
    let isProved = isUsual || ![400, 422].contains(answer.status)
    survey.claims.add(
      .notFound, meaning, isProved ? .proved : .likely, answer.evidence("of a record that does not exist"))
    if let place = ErrorShape.message(in: answer.document) {
      survey.suppose(.errorsMessage, .string(place), answer.evidence("it contains text"))
    }
  }
}

enum ErrorShape {
  /// As read without a description: a title only names the kind of failure.
  private static let names = [
    "message", "error_description", "detail", "description", "reason", "msg", "error", "_error", "title",
  ]

  static func message(in document: Value?) -> String? {
    guard let object = document?.object else { return nil }
    for name in names { if object[name]?.text != nil { return name } }
    for outer in ["error", "_error", "errors", "_issues"] {
      if let inner = object[outer]?.object, let name = names.first(where: { inner[$0]?.text != nil }) {
        return "\(outer).\(name)"
      }
      if let first = object[outer]?.array?.first {
        if first.text != nil { return "\(outer).*" }
        if let name = names.first(where: { first.object?[$0]?.text != nil }) { return "\(outer).*.\(name)" }
      }
    }
    return nil
  }
}
