import BackendClient
import BackendKit
import ServiceDescription

/// Finds out what only writes can show: creates one marked record of a resource, reads it, changes it, clears a field,
/// tries an outdated revision, deletes the record and reads it again. The findings become claims; a record that stays
/// behind is reported.
final class WriteTrial {
  /// The maximum number of reads in a trial.
  static let reads = 60
  /// The maximum number of changes of the record.
  static let changes = 45
  /// The maximum number of attempts to create a record.
  static let attempts = 3

  /// The result of reading the record.
  enum Sight {
    case record(Object, ProbeResponse)
    case gone(ProbeResponse)
    case unclear(String)
  }

  let survey: ResourceSurvey
  let watch: TrialWatch
  let prober: Prober
  let marker = Marker()
  let fields: TrialFields
  var form: SentForm
  /// The field that holds the marker, and the text there.
  var marked: (name: String, text: String)?
  /// The record as the response to its creation showed it.
  var shown: Object?
  /// The response to its creation.
  var creation: ProbeResponse?
  /// The fields that were sent to create the record.
  var sent = Object()
  var made: TrialRecord?
  /// Other records of the trial that are there while ``made`` is another one.
  var aside: [TrialRecord] = []
  /// The marked field of a record that may have been made and is not known yet: its creation has no response, or it is
  /// looked for.
  var open: (name: String, text: String)?
  /// True if the deletion of the record was accepted.
  var isGone = false
  /// True if a write needs the record's revision.
  var needsRevision = false
  /// An outdated revision, if the service refuses a change with it.
  var staleRevision: String?
  /// Members that a whole record is sent without.
  var dropped: Set<String> = []
  private(set) var steps: [TrialStep] = []
  /// True if the last search without success has read the whole list.
  var hasSeenAll = false
  /// A sentence about the record that may have stayed behind.
  var leftover: String?
  /// Plain values that the creation has for fields it may not need. They are sent once the service has named two
  /// missing fields in one response, and so would have named any other, and for as long as they are not refused.
  var more = Object()
  /// Those with which the record was made.
  var given = Object()
  /// Fields for which the creation was refused with a plain value, and doubtful fields that kept one, with the
  /// evidence.
  var refused: [(name: String, evidence: String)] = []
  var kept: [(name: String, evidence: String)] = []
  /// The number of creations with plain values that may still be refused.
  var fullLeft = WriteTrial.fullAttempts
  /// The findings that need another record: whether plain values are accepted, and whether the marker's field is
  /// required.
  var (needsFull, needsWithout) = (true, true)
  /// A field besides the marked one that can hold a text and be cleared again.
  var clearable: TrialField?
  /// The place where the last refusal named fields, with the evidence for it.
  var errorsSeen: (place: Object, evidence: String)?
  /// The refusal after which an identifier of the usual form was chosen.
  var patternSeen: String?
  /// `isClearTried` is true once an attempt was made to clear a field other than the marker's; `clearedBy` is the way
  /// in which it was cleared.
  var (isClearTried, clearedBy) = (false, String?.none)
  /// The fate of the other fields when a change of a single field was stored; nil if no such change was.
  var othersFate: Fate?
  /// The fields that were sent with updates since the last read, which shows what became of the others; nil without one.
  var unread: Set<String>?
  /// True if the record's path has no method for a change.
  var takesNoChange = false
  /// Fields in which a change was kept.
  var writable: Set<String> = []
  /// The number of changes that may still be sent.
  var changesLeft = WriteTrial.changes
  /// The number of those that may still be sent for one field by itself.
  var aloneLeft = WriteTrial.mostAlone
  /// The method that creates a record at the path of a name chosen by the trial; nil if records are created through the
  /// list.
  private(set) var itemMethod: String?
  /// Other methods of the kind, to be tried after it.
  private var itemMethods: [String] = []
  /// The fields that name such a record, the last of which holds the marker.
  var named = Object()
  /// True to send these fields in the body, too.
  var namesInBody = false
  /// The fields that were sent as identifiers of other records, and where records show them.
  var shownAs: [String: String] = [:]
  /// True if the service has refused every new record for its values.
  var isRefused = false
  /// True if a response to a creation was compared with a read that could have shown otherwise.
  var isStoredShown = false
  /// True if the record was sent whole because no refusal named a field.
  var isGuessed = false
  /// The number of fields that the service has reported as missing, one after the other.
  var told = 0

