/// Turns responses of a resource that report failures into errors.
struct FailureReader: ResourceWork {
  let place: ResourceTarget

  private var errors: Service.Errors { resource.errors ?? service.errors }

  /// The error of a response without success status.
  func failure(_ answer: HTTPResponse, of request: HTTPRequest, _ id: RecordID? = nil) async -> BackendError {
    do throws(BackendError) { return failure(answer, of: request, id, try await answer.explanation()) } catch {
      return error
    }
  }

  /// The error of a response to a write whose body was read. After a status that the service uses to hide records,
  /// other than 404, a read decides whether the record exists.
  func failure(
    _ answer: HTTPResponse, ofWrite request: HTTPRequest, _ id: RecordID?, _ body: [UInt8], _ kind: WriteKind
  ) async -> BackendError {
    let isThere =
      if let id, ![404, 410].contains(answer.status), resource.missing.statuses.contains(answer.status) {
        (try? await place.records.read(id)) != nil
      } else { false }
    return failure(answer, of: request, id, body, kind, isThere: isThere)
  }

  /// The error of a response whose body was read.
  func failure(
    _ answer: HTTPResponse, of request: HTTPRequest, _ id: RecordID?, _ body: [UInt8], _ kind: WriteKind = .change,
    isThere: Bool = false
  ) -> BackendError {
    let errors = errors
    let document = try? JSONReader.read(body)
    let words = document.flatMap { errors.words(in: $0) } ?? answer.words(in: body)
    let id = id?.isSole == true ? nil : id
    let subject = id.map { "record \($0)" } ?? "resource \(resource.name)"
    var error = answer.failure(of: request, subject, saying: words)
    if id != nil, !isThere, resource.missing.statuses.contains(answer.status) {
      error.code = .notFound
      error.message = "not found (\(answer.status))" + (answer.status == 403 ? ", or reading it is not permitted" : "")
      error.hint = nil
    }
    // The conflict of a change or an action need not be with another record.
    if error.code == .alreadyExists, answer.status == 409, kind != .creation {
      (error.code, error.hint) = (.conflict, request.rereading)
      error.message = BackendError.message(BackendError.conflicting, answer.status, saying: words)
    }
    // If something is sent to a collection or for an action, the resource may exist although something named in the
    // request does not.
    if id == nil && request.effect != .read || kind == .action, error.code == .notFound {
      let asked = "\(request.method) /\(request.path): not found (\(answer.status))"
      error.message = BackendError.message(asked, saying: words)
    }
    let insists = resource.revision?.isInsisted(by: request) == true
    if insists, answer.status == 412 || resource.revision?.conflicts.contains(answer.status) == true {
      (error.code, error.hint) = (.conflict, "read it again")
      error.message = BackendError.message(BackendError.changedSinceRead, answer.status, saying: words)
    }
    resource.limits.judge(answer, &error)
    if let document { error.fields = errors.messages(on: document, known: known(request)) }
    if place.isTried, error.code == .notFound, error.hint == nil {
      let known = service.resources.map(\.name).joined(separator: ", ")
      error.hint =
        (known.isEmpty ? "" : "resources: \(known); ") + "use describe to ask the server for others"
    }
    errors.meaning(of: answer.status, document, words, error.fields, isSuccess: false)?
      .judge(&error, words, insists: insists)
    return classified(error, answer, request, body: body, words: words, id: id, sent: request.object)
  }

