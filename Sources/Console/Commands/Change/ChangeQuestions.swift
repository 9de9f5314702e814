import BackendClient
import BackendKit

extension CommandContext {
  /// The changes of a record as a person at a terminal gives them: each field is asked for with its present value,
  /// which Enter keeps. Nil if nobody can be asked, or no field is known. Throws if the questions are given up; only a
  /// read was sent then.
  func askChanges(of id: RecordID, _ resource: ResourceDescription, _ target: Target) async throws -> [Change]? {
    try checkWritable(target)
    try target.client.check(.update, of: resource)
    let record = try await target.client.get(id, from: target.path)
    let known = Set(resource.fields.map(\.name))
    let others = record.fields.members.filter { !known.contains($0.0) && $0.0 != resource.identifier.field }
    let wanted = resource.writable + FieldDescription.sampled([Object(others)])
    var changes: [Change] = []
    for var field in wanted {
      // An update need not give a field that the record lacks.
      field.isRequired = false
      let present = field.isSecret ? nil : record.fields[field.name]
      let offered = present == .null ? nil : present
      guard let value = try await ask(field, offering: offered, for: "update") else { continue }
      if !resource.isSame(value, present, in: field.name) { changes.append(.set(field.name, value)) }
    }
    return wanted.isEmpty ? nil : changes
  }
}
