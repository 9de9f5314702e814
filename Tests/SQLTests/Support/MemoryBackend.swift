import AdapterSupport
import BackendKit
import Synchronization

/// Bytes that are given once.
private final class OnceGiven: Sendable {
  private let bytes: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

  func take() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = nil }
      return bytes
    }
  }
}

/// A service of one answer, its records.
enum MemoryAnswer {
  static func exchange(_ records: [Value]) -> any HTTPExchange {
    Exchange(body: Array(JSONWriter.compact(.array(records)).utf8))
  }

  private struct Exchange: HTTPExchange {
    let body: [UInt8]

    func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
      let rest = OnceGiven(body)
      return HTTPResponse(
        status: 200, headers: [("Content-Type", "application/json")],
        body: HTTPBody { () throws(BackendError) in rest.take() })
    }
  }
}

/// A backend of some records in memory.
func MemoryBackend(
  _ records: [Value], fields: [FieldDescription]? = nil, _ change: (inout Service.Resource) -> Void = { _ in }
) -> any Backend {
  var things = Service.Resource(
    "things", at: .base, identifier: IdentifierRule(form: .integer),
    fields: fields ?? [
      FieldDescription("id", .integer), FieldDescription("n", .number), FieldDescription("d", .number),
    ])
  (things.isOpen, things.paging) = (true, .none)
  change(&things)
  var service = Service(product: "memory", resources: [things])
  service.inspection.samples = true
  return RESTBackend(service, over: MemoryAnswer.exchange(records))
}
