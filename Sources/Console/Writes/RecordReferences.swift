import BackendClient
import BackendKit
import Synchronization

/// References to a record before its deletion, as far as the service reports them.
struct RecordReferences {
  /// A clause about the first resource with such references; nil if there are none.
  var open: String?
  /// True if records that are deleted first may refer to it.
  var mayEnd = false
}

/// The search for records that refer to others.
struct ReferrerSearch {
  let client: Client

  /// Searches for references to a record, except from the `deleted` ones, which are deleted first. Throws only
  /// `cancelled`.
  func references(
    to id: RecordID, _ resource: ResourceDescription, except deleted: [String: Set<String>] = [:], maximumScan: Int
  ) async throws(BackendError) -> RecordReferences {
    var found = RecordReferences()
    var fields = resource.dependents.compactMap { dependents in
      dependents.resource.flatMap { name in dependents.field.map { (resource: name, field: $0) } }
    }
    let named = Set(fields.map(\.resource))
    for other in try await client.describe(.known).resources where !named.contains(other.name) {
      for field in other.fields where field.reference?.resource == resource.name && field.reference?.key == nil {
        fields.append((other.name, field.name))
      }
    }
    for (name, field) in fields {
      let query = ListQuery(
        ResourcePath(name: name), filters: [.compare(FieldPath(field), .equal, .word(id.text))])
      let except = deleted[name] ?? []
      if !except.isEmpty { found.mayEnd = true }
      found.open = Self.clause(name, try await count(query, except, maximumScan))
      if found.open != nil { return found }
    }
    var rest = resource
    rest.dependents.removeAll { $0.resource != nil && $0.field != nil }
    for dependents in try await client.dependents(of: [id], in: rest, maximumScan: maximumScan) where found.open == nil
    {
      found.open = Self.clause(dependents.resource, dependents.count)
    }
    return found
  }

  private static func clause(_ resource: String, _ count: Int?) -> String? {
    guard let count else { return "records of \(resource) may refer to it" }
    let records = counted(count, "record of \(resource) refers", "records of \(resource) refer")
    return count == 0 ? nil : "\(records) to it"
  }

  /// The number of records except those with some identifiers; nil if unknown.
  private func count(
    _ query: ListQuery, _ except: Set<String>, _ maximumScan: Int
  ) async throws(BackendError) -> Int? {
    if client.isOutlined(query.resource) { return nil }
    do throws(BackendError) {
      guard !except.isEmpty else {
        let summary = try await client.count(query, maximumScan: maximumScan, provesNone: true)
        return summary.isCutShort || summary.omitsRecords ? nil : summary.total
      }
      let can = try await client.resource(query.resource).capabilities
      for isAgain in [false, true] {
        let others = Mutex(0)
        let summary = try await client.list(
          ListRequest(query, maximumScan: maximumScan),
          to: RecordSink { records in
            let count = records.count { record in record.id.map { !except.contains($0.text) } ?? true }
            others.withLock { $0 += count }
            return .more
          })
        let count = others.withLock(\.self)
        if count > 0 { return count }
        if summary.absenceDoubt != nil { return nil }
        if isAgain || !summary.mayHaveShifted(can) { break }
      }
      return 0
    } catch {
      guard error.code != .cancelled else { throw error }
      return nil
    }
  }
}
