import BackendClient
import BackendKit
import ServiceDescription

/// The values that fields accept, since people and scripts rely on what a description says about them.
struct FieldValues: ChangeExperiment {
  let updates: TrialUpdates
  let creation: FirstCreation
  let clearings: Clearings

  func run() async throws(BackendError) {
    try await tryValues()
    creation.conclude()
  }

  /// Sends a plain value of the right type for each text, number and boolean field that is described as accepting any,
  /// then null for each with a value. A field whose value is refused accepts only some values; one that keeps its value
  /// is read-only.
  private func tryValues() async throws(BackendError) {
    guard survey.claims.isProved(.updateMethod), case .record(let before, _) = try await look() else { return }
    let plain = Object(
      fields.all.compactMap { field in
        guard record.isFree(field.name), !field.isReference, !field.isGuarded else { return nil }
        return record.plainValue(of: field, before[field.name]).map { (field.name, $0) }
      })
    let (refused, answer) = try await narrow(plain, "plain values")
    for field in refused {
      claim(field: field.name, .fieldRestrictedValues, true, field.evidence, field.isShown ? .proved : .likely)
    }
    if let answer { try await compareKept(plain, before, answer, except: Set(refused.map(\.name))) }
    try await tryFractions()
    try await OtherFields(updates: updates).compare(since: before)
    try await clearings.clearOther()
    try await tryNulls()
  }

  /// Sends a fraction for each writable integer field: existing records may not have one by chance.
  private func tryFractions() async throws(BackendError) {
    let names = fields.all.map(\.name).filter { name in
      record.writable.contains(name) && survey.claims[field: name, .fieldType] == "integer"
    }
    guard let half = Number("22.5"), !names.isEmpty else { return }
    let (refused, answer) = try await narrow(Object(names.map { ($0, .number(half)) }), "fractions")
    for field in refused where field.isShown {
      claim(field: field.name, .fieldType, "integer", "\(field.evidence) with a fraction", .proved)
    }
    guard let answer, case .record(let after, let read) = try await look() else { return }
    for name in names where !refused.contains(where: { $0.name == name }) {
      let evidence = "\(answer.evidence("with a fraction")); \(read.evidence())"
      if after[name]?.isSame(as: .number(half)) == true {
        // It may accept any text, too.
        claim(field: name, .fieldType, "number", evidence, .likely)
      } else if after[name]?.integer != nil {
        claim(field: name, .fieldType, "integer", evidence, .proved)
      }
    }
  }

  private struct Refused {
    let name: String
    let evidence: String
    /// True if the refusal is certainly about this value: it names the field, or nothing else was sent.
    let isShown: Bool
    let isAlone: Bool
  }

  /// Sends values together, and again without the refused ones. Returns the refused fields and the response to the
  /// accepted values. If the service fails, any value may be the reason, and none is proved to be.
  private func narrow(
    _ values: Object, _ name: String
  ) async throws(BackendError) -> (refused: [Refused], accepted: ProbeResponse?) {
    var refused: [Refused] = []
    var waiting = [values]
    var accepted: ProbeResponse?
    var named: (place: Object, evidence: String)?
    while let next = waiting.popLast() {
      guard !next.isEmpty else { continue }
      guard let answer = try await updates.sendFitting(next).answer else { break }
      if answer.isSuccess {
        accepted = answer
        step(name, answer.evidence(counted(next.count, "field")))
        // Some fields are named, and the rest is accepted without them.
        if let named, !survey.claims.isProved(.errorsFields) {
          survey.prove(.errorsFields, named.place, named.evidence)
        }
        if record.needsRevision { _ = try await look() }
        continue
      }
      // A service that fails may have stored the value that it fails at, and is not tried further.
      guard !answer.hasFailed else {
        step(name, answer.evidence("failed"))
        let doubted = next.names.map { Refused(name: $0, evidence: answer.evidence(), isShown: false, isAlone: false) }
        return (refused + doubted, accepted)
      }
      guard answer.mayJudgeValues else { break }
      let refusal = Refusal(answer.document, known: Set(next.names))
      let culprits = next.count == 1 ? next.names : refusal.names.filter { next[$0] != nil }
      step(name, answer.evidence(culprits.isEmpty ? "refused" : "refused for \(counted(culprits.count, "field"))"))
      if answer.judgesValues, !refusal.place.isEmpty, !culprits.isEmpty, next.count > culprits.count {
        named = (refusal.place, answer.evidence("fields are named there"))
      }
      for name in culprits {
        refused.append(
          Refused(
            name: name, evidence: answer.evidence("refused"),
            isShown: answer.judgesValues && (next.count == 1 || refusal.accuses(name)), isAlone: next.count == 1))
      }
      var rest = next
      for name in culprits { rest[name] = nil }
      if culprits.isEmpty {
        // Nothing names the field: each half is sent separately.
        let half = next.names.prefix(next.count / 2)
        waiting.append(Object(next.members.filter { !half.contains($0.0) }))
        rest = Object(next.members.filter { half.contains($0.0) })
      }
      waiting.append(rest)
    }
    return (refused, accepted)
  }

