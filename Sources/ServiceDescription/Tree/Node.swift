public import BackendKit

/// A node of a description, with its place, parsed from YAML or JSON.
public struct Node: Sendable {
  /// A member of a map.
  public struct Member: Sendable {
    /// The key.
    public var name: String
    /// The place of the key.
    public var place: Place
    /// The value of the key.
    public var node: Node
  }

  /// The content of a node.
  public enum Content: Sendable {
    case map([Member])
    case list([Node])
    case scalar(Value)
  }

  /// The start of the node.
  public var place: Place
  /// The content.
  public var content: Content

  /// Creates a node.
  public init(place: Place, content: Content) {
    self.place = place
    self.content = content
  }

  /// The members; nil if it is not a map.
  public var members: [Member]? {
    if case .map(let members) = content { members } else { nil }
  }

  var elements: [Node]? {
    if case .list(let elements) = content { elements } else { nil }
  }

  /// The node at a key; nil if it is missing, or this is not a map.
  public subscript(name: String) -> Node? {
    members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.node
  }

  /// The value without places.
  public var value: Value {
    switch content {
    case .map(let members): .object(Object(members.map { ($0.name, $0.node.value) }))
    case .list(let elements): .array(elements.map(\.value))
    case .scalar(let value): value
    }
  }

  /// The places of all members, at any depth.
  var places: [Place] { (members ?? []).flatMap { [$0.place] + $0.node.places } }

  var isNull: Bool {
    if case .scalar(.null) = content { true } else { false }
  }

  var kind: String {
    switch content {
    case .map: "map"
    case .list: "list"
    case .scalar(let value): value.kind
    }
  }
}

extension Node {
  /// The maximum depth of maps and lists.
  public static let depth = 100

  /// A value that is not from a text: all of it has one place, apart from the keys.
  public init(_ value: Value, at place: Place) {
    self.init(place: place, content: .scalar(value))
    switch value {
    case .object(let object):
      content = .map(
        object.members.map { name, value in
          let place = place.at(name)
          return Member(name: name, place: place, node: Node(value, at: place))
        })
    case .array(let elements):
      content = .list(elements.enumerated().map { Node($1, at: place.at("\($0)")) })
    default: break
    }
  }

  /// A node of a JSON file.
  public init(_ placed: LocatedValue, file: String, path: [String] = []) {
    let place = Place(file: file, line: placed.place.line, column: placed.place.column, path: path)
    self.init(place: place, content: .scalar(.null))
    switch placed.content {
    case .scalar(let value): content = .scalar(value)
    case .array(let elements):
      content = .list(elements.enumerated().map { Node($1, file: file, path: path + ["\($0)"]) })
    case .object(let members):
      content = .map(
        members.map { member in
          let path = path + [member.name]
          return Member(
            name: member.name,
            place: Place(file: file, line: member.place.line, column: member.place.column, path: path),
            node: Node(member.value, file: file, path: path))
        })
    }
  }
}

extension Place {
  func at(_ name: String) -> Place {
    var place = self
    place.path.append(name)
    return place
  }
}