  /// The failure reported by a response with success status; nil if there is none. A missing success flag is not a
  /// false one: a write's outcome is then unknown, unless the response reports an error otherwise.
  func refusal(
    in document: Value, _ answer: HTTPResponse, _ request: HTTPRequest, _ id: RecordID? = nil
  ) -> BackendError? {
    guard mayRefuse(answer.status) else { return nil }
    let errors = errors
    let fields = errors.messages(on: document, known: known(request))
    let flag = resource.okAt.map { document.at($0) ?? .null }
    let isOK = flag == nil || flag == .bool(true)
    let meaning = errors.meaning(of: answer.status, document, errors.words(in: document), fields, isSuccess: isOK)
    guard meaning != nil || !isOK else { return nil }
    let words = errors.words(in: document) ?? RefusalDocument(document).words
    let isMissing = flag == .null && meaning?.isOfDocument != true
    let reason =
      isMissing
      ? "the response has no \(resource.okAt?.joined(separator: ".") ?? ""), which tells whether the request succeeded"
      : "the server reports a failure"
    let isUnknown = isMissing && request.effect != .read
    var error = BackendError(
      .badResponse, BackendError.message(reason, saying: words), effect: isUnknown ? .unknown : .rejected,
      hint: isUnknown ? "check the record before retrying" : nil, httpStatus: answer.status, cause: request.summary)
    error.fields = fields
    meaning?.judge(&error, words, insists: resource.revision?.isInsisted(by: request) == true)
    return classified(error, answer, request, words: words, document: document, id: id, sent: request.object)
  }

  /// The undeclared failure that a response with success status seems to report; nil if it shows a record, or reports
  /// no failure. The outcome of a write is then unknown.
  func undeclaredRefusal(in document: Value, _ answer: HTTPResponse, _ request: HTTPRequest) -> BackendError? {
    let isRead = request.effect == .read
    guard let object = document.object,
      RefusalDocument.tellsFailure(
        object,
        isField: { name in
          resource.fields.named(name) != nil
            || isRead && (resource.notFields.contains(name) || resource.recordsAt.contains { $0.first == name })
        })
    else { return nil }
    if let record = document.at(any: resource.recordAt)?.object, resource.identify(.object(record), record) != nil {
      let others = resource.fields.filter { $0.name != resource.identifier.field }
      guard !others.isEmpty, !others.contains(where: { record.has($0.name) }) else { return nil }
    }
    let words = errors.words(in: document) ?? RefusalDocument(document).words
    let way =
      resource.source == .adapter ? nil : "if this is not an error, name the member in records: {notFields: […]}"
    let hint = isRead ? way : "check the record before retrying"
    return BackendError(
      .badResponse, BackendError.message("the server reports a failure", answer.status, saying: words),
      effect: isRead ? .rejected : .unknown, hint: hint,
      httpStatus: answer.status, cause: request.summary)
  }

  /// The names of the fields that a record or the request has.
  private func known(_ request: HTTPRequest? = nil) -> Set<String> {
    Set(resource.fields.map(\.name) + (request?.object?.names ?? []))
  }

  /// Returns whether the message in a response to a list means that there are no records.
  func saysEmpty(_ answer: HTTPResponse, _ document: Value?, _ body: [UInt8] = []) -> Bool {
    errors.meanings.contains(where: \.isEmptyList)
      && meaning(answer, document, body, isSuccess: answer.isSuccess)?.isEmptyList == true
  }

  /// Returns whether a failed write's response says that the record is already in the requested state.
  func saysAlreadyDone(_ answer: HTTPResponse, _ body: [UInt8]) -> Bool {
    meaning(answer, try? JSONReader.read(body), body, isSuccess: false)?.isAlreadyDone == true
  }

  private func meaning(
    _ answer: HTTPResponse, _ document: Value?, _ body: [UInt8], isSuccess: Bool
  ) -> Service.Meaning? {
    let errors = errors
    let words = document.flatMap { errors.words(in: $0) } ?? answer.words(in: body)
    let fields = document.map { errors.messages(on: $0, known: known()) } ?? []
    return errors.meaning(of: answer.status, document, words, fields, isSuccess: isSuccess)
  }

  /// Returns whether a response with this success status may still report a failure.
  func mayRefuse(_ status: Int) -> Bool {
    resource.okAt != nil || errors.meanings.contains { $0.statuses.contains(status) }
  }

