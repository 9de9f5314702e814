import BackendKit
import Synchronization

extension LawContext {
  /// The fields by which the records of a resource below a record name that record: changed, a record would leave the
  /// resource.
  func ownerFields() async throws(CheckStop) -> Set<String> {
    guard let owner = path.parent?.id, operations.contains(.list) else { return [] }
    if let owners = sandbox.owners.withLock({ $0 }) { return owners }
    let records = try await page(query(pageSize: 20)).records
    let names = records.first?.fields.names.filter { name in
      !resource.identifier.isHeld(by: name) && records.allSatisfy { RecordID($0.fields[name]) == owner }
    }
    let owners = Set(names ?? [])
    sandbox.owners.withLock { $0 = owners }
    return owners
  }

  /// The fields described; where none is, those that the first records of the list have.
  func knownFields() async throws(CheckStop) -> [FieldDescription] {
    guard resource.fields.isEmpty, operations.contains(.list) else { return resource.fields }
    if let learned = sandbox.learned.withLock({ $0 }) { return learned }
    var names: [String] = []
    var kinds: [String: FieldDescription.Kind] = [:]
    for record in try await page(query(pageSize: 20)).records {
      for (name, value) in record.fields.members {
        guard let kind = FieldDescription.Kind(of: value) else { continue }
        if kinds[name] == nil { names.append(name) }
        kinds[name] = kinds[name].map { $0.joined(with: kind) } ?? kind
      }
    }
    let learned = names.map { FieldDescription($0, kinds[$0] ?? .any) }
    sandbox.learned.withLock { $0 = learned }
    return learned
  }
}

extension FieldDescription.Kind {
  /// The kind that holds values of both.
  fileprivate func joined(with other: Self) -> Self {
    let numbers: Set<Self> = [.integer, .number]
    return self == other ? self : numbers.isSuperset(of: [self, other]) ? .number : .any
  }
}
