import BackendKit

/// The work that a plan leaves to the console, determined before the first page.
struct ListWork: Sendable {
  /// The query for the backend.
  var asked: ListQuery
  /// Filters to check on what a list loads.
  var filters: [Filter] = []
  /// Filters to check on fields that a list does not load.
  var lateFilters: [Filter] = []
  /// Filters that the server applies, to be checked again.
  private var verified: [Filter] = []
  var search: String?
  var sort: [SortKey] = []
  var skip = 0
  /// True if records are completed by `get` before they are checked or shown.
  var completes = false
  /// Required fields; a record that was not loaded with them is read whole.
  var needed: Set<String>?
  /// True if the server's total is that of the answer.
  var trustsTotal: Bool
  /// True if the server's total is that of a narrowed list that contains the records of the answer.
  var narrowsTotal: Bool
  /// True if the server's pages are the pages of the answer.
  var isExact: Bool
  /// True to request one record more than wanted, if nothing else shows that there is one. Positions are then row
  /// numbers, at which the server can begin.
  var looksAhead = false
  /// True if the console sorts, filters or searches records that the server did not narrow.
  private var readsBeyondThePage = false
  var words: [String] = []
  let conditions: [ListCondition]

  init(_ query: ListQuery, plan: QueryPlan, capabilities: Capabilities, _ request: ListRequest) {
    let limit = request.limit
    asked = query
    asked.filters = []
    conditions = ListCondition.all(of: query, plan)
    let unlisted = Set(capabilities.unlistedFields)
    // Records computed for this query may have any fields.
    let isAsKept = !query.hasServerTerms && query.embedded.isEmpty
    let shown = plan.fields == .exact ? query.fields.map { Set($0.flatMap(\.holders)) } : nil
    for (filter, fidelity) in zip(query.filters, plan.filters) {
      if fidelity != .not { asked.filters.append(filter) }
      if fidelity == .exact {
        let isThere = filter.paths.allSatisfy { path in
          unlisted.isDisjoint(with: path.holders) && shown?.isDisjoint(with: path.holders) != true
        }
        if request.verifies, isAsKept, isThere { verified.append(filter) }
        continue
      }
      if filter.paths.contains(where: { !unlisted.isDisjoint(with: $0.holders) }) {
        lateFilters.append(filter)
      } else {
        filters.append(filter)
      }
    }
    if plan.search == .not { asked.search = nil }
    if plan.search != .exact { search = query.search }
    if plan.sort == .not {
      asked.sort = []
      sort = query.sort
    }
    trustsTotal = plan.filters.allSatisfy { $0 == .exact } && plan.search == .exact
    narrowsTotal =
      !trustsTotal && !plan.filters.contains(.not) && (query.search == nil || plan.search != .not)
    isExact = trustsTotal && plan.sort == .exact
    if !(isExact && plan.skip == .exact) {
      asked.skip = 0
      skip = query.skip
    }
    if plan.filters.contains(.not) { words.append("filtered") }
    if search != nil, plan.search == .not { words.append("searched") }
    if conditions.contains(where: { $0.fidelity == .superset }) { words.append("checked again") }
    if !sort.isEmpty { words.append("sorted") }
    if skip > 0 && capabilities.paging != .none && request.start == nil { words.append("skipped") }
    chooseFields(query, plan, unlisted)
    looksAhead =
      isExact && plan.skip == .exact && capabilities.paging == .offset && !capabilities.hasTotal && limit != nil
    readsBeyondThePage = !sort.isEmpty || plan.filters.contains(.not) || (search != nil && plan.search == .not)
    choosePageSize(query, capabilities, request.isScan ? nil : limit)
    guard let start = request.start, !start.isNumbered else { return }
    skip = 0
    asked.pageSize = start.pageSize ?? asked.pageSize
  }

