import BackendClient
import BackendKit
import ServiceDescription

final class FirstCreation: TrialPart {
  let record: TrialRecord
  /// Fields whose plain value was refused, and doubtful fields that stored one, with the evidence.
  var refused: [(name: String, evidence: String)] = []
  var kept: [(name: String, evidence: String)] = []
  /// The number of creations with plain values that may still be refused.
  var fullLeft = FullCreation.attempts
  /// Questions for another record: whether plain values are accepted, and whether the marked field is required.
  var (needsFull, needsWithout) = (true, true)
  /// The refusal after which an identifier of the usual form was chosen.
  var patternSeen: String?
  /// The place of field errors in the last refusal, with the evidence.
  private var errorsSeen: (place: Object, evidence: String)?
  var shown: Object?
  /// True if the service has refused every new record for its values.
  var isRefused = false
  /// True if the whole record was sent because no refusal named a field.
  private(set) var isGuessed = false
  private var told = 0

  init(_ record: TrialRecord) { self.record = record }

  static let attempts = 3

  /// Refusals for missing fields that do not count as attempts: a service may report fields one by one.
  static let mostTold = 6

  /// Creates the record in the list, or at a path that the trial chooses.
  func run() async throws(BackendError) {
    while let refusal = try await createThere() {
      guard record.goesOn(after: refusal) else { return refused(refusal) }
    }
  }

  /// Creates the record with the known required fields, then with those that refusals name, in at most three attempts.
  /// Returns a final refusal; nil if there is none. While the service names the fields it refuses, the same record
  /// shows which others accept plain values, and whether the marked field may be omitted.
  private func createThere() async throws(BackendError) -> ProbeResponse? {
    record.sent = firstFields()
    var required: [String: String] = [:]
    var isWhole = false
    var added: [String] = []
    let first = marked
    var leavesOut = leaveOut()
    var turn = 1
    if record.isAtItem, try await isTaken() { return nil }
    var refusal: ProbeResponse?
    while true {
      // A record without a marker is not created.
      if let refusal, record.mark(in: sent) == nil { return refusal }
      switch try await post() {
      case .unsent(let reason):
        step("create", "nothing was sent: \(reason)")
        return nil
      case .lost(let reason):
        try await lost("\(record.creationMethod) \(record.place(of: sent).shown): no response (\(reason))")
        return nil
      case .answered(let answer) where answer.isSuccess:
        (record.given, isGuessed) = (record.more, isWhole)
        if !record.given.isEmpty { needsFull = false }
        if leavesOut {
          needsWithout = false
          record.clearable = first.flatMap { fields[$0.name] }
        }
        let added = required.compactMap { name, evidence in
          record.sentName(of: name).map { (name: $0, evidence: evidence) }
        }
        for (name, evidence) in added { claim(field: name, .fieldRequired, true, evidence, .likely) }
        // The record is accepted with the fields for whose absence it was refused.
        if !added.isEmpty, let errorsSeen { survey.prove(.errorsFields, errorsSeen.place, errorsSeen.evidence) }
        try await accepted(answer)
        return nil
      case .answered(let answer) where answer.hasFailed:
        try await lost(answer.evidence())
        guard made == nil, !record.more.isEmpty else { return nil }
        // A service that fails at a plain value has seldom created anything.
        (record.more, record.leftover, needsFull) = (Object(), nil, false)
      case .answered(let answer):
        let said = record.refusal(answer)
        record.learn(said)
        var names = said.names
        step("create", answer.evidence(names.isEmpty ? "refused" : "refused for \(counted(names.count, "field"))"))
        errorsSeen = record.learnErrors(answer) ?? errorsSeen
        refusal = answer
        if answer.status == 404, !record.isAtItem, let field = survey.identifier?.field, sent[field] != nil,
          turn < Self.attempts
        {
          // The identifier may have to refer to an existing record.
          record.sent[field] = nil
          turn += 1
          continue
        }
        // A field that refuses the marker says nothing about the next one.
        let isTold =
          told < Self.mostTold && !names.isEmpty
          && names.allSatisfy { $0 == marked?.name || sent[$0] == nil && record.more[$0] == nil }
        guard [400, 403, 409, 415, 422].contains(answer.status), turn < Self.attempts || isTold else { return answer }
        if isTold { (told, turn) = (told + 1, turn - 1) }
        let namesAll = names.count { sent[$0] == nil && record.more[$0] == nil } >= 2
        // A reference that is still missing may have another name in requests.
        let others = added.filter { record.referred($0) == nil }
        let isElsewhere = !others.isEmpty && others.allSatisfy(names.contains) && !form.wrap.isEmpty
        if !isElsewhere, !record.more.isEmpty || leavesOut {
          var settled = leaveMore(names, answer)
          if leavesOut, let first, names.isEmpty || names.contains(first.name) {
            (leavesOut, record.marked) = (false, first)
            record.sent[first.name] = .string(first.text)
            if !names.isEmpty { required[first.name] = answer.evidence("refused without it") }
            settled.append(first.name)
            added = names.isEmpty ? [] : [first.name]
          }
          names.removeAll(where: settled.contains)
          guard !names.isEmpty else {
            addMore(namesAll)
            continue
          }
        }
        let missing = names.filter { sent[$0] == nil }
        for name in missing { required[name] = answer.evidence("refused without it") }
        if isElsewhere, wrapOtherwise() {
          // The added fields are still missing: the service expects them elsewhere.
          for name in names {
            required[name] = answer.evidence("refused without it")
            if sent[name] == nil {
              record.sent[name] = (fields[name] ?? TrialField(missing: name)).value(marker) ?? .string(marker.text)
            }
          }
          turn += 1
          continue
        }
        added = missing
        if record.isAtItem, names.isEmpty, !record.namesInBody {
          // The body may need the name, too.
          record.namesInBody = true
          turn += 1
          continue
        }
        if names.isEmpty, !(answer.status == 409 && differ()), !adapt(isWhole) { return answer }
        isWhole = isWhole || names.isEmpty
        correct(names, turn, Set(required.keys))
        if let first, sent[first.name] != nil { leavesOut = false }
        if record.named.isEmpty, let identifier = survey.identifier?.field, !identifier.isEmpty,
          required[identifier] == nil
        {
          chooseAgain(identifier, isNamed: names.contains(identifier), answer)
        }
        addMore(namesAll)
        turn += 1
      }
    }
  }

