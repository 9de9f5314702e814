import BackendKit

/// The hooks of a program, each asked as one question.
struct ProgramHooks: Sendable {
  /// The number of values in one question.
  static let batch = 500
  /// The length of text in one question, unless one value alone is longer.
  static let batchLength = 4 << 20

  let process: PluginProcess
  /// The options sent with each question; nil if the program has none.
  let options: Object?

  /// Asks a question with the options; misconduct is an error with this effect.
  func ask(
    _ question: String, _ members: Object, _ effect: BackendError.Effect
  ) throws(BackendError) -> Result<Object, ProgramRefusal> {
    var members = members
    if let options { members["options"] = .object(options) }
    do { return try process.ask(question, members) } catch { throw error.error(effect) }
  }

  /// Asks a question and reads the answer. A refusal is an error with its code, or `usual`.
  func ask<Answer>(
    _ question: ProgramQuestion, _ members: [(String, Value)], refused usual: BackendError.Code,
    _ effect: BackendError.Effect = .notSent, reading read: (ProgramReading) throws(ProgramMistake) -> Answer
  ) throws(BackendError) -> Answer {
    switch try ask(question.rawValue, Object(members), effect) {
    case .failure(let refusal): throw refusal.error(usual, effect)
    case .success(let answer):
      do { return try read(ProgramReading(answer, question.rawValue)) } catch {
        throw process.refuse(error.clause).error(effect)
      }
    }
  }

  /// The hooks that the program implements.
  func functions(_ answers: [ProgramQuestion]) -> Service.Hooks {
    var hooks = Service.Hooks()
    for question in answers {
      switch question {
      case .compileQuery: hooks.compile = compiled
      case .encodeValues: hooks.encode = { draft, resource throws(BackendError) in try encode(&draft, resource) }
      case .decodeRecord:
        hooks.decode = { value, resource, inList throws(BackendError) in
          switch try records([value], resource, inList)[0] {
          case .success(let record): return record
          case .failure(let error): throw error
          }
        }
        hooks.decodeList = recordsInBatches
      case .encodeBody: hooks.wrap = wrapped
      case .interceptWrite: hooks.step = { step($0, $1, &$2) }
      case .nextPage: hooks.next = { page, kept throws(BackendError) in try next(page, &kept) }
      case .normalize: hooks.stored = { value in stored(value) }
      case .itemPath: hooks.locate = located
      case .classifyError: hooks.classify = classified
      }
    }
    return hooks
  }

  // MARK: Records

  /// The records in values, or the reasons why one is not a record, in order.
  func records(
    _ values: [Value], _ resource: Service.Resource, _ inList: Bool
  ) throws(BackendError) -> [Result<Record, BackendError>] {
    try ask(
      .decodeRecord, [("resource", .string(resource.name)), ("inList", .bool(inList)), ("values", .array(values))],
      refused: .badResponse, .rejected
    ) { answer throws(ProgramMistake) in
      try answer.allow(["records"])
      let records = try answer.objects("records")
      guard records.count == values.count else {
        throw answer.mistake("has \(records.count) records for \(values.count) values")
      }
      return try records.map { record throws(ProgramMistake) in try Self.record(record) }
    }
  }

  /// The records of a list, asked for in batches.
  private func recordsInBatches(
    _ values: [Value], _ resource: Service.Resource
  ) throws(BackendError) -> [Result<Record, BackendError>] {
    var records: [Result<Record, BackendError>] = []
    var batch: [Value] = []
    var length = 0
    for value in values {
      let more = JSONWriter.compact(value).utf8.count
      if batch.count == Self.batch || !batch.isEmpty && length + more > Self.batchLength {
        records += try self.records(batch, resource, true)
        (batch, length) = ([], 0)
      }
      batch.append(value)
      length += more
    }
    return records + (batch.isEmpty ? [] : try self.records(batch, resource, true))
  }

  private static func record(_ given: ProgramReading) throws(ProgramMistake) -> Result<Record, BackendError> {
    if let error = given.object["error"] {
      try given.allow(["error"])
      guard let refusal = ProgramRefusal(error) else {
        throw given.mistake("has a record with an error that \(ProgramRefusal.flaw(of: error))")
      }
      return .failure(refusal.error(.badResponse, .rejected))
    }
    try given.allow(["id", "fields", "unloaded"])
    let id = given.object["id"] ?? .null
    guard ["null", "text", "number"].contains(id.kind) else {
      throw given.mistake("has a record whose \"id\" is neither a string nor a number")
    }
    return .success(
      Record(id: RecordID(id), fields: try given.inner("fields"), unloaded: try given.texts("unloaded")))
  }

  // MARK: Writing