  /// The error of a response that should have a list but does not.
  func mismatch(_ document: Value, _ answer: HTTPResponse, _ request: HTTPRequest) -> BackendError {
    let found = document.kind == "object" ? "one object" : document.kind
    let place = resource.recordsAt.first ?? []
    let isBare = document.array != nil && !place.isEmpty
    let mayBeRecord = resource.identifier.isOptional && document.object != nil
    let error = BackendError.badResponse(
      isBare
        ? "the server responded with a bare list, not with an object whose member \(place.joined(separator: ".")) has it"
        : "the server responded with \(found), not a list",
      hint: isBare
        ? "listPath: $ takes the list that is the response itself"
        : mayBeRecord
          ? "if \(resource.name) is a single record, use get \(resource.name)" : advice(on: document, at: place))
    return classified(error, answer, request, document: document)
  }

  /// The key of a description by which such a response would be a list; nil for an adapter with facts of its own.
  private func advice(on document: Value, at place: [String]) -> String? {
    guard resource.source != .adapter else { return nil }
    let path = place.isEmpty ? "$" : place.joined(separator: ".")
    switch place.isEmpty || document == .null ? document : document.at(place) {
    case .null?: return "if null is an empty list, set records: {nullIsEmpty: true}"
    case .object(let object)?:
      let list = object.members.first { $0.1.array?.contains { $0.object != nil } == true }?.0
      return list.map {
        "if the records are in \($0), set records: {listPath: \((place + [$0]).joined(separator: "."))}"
      }
        ?? "if its members are the records, set records: {layout: map}"
    case let found?: return "records: {listPath: \(path)} leads to \(found.kindWithArticle) here"
    case nil: return "the response has no \(path), where records: {listPath: \(path)} expects the list"
    }
  }

  /// The error of a page with more records than requested.
  func overfull(_ most: Int, _ answer: HTTPResponse, _ request: HTTPRequest) -> BackendError {
    classified(.overfull(most), answer, request)
  }

  /// The error of a response, after the service's own rules are applied.
  private func classified(
    _ error: BackendError, _ answer: HTTPResponse, _ request: HTTPRequest, body: [UInt8] = [], words: String? = nil,
    document: Value? = nil, id: RecordID? = nil, sent: Object? = nil
  ) -> BackendError {
    let failure = Service.Failure(
      method: request.method, path: request.path, status: answer.status, body: body, words: words, document: document,
      resource: resource, id: id, sent: sent, error: error)
    var judged = service.hooks.classify?(failure) ?? error
    // There was a response, so something was sent.
    if judged.effect == .notSent { judged.effect = error.effect }
    if id == nil, judged.code == .notFound { judged.hint = judged.hint ?? "check the backend's address" }
    return judged
  }
}

extension HTTPRequest {
  fileprivate var object: Object? { body.flatMap { try? JSONReader.read($0).object } }
}

extension Service.Errors {
  /// The messages on single fields: at their described place, or in a common shape if none is described.
  fileprivate func messages(on document: Value, known: Set<String>) -> [FieldMessage] {
    let words = words(in: document)
    let declared = (fields?.read(document) ?? []).filter { !isShown($0, in: words, document) }
    guard declared.isEmpty, fields == nil || words == nil else { return declared }
    return RefusalDocument(document, known: known).fields.filter { words?.contains(text: $0.message) != true }
  }

  /// Returns whether a field message concerns the whole request: it is a plain text, or under a name that is not a
  /// field's.
  private func isShown(_ message: FieldMessage, in words: String?, _ document: Value) -> Bool {
    guard fields?.place.isEmpty == true, messages.contains([message.field]) else { return false }
    return words?.contains(text: message.message) == true
      && (document.at([message.field])?.text != nil || RefusalDocument.whole.contains(message.field))
  }

  /// The messages of a document at the first place that has any, and the service's own code.
  func words(in document: Value) -> String? {
    let own = code.flatMap { document.at($0)?.plain }
    for path in messages {
      let texts = document.texts(at: path).filter { !$0.isEmpty }
      guard !texts.isEmpty else { continue }
      return texts.joined(separator: "; ") + (own.map { " (\($0))" } ?? "")
    }
    return own
  }

