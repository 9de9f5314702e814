public import BackendKit

/// A write as a value: it can be shown, kept and carried out.
public enum Write: Sendable, Hashable {
  /// Makes a record.
  case create(ResourcePath, Object)
  /// Changes a record.
  case update(ResourcePath, RecordID, [Change], revision: String? = nil)
  /// Deletes a record, or all.
  case delete(ResourcePath, Deletion)

  /// The resource written to.
  public var resource: ResourcePath {
    switch self {
    case .create(let path, _), .update(let path, _, _, _), .delete(let path, _): path
    }
  }

  /// The record written to, where it is one that is there already.
  public var id: RecordID? {
    switch self {
    case .update(_, let id, _, _), .delete(_, .one(let id)): id
    default: nil
    }
  }

  /// The verb.
  public var verb: String {
    switch self {
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    }
  }
}

extension Client {
  /// The one gate that every write goes through: checks it against what the backend says of the resource, then does it.
  public func perform(_ write: Write) async throws(BackendError) -> WriteReceipt {
    let receipt = try await checkAndPerform(write)
    if receipt.changesResources { forgetDescriptions() }
    return receipt
  }

  /// Throws where ``perform(_:)`` would refuse a write without a request. Of a guess, whose identifier and values stand for others,
  /// only the names of its fields are judged.
  public func check(_ write: Write, isGuess: Bool = false) async throws(BackendError) {
    do throws(BackendError) {
      let resource = try await resource(write.resource)
      if isGuess { return try checkContent(of: write, resource) }
      try check(write, resource)
      try await rehearse(write)
    } catch { throw named(error, write.verb, write.resource, write.id) }
  }

  /// Carries a write out up to its first request, which is not sent.
  private func rehearse(_ write: Write) async throws(BackendError) {
    guard let make else { return }
    let exchange = SilentExchange()
    let backend = try make(exchange)
    do { _ = try await Self.carryOut(write, on: backend) } catch { if !exchange.wasAsked { throw error } }
  }

  private static func carryOut(_ write: Write, on backend: any Backend) async throws(BackendError) -> WriteReceipt {
    switch write {
    case .create(let path, let fields): try await backend.create(fields, in: path)
    case .update(let path, let id, let changes, let revision):
      try await backend.update(id, in: path, changes: changes, revision: revision)
    case .delete(let path, let deletion): try await backend.delete(deletion, from: path)
    }
  }

  private func checkAndPerform(_ write: Write) async throws(BackendError) -> WriteReceipt {
    forgetReadAhead()
    do throws(BackendError) {
      let resource = try await resource(write.resource)
      try check(write, resource)
      do throws(BackendError) {
        return try await logged { [backend] () throws(BackendError) in try await Self.carryOut(write, on: backend) }
      } catch { return try await settle(write, of: resource, after: error) }
    } catch { throw named(error, write.verb, write.resource, write.id) }
  }

  private func check(_ write: Write, _ resource: ResourceDescription) throws(BackendError) {
    if let id = write.id { try check(id, resource) }
    try checkContent(of: write, resource)
  }

  private func checkContent(of write: Write, _ resource: ResourceDescription) throws(BackendError) {
    switch write {
    case .create(_, let fields):
      try require(.create, resource)
      try checkFields(fields, resource)
    case .update(_, _, let changes, _):
      try require(.update, resource)
      try checkChanges(changes, resource)
    case .delete(_, let deletion): try require(deletion == .all ? .deleteAll : .delete, resource)
    }
  }

  private func checkFields(_ fields: Object, _ resource: ResourceDescription) throws(BackendError) {
    for (name, value) in fields.members { try checkField(name, value, resource) }
    let missing = resource.fields.filter { $0.isRequired && !$0.isReadOnly && fields[$0.name] == nil }
    if let first = missing.first {
      throw .invalid(
        "\(resource.name) needs a \(missing.map(\.name).joined(separator: " and a "))",
        hint: "add \(first.name)=…; nothing was sent")
    }
  }

  private func checkChanges(_ changes: [Change], _ resource: ResourceDescription) throws(BackendError) {
    guard !changes.isEmpty else { throw .invalid("no change was given", hint: "write FIELD=VALUE or --unset FIELD") }
    for change in changes {
      switch change {
      case .set(let name, let value): try checkField(name, value, resource)
      case .unset(let name):
        try checkField(name, nil, resource)
        if resource.field(named: name)?.isRequired == true {
          throw .invalid("\(name) is required and cannot be removed", hint: "nothing was sent")
        }
        if !resource.capabilities.canClear {
          throw .unsupported("\(self.name) cannot remove a field of \(resource.name)", hint: "nothing was sent")
        }
      }
    }
  }

  private func checkField(_ name: String, _ value: Value?, _ resource: ResourceDescription) throws(BackendError) {
    guard let field = resource.field(named: name) else {
      if let dot = name.firstIndex(of: "."), dot != name.startIndex {
        let whole = name[..<dot]
        throw .invalid(
          "\"\(name)\" is a part of a field, and a write sets whole fields",
          hint: "write all of it as JSON: \(whole):={…}; nothing was sent")
      }
      return try checkOpen(name, resource)
    }
    if field.isReadOnly, !(resource.capabilities.takesIdentifiers && name == resource.identifier.field) {
      throw .invalid("\(name) of \(resource.name) is set by the server only", hint: "nothing was sent")
    }
    guard let maximum = field.maximumLength, case .string(let text)? = value else { return }
    // White space at the ends is not counted: servers that limit a text trim it first.
    let length = trimmed(text).utf16.count
    guard length <= maximum else {
      throw .invalid("\(name) is \(length) characters long and may have \(maximum)", hint: "nothing was sent")
    }
  }

  /// Refuses a field that no record of the resource has: the server would take it and keep nothing of it.
  private func checkOpen(_ name: String, _ resource: ResourceDescription) throws(BackendError) {
    let isKnown = resource.source != .sample && resource.source != .unknown && !resource.fields.isEmpty
    guard isKnown, !resource.isOpen else { return }
    throw .invalid(
      "\(resource.name) has no field \"\(name)\"",
      hint: "it has \(resource.fields.map(\.name).joined(separator: ", ")); nothing was sent")
  }

  private func trimmed(_ text: String) -> Substring {
    var text = text[...]
    while let last = text.unicodeScalars.last, last.value <= 0x20 { text.unicodeScalars.removeLast() }
    while let first = text.unicodeScalars.first, first.value <= 0x20 { text.unicodeScalars.removeFirst() }
    return text
  }
}
