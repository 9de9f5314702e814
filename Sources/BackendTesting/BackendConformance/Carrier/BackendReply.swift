public import BackendKit

/// What goes over a carrier in answer to a ``BackendCall``, or to a batch of records on its way.
public enum BackendReply: Sendable, Hashable {
  /// To `describe`.
  case description(BackendDescription)
  /// To `plan`.
  case plan(ListPlan)
  /// Records of a page, before its end; answered by ``taken(_:)`` or an error.
  case batch([Record])
  /// From the sink, to a batch.
  case taken(RecordSink.Answer)
  /// To `list`, after its batches.
  case end(PageEnd)
  /// To `get`.
  case record(Record)
  /// To `create`, `update`, `delete` and `act`.
  case receipt(WriteReceipt)
  /// To any call that failed, or from a sink that did.
  case error(BackendError)
}

extension BackendReply: CarriedCoding {
  /// An object with one member, which names the form.
  public var carried: Value {
    switch self {
    case .description(let description): .carrying(["description": description])
    case .plan(let plan): .carrying(["plan": plan])
    case .batch(let records): .carrying(["batch": records])
    case .taken(let answer): .carrying(["taken": answer])
    case .end(let end): .carrying(["end": end])
    case .record(let record): .carrying(["record": record])
    case .receipt(let receipt): .carrying(["receipt": receipt])
    case .error(let error): .carrying(["error": error])
    }
  }

  /// Reads a reply.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "reply")
    switch members.form {
    case "description": self = .description(try members.read("description"))
    case "plan": self = .plan(try members.read("plan"))
    case "batch": self = .batch(try members.read("batch"))
    case "taken": self = .taken(try members.read("taken"))
    case "end": self = .end(try members.read("end"))
    case "record": self = .record(try members.read("record"))
    case "receipt": self = .receipt(try members.read("receipt"))
    case "error": self = .error(try members.read("error"))
    default: throw members.unknownForm()
    }
  }
}
