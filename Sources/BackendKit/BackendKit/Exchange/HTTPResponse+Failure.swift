extension HTTPResponse {
  /// True if the content type is HTML, as from a gateway or another application on the way.
  public var isPage: Bool { header("Content-Type")?.lowercased().hasPrefix("text/html") == true }

  /// The response with its body in memory, and that body. An empty one is not a page, whatever the header says. An
  /// unreadable one counts as empty here, and fails its reader.
  func held() async -> (answer: HTTPResponse, body: [UInt8]) {
    do throws(BackendError) {
      let bytes = try await body.collect()
      let headers = bytes.isEmpty && isPage ? headers.filter { $0.0.lowercased() != "content-type" } : headers
      var answer = HTTPResponse(status: status, headers: headers, body: HTTPBody(whole: bytes))
      answer.reports = reports
      return (answer, bytes)
    } catch {
      let failing = HTTPBody { () throws(BackendError) -> [UInt8]? in throw error }
      return (HTTPResponse(status: status, headers: headers, body: failing), [])
    }
  }

  /// Throws `badResponse` for an HTML page instead of the server's response.
  public func checkIsNoPage(effect: BackendError.Effect = .rejected) throws(BackendError) {
    guard isPage else { return }
    throw BackendError(
      .badResponse, "the server responded with a web page", effect: effect, hint: "check the backend's address",
      httpStatus: status)
  }

  /// Reads the response. If it cannot be read and is an HTML page, the error reports the page.
  func reading<Content>(_ read: () async throws(BackendError) -> Content) async throws(BackendError) -> Content {
    do throws(BackendError) { return try await read() } catch {
      if error.code == .badResponse { try checkIsNoPage() }
      throw error
    }
  }

  /// The note on a write that failed because the record is already in the requested state.
  var doneNotes: [String] { isSuccess ? [] : ["the server reports that this is already the case (status \(status))"] }

  /// Reads the response to an accepted write; nil if the status means that there is nothing to read.
  ///
  /// If it cannot be read, the error has the effect `open`: `applied` for a creation, which the status proves, and
  /// `unknown` for a change whose record is in question. An HTML page is not the server's own response, so the effect
  /// is then `unknown`.
  public func accepted<Content>(
    _ open: BackendError.Effect, _ done: String = "created the record", _ read: () async throws(BackendError) -> Content
  ) async throws(BackendError) -> Content? {
    if status == 204 || !isSuccess { return nil }
    do throws(BackendError) { return try await read() } catch {
      try checkIsNoPage(effect: .unknown)
      var error = error.with(
        effect: error.code == .cancelled ? .unknown : open,
        hint: "check the record\(open == .applied ? "s" : "") before retrying")
      error.httpStatus = status
      if open == .applied, error.code != .cancelled {
        // A response without a record does not mean that there is none.
        if error.code == .notFound { error.code = .badResponse }
        error.message = "the server \(done), but its response cannot be read: \(error.message)"
      }
      throw error
    }
  }

  /// Returns the body of a failure; empty if it cannot be read. Throws only `cancelled`.
  public func explanation() async throws(BackendError) -> [UInt8] {
    do throws(BackendError) { return try await body.collect(limit: 1 << 18) } catch {
      guard error.code != .cancelled else { throw error }
      return []
    }
  }

  /// The server's message in the body of a failure, in a common form: the message of a JSON document, or the first line
  /// of plain text; nil for HTML.
  public func words(in bytes: [UInt8]) -> String? {
    if let document = try? JSONReader.read(bytes), document.object != nil || document.array != nil {
      return RefusalDocument(document).words
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !isPage, let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }),
      !"<{[".unicodeScalars.contains(first)
    else { return nil }
    return text.split(whereSeparator: \.isNewline).first { $0.contains { !$0.isWhitespace } }.map(String.init)
  }

  /// The error of a failure status.
  ///
  /// `subject` names what was requested, `words` is the server's message. Adapters adjust it if their server means
  /// something else.
  public func failure(of request: HTTPRequest, _ subject: String, saying words: String? = nil) -> BackendError {
    let effect = request.effect == .read ? .rejected : BackendError.Effect(ofWriteAnswered: status)
    let (code, message, hint) = meaning(subject, request)
    return BackendError(
      code, BackendError.message(message, saying: words), effect: effect,
      hint: effect == .unknown ? "check \(subject) before retrying" : hint, httpStatus: status, cause: request.summary)
  }

  /// The error of a response that does not prove that its request was performed; nil if it does. Arguments as in
  /// ``failure(of:_:saying:)``.
  public func problem(with request: HTTPRequest, _ subject: String, saying words: String? = nil) -> BackendError? {
    guard isSuccess else { return failure(of: request, subject, saying: words) }
    if status == 207, request.effect != .read { return severalOutcomes(of: request) }
    return status == 202 && request.effect != .read ? deferred(request) : nil
  }

  /// The error of an accepted write that may be done later without a declared way to follow it.
  func deferred(_ request: HTTPRequest) -> BackendError {
    BackendError(
      .badResponse, "the server accepted the request and may carry it out later (\(status))", effect: .unknown,
      hint: "check the record before retrying", httpStatus: status, cause: request.summary)
  }

  /// The error of a write whose response has several outcomes.
  func severalOutcomes(of request: HTTPRequest) -> BackendError {
    BackendError(
      .badResponse, "the server reports several outcomes (207)", effect: .unknown,
      hint: "check the record before retrying", httpStatus: status, cause: request.summary)
  }

  /// The redirect that is not followed, as a clause.
  private func redirect(of request: HTTPRequest) -> String {
    guard let place = header("Location")?.prefix(while: { $0 != "?" && $0 != "#" }), !place.isEmpty else {
      return "unexpected redirect (\(status))"
    }
    guard request.effect != .read else { return "unexpected redirect to \(place) (\(status))" }
    return "the server redirects \(request.method) to \(place) (\(status)), but redirects are not followed for writes"
  }

  private func meaning(_ subject: String, _ request: HTTPRequest) -> (BackendError.Code, String, String?) {
    switch status {
    case 300..<400:
      // A redirect that is not a refusal does not prove a misconfiguration: the write may have been done.
      (
        request.effect == .read || [307, 308].contains(status) ? .misconfigured : .badResponse, redirect(of: request),
        "check the backend's address"
      )
    case 400, 411, 422: (.invalid, "request rejected (\(status))", nil)
    case 401: (.unauthorized, "authentication required (401)", nil)
    case 403: (.forbidden, "permission denied (403)", nil)
    case 404, 410: (.notFound, "not found (\(status))", nil)
    case 405, 406, 415, 501:
      (.misconfigured, "request not supported by the server (\(status))", "check the backend's address")
    case 408: (.timedOut, "the server gave up waiting for the request (408)", "try again later")
    case 409 where request.method == "POST", 412 where request.isCreation:
      (.alreadyExists, "already exists (\(status))", nil)
    case 412 where request.hasPrecondition: (.conflict, BackendError.changedSinceRead + " (412)", "read it again")
    // The cause may be another revision, a name in use, or dependent records.
    case 409, 412: (.conflict, BackendError.conflicting + " (\(status))", request.rereading)
    case 413: (.invalid, "the data is too large (413)", nil)
    case 421, 425: (.unavailable, "request not processed (\(status))", "try again")
    case 428: (.invalid, "the server requires the record's revision (428)", "read it before writing it")
    case 429: (.rateLimited, "rate limited (429)", patience)
    case 500: (.badResponse, "server error (500)", "try again later")
    case 502...: (.unavailable, "server error (\(status))", "try again later")
    default: (.badResponse, "unexpected response (\(status))", nil)
    }
  }

  /// The pause that the server asks for.
  private var patience: String {
    guard let wait = retryAfter, wait > 0 else { return "try again later" }
    return "retry after \(wait) s"
  }
}

