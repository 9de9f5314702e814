extension Service {
  /// The arrangement of the records in a response.
  public enum Layout: Sendable, Hashable {
    /// A list of records.
    case list
    /// An object with a member for each record, named by its identifier.
    case map
    /// A list of rows, each a list of values. The names are a list at this path, of texts or of objects with a `name`.
    case table(columns: [String])
  }

  /// A member of each record that holds the fields.
  public struct Wrapping: Sendable, Hashable {
    /// The path to the fields.
    public var member: [String]
    /// Members next to it that are fields, too; a member of the same name in the wrapped object takes precedence.
    public var kept: [String]

    /// A member that holds the fields.
    public init(_ member: [String], keeping kept: [String] = []) {
      self.member = member
      self.kept = kept
    }

    /// Returns the fields of a record without the wrapping, or nil if it has none.
    func unwrapped(_ value: Value) -> Value? {
      guard let outer = value.object, let inner = value.at(member)?.object else { return nil }
      var fields = Object(kept.compactMap { name in outer[name].map { (name, $0) } })
      for (name, value) in inner.members { fields[name] = value }
      return .object(fields)
    }

    /// Returns the document of a record with these fields, in the form in which it is read. Other members of `outer`
    /// stay.
    func wrapped(_ fields: Object, in outer: Object?) -> Value {
      var (inner, beside) = (fields, outer ?? Object())
      for name in kept {
        // A member of the same name within the fields takes precedence when they are read.
        if Value.object(beside).at(member)?.object?[name] != nil { continue }
        if let value = fields[name] { beside[name] = value } else if outer != nil { beside[name] = nil }
        inner[name] = nil
      }
      guard let first = member.first else { return .object(inner) }
      let rest = Array(member.dropFirst())
      // Members on the way to the fields stay, too.
      var way = beside[first]?.object ?? Object()
      guard let second = rest.first else {
        beside[first] = .object(inner)
        return .object(beside)
      }
      way[second] = Value.object(inner).wrapped(in: Array(rest.dropFirst()))
      beside[first] = .object(way)
      return .object(beside)
    }
  }

  /// The service's responses, other than 404 and 410, to a request for a record that does not exist.
  public struct Missing: Sendable, Hashable {
    /// Statuses that mean it: 403 from a service that does not reveal what it hides, 406 for a list that is not one
    /// record.
    public var statuses: Set<Int>
    /// True if an empty list or object, a null, or an empty body means it.
    public var isEmpty: Bool

    /// Creates the responses for missing records.
    public init(statuses: Set<Int> = [], isEmpty: Bool = false) {
      self.statuses = statuses
      self.isEmpty = isEmpty
    }
  }
}
