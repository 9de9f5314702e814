import BackendKit
import ConsoleSetup

extension Blanking {
  func request(_ request: HTTPRequest) -> RecordedExchange.Request {
    let type = request.headers.first { $0.0.lowercased() == "content-type" }?.1.lowercased()
    return RecordedExchange.Request(
      method: request.method, target: target(request), effect: request.effect, headers: fields(request.headers),
      body: (request.body ?? request.content.map { Array(JSONWriter.compact($0.summary).utf8) }).map {
        body($0, isForm: type?.hasPrefix("application/x-www-form-urlencoded") == true, isRequest: true)
      })
  }

  func fields(_ headers: [(String, String)]) -> [RecordedExchange.Field] {
    headers.map { RecordedExchange.Field(name: $0.0, value: header($0.0, $0.1)) }
  }

  func object(_ object: Object) -> Object {
    let bytes = body(Array(JSONWriter.compact(.object(object)).utf8))
    return (try? JSONReader.read(bytes))?.object ?? Object()
  }

  /// Returns whether a member of an object is or contains a secret: by name, or as a known secret text or number.
  func isSecret(_ value: Value, under name: String) -> Bool { isSecret(value, isNamed: isSecret(name)) }

  private func isSecret(_ value: Value, isNamed: Bool) -> Bool {
    switch value {
    case .null, .bool: false
    case .number(let number): isNamed || self.text(number.text) == Self.mark
    case .string(let text): isNamed || self.text(text) == Self.mark
    case .array(let elements): elements.contains { isSecret($0, isNamed: isNamed) }
    case .object(let object):
      object.members.contains { name, member in isSecret(member, isNamed: isNamed || isSecret(name)) }
    }
  }

  /// The address of a job without its secrets, which are registered.
  func job(_ address: String) -> String {
    var look = HTTPRequest("GET", .base, effect: .read)
    look.link = address
    return target(look)
  }

  /// An error without the secrets that its texts or the address of its job may quote.
  func error(_ error: BackendError) -> BackendError {
    var error = error
    if let job = error.job {
      let shown = self.job(job)
      func without(_ text: String) -> String { text.replacing(text: job, with: shown) }
      (error.job, error.message) = (shown, without(error.message))
      (error.hint, error.cause) = (error.hint.map(without), error.cause.map(without))
    }
    error.message = text(error.message)
    error.hint = error.hint.map(text)
    error.cause = error.cause.map(text)
    return error
  }
}