  /// Compares the accepted plain values with those stored. A field with a different value accepts only some values. One
  /// that keeps its old value is read-only if it also does so when sent alone, and for a value like those of others.
  private func compareKept(
    _ values: Object, _ before: Object, _ answer: ProbeResponse, except refused: Set<String>
  ) async throws(BackendError) {
    guard case .record(let after, let read) = try await look() else { return }
    try await updates.noteOthers(values, before, after, read)
    for (name, value) in values.members where !refused.contains(name) {
      guard after[name]?.isSame(as: value) != true else {
        record.writable.insert(name)
        record.proveText(name, value, read)
        continue
      }
      // The service may store a day in another notation.
      if value.isDay, after[name] ?? .null != .null { continue }
      let isKept = after.keeps(name, of: before)
      let evidence = "\(answer.evidence()); \(read.evidence(isKept ? "it keeps its own value" : "another value"))"
      if !isKept {
        claim(field: name, .fieldRestrictedValues, true, evidence, .proved)
      } else if values.count == 1 {
        try await compareUsual(name, value, evidence)
      } else {
        switch try await updates.alone(name, value) {
        case .stored(let read):
          record.writable.insert(name)
          record.proveText(name, value, read)
        case .kept(let evidence): try await compareUsual(name, value, evidence)
        case .altered(let evidence): claim(field: name, .fieldRestrictedValues, true, evidence, .proved)
        case .refused: break
        case .unknown: claim(field: name, .fieldReadOnly, true, evidence, .likely)
        }
      }
    }
  }

  /// Sends a value like those of other records for a field that has kept its own so far.
  private func compareUsual(_ name: String, _ value: Value, _ evidence: String) async throws(BackendError) {
    claim(field: name, .fieldReadOnly, true, evidence, .likely)
    guard let other = record.other(than: made?.fields[name] ?? .null, in: name) else { return }
    guard !other.isSame(as: value) else { return claim(field: name, .fieldReadOnly, true, evidence, .proved) }
    switch try await updates.alone(name, other) {
    case .kept(let evidence): claim(field: name, .fieldReadOnly, true, evidence, .proved)
    case .stored(let read):
      let evidence = read.evidence("a value like those of other records")
      claim(field: name, .fieldReadOnly, true, evidence, .contradicted)
      claim(field: name, .fieldRestrictedValues, true, evidence, .proved)
    case .altered(let evidence):
      claim(field: name, .fieldReadOnly, true, evidence, .contradicted)
      claim(field: name, .fieldRestrictedValues, true, evidence, .proved)
    case .refused, .unknown: break
    }
  }

  private func tryNulls() async throws(BackendError) {
    guard !form.isForm, survey.claims[.updateClear] != "emptyText", case .record(let now, _) = try await look() else {
      return
    }
    let nulls = fields.all.filter { field in
      let facts = survey.claims[field: field.name]
      return now[field.name] ?? .null != .null && field.name != marked?.name && !field.isReference && !field.isGuarded
        && field.name != survey.identifier?.field && survey.claims[.revisionField] != field.name
        && facts != nil && facts?[.fieldReadOnly] != true && facts?[.fieldRequired] != true
    }
    let (refused, answer) = try await narrow(Object(nulls.map { ($0.name, .null) }), "null")
    for field in refused where field.isShown {
      claim(field: field.name, .fieldNullable, false, field.evidence, .likely)
    }
    if let answer, case .record(let after, let read) = try await look() {
      for name in nulls.map(\.name) where !refused.contains(where: { $0.name == name }) {
        guard let value = after[name], ![.null, "", [], [:]].contains(value) else { continue }
        let evidence = "\(answer.evidence("with null")); \(read.evidence("another value"))"
        claim(field: name, .fieldNullable, false, evidence, .likely)
      }
    }
    try await proveNotNull(refused.filter(\.isShown), now)
  }

  /// Sends values for the fields that refused null, then each null alone, which proves the reason of the refusal.
  private func proveNotNull(_ refused: [Refused], _ now: Object) async throws(BackendError) {
    let tried = refused.prefix(Self.mostNulls)
    let values = Object(tried.compactMap { field in now[field.name].map { (field.name, $0) } })
    guard !values.isEmpty, let control = try await updates.sendFitting(values).answer, control.isSuccess else {
      return
    }
    for field in tried {
      if record.needsRevision { _ = try await look() }
      guard let answer = try await updates.sendFitting(Object([(field.name, .null)])).answer else { return }
      let evidence = "\(answer.evidence("null alone")); \(control.evidence("a value"))"
      if answer.isSuccess { claim(field: field.name, .fieldNullable, false, evidence, .contradicted) }
      guard answer.judgesValues, Refusal(answer.document, known: Set(fields.all.map(\.name))).accuses(field.name) else {
        continue
      }
      claim(field: field.name, .fieldNullable, false, evidence, .proved)
    }
  }

  private static let mostNulls = 6
}
