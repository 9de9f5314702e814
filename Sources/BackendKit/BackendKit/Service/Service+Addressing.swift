extension Service {
  /// The way a request's address is formed from its path, and the values that accompany each request.
  public struct Addressing: Sendable {
    /// The text after every path: `/`, or an ending such as `.json`.
    public var suffix = ""
    /// The place in a request that names the version of the interface; nil if none does.
    public var version: VersionPlace?
    /// The form in which a query sends a list of values.
    public var lists = ListForm.separated(",")
    /// The way the path of one record is formed.
    public var item = RecordPath.below

    /// Paths without additions, and a record below its resource.
    public init() {}
  }

  /// The place in a request that names the version of the interface.
  public enum VersionPlace: Sendable, Hashable {
    /// In a header field of this name.
    case header(String)
    /// In Accept: this media type, with the version in place of `{version}`.
    case accept(String)
    /// In a parameter of this name.
    case parameter(String)
    /// In the paths, with the version in place of `{version}`.
    case path
  }

  /// The form in which a query sends a list of values.
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

    /// Returns the parameters that send these values, or nil if the service would split one of them.
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

  /// The way one record is addressed.
  public enum RecordPath: Sendable, Hashable {
    /// Below its resource: `things/7`.
    case below
    /// As in OData: `things(7)`, `things('a')`, `things(a=1,b='x')`.
    case key
    /// By a path below the base, with the identifier in place of `{id}`, or a part of it in place of `{FIELD}`:
    /// `item/{id}`. Parameters may follow, `get?id={id}`; the response is then a list of at most one record, or the
    /// record itself.
    case template(String)
    /// The identifier is the path below the base, as a record's own address shows it.
    case root
    /// By a condition on its resource: `things?id=eq.7`, where the value is `eq.{value}`. The response is a list of at
    /// most one record, or the record itself.
    case filter(value: String)

    /// True if parameters name the record.
    var isQuery: Bool {
      switch self {
      case .filter: true
      case .template(let text): text.utf8.contains(UInt8(ascii: "?"))
      case .below, .key, .root: false
      }
    }
  }

  /// The place of the identifier in a record.
  public enum Naming: Sendable, Hashable {
    /// In the field that ``IdentifierRule/field`` names, or in its ``IdentifierRule/parts``.
    case field
    /// In a member of a member.
    case member([String])
    /// The last segment of the address at a path of members.
    case link([String])
    /// The path of the address at a path of members, below the base; with ``RecordPath/root``.
    case address([String])
  }
}
