import BackendConformance
import BackendKit
import Synchronization

/// Wrong conclusions from what comes over the way.
extension Fault {
  static let ways: [Fault] = answers + statuses + receipts

  /// Takes an error for a success.
  private static func swallowing(
    _ name: String, _ law: String, on reference: Reference = .paged, _ operation: String,
    where isSwallowed: @escaping @Sendable (BackendError) -> Bool
  ) -> Fault {
    Fault(name, law, on: reference) { broken in
      broken.failing = { error, failed in failed != operation || !isSwallowed(error) }
    }
  }

  /// Changes an error.
  static func changing(
    _ name: String, _ law: String, _ operation: String, _ change: @escaping @Sendable (inout BackendError) -> Void
  ) -> Fault {
    Fault(name, law) { broken in
      broken.failing = { error, failed in
        if failed == operation { change(&error) }
        return true
      }
    }
  }

  private static let answers: [Fault] = [
    swallowing("takes the beginning of a record for the record", "truncated record", "get") {
      $0.message.contains("closed in the middle")
    },
    changing("says of a page with too many records that something may have changed", "oversized page", "list") {
      error in
      if error.message.contains("more records than fit") { error.effect = .unknown }
    },
    swallowing("takes the receipt of another record for its own", "wrong record in response", "update") {
      $0.message.contains("instead")
    },
    changing("says that an update was refused that another record came of", "wrong record in response", "update") {
      error in
      if error.message.contains("instead") { error.effect = .rejected }
    },
    swallowing("takes an owner that is not there for one who has nothing", "missing owner", on: .owned, "list") {
      $0.code == .notFound
    },
    swallowing("takes a page of HTML for a record", "HTML response", "get") { $0.message.contains("is not JSON") },
    swallowing("takes an answer of another type for an empty list", "wrong content type", "list") {
      $0.message == "the server's response is not JSON"
    },
    swallowing("takes any JSON for an empty list", "JSON without a list", "list") {
      $0.message.contains("expected a list")
    },
    swallowing("takes any JSON for an empty record", "JSON without a record", "get") {
      $0.message.contains("does not contain")
    },
    swallowing("takes nothing for an empty record", "empty response", "get") { $0.message.contains("text is empty") },
    swallowing("takes any record for the one asked for", "wrong record returned", "get") {
      $0.message.contains("does not contain")
    },
    Fault("reads a hundred pieces of an answer and no more", "byte-by-byte response") { broken in
      broken.over { request, inner throws(BackendError) in
        let answer = try await inner.send(request)
        let count = Counter()
        return HTTPResponse(
          status: answer.status, headers: answer.headers,
          body: HTTPBody { () throws(BackendError) in count.next() > 100 ? nil : try await answer.body.next() })
      }
    },
    Fault("waits for the last byte before it hands on a record", "records are streamed", on: .unpaged, hangs: true) {
      _ in
    },
    swallowing("takes a bomb for an empty list", "deeply nested response", "list") {
      $0.message.contains("not a JSON list")
    },
    swallowing("shows an empty record where a value is too deep", "deeply nested value", "get") {
      $0.message.contains("is not valid JSON")
    },
    swallowing("takes what came of an endless answer for the list", "endless response", "list") {
      $0.message.contains("longer than")
    },
    swallowing("reads a list whatever its status is", "read status overrides body", "list") {
      $0.message.contains("503")
    },
    swallowing("takes a broken description for a sound one", "read status overrides body", "describe") {
      $0.message.contains("503")
    },
    swallowing("takes an address that is not there for an empty list", "wrong address", "list") {
      $0.code == .notFound
    },
    changing("takes an address that is not there for an operation that is not offered", "wrong address", "list") {
      if $0.code == .notFound { $0.code = .unsupported }
    },
    changing("can tell a wrong address of a list and not of a record", "wrong address", "list") {
      if $0.code == .notFound { $0.code = .misconfigured }
    },
    changing("does not say where to look for the right address", "wrong address", "list") { $0.hint = nil },
    Fault("takes a page without a count for the last one", "missing values in lists") { broken in
      broken.page = { page, _, _ in if page.end.total == nil { page.end.next = nil } }
    },
    Fault("counts the records of a page where nobody tells the total", "missing values in lists") { broken in
      broken.page = { page, _, _ in page.end.total = page.end.total ?? page.records.count }
    },
    swallowing("takes a list without identifiers for an empty one", "missing members in records", "list") {
      $0.message.contains("without an identifier")
    },
    Fault("hands on more records than a page was to have", "oversized page") { broken in
      broken.query = { query, _ in query.pageSize = 5 }
    },
    swallowing("takes a list that is elsewhere for an empty one", "redirected read", "list") {
      $0.message.contains("302")
    },
  ]

