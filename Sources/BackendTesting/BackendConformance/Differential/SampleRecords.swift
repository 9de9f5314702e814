import BackendClient
import BackendKit

/// The population of generated queries: the whole list, and which records count.
struct SampleRecords: Sendable {
  /// The whole list. Records that count are complete, others may lack fields.
  var records: [Record] = []
  /// The condition that only the suite's own records meet; nil if all records count.
  var mark: Filter?
  /// The suite's records.
  private var made: Set<RecordID> = []
  private var listed: [RecordID: Record] = [:]

  /// The maximum length of a list whose records are all read completely.
  private var limit = 60

  /// Reads the existing records and, if possible, adds generated ones.
  init(_ context: LawContext, _ random: inout SeededGenerator) async throws(CheckStop) {
    try context.needs(.list)
    do {
      let draft = try await DraftRecords(context)
      mark = .compare(FieldPath(draft.markField), .contains, .value(.string(draft.populationMark)))
      // Records that cannot be deleted would disturb all later laws.
      let count = context.operations.contains(.delete) ? (context.subject.isSandbox ? 16 : 9) : 3
      for number in 0..<count {
        var base = try await context.sandbox.fields()
        base[draft.markField] = .string("\(draft.populationMark)\(number)")
        try await make(draft.fields(base, number, &random), else: base, context)
      }
    } catch {
      guard case .kept(.notApplicable) = error else { throw error }
    }
    // If each record costs a request, only the suite's own count.
    if mark != nil, !context.subject.isSandbox, !context.capabilities.unlistedFields.isEmpty { limit = 0 }
    try await read(context)
    guard records.count > 1 else { throw .notApplicable("there are too few records to query") }
  }

  /// Reads the existing records as lists show them.
  init(listedBy context: LawContext) async throws(CheckStop) {
    records = try await list(context)
  }

  private mutating func list(_ context: LawContext) async throws(CheckStop) -> [Record] {
    let size = context.capabilities.paging == .none ? nil : min(100, context.capabilities.pageCap ?? 100)
    let list = try await context.walk(context.query(pageSize: size)).records
    listed = [:]
    for record in list { if let id = record.id { listed[id] = record } }
    return list
  }

  private mutating func read(_ context: LawContext) async throws(CheckStop) {
    let list = try await list(context)
    guard listed.count == list.count else {
      throw .notApplicable("records have no identifiers, or identifiers that are not unique")
    }
    let missing = made.first { listed[$0] == nil }
    try context.require(
      missing == nil, "\(made.count) records were created and the list was walked", expected: "all of them in it",
      found: "a list of \(list.count) without the record \(missing ?? "")")
    records = []
    for record in list {
      guard !record.isWhole, counts(record), let id = record.id else {
        records.append(record)
        continue
      }
      records.append(try await context.attempt("the record \(id) was read", await context.backend.get(id)))
    }
    // Incomplete records cannot be judged.
    let unknown = records.contains { !$0.isWhole && (mark == nil || counts($0)) }
    if unknown { throw .notApplicable("the list omits fields and has too many records to read one by one") }
  }

  /// Returns whether a record counts, as far as its loaded fields show.
  func counts(_ record: Record) -> Bool {
    if listed.count <= limit { return true }
    return mark.map { QueryRules.matches($0, record.fields) } ?? false
  }

  /// True if every record is complete, so that queries need not be restricted to the suite's own.
  var isWhole: Bool { records.allSatisfy(\.isWhole) }

  func listed(_ id: RecordID) -> Record? { listed[id] }

  var own: [Record] { records.filter { $0.id.map(made.contains) ?? false } }

  // MARK: Creating and removing

  /// Creates a record, with simpler fields if the server refuses these.
  private mutating func make(_ fields: Object, else simpler: Object, _ context: LawContext) async throws(CheckStop) {
    var receipt: WriteReceipt
    do throws(BackendError) { receipt = try await context.own.create(fields) } catch {
      receipt = try await context.attempt("a record was created", await context.own.create(simpler))
    }
    guard let id = receipt.id else {
      throw .notApplicable("the server does not report the identifiers of the records it creates")
    }
    made.insert(id)
  }
}
