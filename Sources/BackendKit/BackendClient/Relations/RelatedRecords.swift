public import BackendKit
import Synchronization

/// Finds the records that a field refers to, and caches them for the duration of one command.
///
/// If the service finds records by several values at once, one list requests many; otherwise each record is read by
/// itself, a few at a time. The cache is bounded: the oldest record is dropped first, and requested again if needed.
public actor RelatedRecords {
  /// The way in which records are requested.
  public enum Way: String, Sendable, Hashable {
    /// Many at once, by a list with a condition that the service checks.
    case list
    /// Each by its identifier.
    case get
    /// By searching a list locally.
    case scan
  }

  /// The maximum number of identifiers in one list request, since addresses have a maximum length.
  public static let mostAtOnce = 50
  private static let mostBytesAtOnce = 1_500
  private static let mostReadsAtOnce = 4
  private static let mostKept = 1_000

  private let client: Client
  private let path: ResourcePath
  private let resource: ResourceDescription
  private let key: String?
  private let maximumScan: Int
  /// The way in use; nil before the first request.
  private var chosen: Way?
  private var kept: [RecordID: Record?] = [:]
  private var order: [RecordID] = []

  /// The records that a reference may name. If neither the service nor an identifier leads to them, a list of limited
  /// length is searched.
  public init(_ reference: RecordReference, of client: Client, maximumScan: Int) async throws(BackendError) {
    self.client = client
    self.maximumScan = maximumScan
    path = ResourcePath(name: reference.resource)
    let resource = try await client.resource(path)
    guard !client.isOutlined(path) else {
      throw client.named(
        .unsupported(
          "only a document of the service describes \(resource.name), and so nothing reads it unasked",
          hint: "get \(client.name)/\(resource.name) shows a record"), nil, path)
    }
    self.resource = resource
    key = reference.key == resource.identifier.field ? nil : reference.key
  }

  /// The description of the resource.
  public nonisolated var target: ResourceDescription { resource }

  /// The field by which the records are named; nil for an identifier that is not a field.
  public nonisolated var keyField: String? { key ?? resource.identifier.field }

  /// The way that will be used, determined without a request.
  public func way() async throws(BackendError) -> Way {
    if let chosen { return chosen }
    let way = try await choose()
    chosen = way
    return way
  }

  /// The record for each of these identifiers or keys; nil if there is none.
  public func find(_ names: [RecordID]) async throws(BackendError) -> [RecordID: Record?] {
    var found: [RecordID: Record?] = [:]
    var asked: [RecordID] = []
    for name in names where found[name] == nil {
      if let known = kept[name] {
        found[name] = known
      } else {
        found[name] = .some(nil)
        // A value that cannot be an identifier is not sent.
        if key != nil || resource.identifier.complaint(about: name) == nil { asked.append(name) }
      }
    }
    for (name, record) in try await ask(asked) { found[name] = .some(record) }
    for name in asked { keep(found[name] ?? nil, as: name) }
    return found
  }

  /// Empties the cache.
  public func forget() { (kept, order) = ([:], []) }

  private func keep(_ record: Record?, as name: RecordID) {
    if kept.updateValue(record, forKey: name) == nil { order.append(name) }
    guard order.count > Self.mostKept else { return }
    for old in order.prefix(order.count - Self.mostKept) { kept[old] = nil }
    order.removeFirst(order.count - Self.mostKept)
  }

  // MARK: Ways

  private func choose() async throws(BackendError) -> Way {
    let operations = resource.capabilities.operations
    let canList = operations.contains(.list)
    guard canList || operations.contains(.get) else {
      throw client.named(.unsupported("\(client.name) cannot read records of \(resource.name)"), nil, path)
    }
    guard canList, let field = keyField else { return .get }
    // Two values, to learn whether the service accepts several.
    let query = ListQuery(path, filters: [Self.condition(["1", "2"], FieldPath(field), isList: true)])
    if try await fidelity(of: query) != .not { return .list }
    if try await fidelity(of: alternatives(["1", "2"], field)) != .not { return .list }
    return key == nil && operations.contains(.get) ? .get : .scan
  }

  private func fidelity(of query: ListQuery) async throws(BackendError) -> Fidelity {
    do throws(BackendError) { return try await client.plan(query, resource).filters.first ?? .not } catch {
      throw client.named(error, "list", path)
    }
  }

  private func alternatives(_ names: [RecordID], _ field: String) -> ListQuery {
    ListQuery(path, filters: [Self.condition(names, FieldPath(field), isList: false)])
  }

  /// The condition that a field has one of these values: as a list or, if the service has none, as alternatives.
  private static func condition(_ names: [RecordID], _ path: FieldPath, isList: Bool) -> Filter {
    // A word adopts the type of the field that it is compared with.
    let operands = names.map { Operand.word($0.text) }
    return isList ? .among(path, operands) : .or(operands.map { .compare(path, .equal, $0) })
  }

  private func ask(_ names: [RecordID]) async throws(BackendError) -> [(RecordID, Record)] {
    guard !names.isEmpty else { return [] }
    guard try await way() != .get, let field = keyField else { return try await read(names) }
    var found: [(RecordID, Record)] = []
    var rest = names[...]
    while !rest.isEmpty {
      let several = Self.fitting(rest)
      rest = rest.dropFirst(several.count)
      // A truncated list leaves the others undecided.
      guard let listed = try await list(several, field) else {
        chosen = .get
        return found + (try await read(several + rest))
      }
      found += listed
      // A list may omit records that can be read individually.
      let seen = Set(listed.map(\.0))
      let unseen = several.filter { !seen.contains($0) }
      if key == nil, resource.capabilities.operations.contains(.get) { found += try await read(unseen) }
    }
    return found
  }

  private static func fitting(_ names: ArraySlice<RecordID>) -> [RecordID] {
    var bytes = 0
    let several = names.prefix(mostAtOnce).prefix { name in
      bytes += name.text.utf8.count + 1
      return bytes <= mostBytesAtOnce
    }
    return Array(several.isEmpty ? names.prefix(1) : several)
  }

  /// The records that a list has for these names; nil if it was truncated and each can be read by itself.
  private func list(_ names: [RecordID], _ field: String) async throws(BackendError) -> [(RecordID, Record)]? {
    let path = FieldPath(field)
    var query = ListQuery(self.path, filters: [Self.condition(names, path, isList: true)])
    var fidelity = try await fidelity(of: query)
    if fidelity == .not {
      let other = alternatives(names, field)
      fidelity = try await self.fidelity(of: other)
      if fidelity != .not { query.filters = other.filters }
    }
    // A service that checks less precisely finds other records, too.
    let most = 2 * names.count + 20
    // A short page ends the list.
    if fidelity != .not { query.pageSize = fidelity == .exact ? names.count + 1 : most }
    let canRead = key == nil && resource.capabilities.operations.contains(.get)
    let request = ListRequest(query, maximumScan: canRead ? most : maximumScan)
    let wanted = Set(names)
    let found = Mutex<[RecordID: Record]>([:])
    let sink = RecordSink { [key] records throws(BackendError) in
      found.withLock { found in
        for record in records {
          let name = key == nil ? record.id : Relation(path, RecordReference(to: "")).names(in: record).first ?? nil
          // The first of several records with one key counts.
          if let name, wanted.contains(name), found[name] == nil { found[name] = record }
        }
        return found.count == wanted.count ? .enough : .more
      }
    }
    let summary = try await client.list(request, to: sink)
    if summary.isCutShort {
      if canRead { return nil }
      throw client.named(
        BackendError(
          .unsupported, "the scan limit was reached before every record named by \(field) was found", effect: .rejected,
          hint: "use --max-scan to read more"), "list", self.path)
    }
    return found.withLock { found in names.compactMap { name in found[name].map { (name, $0) } } }
  }

  /// The result of a read, made before it is stored in a tuple. Written as `(name, .success(try await …))` within a
  /// `do`, the optimizer of Swift 6.3 takes the store of the name for superfluous and leaves it out.
  private static func result(
    _ read: () async throws(BackendError) -> Record
  ) async -> Result<Record, BackendError> {
    do throws(BackendError) { return .success(try await read()) } catch { return .failure(error) }
  }

  /// Reads each record by itself, a few at a time; those that do not exist are left out.
  private func read(_ names: [RecordID]) async throws(BackendError) -> [(RecordID, Record)] {
    var found: [(RecordID, Record)] = []
    var rest = names[...]
    while !rest.isEmpty {
      let several = rest.prefix(Self.mostReadsAtOnce)
      rest = rest.dropFirst(several.count)
      let results = await withTaskGroup(of: (RecordID, Result<Record, BackendError>).self) { [client, path] group in
        for name in several {
          group.addTask {
            (name, await Self.result { () throws(BackendError) in try await client.read(name, from: path) })
          }
        }
        var results: [RecordID: Result<Record, BackendError>] = [:]
        for await (name, result) in group { results[name] = result }
        return results
      }
      for name in several {
        switch results[name] {
        case .success(let record)?:
          client.see(record, in: path)
          found.append((name, record))
        case .failure(let error)?: if error.code != .notFound { throw error }
        case nil: break
        }
      }
    }
    return found
  }
}
