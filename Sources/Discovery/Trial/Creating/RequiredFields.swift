import BackendClient
import BackendKit
import ServiceDescription

/// Further records, each without one field: only a creation shows that it is required.
struct RequiredFields: Experiment {
  let record: TrialRecord
  let creation: FirstCreation

  static let most = 6

  /// The maximum number of records to create because their omitted field is not required.
  static let mostSpare = 2

  /// One less if another record was created with a taken identifier.
  private var spareLeft: Int { Self.mostSpare - (record.isChosen ? 1 : 0) }

  /// Tests likely required fields: sends the record without one of them. A refusal that names it is proof, as the
  /// record was accepted with it; one that names nothing is only proof if the record is accepted again. A record that
  /// is created is deleted.
  func run() async throws(BackendError) {
    let basis = basis
    var names = survey.claims.fields.map(\.name).filter { survey.claims[field: $0, .fieldRequired] == true }
    names = names.filter {
      !survey.claims.isProved(field: $0, .fieldRequired) && basis[$0] != nil && record.named[$0] == nil
    }
    if creation.needsWithout, let marked, survey.claims[field: marked.name, .fieldRequired] != true {
      names.append(marked.name)
    }
    // A service that names nothing may require any text that no record lacks.
    names += fields.all.map(\.name).filter { name in
      creation.isGuessed && survey.claims.perhapsRequired.contains(name) && basis[name] != nil && name != marked?.name
        && record.named[name] == nil && !names.contains(name)
    }
    // The identifier comes first, since only a creation can show that it is required.
    names = names.filter(record.isNaming) + names.filter { !record.isNaming($0) }
    var unnamed: [(name: String, evidence: String)] = []
    var spare = 0
    for name in names.prefix(Self.most) where watch.losses.isEmpty && record.leftover == nil && spare < spareLeft {
      guard let answer = try await create(basis, without: name) else { continue }
      step("create without a field", answer.evidence(answer.outcome))
      let evidence = answer.evidence("refused if only this field is missing")
      if answer.isSuccess {
        spare += 1
        if fields[name]?.isRequired == true {
          survey.differ("the document says that \(name) is required; the service does not require it")
        }
        record.clear(field: name, .fieldRequired, answer.evidence("a record without it"))
      } else if answer.judgesValues {
        let refusal = Refusal(answer.document, known: Set(fields.all.map(\.name) + record.madeWith.names))
        let isAccused = refusal.accuses(name) || record.shownAs[name].map(refusal.accuses) == true
        if isAccused, basis.count == record.madeWith.count {
          claim(field: name, .fieldRequired, true, evidence, .proved)
          proveErrors(answer)
          compareRequired(name)
        } else if refusal.names.isEmpty || refusal.isProse || isAccused {
          claim(field: name, .fieldRequired, true, evidence, .likely)
          unnamed.append((name, evidence))
        }
      } else if answer.hasFailed {
        return
      }
    }
    guard !unnamed.isEmpty, watch.losses.isEmpty, record.leftover == nil,
      try await create(basis, without: nil)?.isSuccess == true
    else {
      return
    }
    for (name, evidence) in unnamed {
      claim(field: name, .fieldRequired, true, "\(evidence), and accepted with it", .proved)
      compareRequired(name)
    }
  }

  /// The fields of the record's creation, with another text that can take the marker.
  private var basis: Object {
    var basis = record.madeWith
    if let other = fields.clearable, basis[other.name] == nil, let text = other.holding(marker) {
      basis[other.name] = .string(text)
    }
    return basis
  }

  /// Sends the record again without one field, deletes what was created and returns the response. Nil without a
  /// response, or if no other field can be marked.
  private func create(_ basis: Object, without name: String?) async throws(BackendError) -> ProbeResponse? {
    guard let identifier = survey.identifier else { return nil }
    var rest = basis
    var holder = marked
    if record.isAtItem, name == marked?.name {
      // The name contains the marker, too.
      holder = nil
    } else if let name, let marked, name == marked.name {
      guard let other = fields.clearable, other.name != name, rest[other.name] != nil, !form.isForm || rest.count > 1,
        let text = other.holding(marker)
      else { return nil }
      holder = (other.name, text)
    }
    if let name { rest[name] = nil }
    if let holder { rest[holder.name] = .string(holder.text) }
    if name != identifier.field { record.nameAnew(&rest, identifier) }
    let marked = marked
    record.marked = holder
    defer { record.marked = marked }
    let outcome = try await record.make(rest)
    if outcome.answer?.hasFailed ?? true {
      step("create without a field", "no record was created; looking for the marker")
    }
    if outcome.answer.map({ $0.isSuccess || $0.hasFailed }) ?? true {
      try await OtherRecord(record: record, identifier: identifier).discard(outcome)
    }
    return outcome.answer
  }

  /// Claims the place of field errors as proved: the record was accepted with the field named there.
  private func proveErrors(_ answer: ProbeResponse) {
    guard let seen = record.learnErrors(answer), !survey.claims.isProved(.errorsFields) else { return }
    survey.prove(.errorsFields, seen.place, seen.evidence)
  }

  private func compareRequired(_ name: String) {
    guard survey.documented?.creation?.request != nil, fields[name]?.isRequired != true else {
      return
    }
    survey.differ("the document does not say that \(name) is required; the service requires it")
  }
}
