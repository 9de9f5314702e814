import BackendKit
import ServiceDescription

/// The writes of a resource, as its document describes them.
struct OutlineWrites {
  private let resource: DocumentedResource?
  private let record: OutlineRecord

  init(_ resource: DocumentedResource?, _ record: OutlineRecord) { (self.resource, self.record) = (resource, record) }

  var sections: [(String, Value)] {
    [("create", create ?? .null), ("update", update ?? .null), ("delete", delete ?? .null)]
  }

  private var create: Value? {
    var section = Object()
    let operation: ServiceDocument.Operation
    if let post = resource?.collection.operations["POST"] {
      operation = post
    } else if let item = resource?.item, item.operations["GET"] != nil || item.operations["POST"] == nil,
      let put = item.operations["PUT"]
    {
      // A PUT may only change records, so it counts as a create only beside a PATCH or POST.
      guard item.operations["PATCH"] != nil || item.operations["POST"] != nil else { return nil }
      operation = put
      section[.createMethod] = "PUT"
    } else {
      return nil
    }
    take(operation, record.bodies.create, .createBody, &section)
    section[.createReturns] = "maybe"
    section[.createLocation] = true
    if section[.createMethod] == nil, record.isChosen { section[.createIdentifier] = "client" }
    return .object(section)
  }

  private var update: Value? {
    guard let (method, operation) = resource?.change else { return nil }
    var section = Object([("returns", "maybe"), ("readBack", true)])
    take(operation, record.bodies.change, .updateBody, &section)
    section[.updateClear] = "untested"
    if method == "PATCH" { section[.updatePatchFormat] = operation.patchFormat }
    if method == "PUT" {
      section["method"] = .null
      let dropped = record.bodies.dropped(of: record.properties)
      if !dropped.isEmpty { section[.updateDrop] = dropped }
    } else {
      section[.updateMethod] = method
    }
    return .object(section)
  }

  private var delete: Value? { resource?.item?.operations["DELETE"] == nil ? nil : .object(Object()) }

  /// Says in what form and in which member the fields of a body are sent.
  private func take(
    _ operation: ServiceDocument.Operation, _ described: OutlineBody?, _ body: Key<String>, _ section: inout Object
  ) {
    section[body] = operation.form
    if let described { section[.createWrap] = described.wrap ?? (record.path.isEmpty ? nil : "$") }
  }
}
