import BackendKit

extension Record {
  /// The record as written by the reference server: its identifier, its fields, and the names of those not loaded.
  var wire: Value {
    var members = Object()
    members["id"] = id.map { .string($0.text) }
    members["fields"] = .object(fields)
    if !isWhole { members["unloaded"] = .array(unloaded.map { .string($0) }) }
    members["revision"] = revision.map { .string($0) }
    members["defect"] = defect.map { .string($0) }
    return .object(members)
  }

  init(wire: Value) throws(BackendError) {
    guard let members = wire.object, let fields = members["fields"]?.object else {
      throw BackendError(.badResponse, "the response contains no record", effect: .unknown)
    }
    self.init(
      id: members["id"]?.text.map { RecordID($0) }, fields: fields,
      unloaded: members["unloaded"]?.array?.compactMap(\.text) ?? [], revision: members["revision"]?.text)
    defect = members["defect"]?.text
  }
}
