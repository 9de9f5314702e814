import BackendClient
import BackendKit

/// Laws of ``LawGroup/update`` about actions.
extension Law {
  static let acting: [Law] = [
    namedAction
  ]

  private static let namedAction = Law(
    "action on a record", .update,
    "the receipt of an action on a record shows that record as it is stored, if the run permits the action."
  ) { context throws(CheckStop) in
    let actions = context.resource.actions.filter { context.subject.actions.contains($0.name) && $0.subject == .record }
    guard !actions.isEmpty else { throw .notApplicable("this run permits no action on a record") }
    try context.needs(.get)
    for action in actions {
      let made = try await context.own.made()
      var fields = Object()
      for field in action.fields where field.isRequired { fields[field.name] = field.samples[0] }
      let done = "the action \(action.name) of the record \(made.id) was called"
      let receipt = try await context.attempt(
        done, await context.backend.act(action.name, on: made.id, in: context.path, with: fields))
      try context.require(
        receipt.id == nil || receipt.id == made.id, done, expected: "a receipt of that record",
        found: "one of \(receipt.id?.text ?? "")")
      guard let shown = receipt.record, receipt.writes != .echoed else { continue }
      let stored = try await context.own.stored(made.id, "was acted on")
      try context.require(
        Value.object(shown.fields).isSame(as: .object(stored.fields)), done,
        expected: "a receipt with the record as it is stored, \(Value.object(stored.fields).shown)",
        found: Value.object(shown.fields).shown)
    }
  }
}
