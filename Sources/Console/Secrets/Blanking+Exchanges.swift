import BackendKit

extension Blanking {
  /// What is kept of a request.
  func request(_ request: HTTPRequest) -> RecordedExchange.Request {
    let type = request.headers.first { $0.0.lowercased() == "content-type" }?.1.lowercased()
    return RecordedExchange.Request(
      method: request.method, target: target(request), effect: request.effect, headers: fields(request.headers),
      body: request.body.map {
        body($0, isForm: type?.hasPrefix("application/x-www-form-urlencoded") == true, isRequest: true)
      })
  }

  /// Header fields.
  func fields(_ headers: [(String, String)]) -> [RecordedExchange.Field] {
    headers.map { RecordedExchange.Field(name: $0.0, value: header($0.0, $0.1)) }
  }

  /// An object that is kept as it is but for its secrets.
  func object(_ object: Object) -> Object {
    let bytes = body(Array(JSONWriter.compact(.object(object)).utf8))
    return (try? JSONReader.read(bytes))?.object ?? Object()
  }

  /// An error whose texts may quote what was sent.
  func error(_ error: BackendError) -> BackendError {
    var error = error
    error.message = text(error.message)
    error.hint = error.hint.map(text)
    error.cause = error.cause.map(text)
    return error
  }
}
