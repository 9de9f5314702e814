import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The target of a command: a resource of a backend.
struct Target: Sendable {
  var backend: OpenBackend
  var path: ResourcePath

  var client: Client { backend.client }

  var description: String { "\(client.name)/\(path)" }

  /// The target with the backend's spelling of the resource.
  var spelled: Target {
    get async throws {
      var target = self
      target.path = try await client.spelled(path)
      return target
    }
  }

  func description(of id: RecordID) -> String { id.isSole ? description : "\(description)/\(id)" }

  /// The present state of a record; nil if it does not exist and the service works otherwise. Throws if that is
  /// unclear.
  func existing(_ id: RecordID) async throws(BackendError) -> Record? {
    switch await client.presence(of: id, in: path) {
    case .there(let record): return record
    case .gone: return nil
    case .unclear(let error): throw error
    }
  }

  /// Throws if nothing may be written to the backend.
  func checkWritable() throws(UsageError) {
    try Restriction.current.checkWriting()
    let configuration = backend.configuration
    guard configuration.isReadOnly else { return }
    throw UsageError(
      "\(configuration.name) is read only, as \(configuration.place("readOnly")) says")
  }
}

extension Targets {
  /// The target of a command, and whether the word names it. A word does if it names a backend, contains `/`, or names
  /// a resource of the current backend, unless it is quoted, after `--`, or reads as an assignment or a predicate.
  /// Otherwise it is the current target.
  func takeTarget(_ word: Word?, isOnly: Bool = true) async throws -> (Target, isNamed: Bool) {
    let found = try await findTarget(word.flatMap(\.target), isOnly: isOnly)
    work(on: found.target)
    return found
  }

  private func findTarget(_ word: String?, isOnly: Bool) async throws -> (target: Target, isNamed: Bool) {
    if let rehearsal, !rehearsal.knowsCurrent, !namesBackend(word) { throw rehearsal.stop() }
    if let word, let target = try await target(named: word) { return (try await target.spelled, true) }
    guard let current else {
      throw noBackend
    }
    if let word, let target = try await otherResource(named: word, isOnly: isOnly) { return (target, true) }
    let target = try await target(backend: current.backend, path: current.path, meant: word)
    return (try await target.spelled, false)
  }

  /// The backend of a command, and whether the word names it; otherwise it is the current one.
  func takeBackend(_ word: Word?) async throws -> (OpenBackend, isNamed: Bool) {
    let found = try await findBackend(word?.text)
    work(on: found.backend)
    return found
  }

  private func findBackend(_ word: String?) async throws -> (backend: OpenBackend, isNamed: Bool) {
    if let word, configuration(of: word) != nil, try await !isHidden(word, asIdentifier: true) {
      return (try open(word), true)
    }
    guard let current else {
      throw noBackend
    }
    return (try open(current.backend), false)
  }

  private func namesBackend(_ word: String?) -> Bool {
    word.map { configuration(of: String($0.prefix { $0 != "/" })) != nil } ?? false
  }

