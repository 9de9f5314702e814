import BackendClient
import BackendKit
import ServiceDescription

/// The record of a trial: what was sent, what reads have shown, and what may be left behind.
final class TrialRecord {
  let survey: ResourceSurvey
  let watch: TrialWatch
  let prober: Prober
  let marker = Marker()
  private(set) var fields: TrialFields
  private(set) var steps: [TrialStep] = []

  // MARK: Creation

  var form: SentForm
  /// The field with the marker, and its text.
  var marked: (name: String, text: String)?
  var sent = Object()
  /// The fields of the last creation that was sent, of this record or another one.
  var latest = Object()
  /// The fields that have refused the marker in every form.
  var unmarkable: Set<String> = []
  /// The number of further records that were given a name.
  var namesGiven = 0
  /// Plain values for fields that the creation may not need. They are sent after the service has named two missing
  /// fields at once, and so would have named any other, until they are refused.
  var more = Object()
  /// The plain values that the record was created with.
  var given = Object()
  /// The list below an owner in which records are created, once the resource's own list has taken none.
  private(set) var below: (owner: String, list: ProbeTarget)?
  /// The method for creating a record at the path of a chosen name; nil if records are created in the list.
  private(set) var itemMethod: String?
  /// The methods to try after it.
  private var itemMethods: [String]
  /// The fields that make up the chosen name. The last one contains the marker.
  var named = Object()
  /// True to send these fields in the body, too.
  var namesInBody = false
  /// The fields sent as identifiers of other records, each with the field that shows it.
  var shownAs: [String: String] = [:]
  /// Another field than the marked one that can be written and cleared.
  var clearable: TrialField?

  // MARK: State

  var made: MadeRecord?
  var creation: ProbeResponse?
  /// True if the response to a creation was compared with a read that could have differed.
  var isStoredShown = false
  /// Other existing records of the trial while ``made`` is another one.
  var aside: [MadeRecord] = []
  /// The marked field of a record that may exist: the response to its creation is missing, or it is being searched for.
  var open: (name: String, text: String)?
  var isGone = false
  var needsRevision = false
  /// A stale revision, if the service refuses updates with it.
  var staleRevision: String?
  /// True if the last unsuccessful search has read the whole list.
  var hasSeenAll = false
  var leftover: String?

  // MARK: Updates

  /// The fields updated since the last read; nil if there were no updates. A read shows the fate of the others.
  var unread: Set<String>?
  /// The fate of the other fields in a stored update of a single field; nil if there was none.
  var othersFate: Fate?
  /// Fields that have stored an update.
  var writable: Set<String> = []

  init(_ survey: ResourceSurvey, _ watch: TrialWatch) {
    (self.survey, self.watch) = (survey, watch)
    prober = survey.prober
    fields = TrialFields(survey, marker)
    form = SentForm(survey, documented: fields.wrap)
    itemMethods = survey.itemCreations
    begin()
  }

  /// Starts with the next method for the path of a chosen name, or with the list if none is left.
  private func begin() {
    itemMethod = itemMethods.first
    itemMethods = Array(itemMethods.dropFirst())
    // A chosen name contains the marker already, so that a constant need not be tried.
    let holder = fields.marked.flatMap { $0.field.isSureToHold || !isAtItem ? $0 : nil }
    marked = holder.map { ($0.field.name, $0.text) }
    clearable = fields.clearable
    named = naming(nameText)
    (more, namesInBody, unmarkable) = (Object(), false, [])
    form = SentForm(survey, documented: fields.wrap)
  }

  var isAtItem: Bool { itemMethod != nil }

  /// True if the service is proved to take the identifiers that clients choose.
  var isChosen: Bool {
    survey.claims.isProved(.createIdentifier) && survey.claims[.createIdentifier] == "client"
  }

  /// Goes on to a list below an owner if the resource's own accepts no new record, then to a chosen path, then to another
  /// method; false if none is left.
  func goesOn(after refusal: ProbeResponse) -> Bool {
    let isElsewhere = refusal.lacksMethod
    if isElsewhere, !isAtItem, below == nil, let list = survey.below {
      below = list
      begin()
      return true
    }
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

  /// Takes what a refusal says of the values of its fields.
  func learn(_ refusal: Refusal) {
    fields.learn(refusal.messages)
    if let marked, refusal.names.contains(marked.name), sent[marked.name] != nil { fields.shape(marked.name) }
  }

  func step(_ name: String, _ outcome: String) {
    steps.append(TrialStep(resource: survey.name, name: name, outcome: outcome))
  }

  /// Adds a fact about a field, or removes it if contradicted. A field that shows the value from the record's creation
  /// is not proved to be read-only, whatever updates do.
  func claim<Content>(
    field name: String, _ key: Key<Content>, _ content: Content?, _ evidence: String, _ grade: SurveyClaim.Grade
  ) {
    var grade = grade
    if key.path == Key.fieldReadOnly.path, content?.value == true, let first = madeWith[name], first != .null,
      made?.fields[name]?.isSame(as: first) == true
    {
      // Except for required fields and texts of the trial, a new record may show the same value by default.
      if marker.isIn(first) || survey.claims[field: name, .fieldRequired] == true {
        return survey.claims.claim(field: name, .fieldNote, "set in a new record only", evidence, .likely)
      }
      grade = grade == .proved ? .likely : grade
    }
    guard grade != .contradicted || survey.claims[field: name] != nil else { return }
    survey.claims.claim(field: name, key, content, evidence, grade)
  }

  func clear<Content>(field name: String, _ key: Key<Content>, _ evidence: String) {
    claim(field: name, key, nil, evidence, .contradicted)
  }
}
