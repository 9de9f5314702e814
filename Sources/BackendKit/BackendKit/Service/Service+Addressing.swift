extension Service {
  /// How the address of a request is made, besides its path, and what goes with each request.
  public struct Addressing: Sendable {
    /// What stands behind every path: `/`, or an ending such as `.json`.
    public var suffix = ""
    /// Where the version of the interface is named; nil where it is not.
    public var version: VersionPlace?
    /// How a list of values is sent in a query.
    public var lists = ListForm.separated(",")
    /// How the path of one record is made.
    public var item = RecordPath.below

    /// Paths as they are, and a record below its resource.
    public init() {}
  }

  /// Where a request names the version of the interface.
  public enum VersionPlace: Sendable, Hashable {
    /// In a header field of this name.
    case header(String)
    /// In Accept: this media type, in which `{version}` stands for it.
    case accept(String)
    /// In a parameter of this name.
    case parameter(String)
    /// In the paths, whose parts have `{version}` in its place.
    case path
  }

  /// How a list of values is sent in a query.
  public enum ListForm: Sendable, Hashable {
    /// As one value, separated by a text: `a=1,2`.
    case separated(String)
    /// As a parameter for each: `a=1&a=2`.
    case repeated
    /// As a parameter for each, its name with brackets: `a[]=1&a[]=2`.
    case bracketed
    /// As a parameter for each, its name with a number from 0: `a[0]=1&a[1]=2`.
    case indexed
    /// As a JSON list: `a=["1","2"]`.
    case json
    /// As a JSON object in which each is a member with this value: `a={"x":1,"y":1}`.
    case members(Value)

    /// The parameters that send these values; nil where one of them would be taken apart.
    func parameters(_ name: String, _ values: [String]) -> [(String, String)]? {
      switch self {
      case .separated(let separator):
        guard values.count < 2 || !values.contains(where: { $0.contains(text: separator) }) else { return nil }
        return [(name, values.joined(separator: separator))]
      case .repeated: return values.map { (name, $0) }
      case .bracketed: return values.map { ("\(name)[]", $0) }
      case .indexed: return values.enumerated().map { ("\(name)[\($0)]", $1) }
      case .json: return [(name, JSONWriter.compact(.array(values.map { .string($0) })))]
      case .members(let value): return [(name, JSONWriter.compact(.object(Object(values.map { ($0, value) }))))]
      }
    }
  }

  /// How one record is addressed.
  public enum RecordPath: Sendable, Hashable {
    /// Below its resource: `things/7`.
    case below
    /// As OData has it: `things(7)`, `things('a')`, `things(a=1,b='x')`.
    case key
    /// By a path below the base, in which `{id}` stands for the identifier, or `{FIELD}` for a part of it: `item/{id}`. Parameters may
    /// follow, `get?id={id}`; what they find is a list of at most one record, or the record alone.
    case template(String)
    /// The identifier is the path below the base, as a record's own address shows it.
    case root
    /// By a condition on its resource: `things?id=eq.7`, where the value is `eq.{value}`. What is found is a list of at
    /// most one record, or the record alone.
    case filter(value: String)

    /// Whether parameters name the record.
    var isQuery: Bool {
      switch self {
      case .filter: true
      case .template(let text): text.utf8.contains(UInt8(ascii: "?"))
      case .below, .key, .root: false
      }
    }
  }

  /// Where the identifier of a record stands.
  public enum Naming: Sendable, Hashable {
    /// In the field that ``IdentifierRule/field`` names, or in its ``IdentifierRule/parts``.
    case field
    /// In a member of a member.
    case member([String])
    /// The last part of the address at a path of members.
    case link([String])
    /// The path of the address at a path of members, below the base; with ``RecordPath/root``.
    case address([String])
  }
}
