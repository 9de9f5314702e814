import BackendClient
import BackendKit
import ServiceDescription

/// Updates of records without a field for the marker.
struct PlainChange: ChangeExperiment {
  let updates: TrialUpdates

  var isDue: Bool { marked == nil && !survey.claims.isProved(.updateMethod) }

  /// Updates a boolean or a number. That other fields stay proves nothing here, as they may just have their defaults.
  func run() async throws(BackendError) {
    guard let made, made.target != nil else { return }
    let values = made.fields.members.compactMap { name, value -> (name: String, value: Value)? in
      guard !record.isNaming(name), !record.isReadOnly(name), let field = fields[name], !field.isReadOnly,
        !field.isReference,
        !field.isGuarded
      else { return nil }
      switch value {
      case .bool(let isSet): return (name, .bool(!isSet))
      case .number: return record.other(than: value, in: name).map { (name, $0) }
      default: return nil
      }
    }
    // If nothing can be changed, an empty update shows which methods are accepted.
    let tries: [(name: String, value: Value)?] = values.isEmpty ? [nil] : values.prefix(2).map { $0 }
    var isTaken = false
    let known = survey.claims[.updateMethod]
    for method in known.map({ [$0] }) ?? ["PATCH", "PUT"] {
      for change in tries {
        let before = record.made?.fields ?? Object()
        let changes = change.map { Object([($0.name, $0.value)]) } ?? Object()
        guard let answer = try await updates.send(method, changes).answer else {
          return step("change", "no response; not tried again")
        }
        isTaken = isTaken || !answer.lacksMethod
        guard answer.isSuccess else {
          step("change", answer.evidence("the changed field alone: \(answer.outcome)"))
          if answer.lacksMethod { break }
          continue
        }
        guard let change, case .record(let after, let read) = try await look() else { continue }
        guard after[change.name]?.isSame(as: change.value) == true else {
          step("change", answer.evidence("accepted; a read shows no change"))
          continue
        }
        let others = before.names.filter { $0 != change.name && !record.isNaming($0) && !(before[$0] ?? .null).isBlank }
        let fate = Fate.of(others, before, after)
        let evidence = answer.evidence("one field alone; \(read.evidence(fate?.text ?? "the change"))")
        step("change", evidence)
        record.writable.insert(change.name)
        survey.prove(.updateMethod, method, evidence)
        if method == "PATCH" { survey.suppose(.updateMerges, fate?.isLoss != true, evidence) }
        return
      }
    }
    if !isTaken { updates.deny() }
  }
}
