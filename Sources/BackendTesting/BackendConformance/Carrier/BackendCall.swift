public import BackendKit

/// One call of a ``Backend`` with its arguments, as a value.
public enum BackendCall: Sendable, Hashable {
  /// ``Backend/describe(_:)``.
  case describe(DescriptionDepth)
  /// ``Backend/plan(_:)``.
  case plan(ListQuery)
  /// ``Backend/list(_:at:to:)``, without the sink.
  case list(ListQuery, at: Cursor?)
  /// ``Backend/get(_:from:)``.
  case get(RecordID, from: ResourcePath)
  /// ``Backend/create(_:in:)``.
  case create(Object, in: ResourcePath)
  /// ``Backend/update(_:in:changes:revision:)``.
  case update(RecordID, in: ResourcePath, changes: [Change], revision: String?)
  /// ``Backend/delete(_:from:revision:)``.
  case delete(Deletion, from: ResourcePath, revision: String? = nil)
  /// ``Backend/act(_:on:in:with:)``.
  case act(String, on: RecordID?, in: ResourcePath, with: Object)

  /// Whether the call may change data.
  public var writes: Bool {
    switch self {
    case .create, .update, .delete, .act: true
    case .describe, .plan, .list, .get: false
    }
  }
}

extension BackendCall: CarriedCoding {
  /// An object whose first member names the call.
  public var carried: Value {
    switch self {
    case .describe(let depth): .carrying(["describe": depth])
    case .plan(let query): .carrying(["plan": query])
    case .list(let query, let cursor): .carrying(["list": query, "at": cursor])
    case .get(let id, let resource): .carrying(["get": id, "from": resource])
    case .create(let fields, let resource): .carrying(["create": fields, "in": resource])
    case .update(let id, let resource, let changes, let revision):
      .carrying(["update": id, "in": resource, "changes": changes, "revision": revision])
    case .delete(let deletion, let resource, let revision):
      .carrying(["delete": deletion, "from": resource, "revision": revision])
    case .act(let action, let id, let resource, let fields):
      .carrying(["act": action, "on": id, "in": resource, "with": fields])
    }
  }

  /// Reads a call.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "call")
    switch members.form {
    case "describe": self = .describe(try members.read("describe"))
    case "plan": self = .plan(try members.read("plan"))
    case "list": self = .list(try members.read("list"), at: try members.readIfThere("at"))
    case "get": self = .get(try members.read("get"), from: try members.read("from"))
    case "create": self = .create(try members.read("create"), in: try members.read("in"))
    case "update":
      self = .update(
        try members.read("update"), in: try members.read("in"), changes: try members.read("changes"),
        revision: try members.readIfThere("revision"))
    case "delete":
      self = .delete(
        try members.read("delete"), from: try members.read("from"), revision: try members.readIfThere("revision"))
    case "act":
      self = .act(
        try members.read("act"), on: try members.readIfThere("on"), in: try members.read("in"),
        with: try members.read("with"))
    default: throw members.unknownForm()
    }
  }
}
