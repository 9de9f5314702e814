import BackendConformance
import BackendKit
import Synchronization

extension Fault {
  /// Asks the server for something that changes nothing.
  private static func ask(_ exchange: any HTTPExchange, _ effect: RequestEffect = .read) async throws(BackendError) {
    _ = try await exchange.send(HTTPRequest("GET", .base, effect: effect))
  }

  static let describing: [Fault] = [
    Fault("asks the server for what is known", "known description sends nothing") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "describe" { try await ask(exchange) }
      }
    },
    Fault("describes itself differently each time", "stable description") { broken in
      let count = Counter()
      broken.description = { description, _ in description.product = "version \(count.next())" }
    },
    Fault("forgets resources when it asks the server", "live description only adds") { broken in
      broken.description = { description, depth in if depth == .live { description.resources = [] } }
    },
    Fault("describes a field twice", "unique names") { broken in
      broken.description = { description, _ in
        let field = description.resources[0].fields[1]
        description.resources[0].fields.append(field)
      }
    },
    Fault("declares a default size above its cap", "consistent page sizes") { broken in
      broken.description = { description, _ in description.resources[0].capabilities.defaultPageSize = 50 }
    },
    Fault("leaves fields out of lists that nothing can load", "unlisted fields can be read", on: .unlisted) { broken in
      broken.description = { description, _ in description.resources[0].capabilities.operations.remove(.get) }
    },
    Fault("lets the identifier look writable", "fixed identifiers are read-only") { broken in
      broken.description = { description, _ in description.resources[0].fields[0].isReadOnly = false }
    },
    Fault("lets every field look fixed", "has a writable field") { broken in
      broken.description = { description, _ in
        for place in description.resources[0].fields.indices {
          description.resources[0].fields[place].isReadOnly = true
        }
      }
    },
    Fault("takes a live description for sound whatever the server says", "invalid description responses") { broken in
      broken.failing = { _, operation in operation != "describe" }
    },
    Fault("takes the words of an error for the server's name", "error bodies are ignored") { broken in
      let said = Kept("")
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        guard operation == "describe" else { return }
        let answer = try await exchange.send(HTTPRequest("GET", .base, effect: .read))
        said.value = String(decoding: try await answer.body.collect(), as: UTF8.self)
      }
      broken.description = { description, _ in if !said.value.isEmpty { description.product = said.value } }
    },
  ]

  static let planning: [Fault] = [
    Fault("plans another request than it makes", "first request as planned") { broken in
      broken.plan = { plan, _ in plan.request += "&extra=1" }
    },
    Fault("claims an order and does not tell the server its direction", "sort changes the request") { broken in
      broken.plan = { plan, query in if !query.sort.isEmpty { plan.sort = .exact } }
    },
    Fault("claims an order that the server does not make", "server sort order") { broken in
      broken.plan = { plan, query in if query.serverOrder { plan.sort = .exact } }
      broken.query = { query, _ in query.sort = [] }
    },
    Fault("lets a native query change its pages", "paging in native query") { broken in
      broken.inner = SizedBackend(inner: NativelessBackend(inner: broken.inner))
    },
    Fault("lets a native query fall", "native query") { broken in
      let inner = broken.inner
      broken.inner = NativelessBackend(inner: inner)
    },
    Fault("asks the server before it plans", "plan sends no request") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "plan" { try await ask(exchange) }
      }
    },
    Fault("plans a condition too few", "one fidelity per filter") { broken in
      broken.plan = { plan, _ in if !plan.filters.isEmpty { plan.filters.removeLast() } }
    },
    Fault("lets the server skip what is sorted locally", "exact skip comes last") { broken in
      broken.plan = { plan, query in if query.skip > 0 { plan.skip = .exact } }
    },
    Fault("plans differently each time", "stable plan") { broken in
      let count = Counter()
      broken.plan = { plan, _ in plan.notes = ["\(count.next())"] }
    },
    Fault("plans pages above the cap", "planned page size") { broken in
      broken.plan = { plan, query in plan.pageSize = query.pageSize }
    },
    Fault("names no request", "request on one line") { broken in broken.plan = { plan, _ in plan.request = "" } },
    Fault("leaves an order to the console that nobody asked for", "absent parts are exact") { broken in
      broken.plan = { plan, query in if query.sort.isEmpty { plan.sort = .not } }
    },
    Fault("does not say why it leaves a condition to the console", "local work is explained", on: .least) { broken in
      broken.plan = { plan, _ in plan.notes = [] }
    },
    Fault("claims a search that it does not declare", "search as declared") { broken in
      broken.plan = { plan, _ in plan.search = .superset }
    },
    Fault("ignores a condition that it left to the console", "unplanned parts refused") { broken in
      broken.query = { query, _ in
        query.filters = []
        query.sort = []
        query.search = nil
      }
    },
    Fault("claims a condition that it ignores", "exact means exact") { broken in
      broken.query = { query, _ in query.filters = [] }
    },
    Fault("claims an order that it does not make", "exact means exact") { broken in
      broken.plan = { plan, query in if !query.sort.isEmpty { plan.sort = .exact } }
      broken.query = { query, _ in query.sort = [] }
    },
    Fault("loses matches to a loose condition", "superset loses nothing", on: .loose) { broken in
      broken.page = { page, query, _ in
        if !query.filters.isEmpty { page.records.removeAll { $0.fields["priority"] == 1 } }
      }
    },
  ]

  static let refusing: [Fault] = [
    Fault("marks the request of a create as reading", "writes are marked") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "create" { _ = try await exchange.send(HTTPRequest("POST", .base, effect: .read)) }
      }
    },
    Fault("lets the transport repeat a create", "writes are marked") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "create" { _ = try await exchange.send(HTTPRequest("POST", .base, effect: .repeatableWrite)) }
      }
    },
    Fault("lets the transport take the deletion of all for a read", "writes are marked") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "delete" { _ = try await exchange.send(HTTPRequest("DELETE", .base, effect: .read)) }
      }
    },
    Fault("declares the replacement that it does not make", "partial or full update") { broken in
      broken.description = { description, _ in description.resources[0].capabilities.update = .replace }
    },
    Fault("sends a deletion that it does not declare", "undeclared operation", on: .least) { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "delete" { try await ask(exchange) }
      }
    },
    Fault("answers success for what it does not declare", "undeclared operation", on: .least) { broken in
      broken.failing = { error, operation in operation != "create" }
    },
    Fault("answers success for an action that nobody described", "undeclared action") { broken in
      broken.failing = { error, operation in operation != "act" }
    },
    Fault("sends an action that nobody described", "undeclared action") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "act" { try await ask(exchange) }
      }
    },
    Fault("answers an unknown resource with an empty list", "unknown resource") { broken in
      broken.failing = { error, operation in operation != "list" || error.code != .notFound }
    },
    Fault("looks at the top for what is below a record", "undeclared child resource") { broken in
      broken.query = { query, _ in query.resource = ResourcePath(name: query.resource.name) }
    },
    Fault("drops the clearing that it does not declare", "undeclared clearing", on: .least) { broken in
      broken.updating = { _, changes, _ in changes = [.set("title", "")] }
    },
    Fault("ignores a revision that it does not know", "undeclared revisions", on: .least) { broken in
      broken.updating = { _, _, revision in revision = nil }
    },
  ]

  static let getting: [Fault] = [
    Fault("lists what belongs to another", "list limited to owner", on: .owned) { $0.takeOthers(\.showsOthers) },
    Fault("lists the same records below every record", "list limited to owner", on: .unnamed) {
      $0.takeOthers(\.ignoresOwner)
    },
    Fault("reads and changes what belongs to another", "record of another owner", on: .owned) { $0.takeOthers() },
    Fault("reads a record in part", "get returns requested record") { broken in
      broken.got = { record, _ in
        record.fields["body"] = nil
        record.unloaded = ["body"]
      }
    },
    Fault("folds the case of identifiers", "get returns requested record", on: .texts) { broken in
      broken.got = { record, _ in record.id = record.id.map { RecordID($0.text.uppercased()) } }
    },
    Fault("reads a record differently each time", "get is repeatable") { broken in
      let count = Counter()
      broken.got = { record, _ in record.fields["seen"] = .int(count.next()) }
    },
    Fault("answers success for a missing record", "get missing record") { broken in
      broken.failing = { error, operation in operation != "get" || error.code != .notFound }
    },
  ]
}

extension Reference {
  /// Conditions let too much through.
  static let loose = Reference(.all, filtering: .loose)

  /// Identifiers are texts.
  static let texts = Reference(.all, form: .text)
}

/// Counts up.
final class Counter: Sendable {
  private let count = Mutex(0)

  /// The last number that was counted.
  var current: Int { count.withLock { $0 } }

  /// The next number, from 1.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
