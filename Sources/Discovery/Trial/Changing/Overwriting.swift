import BackendClient
import BackendKit
import ServiceDescription

/// The fields that only the service sets: they keep their value whatever is sent.
struct Overwriting: ChangeExperiment {
  let updates: TrialUpdates

  /// Sends other values for fields that the service has set, and for those that only a document calls read-only. They
  /// are read-only if they stay. The marker is updated, too, which proves that the write took effect.
  func run() async throws(BackendError) {
    guard merges, let made else { return }
    let own = made.fields.members.filter { name, _ in
      sent[name] == nil && fields[name]?.isGuarded == false && name != survey.identifier?.field && name != marked?.name
        && survey.claims[.revisionField] != name
    }
    let open = own.filter { name, value in !record.isReadOnly(name) && record.given[name]?.isSame(as: value) != true }
    // Another state or owner may have effects: it is enough to know whether the field's own value is accepted.
    if try await send(Object(open), isOwn: true) != nil { _ = try await look() }
    let others = open.compactMap { name, value in record.isReadOnly(name) ? nil : otherValue(name, value) }
    try await overwrite(Object(others))
    let said = own.compactMap { name, value -> (String, Value)? in
      guard record.isReadOnly(name), !survey.claims.isProved(field: name, .fieldReadOnly) else { return nil }
      if value.text != nil, !value.isDay { return (name, .string(marker.short)) }
      return otherValue(name, value)
    }
    try await overwrite(Object(said))
  }

  private func otherValue(_ name: String, _ value: Value) -> (String, Value)? {
    guard let field = fields[name], !field.isReference,
      ["integer", "number", "date", "day", "object"].contains(field.type)
    else { return nil }
    return record.other(than: value, in: name).map { (name, $0) }
  }

  private func overwrite(_ values: Object) async throws(BackendError) {
    let before = made?.fields ?? Object()
    guard let (answer, changes) = try await send(values, isOwn: false) else { return }
    try await compare(changes, before, answer)
  }

  /// Sends values with an update of the marker, and again without those that a refusal names. Returns the accepted
  /// values and the response. A field is read-only if even its own value is refused by name, and the rest accepted.
  private func send(
    _ values: Object, isOwn: Bool
  ) async throws(BackendError) -> (answer: ProbeResponse, changes: Object)? {
    guard !values.isEmpty, let marked else { return nil }
    let isChanged = made?.fields[marked.name] == .string(Marker.changed(marked.text))
    var changes = values
    changes[marked.name] = .string(isChanged ? marked.text : Marker.changed(marked.text))
    var refused: [(name: String, evidence: String, isNamed: Bool)] = []
    for _ in 0..<3 {
      guard let answer = try await updates.send(changes).answer else { break }
      if answer.isSuccess {
        if record.needsRevision, !refused.isEmpty { _ = try await look() }
        for (name, evidence, isNamed) in refused {
          let isProved = isOwn && isNamed
          try await claimRefused(
            name, values[name] ?? .null, "\(evidence), and accepted without it", isProved, isAlone: values.count == 1)
        }
        return (answer, changes)
      }
      guard answer.mayJudgeValues else { break }
      let refusal = Refusal(answer.document, known: Set(changes.names))
      let rest = changes.names.filter { $0 != marked.name }
      let culprits = rest.count == 1 ? rest : refusal.names.filter(rest.contains)
      step("set by the service", answer.evidence("\(counted(culprits.count, "field")) refused"))
      guard !culprits.isEmpty else { break }
      for name in culprits {
        refused.append((name, answer.evidence("refused"), answer.judgesValues && refusal.accuses(name)))
        changes[name] = nil
      }
    }
    for (name, evidence, _) in refused {
      try await claimRefused(name, values[name] ?? .null, evidence, false, isAlone: values.count == 1)
    }
    return nil
  }

  /// Takes a field to be read-only if its value is refused, and is refused alone, too.
  private func claimRefused(
    _ name: String, _ value: Value, _ evidence: String, _ isProved: Bool, isAlone: Bool
  ) async throws(BackendError) {
    guard !isAlone else { return claim(field: name, .fieldReadOnly, true, evidence, isProved ? .proved : .likely) }
    switch try await updates.alone(name, value) {
    case .refused(let answer):
      let isNamed = answer.judgesValues && Refusal(answer.document, known: [name]).accuses(name)
      claim(
        field: name, .fieldReadOnly, true, answer.evidence("the field alone is refused"),
        isProved && isNamed ? .proved : .likely)
    case .unknown: claim(field: name, .fieldReadOnly, true, evidence, .likely)
    case .stored, .kept, .altered: break
    }
  }

  private func compare(_ changes: Object, _ before: Object, _ answer: ProbeResponse) async throws(BackendError) {
    guard let marked, case .record(let after, let read) = try await look() else { return }
    guard after[marked.name] == changes[marked.name] else {
      return step("set by the service", answer.evidence("accepted; a read shows no change"))
    }
    var ignored = 0
    for (name, value) in changes.members where name != marked.name {
      if after[name]?.isSame(as: value) == true {
        try await compareStored(name, before[name] ?? .null, read, isAlone: changes.count == 2)
      } else if after.keeps(name, of: before) {
        ignored += 1
        let evidence = "\(answer.evidence()); \(read.evidence("it keeps its own value"))"
        guard changes.count > 2 else {
          claim(field: name, .fieldReadOnly, true, evidence, .proved)
          continue
        }
        switch try await updates.alone(name, value) {
        case .stored: record.writable.insert(name)
        case .kept(let evidence): claim(field: name, .fieldReadOnly, true, evidence, .proved)
        case .altered(let evidence): claim(field: name, .fieldRestrictedValues, true, evidence, .likely)
        case .refused, .unknown: claim(field: name, .fieldReadOnly, true, evidence, .likely)
        }
      } else {
        // A value that was neither stored nor sent follows from a rule.
        claim(
          field: name, .fieldRestrictedValues, true, "\(answer.evidence()); \(read.evidence("another value"))", .likely)
      }
    }
    try await updates.noteOthers(changes, before, after, read)
    step(
      "set by the service",
      answer.evidence("\(ignored) of \(counted(changes.count - 1, "field")) keep their own values"))
  }

  /// Claims a field that has stored a value as writable, even if a document differs. A value stored among others may
  /// follow from them, so that the old one is then sent alone.
  private func compareStored(
    _ name: String, _ former: Value, _ read: ProbeResponse, isAlone: Bool
  ) async throws(BackendError) {
    var shown = read
    if record.isReadOnly(name), !isAlone {
      guard case .stored(let again) = try await updates.alone(name, former) else { return }
      shown = again
    }
    record.writable.insert(name)
    guard record.isReadOnly(name) else { return }
    claim(field: name, .fieldReadOnly, true, shown.evidence("an update is stored"), .contradicted)
  }
}
