public import BackendKit

/// A part of a description that knows where it stands, whether that was written as YAML or as JSON.
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

  /// The place where the node begins.
  public var place: Place
  /// The content.
  public var content: Content

  /// A node.
  public init(place: Place, content: Content) {
    self.place = place
    self.content = content
  }

  /// The members, or nil where it is not a map.
  public var members: [Member]? {
    if case .map(let members) = content { members } else { nil }
  }

  /// The elements, or nil where it is not a list.
  var elements: [Node]? {
    if case .list(let elements) = content { elements } else { nil }
  }

  /// The node of a key; nil where the key is not there or this is not a map.
  public subscript(name: String) -> Node? {
    members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.node
  }

  /// The same without places.
  public var value: Value {
    switch content {
    case .map(let members): .object(Object(members.map { ($0.name, $0.node.value) }))
    case .list(let elements): .array(elements.map(\.value))
    case .scalar(let value): value
    }
  }

  /// The places of its members, at any depth.
  var places: [Place] { (members ?? []).flatMap { [$0.place] + $0.node.places } }

  /// True if the node is null.
  var isNull: Bool {
    if case .scalar(.null) = content { true } else { false }
  }

  /// The kind as people say it.
  var kind: String {
    switch content {
    case .map: "map"
    case .list: "list"
    case .scalar(let value): value.kind
    }
  }
}

extension Node {
  /// The most levels of maps and lists.
  public static let depth = 100

  /// A value that was written nowhere: all of it stands at one place, below which only the keys differ.
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

  /// A part of a JSON file.
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
  /// The place of a key below this one.
  func at(_ name: String) -> Place {
    var place = self
    place.path.append(name)
    return place
  }
}
