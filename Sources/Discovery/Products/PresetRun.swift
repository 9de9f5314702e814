import BackendClient
import BackendKit
import ServiceDescription

/// Runs one resource of a preset as commands would: the first two pages, a single record and the count.
struct PresetRun {
  struct Outcome {
    var claims: [SurveyClaim] = []
    var notes: [String] = []
    /// True if the service does not have the resource.
    var isAbsent = false
  }

  private let name: String
  private let client: Client
  private let size: Int?

  init(_ name: String, _ client: Client, size: Int?) { (self.name, self.client, self.size) = (name, client, size) }

  /// Runs it. Throws only if cancelled.
  func run() async throws(BackendError) -> Outcome {
    var found = Outcome()
    guard let path = ResourcePath(parts: [name]) else { return found }
    do throws(BackendError) {
      let first = try await page(path, after: nil)
      found.claims.append(claim("records", .proved, "\(counted(first.ids.count, "record")) listed"))
      if let next = first.summary.next {
        let second = try await page(path, after: next)
        let repeated = second.ids.filter(first.ids.contains).count
        found.claims.append(
          claim("page", repeated == 0 ? .proved : .contradicted, "the second page repeats \(repeated) of the first"))
      }
      if let id = first.ids.first { found.claims.append(try await single(id, path)) }
      if let total = try await client.count(ListQuery(path), maximumScan: 1).total {
        found.claims.append(claim(Key.total, .proved, "\(total) records"))
      }
    } catch { try note(error, &found) }
    return found
  }

  private func page(
    _ path: ResourcePath, after start: ListPosition?
  ) async throws(BackendError) -> (summary: ListSummary, ids: [RecordID]) {
    let held = BufferedPage()
    var query = ListQuery(path)
    query.pageSize = size
    var request = ListRequest(query, limit: size, start: start)
    request.isPage = true
    let summary = try await client.list(request, to: held.sink)
    return (summary, await held.records.compactMap(\.id))
  }

  private func single(_ id: RecordID, _ path: ResourcePath) async throws(BackendError) -> SurveyClaim {
    do throws(BackendError) {
      _ = try await client.get(id, from: path)
      return claim(Key.identifierField, .proved, "the first record was read by its identifier")
    } catch {
      guard [.notFound, .unsupported, .forbidden].contains(error.code) else { throw error }
      return claim(Key.identifierField, .likely, error.message)
    }
  }

  private func claim(_ fact: some FactName, _ grade: SurveyClaim.Grade, _ evidence: String) -> SurveyClaim {
    SurveyClaim(resource: name, fact: fact.path, value: true, grade: grade, evidence: evidence)
  }

  private func note(_ error: BackendError, _ found: inout Outcome) throws(BackendError) {
    guard error.code != .cancelled else { throw error }
    found.isAbsent = error.code == .notFound && found.claims.isEmpty
    if !found.isAbsent { found.notes.append("\(name): \(error.message)") }
  }
}
