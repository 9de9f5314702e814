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
        help: "accept only the server with this key; ask shows the certificate and prompts, at a terminal"),
      OptionSyntax("only", value: .free("NAME"), help: "examine this resource only", isRepeatable: true),
      OptionSyntax("document", value: .free("PATH"), help: "where the service's OpenAPI document is"),
      OptionSyntax(
        "document-file", value: .file(.read),
        help: "the OpenAPI document in this file; given again, a file that it refers to", isRepeatable: true),
      OptionSyntax("follow", help: "also follow links to single records and to what is below them"),
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
      "Sends only reads, one at a time, and only to the origin of ADDRESS. It reads ADDRESS and looks for an OpenAPI document, then",
      "shows what it is going to request and asks; scripts need --yes.",
      "--try-writes also creates, changes and deletes a test record in each resource that seems writable. Side effects of a create",
      "(mail, webhooks) happen. A test record that could not be deleted is reported, and the status is 1.",
      "Each fact is proved, likely, contradicted or untested: --evidence shows all of them, each with its source. The",
      "description is written to services/NAME.yaml next to the configuration in use, to which the backend is added: that of",
      "--config if it is given, else the user's own. At a terminal the new backend is then the current one.",
      "A service with a self-signed or private certificate is added with --ca FILE or --pin=DIGEST. --pin=ask reads the certificate",
      "before anything else is sent, shows it, and asks for the last 8 characters of its digest, which the operator of the service",
      "knows.",
      "Lists without paging stay untested, as they may be only first pages, until the operator confirms them: add asks at a terminal.",
      "ADDRESS is that of the API, of one of its lists or records, or of the document. With a document, the paths come from it, below",
      "ADDRESS if its servers have another path: a few lists are read, and all others are only described by the document until they",
      "are used. Without a document, paths come from the links of ADDRESS, all of which are shown before they are read.",
      "Links to single records and to what is below them are followed only with --follow. Paths are never read, wherever they",
      "come from, if a segment has one of these words (logout, do_logout, logoutAll, users:logout, logout.json), or the query",
      "asks for one (?action=logout):",
    ] + Columns.fitted(ActionWords.verbs.joined(separator: ", "), to: 118) + [
      "--only NAME reads such a resource anyway."
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
      results.output.write(EscapedText(lines: survey.file))
      survey.remarks.forEach(note)
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
        if let name = survey.firstListed {
          tell("next: list \(Quoting.word((run.isInteractive ? "" : added.name + "/") + name))")
        }
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
      guard [.unauthorized, .forbidden].contains(error.code), backend.hasCredentials,
        await proposal.take(for: &backend, invocation)
      else { throw error }
      order.exchange = try connection(backend)
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
