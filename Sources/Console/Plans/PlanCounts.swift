import BackendKit
import ConsoleOutput

/// The numbers of a plan's writes by backend and verb.
struct PlanCounts: Sendable {
  private static let verbs = ["create", "update", "delete"]
  private static let nouns = ["create": "creation", "update": "update", "delete": "deletion"]

  struct Backend: Sendable {
    let name: String
    var counts: [String: Int] = [:]
    var total: Int { counts.values.reduce(0, +) }

    /// For example `3 writes to crm (production) at https://crm.example.org`.
    func words(as name: String, _ label: String?, at address: String) -> String {
      "\(counted(total, "write")) to \(name)\(label.map { " (\($0))" } ?? "") at \(address)"
    }
  }

  private(set) var backends: [Backend] = []

  /// Adds a backend. Returns its index.
  @discardableResult mutating func add(_ backend: String) -> Int {
    if let place = backends.firstIndex(where: { $0.name == backend }) { return place }
    backends.append(Backend(name: backend))
    return backends.count - 1
  }

  mutating func add(_ verb: String, to backend: String) {
    let place = add(backend)
    backends[place].counts[verb, default: 0] += 1
  }

  var total: Int { backends.reduce(0) { $0 + $1.total } }

  /// The numbers by verb, over all backends.
  var verbs: [(verb: String, count: Int)] {
    Self.verbs.map { verb in (verb, backends.reduce(0) { $0 + ($1.counts[verb] ?? 0) }) }.filter { $0.1 > 0 }
  }

  /// For example `10 updates, 2 deletions`.
  var words: String {
    let words = verbs.map { counted($0.count, Self.nouns[$0.verb] ?? $0.verb) }
    return words.isEmpty ? "no writes" : words.joined(separator: ", ")
  }

  /// A row per backend, below a header.
  func table(width: Int?) -> EscapedText {
    let rows = backends.map { backend in
      [backend.name] + Self.verbs.map { backend.counts[$0].map(String.init) ?? "-" }
    }
    return Columns.table([["BACKEND"] + Self.verbs.map { $0.uppercased() }] + rows, width: width)
  }

  /// An object per backend.
  var facts: Value {
    .array(
      backends.map { backend in
        let counts = Self.verbs.compactMap { verb in backend.counts[verb].map { (verb, Value.int($0)) } }
        return .object(Object([("backend", .string(backend.name))] + counts))
      })
  }
}