  func target(named text: String) async throws -> Target? {
    if let target = try await adHocTarget(text) { return target }
    if text.hasOperator { return nil }
    if RecordURL.looksLikeOne(text), try await takesAddresses() { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if let first = parts.first, configuration(of: first) != nil,
      try await !isHidden(first, asIdentifier: parts.count == 1)
    {
      let rest = Array(parts.dropFirst())
      if rest.isEmpty || rest == [""] { return try await target(backend: first, path: nil) }
      return try await target(backend: first, path: try await path(rest, of: first, in: text))
    }
    guard parts.count > 1 || current != nil else { return nil }
    if let current, try await knows(parts[0], current.backend) {
      return try await target(backend: current.backend, path: try await path(parts, of: current.backend, in: text))
    }
    guard parts.count > 1 else { return nil }
    let nearest = await question(about: parts[0], then: text.dropFirst(parts[0].count))
    throw UsageError(
      "unknown backend or resource \"\(text)\"",
      hint: BackendConfiguration.resource(at: text).map { "write \($0)" } ?? nearest
        ?? "\(backendNames); write -- before an identifier with a slash")
  }

  /// The resource that the segments of a word name.
  func path(_ segments: [String], of backend: String, in text: String) async throws -> ResourcePath {
    let known = try await open(backend).client.describe(.known)
    guard let typed = TypedPath.reading(segments, in: known) else {
      guard let path = ResourcePath(segments.joined(separator: "/")) else { throw malformed(text) }
      return path
    }
    guard let id = typed.id else { return typed.path }
    let place = text.hasPrefix(backend + "/") ? backend + "/" : ""
    throw UsageError(
      "\"\(text)\" is a record, not a resource",
      hint: "write the identifier as a separate word: \(place)\(typed.path) \(id)")
  }

  /// Returns whether a backend's name is ignored: its file is not trusted, and without that file the word is a resource
  /// or a possible identifier of the current backend. So an untrusted file cannot take over a name.
  func isHidden(_ name: String, asIdentifier: Bool = false) async throws -> Bool {
    guard configuration(of: name)?.isTrusted == false, let current, current.backend != name,
      configuration(of: current.backend)?.isTrusted == true
    else { return false }
    if asIdentifier { return true }
    return try await knows(name, current.backend)
  }

  /// Returns whether records of the current resource can be named by their addresses.
  private func takesAddresses() async throws -> Bool {
    guard let current else { return false }
    let target = try await target(backend: current.backend, path: current.path)
    return try await target.client.describe(.known).resource(at: target.path)?.identifier.address != nil
  }

  private func malformed(_ text: String) -> UsageError {
    if let slash = text.lastIndex(of: "/"), text[text.index(after: slash)...].contains(where: \.isNumber) {
      return UsageError(
        "\"\(text)\" is not a resource",
        hint: "write the identifier as a separate word: \(text[..<slash]) \(text[text.index(after: slash)...])")
    }
    return UsageError("\"\(text)\" is not a resource", hint: "write BACKEND/RESOURCE or BACKEND/RESOURCE/ID/RESOURCE")
  }

  /// The backend, or resource of the current backend, that a word was probably meant to name.
  func nearestTarget(_ text: String) async -> String? {
    // The backend is hidden unless a slash follows.
    if configuration(of: text)?.isTrusted == false { return text + "/" }
    return SpellingSuggestion.suggestion(for: text, among: await names)
  }

  /// The question whether a word was meant to name one of the backends and resources like it; nil if there is none.
  func question(about text: String, then rest: Substring = "") async -> String? {
    if configuration(of: text)?.isTrusted == false { return "did you mean \(text)/\(rest)?" }
    return SpellingSuggestion.question(for: text, among: await names) { $0 + rest }
  }

  /// The names of the backends, and of the resources of the current one.
  private var names: [String] {
    get async {
      let client = current.flatMap { try? open($0.backend).client }
      let known = try? await client?.describe(.known)
      return configuration.backends.map(\.name) + (known?.names ?? [])
    }
  }

  func unknown(_ word: String, column: Int? = nil) async -> UsageError {
    UsageError("unknown backend or resource \"\(word)\"", hint: await advice(on: word), column: column)
  }

  /// The name that was probably meant, otherwise the list of names.
  func advice(on word: String) async -> String {
    await question(about: word) ?? backendNames
  }

  /// The target for a resource of the current backend that only a request can confirm; nil if there can be none.
  func triedTarget(_ text: String) async -> String? {
    guard let current, let path = ResourcePath(text), let client = try? open(current.backend).client,
      let known = try? await client.describe(.known), known.others != nil
    else { return nil }
    return "\(current.backend)/\(path)"
  }

  func knows(_ name: String, _ backend: String) async throws -> Bool {
    // The current resource is known even if the backend cannot describe it: its name is not an identifier.
    if let current, current.backend == backend, !name.isEmpty,
      name == current.path?.name ?? configuration(of: backend)?.resource
    {
      return true
    }
    let client = try open(backend).client
    let known = try await client.describe(.known)
    if known.hasResource(named: name) { return true }
    guard known.isOpen, known.others == nil else { return false }
    return try await client.describe(.live).resource(named: name) != nil
  }

  /// The error for a backend of unknown resources if no resource was named.
  private func noResource(of name: String) -> any Error {
    guard let reading = BackendConfiguration.adHocReadings(name).first, let last = reading.path.first else {
      return UsageError(
        "\(name) has no known resources", hint: "write \(BackendConfiguration.place(of: name))/RESOURCE")
    }
    return BackendError(
      .notFound, "unknown resource \"\(last)\"", effect: .rejected,
      hint: "write \(reading.backend)/RESOURCE, or find the resources with `add ADDRESS`", operation: verb,
      backend: reading.backend,
      resource: last)
  }

  /// The target of a backend: of this path, otherwise the current resource, otherwise the backend's default or only
  /// one. If there is none, `meant` is a word that may have been meant as a resource.
  func target(backend name: String, path: ResourcePath?, meant word: String? = nil) async throws -> Target {
    let backend = try open(name)
    if let path { return Target(backend: backend, path: path) }
    if current?.backend == name, let path = current?.path { return Target(backend: backend, path: path) }
    if let resource = backend.configuration.resource, let path = ResourcePath(resource) {
      return Target(backend: backend, path: path)
    }
    let names = try await backend.client.describe(.known).names
    if let only = names.first, names.count == 1 {
      return Target(backend: backend, path: ResourcePath(name: only))
    }
    if let word, word.first?.isLetter == true, !word.hasOperator {
      var hint = await question(about: word)
      if hint == nil, let tried = await triedTarget(word) {
        hint = "write \(tried) for a resource that is not described"
      }
      throw UsageError(
        "unknown resource \"\(word)\" of \(name)",
        hint: hint ?? SpellingSuggestion.hint(for: word, among: names) ?? "write \(name)/RESOURCE")
    }
    if names.isEmpty { throw noResource(of: name) }
    guard let reading = BackendConfiguration.adHocReadings(name).first, let last = reading.path.first else {
      let place = BackendConfiguration.place(of: name)
      throw UsageError(
        "\(name) has several resources",
        hint: "choose one: \(NameList.text(names.map { "\(place)/\($0)" }, most: 10))")
    }
    throw UsageError(
      "\(name) is read as the address of a service, since \"\(last)\" is not a known resource; it has several resources",
      hint: "choose one: " + NameList.text(names.map { "\(name)/\($0)" }, most: 10)
        + (SpellingSuggestion.suggestion(for: last, among: names).map { ", or did you mean \(reading.backend)/\($0)?" }
          ?? ""))
  }
}

extension Targets {
  /// The backend that a word names without a resource, or the current one, if it has several resources and no default;
  /// nil otherwise.
  func wholeBackend(_ word: String?) async throws -> OpenBackend? {
    let name: String
    if let word {
      let reading = try await adHocReading(word)
      guard reading?.path == nil, try await !isHidden(word, asIdentifier: true) else { return nil }
      name = reading?.backend ?? word
    } else {
      guard let current, rehearsal?.knowsCurrent != false else { return nil }
      name = current.backend
    }
    guard configuration(of: name) != nil, current?.backend != name || current?.path == nil else { return nil }
    let backend = try open(name)
    guard backend.configuration.resource == nil, try await backend.client.describe(.known).names.count > 1 else {
      return nil
    }
    work(on: backend)
    return backend
  }
}
