extension Service {
  /// Which conditions the service can check, one parameter for each.
  public struct Filters: Sendable {
    /// The fields it can check.
    public var fields: [String]
    /// The parameter of an equality; `{field}` stands for the name.
    public var equal: String
    /// What separates the values of which one must be equal; nil where there can be one only.
    public var separator: String?
    /// How well the service checks it.
    public var fidelity: Fidelity

    /// Conditions of equality.
    public init(_ fields: [String], equal: String = "{field}", separator: String? = nil, fidelity: Fidelity = .superset)
    {
      self.fields = fields
      self.equal = equal
      self.separator = separator
      self.fidelity = fidelity
    }
  }

  /// Which orders the service can make.
  public struct Sorting: Sendable {
    /// How the direction is said.
    public enum Direction: Sendable {
      /// By a minus sign before the name.
      case minus
      /// By a parameter of its own, with `asc` or `desc` for each key.
      case parameter(String)
      /// By a text behind the name.
      case suffix(ascending: String, descending: String)
    }

    /// The parameter for the names.
    public var parameter: String
    /// How the direction is said.
    public var direction: Direction
    /// Fields whose order by the service is the console's.
    public var exact: [String]
    /// Fields that the service can put in an order of its own; nil for any.
    public var own: [String]?
    /// Whether it takes several keys, separated by commas.
    public var isMultiple: Bool
    /// The order asked for where nobody says, so that pages do not overlap.
    public var standard: SortKey?

    /// Orders.
    public init(
      _ parameter: String, direction: Direction, exact: [String] = [], own: [String]? = nil, isMultiple: Bool = false,
      standard: SortKey? = nil
    ) {
      self.parameter = parameter
      self.direction = direction
      self.exact = exact
      self.own = own
      self.isMultiple = isMultiple
      self.standard = standard
    }

    /// Whether the service can put a list in the order that a query wants.
    func serves(_ query: ListQuery) -> Bool {
      guard query.sort.count == 1 || isMultiple else { return false }
      return query.sort.allSatisfy { key in
        let name = key.path.text
        guard query.serverOrder else { return exact.contains(name) }
        // A separator within a name would make two keys of it, a sign before it another direction.
        let isPlain = !name.hasPrefix("-") && !name.utf8.contains { ",|".utf8.contains($0) }
        return exact.contains(name) || own?.contains(name) ?? isPlain
      }
    }

    /// The parameters that ask for an order.
    func parameters(_ keys: [SortKey]) -> [(String, String)] {
      let keys = keys.isEmpty ? standard.map { [$0] } ?? [] : keys
      guard !keys.isEmpty else { return [] }
      let names = keys.map(\.path.text)
      switch direction {
      case .minus: return [(parameter, keys.map(\.description).joined(separator: ","))]
      case .parameter(let order):
        let orders = keys.map { $0.isDescending ? "desc" : "asc" }
        return [(parameter, names.joined(separator: ",")), (order, orders.joined(separator: ","))]
      case .suffix(let ascending, let descending):
        let texts = keys.map { $0.path.text + ($0.isDescending ? descending : ascending) }
        return [(parameter, texts.joined(separator: ","))]
      }
    }
  }

  /// How the service is asked for some fields only.
  public struct Projection: Sendable {
    /// The parameter for the names, separated by commas.
    public var parameter: String
    /// Names that are always asked for.
    public var always: [String]
    /// Whether a single record can be asked for so, too.
    public var isForRecords: Bool

    /// A choice of fields.
    public init(_ parameter: String, always: [String], isForRecords: Bool = false) {
      self.parameter = parameter
      self.always = always
      self.isForRecords = isForRecords
    }

    /// The names to ask for, so that the fields of some paths come; nil where the service may not know all of them.
    func names(_ paths: [FieldPath], _ resource: Resource) -> [String]? {
      let names = paths.map(\.text)
      let known = resource.fields.map(\.name)
      guard names.allSatisfy(known.contains) else { return nil }
      return always + names.filter { !always.contains($0) }
    }
  }

  /// How a list is asked to show other records, or parts of its own, within its records.
  public struct Embedding: Sendable {
    /// The parameter for the names, separated by commas.
    public var parameter: String
    /// The names it takes; empty where they are not known.
    public var names: [String]

    /// An embedding.
    public init(_ parameter: String, names: [String] = []) {
      self.parameter = parameter
      self.names = names
    }
  }
}