  /// Adds plain values for other fields if the service names all missing fields.
  private func addMore(_ namesAll: Bool) {
    guard namesAll, record.more.isEmpty, needsFull, fullLeft == FullCreation.attempts, made == nil, record.given.isEmpty
    else { return }
    record.more = record.plainFields()
  }

  /// Omits the marked field, and marks another one; false if it is required, or no other field can be marked.
  private func leaveOut() -> Bool {
    guard let marked, let other = fields.clearable, fields[marked.name]?.isRequired != true,
      let text = other.holding(marker), !form.isForm || sent.count > 1, needsWithout
    else { return false }
    record.sent[marked.name] = nil
    record.sent[other.name] = .string(text)
    record.marked = (other.name, text)
    return true
  }

  /// Removes the plain values that a refusal names, or all of them if it names none. Returns the removed fields.
  private func leaveMore(_ names: [String], _ answer: ProbeResponse) -> [String] {
    guard !record.more.isEmpty else { return [] }
    fullLeft -= 1
    let taken = names.filter { record.more[$0] != nil }
    for name in taken {
      refused.append((name, answer.evidence("a new record with a plain value is refused")))
      record.more[name] = nil
    }
    if names.isEmpty || fullLeft <= 0 { (record.more, needsFull) = (Object(), fullLeft > 0) }
    return taken
  }

  /// Chooses an identifier of the common form after a refusal that names only the identifier; otherwise chooses none.
  private func chooseAgain(_ field: String, isNamed: Bool, _ answer: ProbeResponse) {
    guard isNamed, patternSeen == nil, let pattern = survey.claims[.identifierPattern],
      !survey.claims.isProved(.identifierPattern),
      let id = UsualIdentifier.matching(pattern)
    else {
      if patternSeen == nil { record.sent[field] = nil }
      return
    }
    patternSeen = answer.evidence("another identifier is refused")
    record.sent[field] = .string(id)
  }

  private func post() async throws(BackendError) -> Prober.Outcome {
    var all = sent
    for (name, value) in record.more.members where all[name] == nil { all[name] = value }
    return try await record.make(all)
  }

  /// Returns whether a write might replace a record with this name: true unless a read shows that there is none.
  func isTaken() async throws(BackendError) -> Bool {
    prober.forget()
    guard let answer = try await prober.get(record.place(of: record.named)), [404, 410].contains(answer.status) else {
      step("create", "nothing was sent: a record with that name may already exist")
      return true
    }
    return false
  }
}
