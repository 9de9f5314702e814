extension RESTBackend {
  /// The longest and the shortest time between two looks, whatever the service asks for.
  private static let (longestPause, shortestPause) = (Duration.seconds(30), Duration.seconds(1))

  /// Waits until a write is done that the service has accepted to do later, and returns the response that shows it.
  ///
  /// If that cannot be seen, throws an error with an unknown effect. It names the address at which to check, if there
  /// is one.
  func followed(
    _ job: Service.Job, _ first: HTTPResponse, _ request: HTTPRequest, _ place: ResourceTarget, _ id: RecordID?
  ) async throws(BackendError) -> HTTPResponse {
    let body = try await first.explanation()
    guard let look = job.look(first, try? JSONReader.read(body), request) else {
      throw BackendError(
        .badResponse, "the server processes it later and does not say where to check", effect: .unknown,
        hint: "check the record before retrying", httpStatus: first.status)
    }
    if !options.jobs.waits { throw job.open("accepted by the server, not done yet", .timedOut, look) }
    return try await followed(job, look, after: first, for: job.patience, of: request.method, place, id)
  }

  /// Waits for a job by the address at which the service tells how far it is, and returns the record that it has left,
  /// as far as that is shown.
  public func follow(
    _ address: String, in path: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record? {
    let place = try place(path)
    guard let job = place.resource.job else {
      throw .unsupported(
        "\(place.resource.name) has no jobs", hint: "define them with `job` in the description")
    }
    guard let link = Link.cleaned(address) else { throw .invalid("the address of the job is empty") }
    var look = HTTPRequest("GET", .base, effect: .read)
    look.link = link
    do throws(BackendError) {
      let answer = try await followed(job, look, after: nil, for: patience ?? job.patience, of: nil, place, nil)
      return try? await written(answer, place.resource, true)
    } catch {
      guard let id = madeUnseen(error, place) else { throw error }
      return Record(id: id, fields: Object(), unloaded: place.resource.fields.map(\.name))
    }
  }

  /// Looks again and again until the job is over. Begins with a pause if there is a response that accepted it.
  private func followed(
    _ job: Service.Job, _ look: HTTPRequest, after first: HTTPResponse?, for patience: Duration, of method: String?,
    _ place: ResourceTarget, _ id: RecordID?
  ) async throws(BackendError) -> HTTPResponse {
    var (last, pauses, trouble) = (first, first != nil, "")
    let end = ContinuousClock.now + patience
    if first != nil, let address = look.link { await options.jobs.accepted(address) }
    while true {
      if pauses { try await pause(job, last, until: end, trouble, look) }
      pauses = true
      let answer: HTTPResponse
      do throws(BackendError) { answer = try await send(lookRequest(look, place.resource), place.resource) } catch {
        // Nothing is known of the job by that.
        guard [.unavailable, .timedOut, .rateLimited].contains(error.code) else {
          throw job.unreadable(error, look)
        }
        trouble = "; the last check failed: \(error.message)"
        continue
      }
      (last, trouble) = (answer, "")
      // A server that asks for patience has not failed.
      if [429, 503].contains(answer.status) { continue }
      guard answer.isSuccess else {
        // A job may be forgotten once it is done: only the record tells.
        if method == "DELETE", [404, 410].contains(answer.status), let id,
          case .gone = await presence(
            in: place.path,
            reading: { () async throws(BackendError) in try await read(id, place, isFresh: true) })
        {
          return HTTPResponse(status: 204, headers: [], body: HTTPBody([]))
        }
        throw job.unreadable(await failure(answer, of: look, place, id), look)
      }
      let goesOn = job.state == nil && job.statuses.contains(answer.status)
      guard job.state != nil || goesOn else { return answer }
      let document = try? await answer.body.jsonIfAny()
      guard let state = job.state else {
        job.tell(options.jobs, document)
        continue
      }
      let found = document?.at(state)?.plain ?? ""
      if job.failed.contains(found) {
        let words = job.message.flatMap { document?.at($0)?.text }
        AttemptLog.current?.refuseLast(as: 400)
        throw BackendError(
          .invalid, "the server could not do it" + (BackendError.quoted(words).map { ": \($0)" } ?? ""),
          effect: .rejected, httpStatus: answer.status)
      }
      if job.done.contains(found) {
        if method == "DELETE" { return HTTPResponse(status: 204, headers: [], body: HTTPBody([])) }
        return try await result(job, document ?? .null, place, isChange: id != nil)
      }
      guard job.pending.isEmpty || job.pending.contains(found) else {
        throw job.open("accepted by the server; its state \"\(found)\" is not a known one", .badResponse, look)
      }
      job.tell(options.jobs, document)
    }
  }

  /// Waits before the next look: as long as the service asks for, within limits.
  private func pause(
    _ job: Service.Job, _ last: HTTPResponse?, until end: ContinuousClock.Instant, _ trouble: String,
    _ look: HTTPRequest
  ) async throws(BackendError) {
    let asked = last?.retryAfter(now: SystemClock.seconds).map { Duration.seconds($0) }
    let pause = min(max(asked ?? job.interval, min(job.interval, Self.shortestPause)), Self.longestPause)
    guard ContinuousClock.now + pause < end else {
      throw job.open("accepted by the server, not done yet\(trouble)", .timedOut, look)
    }
    do { try await Task.sleep(for: pause) } catch { throw job.stopped(look) }
  }

  /// The response that shows the record of a write that is done. A read that may be older than the write shows nothing of a
  /// change.
  private func result(
    _ job: Service.Job, _ document: Value, _ place: ResourceTarget, isChange: Bool
  ) async throws(BackendError) -> HTTPResponse {
    let nothing = HTTPResponse(status: 204, headers: [], body: HTTPBody([]))
    guard let found = job.result.flatMap({ document.at(any: $0) }) else { return nothing }
    if found.object != nil {
      var bytes: [UInt8] = []
      JSONWriter.write(found.wrapped(in: place.resource.recordAt), to: &bytes)
      return HTTPResponse(status: 200, headers: [], body: HTTPBody(bytes))
    }
    guard let text = found.plain, !isChange || !place.resource.showsWritesLater else { return nothing }
    let id = place.resource.identifier(at: text) ?? RecordID(text)
    let read = try self.request("GET", address(id, place), place.resource, isItem: true, effect: .read)
    do throws(BackendError) {
      let answer = try await send(read, place.resource)
      guard answer.isSuccess else { throw await failure(answer, of: read, place, id) }
      return answer
    } catch {
      var error = error.with(effect: .applied, hint: "check the record before retrying")
      error.id = id.text
      error.message = "the server has done it, but record \(id) cannot be read: \(error.message)"
      throw error
    }
  }

  /// The identifier of a record that a job has made and that no read shows yet; nil where that is not what went wrong.
  func madeUnseen(_ error: BackendError, _ place: ResourceTarget) -> RecordID? {
    guard place.resource.showsWritesLater, error.effect == .applied, error.code == .notFound else { return nil }
    return error.id.map { RecordID($0) }
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

  /// Tells whoever waits how far the job is.
  fileprivate func tell(_ wait: JobWait, _ document: Value?) {
    guard let document else { return }
    let words = [state, progress].compactMap { path in path.flatMap { BackendError.quoted(document.at($0)?.plain) } }
    wait.tell(words.joined(separator: ", "))
  }

  /// An error after which nobody knows what becomes of the write.
  fileprivate func open(_ reason: String, _ code: BackendError.Code, _ look: HTTPRequest) -> BackendError {
    var error = BackendError(
      code, reason, effect: .unknown,
      hint: "see \(look.summary) before retrying", cause: look.summary)
    error.job = look.link
    return error
  }

  /// The error if whoever waits is stopped.
  fileprivate func stopped(_ look: HTTPRequest) -> BackendError {
    open("stopped waiting; the server was not told to stop", .cancelled, look)
  }

  /// The error if the state of the job cannot be read.
  fileprivate func unreadable(_ error: BackendError, _ look: HTTPRequest) -> BackendError {
    if error.code == .cancelled { return stopped(look) }
    return open("accepted by the server; its state cannot be read: \(error.message)", error.code, look)
  }
}
