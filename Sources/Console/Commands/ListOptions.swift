import BackendClient
import BackendKit

/// The query that the words and options of a list-like command make.
struct ListOptions {
  let target: Target
  var query: ListQuery
  let maximumScan: Int

  init(_ invocation: Invocation, _ session: Session) async throws {
    var words = invocation.words
    target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
    query = ListQuery(target.path)
    if words.count == invocation.words.count, invocation.literalStart != 0, let word = words.first, !word.isQuoted,
      !Predicates.looksLikePredicate(word)
    {
      throw UsageError(
        "\"\(word.text)\" is no condition, no backend and no resource",
        hint: await session.nearestTarget(word.text).map { "did you mean \($0)?" } ?? "write FIELD=VALUE without spaces"
      )
    }
    query.filters = try words.map { word throws(UsageError) in try Predicates.filter(from: word) }
    if let text = invocation.value(of: "where") { query.filters += Self.parts(try WhereParser.filter(from: text)) }
    query.search = invocation.value(of: "search")
    query.native = invocation.value(of: "native")
    query.ignoreCase = invocation.has("ignore-case")
    maximumScan =
      try invocation.value(of: "max-scan").map { text throws(UsageError) in
        try Settings.count(text, "--max-scan", minimum: 0)
      } ?? session.settings.maxScan
  }

  /// The parts of a conjunction: each can be planned by itself.
  private static func parts(_ filter: Filter) -> [Filter] {
    if case .and(let filters) = filter { filters.flatMap(parts) } else { [filter] }
  }

  /// Adds order and projection.
  mutating func addShape(_ invocation: Invocation) throws(UsageError) {
    if let text = invocation.value(of: "sort") {
      query.sort = try Self.fields(text, "--sort").map { name in
        name.hasPrefix("-")
          ? SortKey(FieldPath(String(name.dropFirst())), isDescending: true) : SortKey(FieldPath(name))
      }
    }
    if let text = invocation.value(of: "fields") {
      query.fields = try Self.fields(text, "--fields").map(FieldPath.init)
    }
    query.serverOrder = invocation.has("server-order")
    if query.serverOrder && query.sort.isEmpty {
      throw UsageError("--server-order needs --sort FIELD", hint: "it says by whose rules the fields are sorted")
    }
  }

  /// The names in the value of an option, separated by commas.
  static func fields(_ text: String, _ option: String) throws(UsageError) -> [String] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains(where: { $0.isEmpty || $0 == "-" }) {
      throw UsageError("\(option) takes field names separated by commas, not \"\(text)\"")
    }
    return names
  }

  /// Refuses fields that the resource is known not to have: a server may take an unknown field for no condition.
  /// Where records may have other fields than are known, it is only said.
  func checkFields(_ resource: ResourceDescription, _ session: Session) throws(UsageError) {
    guard resource.source != .unknown, !resource.fields.isEmpty else { return }
    let paths = query.filters.flatMap(\.paths) + query.sort.map(\.path) + (query.fields ?? [])
    var said: Set<String> = []
    for path in paths where resource.field(named: path.text) == nil && resource.field(named: path.field) == nil {
      let names = resource.fields.map(\.name)
      let suggestion = Nearest.suggestion(for: path.field, among: names).map { "did you mean \($0)?" }
      if resource.isOpen || resource.source == .sample {
        guard said.insert(path.field).inserted else { continue }
        session.warn(
          "\(target.description) is not known to have a field \"\(path.field)\""
            + (suggestion.map { " (\($0))" } ?? ""))
        continue
      }
      throw UsageError(
        "\(target.description) has no field \"\(path.field)\"",
        hint: suggestion ?? "it has \(names.joined(separator: ", "))")
    }
  }
}
