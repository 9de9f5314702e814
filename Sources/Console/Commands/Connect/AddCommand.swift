import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let add = Command(
    "add", .connect, "Examine a service and add it as a backend",
    arguments: [.one(.free("ADDRESS")), .optional(.free("NAME"))],
    effects: [.readsRecords, .writesRecords, .changesConfiguration, .makesFolders],
    options: [
      OptionSyntax("bearer-env", value: .free("VARIABLE"), help: "send the token in this environment variable"),
      OptionSyntax(
        "basic-env", value: .free("USER:VARIABLE"), help: "send this user's name, and the password in the variable"),
      OptionSyntax(
        "header-env", value: .free("FIELD=VARIABLE"), help: "send the variable in this header field", isRepeatable: true
      ),
      OptionSyntax(
        "query-env", value: .free("NAME=VARIABLE"), help: "send the variable in this parameter of the query"),
      OptionSyntax("cookie-env", value: .free("NAME=VARIABLE"), help: "send the variable in this cookie"),
      OptionSyntax("allow-plain", help: "send credentials over plain http to another machine"),
      OptionSyntax("ca", value: .file(.read), help: "accept certificates issued by the authority in this PEM file"),
      OptionSyntax(
        "pin", value: .free("DIGEST"),
        help: "accept only the server with this key; ask: show the certificate and prompt, at a terminal"),
      OptionSyntax("only", value: .free("NAME"), help: "examine this resource only", isRepeatable: true),
      OptionSyntax("document", value: .free("PATH"), help: "path of the service's OpenAPI document"),
      OptionSyntax(
        "document-file", value: .file(.read),
        help: "file with the OpenAPI document; repeat it for each file that the document refers to", isRepeatable: true),
      OptionSyntax("follow", help: "also follow links to single records and to paths below them"),
      OptionSyntax(
        "max-requests", value: .count(from: 1), help: "maximum requests to send (default: \(SurveyOrder.usualRequests))"
      ),
      OptionSyntax("no-preset", help: "examine the service itself, even if its product has a preset"),
      OptionSyntax("extend", help: "add the resources to the existing backend at this address"),
      OptionSyntax("evidence", help: "show each fact with its evidence, and the description"),
      SharedOptions.tryWrites,
      OptionSyntax("print", help: "print the description, and add nothing"),
      SharedOptions.yes,
    ] + SharedOptions.format,
    details: [
      "add reads ADDRESS, looks for an OpenAPI document, shows the requests that it is going to send, and asks; scripts need --yes.",
      "It sends only reads (GET, HEAD, OPTIONS), one at a time, and only to the origin of ADDRESS.",
      "ADDRESS is the address of the API, of one of its lists or records, or of the document. With a document, add reads a few lists",
      "and takes the rest from the document; the first use of such a resource shows whether the document is right. Without one, add",
      "follows the links of ADDRESS, and shows them before it does.",
      "--try-writes also creates, changes and deletes test records in each resource that seems writable. Side effects of a create",
      "(mail, webhooks) happen. If a test record cannot be deleted, it is reported, and the status is 1.",
      "Each fact is proved, likely, contradicted or untested; --evidence shows them all with their sources. A list without paging",
      "stays untested, because it may be only a first page; at a terminal add asks you to confirm it.",
      "The description is written to services/NAME.yaml, and the backend is added to the configuration in use: the one of --config,",
      "or your own. At a terminal the new backend becomes the current one.",
      "For a self-signed or private certificate use --ca FILE or --pin=DIGEST. --pin=ask shows the certificate before anything else",
      "is sent, and asks for the last 8 characters of its digest; get them from the operator of the service.",
      "Links to single records, and to paths below them, are followed only with --follow. A path with a verb in it (/logout,",
      "/users/1/delete, ?action=delete) is read only with --only NAME; docs/reference/discovery.md lists the verbs.",
    ],
    examples: [
      Example(line: "add http://127.0.0.1:8000/api/", says: "every resource in its document, or linked from its root"),
      Example(
        line: "add https://desk.example.org/api desk --bearer-env DESK_TOKEN --only tickets", says: "one resource"),
    ]
  ) { invocation, context in try await ServiceAddition(context).add(invocation) }
}

struct ServiceAddition: CommandPart {
  let context: CommandContext

