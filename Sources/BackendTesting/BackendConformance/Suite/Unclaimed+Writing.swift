import BackendKit

extension Unclaimed {
  /// Returns the findings about writes, on records of the suite's own.
  func writes() async -> [String] {
    var seen: [String] = []
    for probe in [clearing, chosenIdentifier, revision, partialUpdate] {
      if let words = try? await probe() { seen.append(words) }
    }
    return seen
  }

  private func clearing() async throws(CheckStop) -> String? {
    guard context.operations.contains(.update), !context.capabilities.canClear else { return nil }
    let made = try await context.madeFull()
    for field in try await context.writable() where !field.isRequired && made.sent[field.name] != nil {
      guard case .success = await context.outcome(updating: made.id, [.set(field.name, .null)]) else { continue }
      if LawContext.isWithoutValue(try await context.stored(made.id).fields[field.name]) {
        return "clearing: \(field.name) had no value after it was set to null"
      }
    }
    return nil
  }

  private func chosenIdentifier() async throws(CheckStop) -> String? {
    guard !context.capabilities.takesIdentifiers, context.resource.identifier.parts.isEmpty,
      let field = context.resource.identifier.field
    else { return nil }
    let id = try await context.absentID()
    let value = context.value(of: id)
    let exchange = ChangedExchange(context.traffic) { (request: inout HTTPRequest) in
      guard request.method == "POST" else { return }
      request.change { object in
        if let data = object["data"]?.object {
          var data = data
          data[field] = value
          object["data"] = .object(data)
        } else {
          object[field] = value
        }
      }
    }
    let fields = try await context.sandbox.fields()
    let backend = try context.backend(over: exchange)
    try await context.sandbox.needsWriting()
    guard let receipt = try? await backend.create(fields, in: context.path) else { return nil }
    context.sandbox.adopt(receipt.id)
    guard receipt.id == id, (try? await context.get(id)) != nil else { return nil }
    return "identifiers: a new record got the \(field) that was sent with it"
  }

  private func revision() async throws(CheckStop) -> String? {
    guard context.operations.contains(.update), !context.capabilities.hasRevisions else { return nil }
    let made = try await context.made()
    let field = try await context.changeable()[0]
    let exchange = ChangedExchange(context.traffic) { (request: inout HTTPRequest) in
      if LawCall.mayWrite(request) { request.headers.append(("If-Match", "\"switchboard-conformance\"")) }
    }
    let backend = try context.backend(over: exchange)
    do throws(BackendError) {
      _ = try await backend.update(made.id, in: context.path, changes: [.set(field.name, field.second)], revision: nil)
    } catch {
      // The same update without it shows that nothing else was refused.
      guard error.code == .conflict,
        case .success = await context.outcome(updating: made.id, [.set(field.name, field.second)])
      else { return nil }
      return "revisions: an update with another entity tag in If-Match is refused"
    }
    return nil
  }

  private func partialUpdate() async throws(CheckStop) -> String? {
    guard context.operations.contains(.update), context.capabilities.update == .replace else { return nil }
    let made = try await context.madeFull()
    let before = try await context.stored(made.id)
    let field = try await context.changeable()[0]
    let exchange = ChangedExchange(context.traffic) { (request: inout HTTPRequest) in
      guard request.method == "PUT" else { return }
      request.method = "PATCH"
      request.change { object in object = .only(field.name, field.second) }
    }
    let backend = try context.backend(over: exchange)
    guard
      (try? await backend.update(made.id, in: context.path, changes: [.set(field.name, field.second)], revision: nil))
        != nil
    else { return nil }
    let after = try await context.stored(made.id)
    guard after.fields[field.name] == field.second, before.fields[field.name] != field.second,
      context.change(from: before, to: after, touched: [field.name]) == nil
    else { return nil }
    return "partial updates: PATCH with one field changes only that field"
  }
}

/// A way to a server on which requests are changed, and responses looked at.
struct ChangedExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let request: @Sendable (inout HTTPRequest) -> Void
  private let response: (@Sendable ([(String, String)], [UInt8]) -> Void)?

  init(
    _ inner: any HTTPExchange, changing request: @escaping @Sendable (inout HTTPRequest) -> Void
  ) {
    self.inner = inner
    self.request = request
    response = nil
  }

  init(_ inner: any HTTPExchange, reading response: @escaping @Sendable ([(String, String)], [UInt8]) -> Void) {
    self.inner = inner
    request = { _ in }
    self.response = response
  }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ sent: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    var changed = sent
    request(&changed)
    let answer = try await inner.send(changed)
    guard let response else { return answer }
    let body = try await answer.body.collect()
    response(answer.headers, body)
    return HTTPResponse(status: answer.status, headers: answer.headers, body: HTTPBody(whole: body))
  }
}

extension HTTPRequest {
  /// Changes a body that is an object.
  fileprivate mutating func change(_ change: (inout Object) -> Void) {
    guard let body, case .object(var object)? = try? JSONReader.read(body) else { return }
    change(&object)
    self.body = Array(JSONWriter.compact(.object(object)).utf8)
  }
}
