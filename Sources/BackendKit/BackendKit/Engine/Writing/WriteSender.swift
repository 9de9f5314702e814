/// The kind of a write, which determines what a refusal may mean.
enum WriteKind {
  case creation, change, action
}

/// Sends the request of a write, with the requests that hooks add before and after, and follows its job, if any.
struct WriteSender: ResourceWork {
  let place: ResourceTarget
  private let id: RecordID?
  private let kind: WriteKind
  /// The maximum number of requests of one write.
  private static let mostSteps = 8

  init(_ place: ResourceTarget, _ id: RecordID? = nil, as kind: WriteKind = .change) {
    (self.place, self.id, self.kind) = (place, id, kind)
  }

  /// Throws with an unknown effect if the service may do the write later (status 202) and does not declare how to
  /// follow that; for a creation such a response is returned. A failure is returned, without a body, only if it says
  /// that the record is already in the requested state.
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let request = try await prepared(request)
    let answer = try await place.send(request)
    guard !answer.isSuccess else {
      let done = try await accepted(answer, request)
      guard done.status != 202 || kind == .creation else { throw done.deferred(request) }
      return done
    }
    let body = try await answer.explanation()
    if place.failures.saysAlreadyDone(answer, body) {
      return HTTPResponse(status: answer.status)
    }
    let error = await place.failures.failure(answer, ofWrite: request, id, body, kind)
    guard let step = service.hooks.step else { throw error }
    var operation = Service.Operation(
      method: request.method, id: id, path: request.path, request: request, error: error)
    var responses = [Service.Response(answer, body)]
    var decided = step(operation, responses, &engine.kept)
    while responses.count < Self.mostSteps, case .send(let next) = decided {
      // If a follow-up request fails, the original error is thrown.
      guard let answer = try? await place.send(next), let body = try? await answer.explanation() else {
        throw error
      }
      responses.append(Service.Response(answer, body))
      operation.error = answer.isSuccess ? nil : operation.error
      decided = step(operation, responses, &engine.kept)
    }
    if case .fail(let failure) = decided { throw failure }
    throw error
  }

  /// The request after the hook's preceding requests.
  private func prepared(_ request: HTTPRequest) async throws(BackendError) -> HTTPRequest {
    guard let step = service.hooks.step else { return request }
    var request = request
    var operation = Service.Operation(method: request.method, id: id, path: request.path, request: request)
    var responses: [Service.Response] = []
    while responses.count < Self.mostSteps {
      switch step(operation, responses, &engine.kept) {
      case .usual: return request
      case .instead(let other):
        guard request.effect == .read || !["GET", "HEAD", "OPTIONS"].contains(other.method) else {
          throw .unsupported(
            "the adapter replaces a write by \(other.summary), which writes nothing",
            hint: "this is a bug in the adapter")
        }
        request = other
        return request
      case .fail(let failure): throw failure
      case .send(let next):
        let answer = try await place.read(next, id)
        responses.append(Service.Response(answer, try await answer.explanation()))
        operation.request = request
      }
    }
    throw BackendError(.unsupported, "the write takes more than \(Self.mostSteps) requests", effect: .rejected)
  }

  /// The response to an accepted write, once the service has done it. Throws if the response reports a failure, or
  /// seems to.
  private func accepted(_ answer: HTTPResponse, _ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    var answer = answer
    if let job = resource.job, job.statuses.contains(answer.status) {
      answer = try await followed(job, answer, request)
      // The state of the job already confirmed it.
      if job.state != nil { return answer }
    }
    let (held, body) = await answer.held()
    let isDeclared = place.failures.mayRefuse(answer.status)
    guard held.status != 207 || isDeclared else { throw held.severalOutcomes(of: request) }
    guard !held.isPage, isDeclared || RefusalDocument.mayTellFailure(body) else { return held }
    // A response without content cannot have the required success flag.
    let needsFlag = resource.okAt != nil && held.status != 204
    guard let document = (try? JSONReader.read(body)) ?? (needsFlag ? Value?.some(.null) : nil) else { return held }
    let refusal =
      isDeclared
      ? place.failures.refusal(in: document, held, request, id)
      : place.failures.undeclaredRefusal(in: document, held, request)
    if let refusal {
      if refusal.effect == .rejected { AttemptLog.current?.refuseLast(as: refusal.httpStatus ?? 400) }
      throw refusal
    }
    return held
  }

  /// Waits until the service has done an accepted write, and returns the response that shows it.
  ///
  /// If that cannot be seen, throws an error with an unknown effect, which names the address at which to check, if
  /// there is one.
  private func followed(
    _ job: Service.Job, _ first: HTTPResponse, _ request: HTTPRequest
  ) async throws(BackendError) -> HTTPResponse {
    let body = try await first.explanation()
    guard let look = job.look(first, try? JSONReader.read(body), request) else {
      throw BackendError(
        .badResponse, "the server processes it later and does not say where to check", effect: .unknown,
        hint: "check the record before retrying", httpStatus: first.status)
    }
    if !place.options.jobs.waits { throw job.open("accepted by the server, not done yet", .timedOut, look) }
    return try await JobWatch(job, look, place, id, after: first, of: request.method).end()
  }
}
