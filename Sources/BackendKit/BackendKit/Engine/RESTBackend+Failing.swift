extension RESTBackend {
  /// The error that a response stands for which is no success.
  func failure(
    _ answer: HTTPResponse, of request: HTTPRequest, _ place: Place, _ id: RecordID? = nil
  ) async -> BackendError {
    let body: [UInt8]
    do throws(BackendError) { body = try await answer.explanation() } catch { return error }
    return failure(answer, of: request, place, id, body)
  }

  /// The same of a response whose body was read.
  func failure(
    _ answer: HTTPResponse, of request: HTTPRequest, _ place: Place, _ id: RecordID?, _ body: [UInt8]
  ) -> BackendError {
    let words = words(in: body) ?? answer.words(in: body)
    let id = id?.isSole == true ? nil : id
    let subject = id.map { "record \($0)" } ?? "resource \(place.resource.name)"
    var error = answer.failure(of: request, subject, saying: words)
    if let facts = service.fieldMessages, let document = try? JSONReader.read(body) {
      error.fields = facts.read(document)
    }
    if place.isTried, error.code == .notFound, error.hint == nil {
      let known = service.resources.map(\.name).joined(separator: ", ")
      error.hint = "known resources are \(known); describe asks the server for others"
    }
    return classified(
      Service.Failure(
        method: request.method, path: request.path, status: answer.status, body: body, words: words,
        resource: place.resource, id: id, error: error))
  }

  /// What a failure means after the service's own rules.
  func classified(_ failure: Service.Failure) -> BackendError {
    var error = service.hooks.classify?(failure) ?? failure.error
    if failure.id == nil, error.code == .notFound { error.hint = error.hint ?? "check the backend's address" }
    return error
  }

  /// The messages of an error document at the first of the service's places that has any.
  private func words(in body: [UInt8]) -> String? {
    guard !service.messages.isEmpty, let document = try? JSONReader.read(body) else { return nil }
    for path in service.messages {
      let texts = document.texts(at: path[...]).filter { !$0.isEmpty }
      if !texts.isEmpty { return texts.joined(separator: "; ") }
    }
    return nil
  }
}

extension Value {
  /// The texts at the end of a path in which `*` stands for each element of a list.
  fileprivate func texts(at path: ArraySlice<String>) -> [String] {
    guard let name = path.first else { return text.map { [$0] } ?? [] }
    if name == "*" { return (array ?? []).flatMap { $0.texts(at: path.dropFirst()) } }
    return object?[name]?.texts(at: path.dropFirst()) ?? []
  }
}
