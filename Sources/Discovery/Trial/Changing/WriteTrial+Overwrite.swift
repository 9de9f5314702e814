import BackendClient
import BackendKit
import ServiceDescription

/// Which fields are for the service alone: those that keep their own value, whatever is sent.
extension WriteTrial {
  /// Sends other values for what the service has set itself, and for what only a document calls read-only: what stays
  /// is for the service alone. A change of the marker goes along, which shows that the write was carried out.
  func overwrite() async throws(BackendError) {
    guard survey.claims[.updateMerges] == true, let method = survey.claims[.updateMethod], let made else {
      return
    }
    let own = made.fields.members.filter { name, _ in
      sent[name] == nil && fields[name]?.isGuarded == false && name != survey.identifier?.field && name != marked?.name
        && survey.claims[.revisionField] != name
    }
    let open = own.filter { name, value in !isReadOnly(name) && given[name]?.isSame(as: value) != true }
    // The effects of another state or another owner are not tried: whether a field's own value may be sent is enough.
    if try await send(Object(open), method, isOwn: true) != nil { _ = try await look() }
    let others = open.compactMap { name, value in isReadOnly(name) ? nil : otherValue(name, value) }
    try await overwrite(Object(others), method)
    let said = own.compactMap { name, value -> (String, Value)? in
      guard isReadOnly(name), !survey.claims.isProved(field: name, .fieldReadOnly) else { return nil }
      if value.text != nil, !value.isDay { return (name, .string(marker.short)) }
      return otherValue(name, value)
    }
    try await overwrite(Object(said), method)
  }

  /// A value that another record has in a field whose value may be overwritten.
  private func otherValue(_ name: String, _ value: Value) -> (String, Value)? {
    guard let field = fields[name], !field.isReference,
      ["integer", "number", "date", "day", "object"].contains(field.type)
    else { return nil }
    return other(than: value, in: name).map { (name, $0) }
  }

  private func overwrite(_ values: Object, _ method: String) async throws(BackendError) {
    let before = made?.fields ?? Object()
    guard let (answer, changes) = try await send(values, method, isOwn: false) else { return }
    try await compare(changes, before, answer)
  }

  /// Sends values with a change of the marker, and again without those that a refusal names; the response to what was
  /// accepted, and that. A field is for the service alone if its own value is refused with its name, and the rest
  /// accepted.
  private func send(
    _ values: Object, _ method: String, isOwn: Bool
  ) async throws(BackendError) -> (answer: ProbeResponse, changes: Object)? {
    guard !values.isEmpty, let marked else { return nil }
    let isChanged = made?.fields[marked.name] == .string(Marker.changed(marked.text))
    var changes = values
    changes[marked.name] = .string(isChanged ? marked.text : Marker.changed(marked.text))
    var refused: [(name: String, evidence: String, isNamed: Bool)] = []
    for _ in 0..<3 {
      guard case .answered(let answer) = try await send(method, changes, type: patchType) else { break }
      if answer.isSuccess {
        if needsRevision, !refused.isEmpty { _ = try await look() }
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

  /// Takes a field for the service's own whose value was refused, if it is refused by itself, too.
  private func claimRefused(
    _ name: String, _ value: Value, _ evidence: String, _ isProved: Bool, isAlone: Bool
  ) async throws(BackendError) {
    guard !isAlone else { return claim(field: name, .fieldReadOnly, true, evidence, isProved ? .proved : .likely) }
    switch try await alone(name, value) {
    case .refused(let answer):
      let isNamed = answer.judgesValues && Refusal(answer.document, known: [name]).accuses(name)
      claim(
        field: name, .fieldReadOnly, true, answer.evidence("the field alone is refused"),
        isProved && isNamed ? .proved : .likely)
    case .unknown: claim(field: name, .fieldReadOnly, true, evidence, .likely)
    case .stored, .kept, .altered: break
    }
  }

  func isReadOnly(_ name: String) -> Bool { survey.claims[field: name, .fieldReadOnly] == true }

  /// Compares a read with the other values that were sent for fields set by the service.
  private func compare(_ changes: Object, _ before: Object, _ answer: ProbeResponse) async throws(BackendError) {
    guard let marked, case .record(let after, let read) = try await look() else { return }
    guard after[marked.name] == changes[marked.name] else {
      return step("set by the service", answer.evidence("accepted; a read shows no change"))
    }
    var ignored = 0
    for (name, value) in changes.members where name != marked.name {
      if after[name]?.isSame(as: value) == true {
        try await compareStored(name, before[name] ?? .null, read, isAlone: changes.count == 2)
      } else if stays(name, before, after) {
        ignored += 1
        let evidence = "\(answer.evidence()); \(read.evidence("it keeps its own value"))"
        guard changes.count > 2 else {
          claim(field: name, .fieldReadOnly, true, evidence, .proved)
          continue
        }
        switch try await alone(name, value) {
        case .stored: writable.insert(name)
        case .kept(let evidence): claim(field: name, .fieldReadOnly, true, evidence, .proved)
        case .altered(let evidence): claim(field: name, .fieldRestrictedValues, true, evidence, .likely)
        case .refused, .unknown: claim(field: name, .fieldReadOnly, true, evidence, .likely)
        }
      } else {
        // Another value than was there and than was sent: a rule of the service's own.
        claim(
          field: name, .fieldRestrictedValues, true, "\(answer.evidence()); \(read.evidence("another value"))", .likely)
      }
    }
    try await noteOthers(changes, before, after, read)
    step(
      "set by the service",
      answer.evidence("\(ignored) of \(counted(changes.count - 1, "field")) keep their own values"))
  }

  /// Takes a field that has stored a value for one that may be written, also if a document had said otherwise. What is
  /// stored together with other fields may follow from them: such a field is sent its former value by itself.
  private func compareStored(
    _ name: String, _ former: Value, _ read: ProbeResponse, isAlone: Bool
  ) async throws(BackendError) {
    var shown = read
    if isReadOnly(name), !isAlone {
      guard case .stored(let again) = try await alone(name, former) else { return }
      shown = again
    }
    writable.insert(name)
    guard isReadOnly(name) else { return }
    claim(field: name, .fieldReadOnly, true, shown.evidence("an update is stored"), .contradicted)
  }

  /// Returns whether a field has kept its value.
  func stays(_ name: String, _ before: Object, _ after: Object) -> Bool {
    (after[name] ?? .null).isSame(as: before[name] ?? .null)
  }

  /// Fields that were not sent and have another value after a change of others may follow from these, unless they store
  /// the one that they had.
  func noteOthers(
    _ changes: Object, _ before: Object, _ after: Object, _ read: ProbeResponse
  ) async throws(BackendError) {
    for (name, value) in after.members where changes[name] == nil && name != marked?.name {
      guard let was = before[name], !was.isSame(as: value), sent[name] == nil, !isReadOnly(name),
        survey.claims[field: name] != nil, survey.claims[.revisionField] != name
      else { continue }
      if fields[name].map({ !$0.isGuarded && !$0.isReference }) == true, case .stored = try await alone(name, was) {
        writable.insert(name)
        continue
      }
      claim(field: name, .fieldReadOnly, true, read.evidence("it changed together with other fields"), .likely)
    }
  }

  /// A value that another record has in the field.
  func other(than value: Value, in name: String) -> Value? {
    survey.rows.lazy.compactMap { self.survey.fields(of: $0)[name] }.first { $0 != .null && !$0.isSame(as: value) }
  }
}