  private mutating func chooseFields(_ query: ListQuery, _ plan: QueryPlan, _ unlisted: Set<String>) {
    var paths = (filters + lateFilters).flatMap(\.paths) + sort.map(\.path)
    if let fields = query.fields {
      paths += fields
      // Fields that are checked here must be loaded, even if they are not shown.
      asked.fields = plan.fields == .not || search != nil ? nil : paths.unique
    }
    let wanted = Set(paths.flatMap(\.holders))
    if search != nil {
      completes = !unlisted.isEmpty
    } else if !wanted.isDisjoint(with: unlisted) {
      completes = true
      needed = wanted
    }
    if completes { words.append("completed") }
  }

  private mutating func choosePageSize(_ query: ListQuery, _ capabilities: Capabilities, _ limit: Int?) {
    let cap = capabilities.pageCap ?? Int.max
    let ahead = looksAhead ? 1 : 0
    if let wanted = query.pageSize, limit != nil, readsBeyondThePage {
      // Most records will not be shown: the server's largest pages cost fewer requests than those of the screen.
      asked.pageSize = min(max(wanted, 100), cap)
    } else if let wanted = query.pageSize {
      asked.pageSize = min(limit == wanted ? wanted + ahead : wanted, cap)
    } else if let limit, isExact {
      asked.pageSize = max(1, min(limit + ahead, cap))
    } else {
      asked.pageSize = min(100, cap)
    }
  }

  /// Returns whether all pages are read, so that they may become larger than the first.
  func readsAll(_ request: ListRequest) -> Bool {
    guard asked.skip == 0, request.start?.isNumbered ?? true else { return false }
    if !sort.isEmpty, request.limit == request.query.pageSize { return true }
    return (request.limit == nil || request.isScan) && request.query.pageSize == nil
  }

  /// Returns whether the record may be in the answer, judged by its loaded fields. Throws if a formula cannot be
  /// computed for it.
  func matchesEarly(_ record: Record) throws(BackendError) -> Bool {
    var unknown: FieldPath?
    for filter in filters {
      if let path = record.unloadedPath(of: filter.paths) {
        unknown = unknown ?? path
      } else if try !QueryRules.judge(filter, record.fields, ignoringCase: asked.ignoreCase) {
        return false
      }
    }
    if let unknown { throw .unknown(unknown, of: record) }
    return true
  }

  /// Returns whether the record meets the conditions that the server is said to check exactly.
  func isVerified(_ record: Record) -> Bool {
    verified.allSatisfy { filter in
      record.lacks(filter) || QueryRules.matches(filter, record.fields, ignoringCase: asked.ignoreCase)
    }
  }

  /// Returns whether the completed record is in the answer. Throws if a formula cannot be computed for it.
  func matchesLate(_ record: Record) throws(BackendError) -> Bool {
    for filter in lateFilters {
      if let path = record.unloadedPath(of: filter.paths) { throw .unknown(path, of: record) }
      if try !QueryRules.judge(filter, record.fields, ignoringCase: asked.ignoreCase) { return false }
    }
    guard let search, !QueryRules.contains(search, record.fields) else { return true }
    if let name = record.unloaded.first { throw .unknown(FieldPath(name), of: record) }
    return false
  }

  /// Returns whether a local condition or the local order depends on a field.
  func depends(on field: String) -> Bool {
    ((filters + lateFilters + verified).flatMap(\.paths) + sort.map(\.path)).contains { $0.holders.contains(field) }
  }

  func lacksFields(_ record: Record) -> Bool {
    guard completes, !record.unloaded.isEmpty else { return false }
    guard let needed else { return true }
    return record.unloaded.contains { needed.contains($0) }
  }
}

extension Record {
  /// Returns whether a field of a filter was not loaded.
  fileprivate func lacks(_ filter: Filter) -> Bool { unloadedPath(of: filter.paths) != nil }

  /// The first of some fields that was not loaded.
  func unloadedPath(of paths: [FieldPath]) -> FieldPath? {
    unloaded.isEmpty ? nil : paths.first { state(of: $0) == .unloaded }
  }
}

extension BackendError {
  /// The error of a decision that depends on a field that was not loaded.
  static func unknown(_ path: FieldPath, of record: Record) -> BackendError {
    let reason = "\(path) of record \(record.id?.text ?? "?") is not known, and the result depends on it"
    return Preview.current?.stop(reason) ?? BackendError(.unsupported, reason, effect: .notSent)
  }
}
