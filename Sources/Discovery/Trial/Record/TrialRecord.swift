import BackendClient
import BackendKit
import ServiceDescription

/// The record of a trial: what was sent to make it, what reads have shown of it, and what may have stayed behind.
final class TrialRecord {
  let survey: ResourceSurvey
  let watch: TrialWatch
  let prober: Prober
  let marker = Marker()
  let fields: TrialFields
  private(set) var steps: [TrialStep] = []

  // MARK: What is sent to make it

  var form: SentForm
  /// The field that holds the marker, and the text there.
  var marked: (name: String, text: String)?
  /// The fields that were sent to create the record.
  var sent = Object()
  /// Plain values that the creation has for fields it may not need. They are sent once the service has named two
  /// missing fields in one response, and so would have named any other, and for as long as they are not refused.
  var more = Object()
  /// Those with which the record was made.
  var given = Object()
  /// The method that creates a record at the path of a name chosen by the trial; nil if records are created through the
  /// list.
  private(set) var itemMethod: String?
  /// Other methods of the kind, to be tried after it.
  private var itemMethods: [String]
  /// The fields that name such a record, the last of which holds the marker.
  var named = Object()
  /// True to send these fields in the body, too.
  var namesInBody = false
  /// The fields that were sent as identifiers of other records, and where records show them.
  var shownAs: [String: String] = [:]
  /// A field besides the marked one that can hold a text and be cleared again.
  var clearable: TrialField?

  // MARK: What is seen of it

  var made: MadeRecord?
  /// The response to its creation.
  var creation: ProbeResponse?
  /// True if a response to a creation was compared with a read that could have shown otherwise.
  var isStoredShown = false
  /// Other records of the trial that are there while ``made`` is another one.
  var aside: [MadeRecord] = []
  /// The marked field of a record that may have been made and is not known yet: its creation has no response, or it is
  /// looked for.
  var open: (name: String, text: String)?
  /// True if the deletion of the record was accepted.
  var isGone = false
  /// True if a write needs the record's revision.
  var needsRevision = false
  /// An outdated revision, if the service refuses a change with it.
  var staleRevision: String?
  /// True if the last search without success has read the whole list.
  var hasSeenAll = false
  /// A sentence about the record that may have stayed behind.
  var leftover: String?

  // MARK: What changes of it have shown

  /// The fields that were sent with updates since the last read, which shows what became of the others; nil without one.
  var unread: Set<String>?
  /// The fate of the other fields when a change of a single field was stored; nil if no such change was.
  var othersFate: Fate?
  /// Fields in which a change was kept.
  var writable: Set<String> = []

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
      let namesNone = self.refusal(refusal).names.isEmpty
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

  func step(_ name: String, _ outcome: String) {
    steps.append(TrialStep(resource: survey.name, name: name, outcome: outcome))
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

  /// Takes away what was said of a field.
  func clear<Content>(field name: String, _ key: Key<Content>, _ evidence: String) {
    claim(field: name, key, nil, evidence, .contradicted)
  }
}
