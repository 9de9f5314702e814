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
  private static let ofMappings: Set<String> = ["lost update", "deletions at once", "lean records", "odd receipt"]

  private static let ofEngine: Set<String> = [
    "quiet plan", "plan shape", "skip comes last", "stable plan", "readable request", "nothing asked",
    "planned page size",
    "unplanned parts", "planned request", "declared operations only", "undeclared action", "nothing below",
    "undeclared clearing", "undeclared revisions", "marked writes", "reads only read", "enough", "given up",
    "sink error",
    "cut short", "same page twice", "foreign cursor", "impossible window", "enough asks no more", "as they arrive",
    "past the end", "honest receipt", "plain receipt", "settled writes", "receipt of update", "last change",
    "no change",
    "too many requests", "out of service", "server fault", "uncertain write", "transport errors", "error sentence",
  ]
}

extension ConformanceSubject {
  /// The laws that its backend is judged by: of a mapping those that are not the engine's.
  public var laws: [Law] {
    guard !judgesEngine, let backend = try? make(exchange), backend is RESTBackend else { return ConformanceSuite.laws }
    return ConformanceSuite.laws.filter { !$0.isOfEngine }
  }
}
