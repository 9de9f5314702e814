import BackendKit

/// The effect of options: the description of a backend that has them, and the requests it would send.
struct OptionEcho: Sendable, Equatable {
  var description: BackendDescription?
  var calls: [String] = []

  /// Determines the effect of exactly these options; nil if no backend can be created with them. Nothing reaches the
  /// server: requests are answered here in several ways, since an adapter may send a second, different one.
  init?(_ context: LawContext, _ plugin: Plugin, _ options: Object) async {
    guard let prepared = try? context.prepared(plugin, options) else { return nil }
    let json = "application/json"
    let fates: [FaultyExchange.Fault] = [
      .error(BackendError(.unavailable, "nothing is sent by this law", effect: .notSent)),
      .answer(status: 404, type: json, body: "{}"), .answer(status: 200, type: json, body: "{}"),
      .answer(status: 200, type: json, body: "[]"),
    ]
    // An option may concern other resources.
    let others = context.description.resources.map { ResourcePath(name: $0.name) }.filter { $0 != context.path }
    let open = context.description.isOpen ? [ResourcePath(name: "conformance")] : []
    for fate in fates {
      let exchange = FaultyExchange(CountingExchange(nil), fate)
      let backend = prepared.attach(exchange)
      if description == nil { description = try? await backend.describe(.known) }
      for path in [context.path] + others.prefix(3) + open {
        for (name, call) in OptionEcho.calls(context) {
          let before = exchange.requests.count
          var outcome = "success"
          do throws(BackendError) { try await call(JudgedBackend(inner: backend, path: path)) } catch {
            outcome = error.code.rawValue
          }
          let sent = exchange.requests.dropFirst(before).map { request in
            let headers = request.headers.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            return "\(request.summary)\n\(headers)\n\(body)"
          }
          calls.append(([name, outcome] + sent).joined(separator: "\n"))
        }
      }
    }
  }

  private static func calls(
    _ context: LawContext
  ) -> [(String, @Sendable (JudgedBackend) async throws(BackendError) -> Void)] {
    let (id, fields) = (context.plausibleID, context.fields.unsent)
    let field = context.fields.updatable?.name ?? "title"
    return [
      ("describe", { backend throws(BackendError) in _ = try await backend.describe(.live) }),
      ("list", { backend throws(BackendError) in _ = try await backend.page(ListQuery(backend.path)) }),
      ("get", { backend throws(BackendError) in _ = try await backend.get(id) }),
      ("create", { backend throws(BackendError) in _ = try await backend.create(fields) }),
      ("set", { backend throws(BackendError) in _ = try await backend.update(id, [.set(field, "title")]) }),
      ("unset", { backend throws(BackendError) in _ = try await backend.update(id, [.unset(field)]) }),
      ("delete", { backend throws(BackendError) in _ = try await backend.delete(.one(id)) }),
    ]
  }
}

extension LawContext {
  /// The judged plugin and its options. Ends the law if they are unknown.
  func needsPlugin() throws(CheckStop) -> (plugin: Plugin, options: Object) {
    guard let plugin = subject.plugin else { throw .notApplicable("the suite was not given the plugin") }
    return plugin
  }

  func prepared(_ plugin: Plugin, _ options: Object) throws(BackendError) -> PreparedBackend {
    try plugin.prepare(BackendSettings(name: subject.name, options: options))
  }
}