  init(_ survey: ResourceSurvey, _ watch: TrialWatch) {
    (self.survey, self.watch) = (survey, watch)
    prober = survey.prober
    fields = TrialFields(survey, marker)
    form = SentForm(survey, documented: fields.wrap)
    itemMethods = survey.itemCreations
    begin()
  }

  /// Begins with the next method for the path of a chosen name, or with the list if none is left.
  private func begin() {
    itemMethod = itemMethods.first
    itemMethods = Array(itemMethods.dropFirst())
    // A record that is made at its own name holds the marker there, and a constant need not be tried.
    let holder = fields.marked.flatMap { $0.field.isSureToHold || !isAtItem ? $0 : nil }
    marked = holder.map { ($0.field.name, $0.text) }
    clearable = fields.clearable
    named = naming(marker.text)
    (more, namesInBody) = (Object(), false)
    form = SentForm(survey, documented: fields.wrap)
  }

  /// True if the record is created at its own path.
  var isAtItem: Bool { itemMethod != nil }

  /// Moves on to a path of the trial's choice if the list accepts no new record: it does not exist, or its refusal
  /// names no field. After that, tries another method if the first is not accepted. Returns false if nothing is left to
  /// try.
  func goesOn(after refusal: ProbeResponse) -> Bool {
    let isElsewhere = [404, 405, 501].contains(refusal.status)
    if !isAtItem {
      let namesNone = Refusal(refusal.document, known: Set(fields.all.map(\.name) + sent.names)).names.isEmpty
      guard isElsewhere || refusal.judgesValues && namesNone, survey.hasChosenNames, survey.nested == nil,
        survey.identifier?.link.isEmpty == true, form.type == nil, !form.isForm
      else { return false }
      itemMethods = ["POST", "PUT"]
    } else if !isElsewhere || itemMethods.isEmpty {
      return false
    }
    begin()
    return true
  }

  /// The name and text by which the record is found: the marker in a field, or in the record's name.
  var sought: (name: String, text: String)? {
    let name = survey.identifier?.field
    if let marked { return marked }
    if let name = named.names.last { return (name, named[name]?.text ?? "") }
    guard let name, let text = sent[name]?.text, marker.isIn(.string(text)) else { return nil }
    return (name, text)
  }

  /// The address at which records are created.
  var collection: ProbeTarget {
    let path = String(survey.collection.prefix { $0 != "?" })
    return survey.nested.map { ProbeTarget(path, shownAs: $0.shape) } ?? ProbeTarget(path)
  }

  func run() async throws(BackendError) {
    if let reason = reasonAgainst {
      survey.notes.append("\(survey.name): no write was tried: \(reason)")
      return
    }
    guard try await watch.begin(survey) else {
      return survey.notes.append("\(survey.name): no write was tried: its records could not be counted")
    }
    prober.begin(limit: Self.reads + watch.reads)
    do throws(BackendError) {
      try await carryOut()
      settleReturned()
    } catch { throw await cleaned(after: error) }
  }

