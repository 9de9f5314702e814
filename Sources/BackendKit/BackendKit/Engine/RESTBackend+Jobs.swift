extension RESTBackend {
  /// The longest that is waited between two looks, whatever the service asks for.
  private static let longestPause = Duration.seconds(30)

  /// Waits until a write is done that the service has accepted to do later, and returns the response that shows it.
  ///
  /// Where that cannot be seen the outcome is unknown, and the error names the address at which it can be looked for.
  func followed(
    _ job: Service.Job, _ first: HTTPResponse, _ request: HTTPRequest, _ place: Place, _ id: RecordID?
  ) async throws(BackendError) -> HTTPResponse {
    let body = try await first.explanation()
    guard let look = job.look(first, try? JSONReader.read(body), request) else {
      throw BackendError(
        .badResponse, "the server does it later and does not say where that can be seen", effect: .unknown,
        hint: "check the record before retrying", httpStatus: first.status)
    }
    var answer = first
    let end = ContinuousClock.now + job.patience
    while true {
      let asked = answer.retryAfter(now: SystemClock.seconds).map { Duration.seconds($0) }
      let pause = min(asked ?? job.interval, Self.longestPause)
      guard ContinuousClock.now + pause < end else {
        throw job.open("it was not done after \(job.patience.components.seconds) s", .timedOut, look)
      }
      do { try await Task.sleep(for: pause) } catch {
        throw job.open("stopped while waiting for it", .cancelled, look)
      }
      do throws(BackendError) { answer = try await send(lookRequest(look, place.resource), place.resource) } catch {
        throw job.open("how far it is cannot be read: \(error.message)", error.code, look)
      }
      // A server that asks for patience has not failed.
      if [429, 503].contains(answer.status) { continue }
      if job.state == nil, job.statuses.contains(answer.status) { continue }
      guard answer.isSuccess else {
        let isGone = request.method == "DELETE" && [404, 410].contains(answer.status)
        if isGone { return HTTPResponse(status: 204, headers: [], body: HTTPBody([])) }
        let error = await failure(answer, of: look, place, id)
        throw job.open("how far it is cannot be read: \(error.message)", error.code, look)
      }
      guard let state = job.state else { return answer }
      let document = try? await answer.body.jsonIfAny()
      let found = document?.at(state)?.plain ?? ""
      if job.failed.contains(found) {
        let words = job.message.flatMap { document?.at($0)?.text }
        AttemptLog.current?.refuseLast(as: 400)
        throw BackendError(
          .invalid, "the server could not do it" + (BackendError.quoted(words).map { ": \($0)" } ?? ""),
          effect: .rejected, httpStatus: answer.status)
      }
      if job.done.contains(found) { return try await result(job, document ?? .null, answer, request, place) }
      guard job.pending.isEmpty || job.pending.contains(found) else {
        throw job.open("its state is \"\(found)\", which is not known", .badResponse, look)
      }
    }
  }

  /// The response that shows the record of a write that is done.
  private func result(
    _ job: Service.Job, _ document: Value, _ answer: HTTPResponse, _ request: HTTPRequest, _ place: Place
  ) async throws(BackendError) -> HTTPResponse {
    guard let found = job.result.flatMap({ document.at(any: $0) }) else {
      return HTTPResponse(status: 204, headers: [], body: HTTPBody([]))
    }
    if found.object != nil {
      var bytes: [UInt8] = []
      JSONWriter.write(found.wrapped(in: place.resource.recordAt), to: &bytes)
      return HTTPResponse(status: 200, headers: [], body: HTTPBody(bytes))
    }
    guard let text = found.plain else { return HTTPResponse(status: 204, headers: [], body: HTTPBody([])) }
    let id = RecordID(Link.lastPart(text) ?? text)
    let read = try self.request("GET", address(id, place.resource), place.resource, isItem: true, effect: .read)
    do throws(BackendError) { return try await send(read, place.resource) } catch { throw error.with(effect: .applied) }
  }

  private func lookRequest(_ look: HTTPRequest, _ resource: Service.Resource) -> HTTPRequest {
    var request = request("GET", Address(path: look.path), resource, effect: .read)
    request.link = look.link
    return request
  }
}

extension Service.Job {
  /// The request that tells how far a write is; nil where the response does not say.
  fileprivate func look(_ answer: HTTPResponse, _ document: Value?, _ request: HTTPRequest) -> HTTPRequest? {
    let text: String?
    switch address {
    case .location: text = answer.header("Location")
    case .header(let name): text = answer.header(name)
    case .member(let path): text = document?.at(path)?.text
    case .template(let path, let id):
      text = document?.at(id)?.plain.map { path.filled(["id": PercentEncoding.encode($0)]) }
    }
    guard let link = text.flatMap({ Link.cleaned($0) }) else { return nil }
    var look = HTTPRequest("GET", request.path, effect: .read)
    if case .template = address { look.link = link } else { look.link = Link.resolved(link, against: request.target) }
    return look
  }

  /// An error after which nobody knows what becomes of the write.
  fileprivate func open(_ reason: String, _ code: BackendError.Code, _ look: HTTPRequest) -> BackendError {
    BackendError(
      code, "the server does it later, and \(reason)", effect: .unknown,
      hint: "see \(look.summary) before retrying", cause: look.summary)
  }
}