  private static let statuses: [Fault] = [
    changing("takes 401 to a write for a broken answer", "write returns 401", "create") {
      if $0.code == .unauthorized { $0.code = .badResponse }
    },
    swallowing("answers success for a write that is not allowed", "write returns 403", "update") {
      $0.code == .forbidden
    },
    swallowing("takes 404 for an empty list", "404 response", "list") { $0.code == .notFound },
    swallowing("swallows a 409", "write returns 409", "update") { $0.code == .alreadyExists },
    changing("takes a refused change for a conflict", "400 or 422 response", "update") {
      if $0.code == .invalid { $0.code = .conflict }
    },
    swallowing("answers success for a deletion that was one too many", "write returns 429", "delete") {
      $0.code == .rateLimited
    },
    changing("says that a change that failed was not made", "write returns 500", "update") {
      if $0.effect == .unknown { $0.effect = .rejected }
    },
    changing("says that a deletion was not sent where a gateway failed", "write returns 502 to 504", "delete") {
      if $0.code == .timedOut || $0.code == .unavailable { $0.effect = .notSent }
    },
  ]

  private static let receipts: [Fault] = [
    changing("reports an unknown outcome although nothing was sent", "transport errors", "create") {
      if $0.effect == .notSent { $0.effect = .unknown }
    },
    changing("says that a change without an answer was not sent", "write without response", "update") {
      if $0.code == .timedOut { $0.effect = .notSent }
    },
    changing("says that a change whose answer was lost was not made", "lost write response", "update") {
      if $0.message.contains("before the response arrived") { $0.effect = .rejected }
    },
    Fault("retries a create", "create is sent once") { broken in
      broken.over { request, inner throws(BackendError) in
        let answer = try await inner.send(request)
        return answer.status == 503 ? try await inner.send(request) : answer
      }
    },
    swallowing("takes a page of HTML for a receipt", "HTML response to write", "create") {
      $0.message.contains("is not JSON")
    },
    changing("says that nothing was changed where the server said nothing", "empty response to write", "update") {
      if $0.effect == .applied { $0.effect = .rejected }
    },
    swallowing("invents an identifier", "unreadable create response", "create") { $0.effect == .applied },
    changing("says that nobody knows of a record that was made", "unreadable create response", "create") {
      if $0.effect == .applied { $0.effect = .unknown }
    },
    Fault("believes that what it sent was stored", "altered value in response") { broken in
      broken.receipt = { receipt, _ in receipt.notes = [] }
    },
    Fault("takes another value than was sent for a server that is away", "altered value in response") { broken in
      broken.inner = DoubtfulBackend(inner: broken.inner)
    },
    Fault("takes what is not in a receipt for stored", "missing value in response") { broken in
      broken.receipt = { receipt, _ in receipt.notes = [] }
    },
    swallowing("reads a receipt whatever its status is", "write status overrides body", "update") {
      $0.message.contains("400")
    },
    changing("says that nothing was changed where the receipt was cut", "truncated write response", "update") {
      if $0.effect == .applied { $0.effect = .rejected }
    },
    swallowing("takes a receipt that is elsewhere for a receipt", "redirected write", "create") {
      $0.message.contains("302")
    },
  ]
}

extension Reference {
  /// Everything in one answer.
  static let unpaged = Reference(.all)
}