  private func encode(_ draft: inout Service.Draft, _ resource: Service.Resource) throws(BackendError) {
    let asked: [(String, Value)] = [
      ("resource", .string(resource.name)), ("isNew", .bool(draft.isNew)), ("fields", .object(draft.fields)),
      ("removed", .array(draft.removed.map { .string($0) })),
    ]
    let (fields, removed, notes) = try ask(.encodeValues, asked, refused: .invalid) { answer throws(ProgramMistake) in
      try answer.allow(["fields", "removed", "notes"])
      return (try answer.inner("fields"), try answer.texts("removed"), try answer.texts("notes"))
    }
    draft.fields = fields
    draft.removed = removed
    draft.notes += notes.compactMap { BackendError.quoted($0) }
  }

  /// Returns the stored form of a value; the value itself if the call fails, which the next command reports.
  private func stored(_ value: Value) -> Value {
    let stored = try? ask(.normalize, [("values", .array([value]))], refused: .invalid) {
      answer throws(ProgramMistake) in
      try answer.allow(["values"])
      let values = try answer.list("values")
      guard values.count == 1 else { throw answer.mistake("has \(values.count) values for 1") }
      return values[0]
    }
    return stored ?? value
  }

  private func wrapped(
    _ fields: Object, _ id: RecordID?, _ resource: Service.Resource
  ) throws(BackendError) -> Value {
    let asked: [(String, Value)] = [
      ("resource", .string(resource.name)), ("id", Self.value(id)), ("fields", .object(fields)),
    ]
    return try ask(.encodeBody, asked, refused: .invalid) { answer throws(ProgramMistake) in
      try answer.allow(["document"])
      guard let document = answer.object["document"] else { throw answer.mistake("has no document") }
      return document
    }
  }

  // MARK: Requests and failures

  private static func value(_ id: RecordID?) -> Value { id.map { .string($0.text) } ?? .null }

  /// Returns the service's name for the next page; nil if there is none.
  private func next(_ page: Service.Page, _ kept: inout Object) throws(BackendError) -> String? {
    let last: Value = page.last.map { ["id": Self.value($0.id), "fields": .object($0.fields)] } ?? .null
    let asked: [(String, Value)] = [
      ("token", page.token.map { .string($0) } ?? .null), ("count", .int(page.count)), ("last", last),
      ("document", page.document), ("kept", .object(kept)),
    ]
    let (next, keeps) = try ask(.nextPage, asked, refused: .badResponse, .rejected) { answer throws(ProgramMistake) in
      try answer.allow(["next", "kept"])
      guard let next = answer.object["next"], next == .null || next.text != nil else {
        throw answer.mistake("has a \"next\" that is neither a string nor null")
      }
      return (next.text, answer.object["kept"] == nil ? kept : try answer.inner("kept"))
    }
    kept = keeps
    return next
  }

  private func located(_ id: RecordID, _ resource: Service.Resource) throws(BackendError) -> [String] {
    try ask(.itemPath, [("resource", .string(resource.name)), ("id", .string(id.text))], refused: .invalid) {
      answer throws(ProgramMistake) in
      try answer.allow(["path"])
      let path = try answer.texts("path")
      guard !path.isEmpty else { throw answer.mistake("has an empty path") }
      return path
    }
  }

  /// Returns the meaning of a failure; that of its status if the call fails. The engine determines the effect.
  private func classified(_ failure: Service.Failure) -> BackendError {
    var error = failure.error
    func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
    let asked: [(String, Value)] = [
      ("resource", .string(failure.resource.name)), ("id", Self.value(failure.id)), ("method", .string(failure.method)),
      ("path", .array(failure.path.segments.map { .string($0) })), ("status", .int(failure.status)),
      ("body", text(String(validating: failure.body, as: UTF8.self))), ("words", text(failure.words)),
      ("document", failure.document ?? .null), ("sent", failure.sent.map { .object($0) } ?? .null),
      ("means", Self.value(error)),
    ]
    do throws(BackendError) {
      let meaning = try ask(.classifyError, asked, refused: .badResponse, error.effect) {
        answer throws(ProgramMistake) in
        try answer.allow(["code", "message", "hint"])
        return try Meaning(answer)
      }
      error.code = meaning.code
      error.message = meaning.message
      error.hint = meaning.hint
    } catch let failure { error.hint = "its meaning is unknown: \(failure.message)" }
    return error
  }

  /// A failure's meaning according to a program.
  private struct Meaning {
    let code: BackendError.Code
    let message: String
    let hint: String?

    init(_ answer: ProgramReading) throws(ProgramMistake) {
      guard let code = BackendError.Code(rawValue: try answer.text("code")) else {
        throw answer.mistake("has an unknown code")
      }
      guard let refusal = ProgramRefusal(.object(answer.object)) else { throw answer.mistake("has no message") }
      self.code = code
      message = refusal.message
      hint = refusal.hint
    }
  }
}
