public import BackendKit

extension RecordID: CarriedCoding {
  /// The text.
  public var carried: Value { .string(text) }

  /// Reads the text.
  public init(carried: Value) throws(BackendError) { self.init(try String(carried: carried)) }
}

extension Record: CarriedCoding {
  /// Identifier, fields, and the names of those not loaded.
  public var carried: Value {
    .carrying([
      "id": id, "fields": fields, "unloaded": isWhole ? nil : unloaded, "revision": revision, "defect": defect,
    ])
  }

  /// Reads a record.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "record")
    self.init(
      id: try members.readIfThere("id"), fields: try members.read("fields"),
      unloaded: try members.readIfThere("unloaded") ?? [], revision: try members.readIfThere("revision"))
    defect = try members.readIfThere("defect")
  }
}

extension Change: CarriedCoding {
  /// `{"set": field, "value": value}` or `{"unset": field}`.
  public var carried: Value {
    switch self {
    case .set(let field, let value): .carrying(["set": field, "value": value])
    case .unset(let field): .carrying(["unset": field])
    }
  }

  /// Reads a change.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "change")
    switch members.form {
    case "set": self = .set(try members.read("set"), try members.read("value"))
    case "unset": self = .unset(try members.read("unset"))
    default: throw members.unknownForm()
    }
  }
}

extension Deletion: CarriedCoding {
  /// `{"one": identifier}` or `{"all": true}`.
  public var carried: Value {
    switch self {
    case .one(let id): .carrying(["one": id])
    case .all: .carrying(["all": true])
    }
  }

  /// Reads a deletion.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "deletion")
    switch (members.form, carried) {
    case ("one", _): self = .one(try members.read("one"))
    // Spelt out in full: no damaged text may come to mean "all".
    case ("all", ["all": true]): self = .all
    default: throw members.unknownForm()
    }
  }
}

extension WriteReceipt: CarriedCoding {
  /// Everything said of the write.
  public var carried: Value {
    .carrying([
      "id": id, "record": record, "writes": writes, "notes": notes, "changesResources": changesResources,
      "revision": revision, "answer": answer,
    ])
  }

  /// Reads a receipt.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "receipt")
    self.init(
      id: try members.readIfThere("id"), record: try members.readIfThere("record"),
      writes: try members.read("writes"), notes: try members.read("notes"),
      changesResources: try members.read("changesResources"), revision: try members.readIfThere("revision"),
      answer: try members.readIfThere("answer"))
  }
}

extension BackendError.Code: CarriedCoding {}
extension BackendError.Effect: CarriedCoding {}

extension BackendError: CarriedCoding {
  /// Every member of the error.
  public var carried: Value {
    .carrying([
      "code": code, "effect": effect, "message": message, "hint": hint, "operation": operation, "backend": backend,
      "resource": resource, "id": id, "httpStatus": httpStatus, "cause": cause, "fields": fields.isEmpty ? nil : fields,
    ])
  }

  /// Reads an error.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "error")
    self.init(
      try members.read("code"), try members.read("message"), effect: try members.read("effect"),
      hint: try members.readIfThere("hint"), operation: try members.readIfThere("operation"),
      backend: try members.readIfThere("backend"), resource: try members.readIfThere("resource"),
      id: try members.readIfThere("id"), httpStatus: try members.readIfThere("httpStatus"),
      cause: try members.readIfThere("cause"), fields: try members.readIfThere("fields") ?? [])
  }
}

extension FieldMessage: CarriedCoding {
  /// The field and the words.
  public var carried: Value { .carrying(["field": field, "message": message]) }

  /// Reads a message.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "message of a field")
    self.init(try members.read("field"), try members.read("message"))
  }
}
