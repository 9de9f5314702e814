import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

extension Command {
  static let create = Command(
    "create", .change, "Create a record", arguments: [.optional(.target), .some(.assignment)],
    alternatives: [[.optional(.target), SharedOptions.fromFile, .any(.assignment)]],
    effects: [.readsRecords, .writesRecords, .handsOverWrites],
    options: SharedOptions.from + SharedOptions.jobs
      + [
        SharedOptions.newFields,
        OptionSyntax("preview", help: "show the record as get would, HTML as text, and send nothing"),
      ] + GateOptions.syntax + [SharedOptions.noWait] + SharedOptions.output,
    details: [
      "FIELD=TEXT, FIELD:=JSON, FIELD=@FILE for text and FIELD:=@FILE for JSON from a file; @- is standard input.",
      "A date field accepts 2017-10-03, 3.10.2017, today, \"tomorrow 14:00\" or now, in UTC unless a zone is given.",
      "If the field's type is known, = also sets a number or a boolean. address.city=TEXT sets a part of a field. If the name of a",
      "field contains a dot, put it in quotes: \"in.quotes\"=TEXT; update needs no quotes if the record has the field.",
      "--from creates a record from each JSON object or row; FIELD=VALUE is set in each of them.",
      "At a terminal, create without fields asks for each field: Enter accepts the value in brackets, or leaves the field out; Ctrl-C",
      "or Ctrl-D cancels.",
    ],
    examples: [
      Example(line: "create title=\"New badge readers\" body=\"<p>At the north door</p>\"", says: "a new record")
    ]
  ) { invocation, context in
    let (target, words) = try await Subject(context).target(of: invocation)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, context, default: .table)
    let edits = try await EditWords(context).edits(words, resource.fields, sendingTo: target.client)
    let given = try InputFiles(context).given(invocation, resource, as: .objects)
    func preview(_ writes: [PlannedWrite]) throws {
      let records = writes.compactMap { planned -> Record? in
        if case .create(_, let fields) = planned.write { Record(id: nil, fields: fields) } else { nil }
      }
      try RecordOutput(invocation, context, default: .expanded).print(
        records, resource, context, isSingle: given == nil)
      context.tell("nothing was sent")
    }
    func plan(_ writes: [PlannedWrite], _ question: String) -> WritePlan {
      var asked = WriteQuestion(question)
      asked.refused = "nothing was created"
      return WritePlan([WritePlan.Part(Ledgers(context).place(target, resource), writes)], asked)
    }
    let options = try BulkOptions(invocation, target, "create")
    guard let given else {
      var fields = try edits.filled()
      if words.word(.assignment) == nil {
        guard let asked = try await RecordQuestions(context).askFields(of: resource, target) else {
          throw words.reading.lacks(.assignment)
        }
        fields = asked
      }
      let planned = PlannedWrite(.create(target.path, fields))
      try await WriteChecks(context).check(planned.write, of: target)
      if invocation.has("preview") { return try preview([planned]) }
      let plan = plan([planned], "Create a record of \(target.description)")
      guard try await Gate(context).admits(plan, invocation) else { return }
      return try await Sending(context).carryOut(planned, of: target, resource, output, options)
    }
    let writes = try given.map { record in
      PlannedWrite(
        .create(target.path, try edits.filled(try record.wholeFields(resource))), from: record.origin)
    }
    for given in writes { try await WriteChecks(context).check(given.write, of: target, at: given.place) }
    if invocation.has("preview") { return try preview(writes) }
    let plan = plan(writes, "Create \(counted(given.count, "record")) of \(target.description)")
    guard try await Gate(context).admits(plan, invocation) else { return }
    try await Sending(context).carryOut(writes, of: target, resource, output, options)
  }
}