  /// The first row that matches a failure, or an apparent success, by the service's messages.
  fileprivate func meaning(
    of status: Int, _ document: Value?, _ words: String?, _ fields: [FieldMessage], isSuccess: Bool
  ) -> Service.Meaning? {
    meanings.first { row in
      guard row.statuses.contains(status) || !isSuccess && row.statuses.isEmpty else { return false }
      if let has = row.has {
        guard let found = document?.at(any: has.path), has.value.map({ $0.isSame(as: found) }) ?? (found != .null)
        else {
          return false
        }
      }
      guard let says = row.says else { return true }
      return ([words].compactMap(\.self) + fields.map(\.message)).contains { $0.contains(text: says) }
    }
  }
}

extension Service.Meaning {
  /// True if something in the document made it match.
  fileprivate var isOfDocument: Bool { has != nil || says != nil }

  fileprivate func judge(_ error: inout BackendError, _ words: String?, insists: Bool) {
    if let code, code != error.code {
      error.code = code
      let sentence = code == .conflict && insists ? BackendError.changedSinceRead : code.sentence
      error.message = BackendError.message(sentence, error.httpStatus, saying: words)
      error.hint = nil
    }
    if isApplied { error.effect = .applied }
    if let hint { error.hint = hint }
  }
}

extension BackendError.Code {
  /// The sentence for a service that fails with this code.
  fileprivate var sentence: String {
    switch self {
    case .notFound: "not found"
    case .alreadyExists: "already exists"
    case .conflict: BackendError.conflicting
    case .invalid: "request rejected"
    case .unauthorized: "authentication required"
    case .forbidden: "permission denied"
    case .rateLimited: "rate limited"
    case .unavailable: "the server is temporarily unavailable"
    case .timedOut: "the server did not respond in time"
    case .unsupported: "the server cannot do this"
    case .badResponse, .cancelled, .misconfigured: "the server reports a failure"
    }
  }
}

extension FieldMessages {
  func read(_ document: Value) -> [FieldMessage] {
    guard let found = document.at(place) else { return [] }
    switch shape {
    case .list:
      return (found.array ?? []).compactMap { item in
        guard let place = item.at(field).flatMap(name), let text = item.at(message)?.plain else { return nil }
        return FieldMessage(place, text)
      }
    case .object:
      if let names = RefusalFields.names(in: found, of: place.last ?? "", []) {
        return names.map { FieldMessage($0, RefusalFields.lack(of: place.last ?? "", nil, document)) }
      }
      return (found.object?.members.map { ($0, $1) } ?? []).flatMap { name, value in
        texts(of: value).map { FieldMessage(name, $0) }
      }
    }
  }

  private func name(_ place: Value) -> String? {
    let names = RefusalFields.names(at: place, besides: prefixes)
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  private func texts(of value: Value) -> [String] {
    switch value {
    case .array(let elements): elements.flatMap { texts(of: $0) }
    case .object: value.at(message)?.plain.map { [$0] } ?? []
    default: value.plain.map { [$0] } ?? []
    }
  }
}

extension Service.Limits {
  /// Turns a response that means too many requests into `rateLimited`, with a hint when to retry.
  fileprivate func judge(_ answer: HTTPResponse, _ error: inout BackendError) {
    let isOver = statuses.contains(answer.status) && remaining.flatMap { answer.header($0) } == "0"
    guard isOver || answer.status == 429 else { return }
    if isOver {
      error.code = .rateLimited
      error.hint = "try again later"
    }
    guard answer.retryAfter(now: SystemClock.seconds) == nil else { return }
    guard let wait = reset.flatMap({ answer.header($0) }).flatMap(wait), wait > 0 else { return }
    error.hint = "retry after \(wait) s"
  }

  private func wait(_ text: String) -> Int? {
    switch resetForm {
    case .seconds: return Int(text)
    case .epoch: return Int(text).flatMap { $0 < 0 ? nil : $0 - SystemClock.seconds }
    case .date: return HTTPDate.seconds(text).map { $0 - SystemClock.seconds }
    }
  }
}

extension Value {
  /// The texts at the end of a path.
  fileprivate func texts(at path: [String]) -> [String] {
    values(at: path[...]).flatMap { $0.plain.map { [$0] } ?? $0.array?.compactMap(\.plain) ?? [] }
  }
}
