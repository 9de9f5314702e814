import BackendConformance
import BackendKit

/// One choice of every capability.
struct Combination: Sendable, CustomStringConvertible {
  /// The choices, each with its possible values in words.
  static let choices: [(name: String, values: [String])] = [
    ("paging", Capabilities.Paging.allCases.map(\.rawValue)), ("cap", ["none", "5"]), ("default", ["none", "4"]),
    ("total", ["no", "yes"]), ("end", ["announced", "unannounced"]), ("update", ["partial", "replace"]),
    ("clear", ["yes", "no"]), ("writes", Capabilities.Writes.allCases.map(\.rawValue)), ("unlisted", ["none", "body"]),
    ("revisions", ["no", "yes"]), ("identifiers", ["server", "client"]), ("search", ["no", "yes"]),
    ("filtering", InMemoryResource.Filtering.allCases.map(\.rawValue)), ("form", ["integer", "text"]),
    ("operations", ["all", "reading", "list", "get", "no delete", "no delete all"]), ("records", ["7", "0", "1"]),
  ]

  /// The value chosen of each.
  private let chosen: [String: String]

  /// The number of combinations.
  static let count = choices.reduce(1) { $0 * $1.values.count }

  var description: String { Combination.choices.map { "\($0.name) \(self[$0.name])" }.joined(separator: ", ") }

  subscript(name: String) -> String { chosen[name] ?? "" }

  /// The reference with these capabilities.
  var reference: Reference {
    var capabilities = Capabilities(
      operations: operations, paging: Capabilities.Paging(rawValue: self["paging"]) ?? .none,
      hasTotal: self["total"] == "yes", update: Capabilities.Update(rawValue: self["update"]) ?? .partial,
      canClear: self["clear"] == "yes", writes: Capabilities.Writes(rawValue: self["writes"]) ?? .kept,
      takesIdentifiers: self["identifiers"] == "client", hasSearch: self["search"] == "yes")
    if capabilities.paging != .none {
      capabilities.pageCap = Int(self["cap"])
      capabilities.defaultPageSize = Int(self["default"])
    }
    capabilities.stability = capabilities.paging == .cursor ? .stable : .shifting
    if self["unlisted"] == "body", operations.contains(.get) { capabilities.unlistedFields = ["body"] }
    return Reference(
      capabilities, count: Int(self["records"]) ?? 7,
      filtering: InMemoryResource.Filtering(rawValue: self["filtering"]) ?? .none,
      form: IdentifierRule.Form(rawValue: self["form"]) ?? .integer,
      revisionField: self["revisions"] == "yes" ? "version" : nil, announcesEnd: self["end"] == "announced",
      description: description)
  }

  private var operations: Set<Capabilities.Operation> {
    switch self["operations"] {
    case "reading": [.list, .get]
    case "list": [.list]
    case "get": [.get]
    case "no delete": [.list, .get, .create, .update]
    case "no delete all": [.list, .get, .create, .update, .delete]
    default: Set(Capabilities.Operation.allCases)
    }
  }
}

extension Combination {
  private struct Pair: Hashable {
    var first: Int
    var firstValue: Int
    var second: Int
    var secondValue: Int
  }

  /// Combinations in which every two values of two different things meet at least once, among them the plainest one.
  static let covering: [Combination] = {
    var rows: [[Int]] = []
    var open = allPairs()
    while let pair = open.min(by: {
      ($0.first, $0.firstValue, $0.second, $0.secondValue) < ($1.first, $1.firstValue, $1.second, $1.secondValue)
    }) {
      var row = [Int?](repeating: nil, count: choices.count)
      row[pair.first] = pair.firstValue
      row[pair.second] = pair.secondValue
      for place in choices.indices where row[place] == nil {
        // The value that meets most of what has not met yet.
        row[place] = choices[place].values.indices.max { left, right in
          news(left, at: place, row, open) < news(right, at: place, row, open)
        }
      }
      let whole = row.map { $0 ?? 0 }
      open.subtract(pairs(of: whole))
      rows.append(whole)
    }
    return rows.map(Combination.init)
  }()

  /// So many combinations, far from each other in the order of all of them.
  static func spread(_ count: Int) -> [Combination] {
    // Has no factor in common with their number, so none comes twice before all have come.
    let stride = 820_487
    return (1...count).map { number in
      var rest = number * stride % Combination.count
      return Combination(
        choices.map { choice in
          defer { rest /= choice.values.count }
          return rest % choice.values.count
        })
    }
  }

  private init(_ row: [Int]) {
    chosen = Dictionary(uniqueKeysWithValues: zip(Self.choices, row).map { ($0.name, $0.values[$1]) })
  }

  private static func allPairs() -> Set<Pair> {
    var pairs: Set<Pair> = []
    for first in choices.indices {
      for second in choices.indices where second > first {
        for firstValue in choices[first].values.indices {
          for secondValue in choices[second].values.indices {
            pairs.insert(Pair(first: first, firstValue: firstValue, second: second, secondValue: secondValue))
          }
        }
      }
    }
    return pairs
  }

  private static func pairs(of row: [Int]) -> Set<Pair> {
    var pairs: Set<Pair> = []
    for first in row.indices {
      for second in row.indices where second > first {
        pairs.insert(Pair(first: first, firstValue: row[first], second: second, secondValue: row[second]))
      }
    }
    return pairs
  }

  private static func news(_ value: Int, at place: Int, _ row: [Int?], _ open: Set<Pair>) -> Int {
    row.indices.count { other in
      guard other != place, let otherValue = row[other] else { return false }
      return open.contains(
        place < other
          ? Pair(first: place, firstValue: value, second: other, secondValue: otherValue)
          : Pair(first: other, firstValue: otherValue, second: place, secondValue: value))
    }
  }
}
