import BackendClient
import BackendKit

/// The records that generated queries are asked over: the whole list as it stands, and which of them count.
struct SampleRecords: Sendable {
  /// The whole list, each record as far as it is known: those that count are whole.
  var records: [Record] = []
  /// The condition that holds for the suite's own records alone; nil where every record counts.
  var mark: Filter?
  /// The fields that were given to the suite's records; empty where it made none.
  var drafts: [RecordID: Object] = [:]
  /// The template of the suite's records; nil if it can create none.
  var draft: DraftRecords?
  private var listed: [RecordID: Record] = [:]

  /// The maximum length of a list of which every record is read in full.
  private var limit = 60

  /// The records that are there, with generated ones where the suite may make any.
  init(_ context: LawContext, _ random: inout SeededGenerator) async throws(CheckStop) {
    try context.needs(.list)
    do {
      let draft = try await DraftRecords(context)
      self.draft = draft
      mark = .compare(FieldPath(draft.markField), .contains, .value(.string(draft.populationMark)))
      // Records that cannot be deleted would disturb every following law.
      let count = context.operations.contains(.delete) ? (context.subject.isSandbox ? 16 : 9) : 3
      for number in 0..<count {
        var base = try await context.sandbox.fields()
        base[draft.markField] = .string("\(draft.populationMark)\(number)")
        try await make(draft.fields(base, number, &random), else: base, context)
      }
    } catch {
      guard case .kept(.notApplicable) = error else { throw error }
    }
    // If each record costs a request, foreign records are left out.
    if mark != nil, !context.subject.isSandbox, !context.capabilities.unlistedFields.isEmpty { limit = 0 }
    try await read(context)
    guard records.count > 1 else { throw .notApplicable("there are too few records to query") }
  }

  /// The records that are there, as far as lists show them.
  init(listedBy context: LawContext) async throws(CheckStop) {
    records = try await list(context)
  }

  /// The list as it stands.
  private mutating func list(_ context: LawContext) async throws(CheckStop) -> [Record] {
    let size = context.capabilities.paging == .none ? nil : min(100, context.capabilities.pageCap ?? 100)
    let list = try await context.walk(context.query(pageSize: size)).records
    listed = [:]
    for record in list { if let id = record.id { listed[id] = record } }
    return list
  }

  /// Reads the list again.
  mutating func read(_ context: LawContext) async throws(CheckStop) {
    let list = try await list(context)
    guard listed.count == list.count else {
      throw .notApplicable("records have no identifiers, or identifiers that are not unique")
    }
    records = []
    for record in list {
      guard !record.isWhole, counts(record), let id = record.id else {
        records.append(record)
        continue
      }
      records.append(try await context.attempt("the record \(id) was read", await context.backend.get(id)))
    }
    // Records of which nobody knows everything cannot be judged.
    let unknown = records.contains { !$0.isWhole && (mark == nil || counts($0)) }
    if unknown { throw .notApplicable("the list omits fields and has too many records to read one by one") }
  }

  /// Returns whether a record is among those judged, as far as its loaded fields show.
  func counts(_ record: Record) -> Bool {
    if listed.count <= limit { return true }
    return mark.map { QueryRules.matches($0, record.fields) } ?? false
  }

  /// True if every record is fully known, so that queries need not be limited to the suite's own.
  var isWhole: Bool { records.allSatisfy(\.isWhole) }

  func listed(_ id: RecordID) -> Record? { listed[id] }

  /// The suite's own records that are there.
  var own: [Record] { records.filter { $0.id.map { drafts[$0] != nil } ?? false } }

  // MARK: Making and removing

  /// Makes a record, of simpler fields where a server does not take these.
  mutating func make(_ fields: Object, else simpler: Object, _ context: LawContext) async throws(CheckStop) {
    do throws(BackendError) {
      try take(try await context.own.create(fields), fields)
    } catch {
      let receipt = try await context.attempt("a record was created", await context.own.create(simpler))
      do throws(BackendError) { try take(receipt, simpler) } catch { throw .notApplicable(error.message) }
    }
  }

  private mutating func take(_ receipt: WriteReceipt, _ fields: Object) throws(BackendError) {
    guard let id = receipt.id else {
      throw BackendError(
        .badResponse, "the server does not report the identifiers of the records it creates", effect: .applied)
    }
    drafts[id] = fields
  }
}
