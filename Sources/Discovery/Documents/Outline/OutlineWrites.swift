import BackendKit
import ServiceDescription

/// The body of a write, as its document describes it.
struct OutlineBody {
  /// The member that holds the fields; nil if the body is the record.
  let wrap: String?
  let properties: Object
  let required: Set<String>

  /// A body whose record is most like one with these properties.
  init(_ schema: Object, like record: Object, _ schemas: SchemaReader) {
    let own = schema["properties"]?.object ?? Object()
    var best: (wrap: String?, schema: Object, likeness: Double) = (nil, schema, Self.likeness(own, record))
    for (name, member) in own.members where own.count <= 2 {
      guard let inner = schemas.folded(member), let properties = inner["properties"]?.object, !properties.isEmpty else {
        continue
      }
      let likeness = Self.likeness(properties, record)
      if likeness > best.likeness { best = (name, inner, likeness) }
    }
    wrap = best.wrap
    properties = best.schema["properties"]?.object ?? Object()
    required = Set(best.schema["required"]?.array?.compactMap(\.text) ?? [])
  }

  /// The share of names that two objects have in common, signs and capitals aside.
  static func likeness(_ properties: Object, _ other: Object) -> Double {
    let (own, theirs) = (
      Set(properties.names.map(DocumentedResource.plain)), Set(other.names.map(DocumentedResource.plain))
    )
    guard !own.isEmpty, !theirs.isEmpty else { return 0 }
    return Double(own.intersection(theirs).count) / Double(own.union(theirs).count)
  }
}

/// The writes of a resource, as its document describes them.
struct OutlineWrites {
  private let resource: DocumentedResource?
  private let record: OutlineRecord
  private let schemas: SchemaReader

  init(_ resource: DocumentedResource?, _ record: OutlineRecord, _ schemas: SchemaReader) {
    (self.resource, self.record, self.schemas) = (resource, record, schemas)
  }

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
      // Whether a PUT makes a record is not known: the same path changes one.
      guard item.operations["PATCH"] != nil || item.operations["POST"] != nil else { return nil }
      operation = put
      section[.createMethod] = "PUT"
    } else {
      return nil
    }
    take(operation, .createBody, &section)
    section[.createReturns] = "maybe"
    section[.createLocation] = true
    return .object(section)
  }

  private var update: Value? {
    guard let item = resource?.item else { return nil }
    for method in ["PATCH", "PUT", "POST"] {
      guard let operation = item.operations[method] else { continue }
      var section = Object([("returns", "maybe"), ("readBack", true)])
      take(operation, .updateBody, &section)
      if operation.requestType == "application/merge-patch+json" { section[.updatePatchFormat] = "mergePatch" }
      if operation.requestType == "application/json-patch+json" { section[.updatePatchFormat] = "jsonPatch" }
      if method == "PUT" {
        section["method"] = .null
        section[.updateClear] = "untested"
      } else {
        section[.updateMethod] = method
        section[.updateClear] = "untested"
      }
      return .object(section)
    }
    return nil
  }

  private var delete: Value? { resource?.item?.operations["DELETE"] == nil ? nil : .object(Object()) }

  /// Says in what form and in which member the fields of a body are sent.
  private func take(_ operation: ServiceDocument.Operation, _ body: Key<String>, _ section: inout Object) {
    if operation.requestType == "application/x-www-form-urlencoded" { section[body] = "form" }
    guard let schema = schemas.folded(operation.request) else { return }
    // Without it a body is wrapped as a response is.
    section[.createWrap] =
      OutlineBody(schema, like: record.properties, schemas).wrap ?? (record.path.isEmpty ? nil : "$")
  }
}
