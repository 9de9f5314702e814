import BackendClient
import BackendKit
import ServiceDescription

struct IdentifierChange: ChangeExperiment {
  let updates: TrialUpdates

  /// Sends another identifier. A field that keeps its value is read-only; a record that moves is followed.
  func run() async throws(BackendError) {
    guard !record.isAtItem, form.type == nil, !record.isChosen,
      let identifier = survey.identifier,
      !identifier.field.isEmpty, survey.fieldsAt == nil, survey.claims[field: identifier.field] != nil,
      survey.claims.isProved(.updateMethod), let marked, let made, let other = otherIdentifier(identifier)
    else { return }
    let text = made.fields[marked.name] == .string(marked.text) ? Marker.changed(marked.text) : marked.text
    let change = Object([(marked.name, Value.string(text))])
    var both = change
    both[identifier.field] = other
    guard let answer = try await updates.sendFitting(both).answer else { return }
    if answer.isSuccess {
      let sight = try await look()
      if case .record(let after, let read) = sight, after[marked.name] == .string(text) {
        let evidence = "\(answer.evidence("another identifier")); \(read.evidence("it keeps its own"))"
        step("identifier", evidence)
        claim(field: identifier.field, .fieldReadOnly, true, evidence, .proved)
      } else if case .gone = sight, let id = RecordID(other) {
        record.take(id, identifier, made.fields)
        record.made?.mark = made.mark
        guard case .record = try await look(), record.made?.isSighted == true else { return record.made = made }
        step("identifier", answer.evidence("the record has the other one"))
        claim(
          field: identifier.field, .fieldReadOnly, true, answer.evidence("another identifier is stored"), .contradicted)
      }
      return
    }
    guard answer.mayJudgeValues || answer.status == 403, try await updates.sendFitting(change).accepted != nil
    else { return }
    _ = try await look()
    let evidence = answer.evidence("another identifier is refused, and the rest accepted without it")
    step("identifier", evidence)
    claim(field: identifier.field, .fieldReadOnly, true, evidence, .proved)
  }

  /// A missing record's identifier, as a value of the field.
  private func otherIdentifier(_ identifier: IdentifierProbe.Found) -> Value? {
    let known = identifier.value(of: identifier.record)
    if known.integer != nil { return 2_147_483_601 }
    guard let text = known.text else { return nil }
    if Int(text).map(String.init) == text { return "2147483601" }
    let pattern = IdentifierProbe.patterns.first { TextPattern($0)?.isFound(in: text) == true }
    return .string(pattern.flatMap(UsualIdentifier.matching) ?? Marker.again(marker.text))
  }
}