  /// Sends the writes.
  private func carryOut() async throws(BackendError) {
    try await create()
    if try await isUnreadable() { try await create() }
    guard made != nil, try await readAgain() else { return }
    proveCreation()
    noteGuarded()
    try await createAgain()
    guard watch.losses.isEmpty else {
      if let made { leave(Self.sentence(made, survey)) }
      return
    }
    try await change()
    try await changePlain()
    if !survey.claims.isProved(.updateMethod) { try await changeAtCollection() }
    if takesNoChange, survey.claims[.updateMethod] == nil { leaveUnchanged() }
    // A creation that changes a record may as well make another one: it is sent once.
    if survey.claims[.updateAtCollection] != true { try await changeMore() }
    leaveMerging()
    try await markAgain()
    try await delete()
    // Another record is made only if this one could be deleted and has not shown everything. A record that is only
    // marked as deleted stays.
    guard watch.losses.isEmpty, leftover == nil, survey.claims.isProved(.deleteMethod),
      survey.claims[.deleteSoft] != true
    else { return }
    if needsFull { try await createFull() }
    if watch.losses.isEmpty, leftover == nil { try await createSpaced() }
    if watch.losses.isEmpty, leftover == nil { try await tryRequired() }
  }

  /// Tries what a change of the record can show besides.
  private func changeMore() async throws(BackendError) {
    try await changeIdentifier()
    try await changeUnknown()
    try await clear()
    try await overwrite()
    try await tryValues()
    conclude()
    try await insist()
    if !isClearTried { try await clear(isLast: true) }
  }

  /// Why nothing is tried; nil where the resource seems writable.
  private var reasonAgainst: String? {
    if prober.stopped != nil { return "the service stopped responding" }
    if prober.remaining < Self.reads { return "--max-requests permits no more requests" }
    if survey.claims.isDenied(.create) { return "nothing indicates that records can be created" }
    if survey.claims.isDenied(.delete) { return "nothing indicates that a record can be deleted again" }
    guard isAtItem || survey.claims[.createMethod] ?? "POST" == "POST" else {
      return "records are not created by POST"
    }
    guard survey.identifier != nil || survey.rows.isEmpty else { return "no field identifies a record" }
    let isNamed = !named.isEmpty || survey.hasChosenNames && firstFields()[survey.identifier?.field ?? ""] != nil
    if marked == nil, !isNamed { return "no field was found that can hold a marker" }
    return nil
  }

  /// Says of which fields nothing is known because no value was tried.
  private func noteGuarded() {
    for (reason, names) in [
      ("holds a secret", fields.all.filter(\.isSecret)), ("grants rights", fields.all.filter(\.grantsRights)),
    ] where !names.isEmpty {
      let list = names.map(\.name).joined(separator: ", ")
      survey.notes.append(
        "\(survey.name): no value was tried where the name of a field says that it \(reason): \(list)")
    }
  }

  // MARK: Steps

  func step(_ name: String, _ outcome: String) {
    steps.append(TrialStep(resource: survey.name, name: name, outcome: outcome))
  }

  /// Adds a fact that the trial proved.
  func claim<Content>(_ key: Key<Content>, _ content: Content?, _ evidence: String) {
    survey.claims.add(key, content, .proved, evidence)
  }

  /// Adds a fact about a field, or removes it if it is contradicted. A field that shows the value with which the record
  /// was created is not proved to be read-only, whatever a change of it does.
  func claim<Content>(
    field name: String, _ key: Key<Content>, _ content: Content?, _ evidence: String, _ grade: SurveyClaim.Grade
  ) {
    var grade = grade
    if key.path == Key.fieldReadOnly.path, content?.value == true, let first = madeWith[name], first != .null,
      made?.fields[name]?.isSame(as: first) == true
    {
      // A new record may show the same without the field, but for a text of the trial's own and what it needs.
      if marker.isIn(first) || survey.claims[field: name, .fieldRequired] == true {
        return survey.claims.claim(field: name, .fieldNote, "set in a new record only", evidence, .likely)
      }
      grade = grade == .proved ? .likely : grade
    }
    guard grade != .contradicted || survey.claims[field: name] != nil else { return }
    survey.claims.claim(field: name, key, content, evidence, grade)
  }

