import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let call = Command(
    "call", .change, "Run an action that a backend describes, on a record or a resource",
    arguments: [.optional(.target), .one(.action), .optional(.identifier), .any(.assignment)],
    effects: [.readsRecords, .runsActions], options: GateOptions.syntax + [SharedOptions.noWait] + SharedOptions.output,
    details: [
      "describe lists the actions and their arguments. An action on a record needs the record's ID.",
      "An action counts as a write, unless its description declares it a read and it is sent by GET, or by POST from a trusted",
      "configuration.",
    ]
  ) { invocation, context in
    let (target, named) = try await Subject(context).target(of: invocation)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, context, default: .table)
    let action = try resource.action(named.word(.action), of: target)
    let words = action.subject == .record ? named : try named.withoutIdentifiers()
    var id: RecordID?
    if action.subject == .record {
      guard let word = words.word(.identifier) else {
        throw UsageError(
          "\(action.name) is an action on a record and needs its identifier",
          hint: "call \(action.name) ID FIELD=VALUE ...")
      }
      let given = try Subject(context).identifier(word, of: target)
      if !given.isUnknown, let complaint = resource.identifier.complaint(about: given.text) {
        throw UsageError("\(target.description): \(complaint)")
      }
      id = RecordID(given.text)
    }
    let edits = try await EditWords(context).edits(words, action.fields)
    let write = Write.act(target.path, id, action.name, try edits.filled())
    let subject = id.map { "\(target.description)/\($0)" } ?? target.description
    let receipt: WriteReceipt
    let (place, planned) = (Ledgers(context).place(target, resource), PlannedWrite(write))
    if action.effect == .read {
      receipt = try await place.ledger.send(planned, isRead: true)
      Receipts(context).learn(receipt, of: target)
    } else {
      try await WriteChecks(context).check(write, of: target)
      var question = WriteQuestion("Call \(action.name) of \(subject)")
      question.refused = "nothing was done"
      let plan = WritePlan([WritePlan.Part(place, [planned])], question)
      guard try await Gate(context).admits(plan, invocation) else { return }
      guard let written = try await Sending(context).carryOut(planned, by: WriteRun(places: [place])) else {
        return
      }
      receipt = written.receipt
    }
    context.count(records: 1)
    defer { Receipts(context).note(receipt) }
    if let records = receipt.answer?.records {
      let presentation = output.presentation(context, fields: [], columns: nil, isSingle: false)
      context.keep(records, presentation)
      output.print(records, presentation, context)
    } else if let answer = receipt.answer {
      try FactOutput(context).present(answer, invocation)
    } else if !output.isForPeople || context.results.rows != nil || action.effect == .read,
      let record = receipt.record
    {
      output.print(record, resource, context)
    } else {
      try FactOutput(context).present(
        Object(facts: [
          ("action", action.name), ("backend", target.client.name), ("resource", target.path.description),
          ("id", id?.text),
        ]), id: id?.text, invocation, text: receipt.sentence(of: write, target))
    }
  }
}

extension Value {
  /// The elements as records to show; nil unless it is a list of objects.
  fileprivate var records: [Record]? {
    guard let objects = array?.map(\.object), !objects.contains(where: { $0 == nil }) else { return nil }
    return objects.compactMap(\.self).map { Record(id: nil, fields: $0) }
  }
}

extension ResourceDescription {
  fileprivate func action(_ word: Word?, of target: Target) throws(UsageError) -> ActionDescription {
    let known = actions.map(\.name)
    guard let word else {
      throw UsageError(
        "call needs an action",
        hint: known.isEmpty
          ? "\(target.description) has no actions" : "actions: \(known.joined(separator: ", "))")
    }
    guard let action = action(named: word.text) else {
      throw UsageError(
        "unknown action \"\(word.text)\" of \(target.description)", word.text, among: known,
        else: known.isEmpty ? "it has no actions" : "actions: \(known.joined(separator: ", "))", column: word.column)
    }
    return action
  }
}
