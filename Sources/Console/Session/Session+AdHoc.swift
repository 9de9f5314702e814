import BackendClient
import BackendKit

extension Session {
  /// The target that a word gives by plugin and address; nil where it gives none.
  func adHocTarget(_ text: String) async throws -> Target? {
    guard let (name, path) = try await adHocReading(text) else { return nil }
    return try await target(backend: name, path: path)
  }

  /// The backend that a word gives by plugin and address, and the resource where the end of its path names one that the
  /// service has; nil where it gives none.
  func adHocReading(_ text: String) async throws -> (backend: String, path: ResourcePath?)? {
    for reading in BackendConfiguration.adHocReadings(text) {
      guard let path = ResourcePath(parts: reading.path), let name = adHocBackend(reading.backend),
        try configuration(of: name)?.checkUsable() != nil, let first = reading.path.first,
        try await hasResource(first, backend: name)
      else { continue }
      return (name, path)
    }
    return adHocBackend(text).map { ($0, nil) }
  }

  /// Whether a service has a resource, as far as it tells; where only its answer can tell, it is asked.
  private func hasResource(_ name: String, backend: String) async throws -> Bool {
    let client = try open(backend).client
    let known = try await client.describe(.known)
    if known.resource(named: name) != nil { return true }
    guard known.isOpen else { return false }
    if let rehearsal { throw rehearsal.stop() }
    if known.others != nil { return await client.hasList(name) }
    // An address below which there is no service tells of no resources.
    return (try? await client.describe(.live))?.resource(named: name) != nil
  }

  /// How a word was read that gives a backend by its address with a path, for a failure there; nil for any other backend.
  func adHocNote(_ backend: String) -> String? {
    guard BackendConfiguration.adHoc(backend) != nil, let reading = BackendConfiguration.adHocReadings(backend).first,
      let last = reading.path.first
    else { return nil }
    return
      "\(backend) is read as the address of a service, since \"\(last)\" is not a known resource of \(reading.backend)"
  }
}
