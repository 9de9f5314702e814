/// Polls a job of the service until it ends.
struct JobWatch: ResourceWork {
  let place: ResourceTarget
  private let job: Service.Job
  /// The request for the state of the job.
  private let look: HTTPRequest
  /// The record that the write changes; nil for a creation.
  private let id: RecordID?
  /// The response that accepted the write, and the write's method.
  private let first: HTTPResponse?
  private let method: String?
  /// The limits of the time between polls, whatever the service asks for.
  private static let (longestPause, shortestPause) = (Duration.seconds(30), Duration.seconds(1))
  /// The time before the first poll. It doubles with each poll, up to the interval of the job.
  private static let firstPause = Duration.milliseconds(10)

  init(
    _ job: Service.Job, _ look: HTTPRequest, _ place: ResourceTarget, _ id: RecordID? = nil,
    after first: HTTPResponse? = nil, of method: String? = nil
  ) {
    (self.job, self.look, self.place, self.id, self.first, self.method) = (job, look, place, id, first, method)
  }

  /// Polls until the job ends, and returns the response that shows its result. Begins with a short pause if there is a
  /// response that accepted the write.
  func end(for patience: Duration? = nil) async throws(BackendError) -> HTTPResponse {
    var request = place.request("GET", Address(path: look.path), effect: .read)
    request.link = look.link
    var (last, pauses, trouble) = (first, first != nil, "")
    var usual = min(Self.firstPause, job.interval)
    let end = ContinuousClock.now + (patience ?? job.patience)
    if first != nil, let address = look.link { await place.options.jobs.accepted(address) }
    while true {
      if pauses {
        try await pause(last, usual, until: end, trouble)
        usual = min(usual * 2, job.interval)
      }
      pauses = true
      let answer: HTTPResponse
      do throws(BackendError) { answer = try await place.send(request) } catch {
        // Such an error says nothing about the job.
        guard [.unavailable, .timedOut, .rateLimited].contains(error.code) else {
          throw unreadable(error)
        }
        (trouble, usual) = ("; the last check failed: \(error.message)", job.interval)
        continue
      }
      (last, trouble) = (answer, "")
      // A server that asks for patience has not failed.
      if [429, 503].contains(answer.status) {
        usual = job.interval
        continue
      }
      guard answer.isSuccess else {
        // A job may disappear once it is done: only the record decides.
        if method == "DELETE", [404, 410].contains(answer.status), let id,
          case .gone = await place.records.presence(of: id)
        {
          return HTTPResponse(status: 204)
        }
        throw unreadable(await place.failures.failure(answer, of: look, id))
      }
      let goesOn = job.state == nil && job.statuses.contains(answer.status)
      guard job.state != nil || goesOn else { return answer }
      let document = try? await answer.body.jsonIfAny()
      // A body that the end of the command has cut off says nothing about the job.
      if Task.isCancelled { throw stopped }
      guard let state = job.state else {
        tell(document)
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
        if method == "DELETE" { return HTTPResponse(status: 204) }
        return try await result(document ?? .null)
      }
      guard job.pending.isEmpty || job.pending.contains(found) else {
        throw job.open("accepted by the server; its state \"\(found)\" is not a known one", .badResponse, look)
      }
      tell(document)
    }
  }

  /// Waits before the next poll: as long as the service asks for, within limits, or the usual time.
  private func pause(
    _ last: HTTPResponse?, _ usual: Duration, until end: ContinuousClock.Instant, _ trouble: String
  ) async throws(BackendError) {
    let asked = last?.retryAfter(now: SystemClock.seconds).map { Duration.seconds($0) }
    let pause = min(asked.map { max($0, min(job.interval, Self.shortestPause)) } ?? usual, Self.longestPause)
    guard ContinuousClock.now + pause < end else {
      throw job.open("accepted by the server, not done yet\(trouble)", .timedOut, look)
    }
    do { try await Task.sleep(for: pause) } catch { throw stopped }
  }

  /// The response that shows the record after the write. A read that may be older than the write does not prove a
  /// change.
  private func result(_ document: Value) async throws(BackendError) -> HTTPResponse {
    let nothing = HTTPResponse(status: 204)
    guard let found = job.result.flatMap({ document.at(any: $0) }) else { return nothing }
    if found.object != nil {
      var bytes: [UInt8] = []
      JSONWriter.write(found.wrapped(in: resource.recordAt), to: &bytes)
      return HTTPResponse(status: 200, headers: [], body: HTTPBody(whole: bytes))
    }
    guard let text = found.plain, id == nil || !resource.showsWritesLater else { return nothing }
    let id = resource.identifier(at: text) ?? RecordID(text)
    let read = place.request("GET", try place.address(id), isItem: true, effect: .read)
    do throws(BackendError) { return try await place.read(read, id) } catch {
      var error = error.with(effect: .applied, hint: "check the record before retrying")
      error.id = id.text
      error.message = "the server has done it, but record \(id) cannot be read: \(error.message)"
      throw error
    }
  }

  /// Reports the progress of the job to the caller.
  private func tell(_ document: Value?) {
    guard let document else { return }
    let words = [job.state, job.progress].compactMap { path in
      path.flatMap { BackendError.quoted(document.at($0)?.plain) }
    }
    place.options.jobs.tell(words.joined(separator: ", "))
  }

  private var stopped: BackendError {
    job.open("stopped waiting; the server was not told to stop", .cancelled, look)
  }

  /// The error if the state of the job cannot be read.
  private func unreadable(_ error: BackendError) -> BackendError {
    if error.code == .cancelled { return stopped }
    return job.open("accepted by the server; its state cannot be read: \(error.message)", error.code, look)
  }
}

extension ResourceTarget {
  /// The identifier of a record that a job created but no read shows yet; nil for any other error.
  func madeUnseen(_ error: BackendError) -> RecordID? {
    guard resource.showsWritesLater, error.effect == .applied, error.code == .notFound else { return nil }
    return error.id.map { RecordID($0) }
  }
}

extension Service.Job {
  /// The request for the state of a write; nil if the response names none.
  func look(_ answer: HTTPResponse, _ document: Value?, _ request: HTTPRequest) -> HTTPRequest? {
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

  /// The error of a write with unknown outcome.
  func open(_ reason: String, _ code: BackendError.Code, _ look: HTTPRequest) -> BackendError {
    var error = BackendError(
      code, reason, effect: .unknown,
      hint: "see \(look.summary) before retrying", cause: look.summary)
    error.job = look.link
    return error
  }
}
