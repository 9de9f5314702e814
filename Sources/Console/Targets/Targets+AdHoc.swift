import BackendClient
import BackendKit
import ConsoleSetup

extension Targets {
  /// The target that a word gives by plugin and address; nil where it gives none.
  func adHocTarget(_ text: String) async throws -> Target? {
    guard let (name, path) = try await adHocReading(text) else { return nil }
    return try await target(backend: name, path: path)
  }

  /// The backend that a word gives by plugin and address, and the resource where the end of its path names one that the
  /// service has; nil where it gives none. Throws what the service responds with if that does not tell of a resource.
  func adHocReading(_ text: String) async throws -> (backend: String, path: ResourcePath?)? {
    var failure: BackendError?
    for reading in BackendConfiguration.adHocReadings(text) {
      guard let path = ResourcePath(parts: reading.path), let name = adHocBackend(reading.backend),
        try configuration(of: name)?.checkUsable() != nil, let first = reading.path.first
      else { continue }
      do { if try await hasResource(first, backend: name) { return (name, path) } } catch let error as BackendError {
        // The other way to read the word may lead to a service.
        failure = failure ?? error
        if error.code == .cancelled { throw error }
      }
    }
    let whole = adHocBackend(text)
    if var failure, try await !isAddress(whole, of: failure) {
      let isRefused = [.unauthorized, .forbidden].contains(failure.code)
      failure.hint =
        failure.hint
        ?? (isRefused
          ? "add \(text.drop { $0 != ":" }.dropFirst()) --bearer-env VARIABLE"
          : "if this is the address of the service itself, end it with /")
      throw failure
    }
    return whole.map { ($0, nil) }
  }

  /// The same for a word that only chooses: if the service does not tell of a resource, all of the word is the address.
  func chosenReading(_ text: String) async throws -> (backend: String, path: ResourcePath?)? {
    do { return try await adHocReading(text) } catch let error as BackendError {
      guard error.code != .cancelled, let name = adHocBackend(text) else { throw error }
      return (name, nil)
    }
  }

  /// Returns whether a response without a list may be the service's root: only if its resources are known otherwise.
  private func isAddress(_ backend: String?, of failure: BackendError) async throws -> Bool {
    guard let backend, failure.code == .badResponse, (failure.httpStatus ?? 200) < 300 else { return false }
    return try await !open(backend).client.describe(.known).names.isEmpty
  }

  /// Returns whether a service has a resource, by its description; sends a request if only a response can show it.
  private func hasResource(_ name: String, backend: String) async throws -> Bool {
    let client = try open(backend).client
    let known = try await client.describe(.known)
    if known.resource(named: name) != nil { return true }
    guard known.isOpen else { return false }
    if let rehearsal { throw rehearsal.stop() }
    do throws(BackendError) {
      if known.others != nil { return try await client.hasList(name) }
      return try await client.describe(.live).resource(named: name) != nil
    } catch {
      // An address below which there is no service tells of no resources: all of the word may be the address.
      if known.others == nil, [.notFound, .badResponse].contains(error.code) { return false }
      var error = error
      error.operation = verb ?? error.operation
      (error.backend, error.resource) = (backend, name)
      throw error
    }
  }

  /// Returns how an address with a path was read as a backend, for a failure there; nil for other backends.
  func adHocNote(_ backend: String) -> String? {
    guard BackendConfiguration.adHoc(backend) != nil, let reading = BackendConfiguration.adHocReadings(backend).first,
      let last = reading.path.first
    else { return nil }
    return
      "\(backend) is read as the address of a service, since \"\(last)\" is not a known resource of \(reading.backend)"
  }
}
