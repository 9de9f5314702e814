import BackendClient
import BackendKit

/// The conditions and sort keys of a resource by the side that decides them, according to the plans of its adapter.
struct QueryDecisions {
  private struct Condition {
    let field: String
    let comparison: Comparison
    let fidelity: Fidelity
  }

  private enum Order: String {
    case exact, serverOrder, local
  }

  private var conditions: [Condition] = []
  private var orders: [(field: String, order: Order)] = []

  /// Plans a condition of each kind and a sort for each field, without asking the server. Nil if the adapter cannot
  /// plan a list of the resource by itself.
  init?(of resource: ResourceDescription, at target: Target) async throws {
    let fields = resource.fields.filter { !$0.holdsSecret && ![.object, .list].contains($0.kind) }
    guard resource.capabilities.operations.contains(.list), !fields.isEmpty else { return nil }
    func plan(_ change: (inout ListQuery) -> Void) async throws(BackendError) -> QueryPlan {
      var query = ListQuery(target.path)
      change(&query)
      return try await target.client.explain(ListRequest(query))
    }
    do throws(BackendError) {
      for field in fields {
        let path = FieldPath(field.name)
        for comparison in field.comparisons {
          let plan = try await plan { $0.filters = [.compare(path, comparison, .word(field.operand))] }
          conditions.append(Condition(field: field.name, comparison: comparison, fidelity: plan.filters[0]))
        }
        var order = Order.exact
        if try await plan({ $0.sort = [SortKey(path)] }).sort != .exact {
          let own = try await plan {
            $0.sort = [SortKey(path)]
            $0.serverOrder = true
          }
          order = own.sort == .exact ? .serverOrder : .local
        }
        orders.append((field.name, order))
      }
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }

  /// The rows of a description: filters, then sorts.
  var rows: [[String]] {
    let filters = [
      ("by the service", named(.exact)), ("by the service, checked again locally", named(.superset)),
      ("locally", named(.not)),
    ]
    let sorts = [
      ("by the service", fields(.exact)), ("by the service with --server-order", fields(.serverOrder)),
      ("locally", fields(.local)),
    ]
    return Self.rows("filters", filters) + Self.rows("sorts", sorts)
  }

  private static func rows(_ head: String, _ sides: [(String, [String])]) -> [[String]] {
    let used = sides.filter { !$0.1.isEmpty }
    return used.enumerated().map { index, side in
      [
        index == 0 ? head : "",
        used.count == 1 ? "\(side.0): all fields" : "\(side.0): \(side.1.joined(separator: ", "))",
      ]
    }
  }

  private func fields(_ order: Order) -> [String] { orders.filter { $0.order == order }.map(\.field) }

  /// The fields with the comparisons that are decided so, which are left out if these are all of a field.
  private func named(_ fidelity: Fidelity) -> [String] {
    orders.compactMap { field, _ in
      let all = conditions.filter { $0.field == field }
      let own = all.filter { $0.fidelity == fidelity }
      guard !own.isEmpty else { return nil }
      return own.count == all.count ? field : "\(field) (\(own.map(\.comparison.rawValue).joined(separator: " ")))"
    }
  }

  /// The same for programs.
  var facts: [(String, any Fact)] {
    let filters: [Object] = conditions.filter { $0.fidelity != .not }.map { condition in
      Object(facts: [
        ("field", condition.field), ("comparison", condition.comparison.rawValue),
        ("fidelity", condition.fidelity.rawValue),
      ])
    }
    let sorts: [Object] = orders.filter { $0.order != .local }.map { field, order in
      Object(facts: [("field", field), ("order", order.rawValue)])
    }
    return [("filters", filters), ("sorts", sorts)]
  }
}

extension FieldDescription {
  /// The comparisons that make sense for the kind of the field.
  fileprivate var comparisons: [Comparison] {
    switch kind {
    case .boolean: [.equal, .notEqual]
    case .integer, .number, .date, .day: Comparison.allCases.filter { $0 != .contains }
    case .text, .html, .any: Comparison.allCases
    case .object, .list: []
    }
  }

  /// A word that a field of this kind can be compared with.
  fileprivate var operand: String {
    if let value = values.first { return value.plainText }
    return switch kind {
    case .boolean: "true"
    case .integer, .number: "1"
    case .date: "2026-01-01T00:00:00Z"
    case .day: "2026-01-01"
    case .text, .html, .any, .object, .list: "a"
    }
  }
}
