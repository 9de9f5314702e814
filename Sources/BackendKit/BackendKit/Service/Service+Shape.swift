extension Service {
  /// The form of a record on the wire.
  public enum Shape: Sendable, Hashable {
    /// As an object whose members are the fields.
    case plain
    /// As JSON:API has it: `type` and `id`, the fields in `attributes`, those that name records in `relationships`.
    case jsonAPI
  }
}

extension Service.Shape {
  /// Returns the fields of a record, or nil if the value does not have this shape.
  func fields(of value: Value, _ resource: Service.Resource) -> Object? {
    guard self == .jsonAPI else { return value.object }
    guard let object = value.object, let id = object["id"] else { return nil }
    // A record without any attributes may leave them out; its type then shows what it is.
    guard let attributes = object["attributes"].map(\.object) ?? (object["type"]?.text == nil ? nil : Object())
    else { return nil }
    let relations = object["relationships"]?.object
    var fields = Object()
    if let name = resource.identifier.field { fields[name] = id }
    for field in resource.fields where field.name != resource.identifier.field {
      guard field.reference != nil, let linked = relations?[field.name]?.object?["data"] else {
        fields[field.name] = attributes[field.name]
        continue
      }
      fields[field.name] =
        linked.array.map { .array($0.map { $0.object?["id"] ?? .null }) } ?? linked.object?["id"] ?? .null
    }
    for (name, value) in attributes.members where fields[name] == nil { fields[name] = value }
    return fields
  }

  /// The document that sends fields of a record.
  /// `types` tells the type of a resource's records by its name.
  func document(_ fields: Object, of id: RecordID?, _ resource: Service.Resource, types: (String) -> String) -> Value {
    guard self == .jsonAPI else { return .object(fields) }
    var (attributes, relations) = (Object(), Object())
    for (name, value) in fields.members {
      guard let reference = resource.fields.named(name)?.reference else {
        attributes[name] = value
        continue
      }
      let type = types(reference.resource)
      let link = { (id: Value) in
        id == .null ? .null : Value.object(Object([("type", .string(type)), ("id", id)]))
      }
      let linked = value.array.map { .array($0.map(link)) } ?? link(value)
      relations[name] = .object(Object([("data", linked)]))
    }
    var data = Object([("type", .string(resource.recordType ?? resource.name))])
    data["id"] = id.map { .string($0.text) }
    if id == nil, let name = resource.identifier.field, let chosen = attributes[name] {
      data["id"] = chosen
      attributes[name] = nil
    }
    data["attributes"] = .object(attributes)
    if !relations.isEmpty { data["relationships"] = .object(relations) }
    return .object(Object([("data", .object(data))]))
  }
}
