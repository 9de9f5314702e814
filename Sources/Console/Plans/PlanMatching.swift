import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem
import Synchronization

/// Finds the records of a plan in another backend by keys.
struct PlanMatching {
  private let fields: TransferFields
  private let target: Target
  private let key: [String]
  /// The identifiers by key; nil for a key that two records have.
  private var ids: [String: RecordID?] = [:]
  private let omitsRecords: Bool

  init(_ key: [String], _ target: Target, _ resource: ResourceDescription, _ ports: CommandContext) async throws {
    (self.key, self.target) = (key, target)
    let fields = TransferFields(resource, map: .none, constants: Object(), key: key, cells: nil, source: nil)
    self.fields = fields
    let found = Mutex<[String: RecordID?]>([:])
    func read(again: Bool = false) async throws -> ListSummary {
      let summary = try await target.client.list(
        ListRequest(ListQuery(target.path), maximumScan: .max),
        to: RecordSink { records in
          found.withLock { found in
            for record in records {
              guard let text = fields.key(of: record.fields, id: record.id?.text) else { continue }
              if again, let known = found[text], known == nil || known == record.id { continue }
              found[text] = .some(found[text] == nil ? record.id : nil)
            }
          }
          return .more
        })
      try Completeness(ports).check(summary)
      if let doubt = summary.endDoubt {
        throw CommandFailure(
          .partial, "the list of \(target.description) may be incomplete: \(doubt); nothing was changed")
      }
      return summary
    }
    let summary = try await read()
    omitsRecords = summary.omitsRecords
    // Only a second reading of a list that may have shifted proves that a key is missing or unique.
    if summary.mayHaveShifted(resource.capabilities) { _ = try await read(again: true) }
    ids = found.withLock(\.self)
  }

  /// The write of the record with that key here. Throws if there is none, or it is ambiguous.
  func here(_ entry: PlanEntry, at place: String) throws(UsageError) -> Write {
    let isCreation = entry.write.id == nil
    guard let text = fields.key(of: isCreation ? entry.write.created : entry.before?.fields ?? Object(), id: nil) else {
      throw UsageError(
        "\(place): the plan has no \(key.joined(separator: ", ")) of the record")
    }
    let shown = "\(key.joined(separator: ", ")) \(TransferFields.quoted(text))"
    switch ids[text] {
    case nil where isCreation && !omitsRecords: return entry.write
    case nil:
      throw UsageError(
        omitsRecords
          ? "\(place): the list of \(target.description) has no record with \(shown), but \(ListSummary.omission)"
          : "\(place): \(target.description) has no record with \(shown)")
    case .some(nil):
      throw UsageError("\(place): \(target.description) has several records with \(shown)")
    case .some(let id?):
      guard !isCreation else {
        throw UsageError("\(place): \(target.description)/\(id) has \(shown) already")
      }
      return entry.write.renamed(id)
    }
  }
}

extension PlanEntry {
  /// Returns the values that the record must have elsewhere: those that the plan replaces; for a deletion all but IDs.
  func expected(_ resource: ResourceDescription) -> Object {
    let old = before?.fields ?? Object()
    switch write {
    case .update:
      return Object(write.fieldNames.map { ($0, old[$0] ?? .null) })
    case .delete:
      return Object(
        old.members.filter { name, _ in
          name != resource.identifier.field && resource.field(named: name)?.isReadOnly != true
        })
    case .create, .act: return Object()
    }
  }
}

extension Write {
  fileprivate var created: Object { if case .create(_, let fields) = self { fields } else { Object() } }
}
