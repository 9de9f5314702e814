import BackendClient
import BackendKit
import ConsoleSetup

extension Targets {
  /// The target given by plugin and address; nil for other words.
  func adHocTarget(_ text: String) async throws -> Target? {
    guard let (name, path) = try await adHocReading(text) else { return nil }
    return try await target(backend: name, path: path)
  }

  /// The backend given by plugin and address, with the resource if the end of its path names one of the service; nil
  /// for other words. Throws the response of the service if that leaves it open.
  func adHocReading(_ text: String) async throws -> (backend: String, path: ResourcePath?)? {
    var failure: BackendError?
    for reading in BackendConfiguration.adHocReadings(text) {
      guard let path = ResourcePath(reading.path.joined(separator: "/")), let name = adHocBackend(reading.backend),
        try configuration(of: name)?.checkUsable() != nil, let first = reading.path.first
      else { continue }
      do { if try await hasResource(first, backend: name) { return (name, path) } } catch let error as BackendError {
        // The other reading of the word may be right.
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

  /// The same for a word that only selects: if the service leaves it open, the whole word is the address.
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

  /// Returns whether a service has a resource, by its description, or by a request if that leaves it open.
  private func hasResource(_ name: String, backend: String) async throws -> Bool {
    let client = try open(backend).client
    let known = try await client.describe(.known)
    if known.resource(named: name) != nil { return true }
    guard known.isOpen else { return false }
    if let rehearsal { throw rehearsal.stop() }
    do throws(BackendError) {
      if known.others != nil { return try await client.hasList(name) }
      let live = try await client.describe(.live)
      if live.others != nil { return try await client.hasList(name) }
      return live.resource(named: name) != nil
    } catch {
      // The service has no resources below this address, so the whole word may be the address.
      if known.others == nil, [.notFound, .badResponse].contains(error.code) { return false }
      var error = error
      error.operation = verb ?? error.operation
      (error.backend, error.resource) = (backend, name)
      throw error
    }
  }

  /// The way in which an address with a path was read, for a failure there; nil for other backends.
  func adHocNote(_ backend: String) -> String? {
    guard BackendConfiguration.adHoc(backend) != nil, let reading = BackendConfiguration.adHocReadings(backend).first,
      let last = reading.path.first
    else { return nil }
    return
      "\(backend) is read as the address of a service, since \"\(last)\" is not a known resource of \(reading.backend)"
  }
}
