import BackendKit

extension Law {
  /// True if `RESTBackend` keeps the law for every service, regardless of its facts and functions.
  ///
  /// It is judged on the engine, and on backends that do not use it; for a mapping only the other laws are judged: that
  /// its statements about its service are true.
  public var isOfEngine: Bool {
    (parts.isEmpty ? [name] : parts.map(\.name)).allSatisfy { name in
      Law.engineGroups.contains(group) && !Law.ofMappings.contains(name) || Law.ofEngine.contains(name)
    }
  }

  private static let engineGroups: Set<LawGroup> = [.faults, .cancellation, .concurrency]

  /// Laws of those groups that a mapping can break: by what it says of addresses, of updates, and by its functions.
  private static let ofMappings: Set<String> = [
    "no lost updates", "concurrent deletes", "missing members in records", "no invented identifier",
  ]

  private static let ofEngine: Set<String> = [
    "plan sends no request", "one fidelity per filter", "exact skip comes last", "stable plan", "request on one line",
    "absent parts are exact", "planned page size", "unplanned parts refused", "first request as planned",
    "undeclared operation", "undeclared action", "undeclared child resource", "undeclared clearing",
    "undeclared revisions", "writes are marked", "reads send read requests", "enough ends the list",
    "cursor of a stopped list", "sink error", "truncated list", "cursor is repeatable", "invalid cursor",
    "invalid skip or page size", "enough stops requests", "records are streamed", "skip past the end",
    "kept or echoed is true", "no needless notes", "kept or echoed is known", "update receipt as stored",
    "last change wins", "update without change", "read returns 429", "read returns 503", "read returns 500",
    "500 or lost connection", "transport errors", "error message form",
  ]
}

extension ConformanceSubject {
  /// The laws that its backend is judged by: of a mapping those that are not the engine's.
  public var laws: [Law] {
    guard !judgesEngine, let backend = try? make(exchange), backend is RESTBackend else { return ConformanceSuite.laws }
    return ConformanceSuite.laws.filter { !$0.isOfEngine }
  }
}
