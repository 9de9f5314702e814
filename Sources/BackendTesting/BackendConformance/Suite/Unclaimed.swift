import BackendClient
import BackendKit

/// Looks for undeclared abilities: alters the adapter's requests by common conventions. Only a visible effect counts,
/// since unknown parameters have none, or are refused.
struct Unclaimed: Sendable {
  let context: LawContext

  func find() async -> [String] {
    var seen: [String] = []
    let records = context.operations.contains(.list) ? try? await context.walk(context.query(), upTo: 3).records : nil
    if let records, records.count > 1 { seen = await filters(records) + orders(records) }
    guard context.operations.isSuperset(of: [.create, .get, .update]), !context.subject.isReadOnly else { return seen }
    return seen + ((try? await revision()).flatMap { $0 }.map { [$0] } ?? [])
  }

  // MARK: Lists

  /// The first page of the list with additional parameters; nil if they are refused.
  private func page(with parameters: [(String, String)]) async -> [Record]? {
    let exchange = AlteredExchange.changing(context.traffic) { request in
      if request.method == "GET" { request.query += parameters }
    }
    guard let backend = try? context.backend(over: exchange) else { return nil }
    return try? await context.page(context.query(), of: backend).records
  }

  private func isLeft(_ query: ListQuery, _ part: (QueryPlan) -> Fidelity?) async -> Bool {
    guard let plan = try? await context.plan(query) else { return false }
    return part(plan) == .not
  }

  private func filters(_ records: [Record]) async -> [String] {
    var seen: [String] = []
    for field in fields(of: records) {
      let values = records.compactMap { $0.fields[field].flatMap { $0.text ?? $0.number?.text } }.filter { !$0.isEmpty }
      guard let value = values.last, let other = values.first(where: { $0 != value }) else { continue }
      let condition = Filter.compare(FieldPath(field), .equal, .word(value))
      guard await isLeft(ListQuery(context.path, filters: [condition]), { $0.filters.first }) else { continue }
      for name in [field, "filter[\(field)]"] {
        guard await matches(name, field, value), await matches(name, field, other) else { continue }
        seen.append("a filter: with the parameter \(name) the list has only the records with this value of \(field)")
        break
      }
    }
    return seen
  }

  private func matches(_ name: String, _ field: String, _ value: String) async -> Bool {
    guard let found = await page(with: [(name, value)]), !found.isEmpty else { return false }
    return found.allSatisfy { $0.fields[field].flatMap { $0.text ?? $0.number?.text } == value }
  }

  private func orders(_ records: [Record]) async -> [String] {
    for field in fields(of: records) {
      let key = [SortKey(FieldPath(field))]
      guard Set(records.prefix(10).map { $0.fields[field] }).count > 1,
        await isLeft(ListQuery(context.path, sort: key), { $0.sort }),
        await isLeft(ListQuery(context.path, sort: key, serverOrder: true), { $0.sort })
      else { continue }
      let conventions = [
        ([("sort", field)], [("sort", "-" + field)]),
        ([("_sort", field), ("_order", "asc")], [("_sort", field), ("_order", "desc")]),
        ([("sort", field), ("order", "asc")], [("sort", field), ("order", "desc")]),
        ([("sort", field + "|asc")], [("sort", field + "|desc")]),
      ]
      for (ascending, descending) in conventions {
        guard let up = await page(with: ascending), let down = await page(with: descending),
          up.first?.fields[field] != down.first?.fields[field], Self.isSorted(up, field),
          Self.isSorted(down.reversed(), field)
        else { continue }
        let words = ascending.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return ["an order: with \(words) the list is sorted by \(field)"]
      }
    }
    return []
  }

  private static func isSorted(_ records: [Record], _ field: String) -> Bool {
    let key = [SortKey(FieldPath(field))]
    return records.count > 1 && records.allSatisfy { $0.fields[field] != nil }
      && zip(records, records.dropFirst()).allSatisfy { left, right in
        QueryRules.compare(left.fields, right.fields, by: key, ignoringCase: true) != .after
      }
  }

  private func fields(of records: [Record]) -> [String] {
    let names = records.first?.fields.names ?? []
    return Array(names.filter { !context.capabilities.unlistedFields.contains($0) }.prefix(8))
  }

  // MARK: Writes

  private func revision() async throws(CheckStop) -> String? {
    guard !context.capabilities.hasRevisions else { return nil }
    let made = try await context.own.made()
    let field = try await context.fields.changeable()[0]
    let exchange = AlteredExchange.changing(context.traffic) { request in
      if request.mayWrite { request.headers.append(("If-Match", "\"switchboard-conformance\"")) }
    }
    let backend = try context.backend(over: exchange)
    do throws(BackendError) {
      _ = try await backend.update(made.id, [.set(field.name, field.second)])
    } catch {
      // Without it the same update succeeds, so that nothing else was refused.
      guard error.code == .conflict,
        case .success = await context.own.outcome(updating: made.id, [.set(field.name, field.second)])
      else { return nil }
      return "revisions: an update with another entity tag in If-Match is refused"
    }
    return nil
  }
}