  /// Reads the record of the trial. A response that it was not found counts only if the list can still be read.
  func look() async throws(BackendError) -> Sight {
    guard var now = made, let identifier = survey.identifier else { return .unclear("nothing identifies the record") }
    prober.forget()
    guard let answer = try await prober.get(now.place) else {
      return .unclear(prober.problem ?? "the number of requests was used up")
    }
    let found = identifier.record(now.id, in: answer.document)
    guard answer.isSuccess, let found else {
      let known = survey.claims.isProved(.notFound) ? survey.claims[.notFound] : nil
      let isGone =
        [404, 410].contains(answer.status) || known == String(answer.status) || answer.isSuccess && known == "empty"
      guard isGone else { return .unclear(answer.evidence()) }
      guard survey.rows(of: try await prober.get(survey.target)) != nil else {
        return .unclear("\(answer.evidence()), and the list cannot be read")
      }
      return .gone(answer)
    }
    now.fields = survey.fields(of: found.record)
    for name in survey.claims[.recordsNotFields] ?? [] { now.fields[name] = nil }
    now.revision = revision(found.record, answer)
    if isMarked(now.fields) { now.sight() }
    if let unread, let before = made?.fields { noteLoss(unread, before, now.fields, answer) }
    (made, unread) = (now, nil)
    return .record(now.fields, answer)
  }

  /// Returns the revision of a record that was read.
  private func revision(_ record: Object, _ answer: ProbeResponse) -> String? {
    switch survey.claims[.revisionFrom] {
    case "etag"?: answer.header("ETag")
    case "field"?: survey.claims[.revisionField].flatMap { record[$0]?.text }
    default: nil
    }
  }

  /// Takes for proved that a field holds texts once it has kept one that follows no form.
  func proveText(_ name: String, _ value: Value, _ read: ProbeResponse) {
    guard let text = value.text, !text.contains(text: "://"), let facts = survey.claims[field: name],
      ["text", nil].contains(facts[.fieldType])
    else { return }
    claim(field: name, .fieldType, "text", read.evidence("plain text is stored"), .proved)
  }

  /// A day and a time that were not sent and are those of the creation are the service's own.
  private func claimDates(_ fields: Object, _ answer: ProbeResponse) {
    guard let today = prober.date else { return }
    for (name, value) in fields.members where value.isDay && madeWith[name] == nil {
      guard value.text?.hasPrefix(today) == true, value.text != today, survey.claims[field: name] != nil else {
        continue
      }
      claim(field: name, .fieldReadOnly, true, answer.evidence("the time of its creation, which was not sent"), .likely)
    }
  }

  /// Looks whether the list has grown by the record, where nothing tells whether it comes whole.
  private func compareList() async throws(BackendError) {
    guard survey.claims[.pageStyle] == nil, let before = watch.rows(before: survey),
      let after = survey.rows(of: try await prober.get(survey.target))
    else { return }
    WholeProbe(survey).run(before: before, after: after)
  }

  /// Returns whether the record exists, and claims what a read of it shows.
  private func readAgain() async throws(BackendError) -> Bool {
    guard try await isFound() else { return false }
    switch try await look() {
    case .record(let fields, let answer):
      step("read", answer.evidence("the record with its marker"))
      claim(.persistenceKept, "yes", answer.evidence("what was sent"))
      if let marked, let text = fields[marked.name] { proveText(marked.name, text, answer) }
      for (name, value) in given.members where fields[name]?.isSame(as: value) == true && isDoubted(name) {
        kept.append((name, answer.evidence("a plain value is stored")))
        proveText(name, value, answer)
      }
      proveReferences(fields, answer)
      compareShown(shown, fields, answer)
      claimDates(fields, answer)
      try await compareList()
    case .gone(let answer): step("read", answer.evidence("not found, although the list shows it"))
    case .unclear(let reason): step("read", reason)
    }
    return true
  }
}