extension HTTPRequest {
  /// True if the request creates the record only if there is none.
  var isCreation: Bool { headers.contains { $0.0.lowercased() == "if-none-match" && $0.1 == "*" } }

  /// The next step after a conflict: without a revision in the request, it may be with anything.
  var rereading: String? { hasPrecondition ? "read the record again" : nil }

  /// True if the request changes only the version that was read.
  var hasPrecondition: Bool { headers.contains { ["if-match", "if-unmodified-since"].contains($0.0.lowercased()) } }
}

extension BackendError {
  /// The message for a write whose required revision is outdated.
  static let changedSinceRead = "the record has changed since it was read"

  /// The message for a write that conflicts with the present state.
  static let conflicting = "conflict"

  /// A message of the console, followed by the status and the server's message.
  static func message(_ own: String, _ status: Int? = nil, saying words: String?) -> String {
    let own = own + (status.flatMap { $0 < 300 ? nil : " (\($0))" } ?? "")
    return quoted(words).map { "\(own): \($0)" } ?? own
  }

  /// A server's message as a quotation of at most 200 characters, since it may repeat all that was refused; nil if
  /// empty.
  public static func quoted(_ words: String?) -> String? {
    let trimmed = (words ?? "").trimmingBlanks
    return trimmed.isEmpty ? nil : trimmed.count <= 200 ? trimmed : trimmed.prefix(199) + "…"
  }

  /// The error with another effect.
  public func with(effect: Effect, hint: String? = nil) -> BackendError {
    var error = self
    error.effect = effect
    error.hint = hint ?? error.hint
    return error
  }
}
