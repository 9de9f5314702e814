extension Service {
  /// The orders in which the service can sort.
  public struct Sorting: Sendable {
    /// The form in which the direction is sent.
    public enum Direction: Sendable {
      /// By a minus sign before the name.
      case minus
      /// By a parameter of its own, with `asc` or `desc` for each key.
      case parameter(String)
      /// By a text after the name.
      case suffix(ascending: String, descending: String)
      /// By a parameter of its own, with one of these words for each key.
      case words(String, ascending: String, descending: String)
      /// By another parameter for the names, which then applies to all keys.
      case descending(String)
      /// By one of these words as the value of a parameter for each key, whose name has the field in place of
      /// `{field}`.
      case value(ascending: String, descending: String)
    }

    /// The parameter for the names.
    public var parameter: String
    /// The form in which the direction is sent.
    public var direction: Direction
    /// Fields that the service sorts as the console does.
    public var exact: [String]
    /// Fields that the service can sort by its own rules; nil for any.
    public var own: [String]?
    /// True if it accepts several keys.
    public var isMultiple: Bool
    /// The form in which several keys are sent; nil for the resource's usual form.
    public var list: ListForm?
    /// The order to ask for by default, so that pages do not overlap.
    public var defaultKey: SortKey?

    /// Orders.
    public init(
      _ parameter: String, direction: Direction, exact: [String] = [], own: [String]? = nil, isMultiple: Bool = false,
      default key: SortKey? = nil
    ) {
      self.parameter = parameter
      self.direction = direction
      self.exact = exact
      self.own = own
      self.isMultiple = isMultiple
      self.defaultKey = key
    }
  }

  /// The way the service is asked for only some fields.
  public struct Projection: Sendable {
    /// The parameter for the names.
    public var parameter: String
    /// Names that are always asked for.
    public var always: [String]
    /// True if a single record can be requested with a projection, too.
    public var isForRecords: Bool
    /// The form in which several names are sent; nil for the resource's usual form.
    public var list: ListForm?
    /// The longest address that the service accepts, by default 8,000 bytes; the console checks conditions and selects
    /// fields if it would be longer.
    public var longestAddress: Int?

    /// A choice of fields.
    public init(_ parameter: String, always: [String], isForRecords: Bool = false) {
      self.parameter = parameter
      self.always = always
      self.isForRecords = isForRecords
    }

    /// Returns the names to ask for so that the fields of these paths are included, or nil if the service may not know
    /// all of them.
    func names(_ paths: [FieldPath], _ resource: Resource) -> [String]? {
      let names = paths.map(\.text)
      let known = resource.fields.map(\.name)
      guard names.allSatisfy(known.contains), !names.contains(where: resource.isShownElsewhere) else { return nil }
      // A record of a list without its identifier is not one.
      let needed = always + [resource.identifier.field].compactMap(\.self).filter { !self.always.contains($0) }
      return needed + names.filter { !needed.contains($0) }
    }
  }

  /// The way a list is asked to embed other records, or parts of its own, in its records.
  public struct Embedding: Sendable {
    /// The parameter for the names.
    public var parameter: String
    /// Returns the parameter for a name, if they differ between names; each name is then sent separately.
    public var parameterOfName: (@Sendable (String) -> String)?
    /// The names that it accepts; empty if they are unknown.
    public var names: [String]
    /// The form in which several names are sent; nil for the resource's usual form.
    public var list: ListForm?

    /// An embedding.
    public init(_ parameter: String, names: [String] = []) {
      self.parameter = parameter
      self.names = names
    }
  }

  /// The way the service is asked to search for a text in fields that it chooses.
  public struct Searching: Sendable, Hashable {
    /// The parameter for the text.
    public var parameter: String
    /// The accuracy of the search: unless it is exact, the console checks the records again, since the service may find
    /// others, too.
    public var fidelity: Fidelity

    /// A search.
    public init(_ parameter: String, fidelity: Fidelity) {
      self.parameter = parameter
      self.fidelity = fidelity
    }
  }
}

extension Service.Sorting {
  /// Returns whether the service can sort a list in the order of a query.
  func serves(_ query: ListQuery) -> Bool {
    guard query.sort.count == 1 || isMultiple else { return false }
    if case .descending = direction, Set(query.sort.map(\.isDescending)).count > 1 { return false }
    return query.sort.allSatisfy { key in
      let name = key.path.text
      guard query.serverOrder else { return exact.contains(name) }
      // A separator within a name would make two keys of it, a sign before it another direction.
      let isPlain = !name.hasPrefix("-") && !name.utf8.contains { ",|".utf8.contains($0) }
      return exact.contains(name) || own?.contains(name) ?? isPlain
    }
  }

  /// Returns the parameters that ask for an order, or nil if the service would split a name.
  ///
  /// - Parameter isComplete: true if no two records may compare as equal; the default key is then added.
  func parameters(_ keys: [SortKey], _ list: Service.ListForm, isComplete: Bool = false) -> [(String, String)]? {
    var keys = keys
    if let key = defaultKey, keys.isEmpty || isComplete && !keys.contains(where: { $0.path == key.path }) {
      keys.append(key)
    }
    guard !keys.isEmpty else { return [] }
    let names = keys.map(\.path.text)
    switch direction {
    case .minus: return list.parameters(parameter, keys.map(\.description))
    case .parameter(let order): return both(names, order, keys.map { $0.isDescending ? "desc" : "asc" }, list)
    case .words(let order, let ascending, let descending):
      return both(names, order, keys.map { $0.isDescending ? descending : ascending }, list)
    case .descending(let other):
      return list.parameters(keys[0].isDescending ? other : parameter, names)
    case .value(let ascending, let descending):
      return keys.map {
        (parameter.replacing(text: "{field}", with: $0.path.text), $0.isDescending ? descending : ascending)
      }
    case .suffix(let ascending, let descending):
      return list.parameters(parameter, keys.map { $0.path.text + ($0.isDescending ? descending : ascending) })
    }
  }

  private func both(
    _ names: [String], _ order: String, _ orders: [String], _ list: Service.ListForm
  ) -> [(String, String)]? {
    guard let first = list.parameters(parameter, names), let second = list.parameters(order, orders) else {
      return nil
    }
    return first + second
  }
}
