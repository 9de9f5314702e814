extension Service {
  /// How the records of a response are arranged.
  public enum Layout: Sendable, Hashable {
    /// A list of records.
    case list
    /// An object with a member for each record, named by its identifier.
    case map
    /// A list of rows, each a list of values, whose names are a list at this path, of texts or of objects with a `name`.
    case table(columns: [String])
  }

  /// A member of each record that holds the fields.
  public struct Wrapping: Sendable, Hashable {
    /// The path to the fields.
    public var member: [String]
    /// Members beside it that are fields, too; those of the same name within count.
    public var kept: [String]

    /// A member that holds the fields.
    public init(_ member: [String], keeping kept: [String] = []) {
      self.member = member
      self.kept = kept
    }

    /// The record without what is around its fields; nil where it has none.
    func unwrapped(_ value: Value) -> Value? {
      guard let outer = value.object, let inner = value.at(member)?.object else { return nil }
      var fields = Object(kept.compactMap { name in outer[name].map { (name, $0) } })
      for (name, value) in inner.members { fields[name] = value }
      return .object(fields)
    }

    /// The document of a record with these fields, in the form in which it is read. What `outer` has beside them stays.
    func wrapped(_ fields: Object, in outer: Object?) -> Value {
      var (inner, beside) = (fields, outer ?? Object())
      for name in kept {
        // A member of the same name within the fields counts when they are read.
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

  /// How the service answers when the record that was asked for is not there, besides 404 and 410.
  public struct Missing: Sendable, Hashable {
    /// Statuses that say so: 403 where it does not tell what it hides, 406 where a list is not one record.
    public var statuses: Set<Int>
    /// Whether an empty list or object, a null, or nothing does.
    public var isEmpty: Bool

    /// Answers for what is not there.
    public init(statuses: Set<Int> = [], isEmpty: Bool = false) {
      self.statuses = statuses
      self.isEmpty = isEmpty
    }
  }
}
