import BackendKit

/// The effect of options: the description of a backend created with them, and the requests it would send.
struct OptionEcho: Sendable, Equatable {
  /// Its own description, without a request.
  var description: BackendDescription?
  /// For each call what it would send, and what came of it.
  var calls: [String] = []
}

extension LawContext {
  /// The plugin and the options that are judged; ends the law where nobody told them.
  func needsPlugin() throws(CheckStop) -> (plugin: Plugin, options: Object) {
    guard let plugin = subject.plugin else { throw .notApplicable("the suite was not given the plugin") }
    return plugin
  }

  /// Returns the plugin's backend for exactly these options.
  func prepared(_ plugin: Plugin, _ options: Object) throws(BackendError) -> PreparedBackend {
    try plugin.prepare(BackendSettings(name: subject.name, options: options))
  }

  /// Returns the effect of exactly these options; nil if no backend can be created with them.
  ///
  /// Nothing reaches the server: every request is answered here, in each of several ways, as an adapter that sends a
  /// second request may send a different one.
  func echo(of plugin: Plugin, _ options: Object) async -> OptionEcho? {
    guard let prepared = try? prepared(plugin, options) else { return nil }
    var echo = OptionEcho()
    let json = "application/json"
    let fates: [FaultyExchange.Fault] = [
      .error(BackendError(.unavailable, "nothing is sent by this law", effect: .notSent)),
      .answer(status: 404, type: json, body: "{}"), .answer(status: 200, type: json, body: "{}"),
      .answer(status: 200, type: json, body: "[]"),
    ]
    for fate in fates {
      let exchange = FaultyExchange(CountingExchange(nil), fate)
      let backend = prepared.attach(exchange)
      if echo.description == nil { echo.description = try? await backend.describe(.known) }
      for (name, call) in optionPaths.flatMap(optionCalls) {
        let before = exchange.requests.count
        var outcome = "success"
        do throws(BackendError) { try await call(backend) } catch { outcome = error.code.rawValue }
        let sent = exchange.requests.dropFirst(before).map { request in
          let headers = request.headers.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
          let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
          return "\(request.summary)\n\(headers)\n\(body)"
        }
        echo.calls.append(([name, outcome] + sent).joined(separator: "\n"))
      }
    }
    return echo
  }

  /// The resource that is judged, and others: an option may be about those.
  private var optionPaths: [ResourcePath] {
    let others = description.resources.map { ResourcePath(name: $0.name) }.filter { $0 != path }
    return [path] + others.prefix(3) + (description.isOpen ? [ResourcePath(name: "conformance")] : [])
  }

  /// Calls in which options may show.
  private func optionCalls(
    _ path: ResourcePath
  ) -> [(String, @Sendable (any Backend) async throws(BackendError) -> Void)] {
    let (id, fields) = (plausibleID, unsentFields)
    let field = updatableField?.name ?? "title"
    return [
      ("describe", { backend throws(BackendError) in _ = try await backend.describe(.live) }),
      (
        "list",
        { backend throws(BackendError) in
          _ = try await backend.page(ListQuery(path))
        }
      ),
      ("get", { backend throws(BackendError) in _ = try await backend.get(id, from: path) }),
      ("create", { backend throws(BackendError) in _ = try await backend.create(fields, in: path) }),
      (
        "set",
        { backend throws(BackendError) in
          _ = try await backend.update(id, in: path, changes: [.set(field, "title")], revision: nil)
        }
      ),
      (
        "unset",
        { backend throws(BackendError) in
          _ = try await backend.update(id, in: path, changes: [.unset(field)], revision: nil)
        }
      ),
      ("delete", { backend throws(BackendError) in _ = try await backend.delete(.one(id), from: path) }),
    ]
  }
}
