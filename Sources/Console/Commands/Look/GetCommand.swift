import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let get = Command(
    "get", .look, "Show records by identifier", arguments: [.optional(.target), .some(.identifier)],
    alternatives: [
      [.optional(.target), SharedOptions.fromFile],
      [.optional(.target), .one(.identifier), .option("field", .field), .option("to", .file(.written))],
    ],
    effects: [.readsRecords, .writesContent],
    options: [
      OptionSyntax("fields", value: .fields, help: "fields to show, separated by commas"), SharedOptions.with,
      SharedOptions.embed,
      OptionSyntax(
        "field", value: .field, help: "write the content of a file field to the file of --to; - is standard output"),
      OptionSyntax(
        "max-size", value: .free("SIZE"), help: "maximum size of the content: 500K, 20M, 4G (default 1G)"),
    ] + SharedOptions.from + SharedOptions.jobs + SharedOptions.output,
    details: [
      "Write -- before an ID that looks like a target. A singleton resource takes no ID: get TARGET.",
      "--field writes the content unchanged, and replaces an existing file only once the content is complete.",
    ],
    examples: [
      Example(line: "get 3", says: "record 3 of the current resource"),
      Example(line: "get todolist 0 2 -o json", says: "two todos as a list"),
      Example(line: "get 3 --fields title", says: "one field of it"),
      Example(line: "get placeholder 5 --with user", says: "a todo and the user that it refers to"),
    ], overlaps: true
  ) { invocation, context in
    let (target, ids) = try await InputFiles(context).targetAndIdentifiers(invocation)
    let resource = try await target.client.resource(target.path)
    if let name = invocation.value(of: "field") {
      return try await Download(context).download(name, of: ids, target, resource, invocation)
    }
    let output = try RecordOutput(invocation, context, default: .expanded)
    let relations =
      invocation.has("with") ? try await RelationWords(context).relations(invocation, of: target, resource) : nil
    let shown = try invocation.word(of: "fields").map { word throws(UsageError) in
      try ListOptions.fields(word, "--fields").map { FieldPath($0.text) }
    }
    let fields = relations?.needed(shown) ?? shown
    let embedded = try invocation.word(of: "embed").map { word throws(UsageError) in
      try ListOptions.fields(word, "--embed").map(\.text)
    }
    @Sendable func complete(_ record: Record) async throws(BackendError) -> Record {
      try await relations?.added(to: [record]).first ?? record
    }
    defer { relations?.takeNotes().forEach(context.note) }
    if let fields { try Conditions(context).check(fields, of: target, resource) }
    if ids.count == 1, !invocation.has("from") {
      let id = ids[0].id
      if fields != nil || embedded != nil {
        let record = try await target.client.get(id, from: target.path, fields: fields, embedding: embedded ?? [])
        output.printLater(try await complete(record), resource, context, columns: shown, with: relations)
        return
      }
      let record = try await target.client.get(
        id, from: target.path,
        readingAhead: context.run.knowsNext ? ReadAhead(context).reads(after: id, of: target, resource) : [],
        on: context.run.console.executor)
      context.results.saw([record], of: target)
      output.printLater(try await complete(record), resource, context, with: relations)
      return
    }
    let options = try BulkOptions(invocation, target)
    let presentation = output.presentation(context, resource, columns: shown, with: relations, isSingle: false)
    let results = context.results
    results.page()
    let run = RecordStream(output, presentation, results, flushes: false)
    defer { run.keep(in: results, presentation) }
    let path = target.path
    let client = target.client
    let patience = RowRetryPolicy(target.backend.connection, retries: options.retries, context.reporter.progress)
    try await Bulk(context).each(
      ids, of: target, "get", options, into: options.isQuiet ? nil : run, patience: patience
    ) { given in
      if fields != nil || embedded != nil {
        return try await complete(
          try await client.get(given.id, from: path, fields: fields, embedding: embedded ?? []))
      }
      return try await complete(try await client.get(given.id, from: path))
    } take: { _, answer in
      let record = try answer.get()
      if fields == nil, embedded == nil { results.saw([record], of: target) }
      if !options.isQuiet { _ = run.take([record]) }
      return .done
    }
  }
}