  func add(_ invocation: Invocation) async throws {
    var backend = try invocation.newBackend()
    reporter.blanking.keepSecret(backend.secrets(environment: run.console.environment))
    try CertificateQuestion(context).take(for: &backend, invocation)
    let own = try OwnConfiguration(targets.configuration, environment: run.console.environment)
    let extended = try await ExtendedBackend(context).find(by: backend, in: own, invocation)
    if extended == nil, !invocation.has("print"), targets.configuration(of: backend.name) != nil {
      throw OwnConfiguration.taken(backend.name, own.file)
    }
    if backend.hasCredentials, !backend.origin.isPrivate, !invocation.has("allow-plain") {
      throw UsageError(
        "credentials would be sent over plain http to \(backend.origin.description)",
        hint: "use https, or --allow-plain to send credentials unencrypted")
    }
    if invocation.has("try-writes") { try SurveyRun(context).checkTrial(at: backend.origin) }
    try run.endRehearsal()
    try await CertificateQuestion(context).ask(of: &backend, invocation)
    let proposal = LoginProposal(context)
    guard let survey = try await survey(&backend, proposal, extending: extended != nil, invocation) else { return }
    if invocation.has("print") {
      results.output.write(EscapedText(lines: survey.companion == nil ? survey.file : survey.fileAlone))
      survey.remarks.forEach(note)
      if !survey.outlines.isEmpty {
        note(
          "not printed: \(counted(survey.outlines.count, "resource")) that only the document describes; add without --print writes them to a file beside the description"
        )
      }
      return try survey.checkLeftovers()
    }
    if let defect = survey.defect {
      try FactOutput(context).present(survey.claims.map(\.record), isSingle: false, invocation, text: survey.text)
      survey.remarks.forEach(note)
      try survey.checkLeftovers()
      throw CommandFailure(.failure, "nothing was added: cannot build a description from the survey: \(defect)")
    }
    let isWhole = invocation.has("evidence") || invocation.has("try-writes")
    try FactOutput(context).present(
      survey.claims.map(\.record), isSingle: false, invocation,
      text: invocation.has("evidence") ? survey.text : survey.overview)
    (isWhole ? survey.remarks : survey.fewRemarks).forEach(note)
    if let extended {
      try ExtendedBackend(context).extend(extended, with: survey, in: own)
    } else {
      if !backend.hasCredentials, await proposal.take(for: &backend, invocation) {
        tell("log in with: login \(backend.name) USER")
      }
      let entry = backend.entry(base: survey.base, description: OwnConfiguration.description(of: backend.name))
      try own.add(backend.name, entry, description: survey.file, companion: survey.companion)
      tell(
        "wrote \(own.folder)/\(OwnConfiguration.description(of: backend.name)) and added the backend \(backend.name) to \(own.file)"
      )
      if let added = try own.backend(backend.name, environment: run.console.environment) {
        change(.add(added))
        // At a terminal the new backend becomes the current one.
        if run.isInteractive { change(.choose(added.name, nil)) }
        let list = survey.firstListed.map { "list " + Quoting.word((run.isInteractive ? "" : added.name + "/") + $0) }
        tell("next: \(list ?? "describe \(added.name)")")
      }
    }
    // Leftovers fail the command, but the backend stays added.
    try survey.checkLeftovers()
  }

  private func connection(_ backend: NewBackend) throws -> any HTTPExchange {
    guard let origin = try backend.configuration(environment: run.console.environment) else {
      throw CommandFailure(.failure, "\(backend.name) cannot be configured")
    }
    return try targets.connector.connect(origin, login: origin.login)
  }

  /// Looks at the service; nil where the operator does not agree to what would be asked.
  private func survey(
    _ backend: inout NewBackend, _ proposal: LoginProposal, extending isExtended: Bool, _ invocation: Invocation
  ) async throws -> ServiceSurvey? {
    var order = SurveyOrder(exchange: try connection(backend), target: backend.target)
    if backend.hasCredentials { order.bareExchange = try connection(backend.bare) }
    order.onLogins = { [found = proposal.found] in found.take($0) }
    order.only = invocation.values(of: "only")
    order.document = invocation.value(of: "document")
    for path in invocation.values(of: "document-file") {
      order.documentFiles.append((path, try FileContents.read(path)))
    }
    order.followsRecordLinks = invocation.has("follow")
    order.takesPresets =
      !isExtended && order.only.isEmpty && order.document == nil && order.documentFiles.isEmpty
      && !["no-preset", "try-writes", "follow"].contains(where: invocation.has)
    func look() async throws -> ServiceSurvey? {
      try await SurveyRun(context).survey(order, at: backend.origin, invocation, refused: "nothing was added")
    }
    let looked: ServiceSurvey?
    do { looked = try await look() } catch let error as BackendError {
      guard [.unauthorized, .forbidden].contains(error.code) else { throw error }
      let isGiven = backend.hasCredentials
      if !isGiven, Questions(context).canAsk, !proposal.found.all.isEmpty { note(error.message) }
      let isTaken = await isGiven ? proposal.take(for: &backend, invocation) : proposal.ask(for: &backend, invocation)
      guard isTaken else { throw error }
      reporter.blanking.keepSecret(backend.secrets(environment: run.console.environment))
      order.exchange = try connection(backend)
      if !isGiven { order.bareExchange = try connection(backend.bare) }
      looked = try await look()
    }
    guard var survey = looked else { return nil }
    let open = survey.untestedLists
    guard !open.isEmpty, !invocation.has("yes"), Questions(context).canAsk else { return survey }
    let names = open.joined(separator: ", ")
    let question = open.count == 1 ? "Does it return" : "Do they return"
    if await Questions(context).isYes("No paging was found for \(names). \(question) every record in one response?")
      == true
    {
      survey.declareWhole(open, on: ClockTime.today, try run.console.surveyor())
    }
    return survey
  }
}

extension Invocation {
  fileprivate func newBackend() throws(UsageError) -> NewBackend {
    var backend = try NewBackend(address: try one(.free("ADDRESS")).text, name: word(.free("NAME"))?.text)
    if let variable = value(of: "bearer-env") { backend.bearer(variable) }
    if let text = value(of: "basic-env") { try backend.basic(text) }
    for place in ["query", "cookie"] {
      if let text = value(of: "\(place)-env") { try backend.key(in: place, text) }
    }
    let given = ["bearer-env", "basic-env", "query-env", "cookie-env"].filter(has)
    guard given.count < 2 else { throw UsageError("--\(given[0]) and --\(given[1]) cannot be combined") }
    for text in values(of: "header-env") { try backend.header(text) }
    return backend
  }
}

extension SurveyClaim {
  fileprivate var record: Record {
    Record(
      id: nil,
      fields: Object([
        ("resource", resource.map { .string($0) } ?? .null), ("fact", .string(fact)), ("value", value),
        ("grade", .string(grade.rawValue)), ("evidence", .string(evidence)),
      ]))
  }
}
