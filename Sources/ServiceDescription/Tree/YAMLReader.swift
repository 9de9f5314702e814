import BackendKit
import CYAML

/// Parses YAML by the core schema of YAML 1.2, in which `no` is text, and without tags.
///
/// Uses libyaml, and limits what hostile texts could still do: nesting, the number of aliases, and the size after
/// expansion.
struct YAMLReader {
  private let file: String
  private let limits: DescriptionText.Limits
  /// False to keep the values alone, without their places.
  private let keepsPlaces: Bool
  private var parser = yaml_parser_t()
  private var anchors: [[UInt8]: (node: Node, count: Int)] = [:]
  private var aliases = 0
  private var nodes = 0

  /// Returns the tree of a text. Throws at the first syntax error or unsupported construct.
  static func read(
    _ bytes: [UInt8], file: String, limits: DescriptionText.Limits, keepsPlaces: Bool = true
  ) throws(Mistake) -> Node {
    var reader = YAMLReader(file: file, limits: limits, keepsPlaces: keepsPlaces)
    guard yaml_parser_initialize(&reader.parser) == 1 else {
      throw Mistake(Place(file: file), "there is not enough memory to read it")
    }
    defer { yaml_parser_delete(&reader.parser) }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING)
    // Unless it detects the encoding, libyaml counts a byte-order mark as a column.
    let text = bytes.starts(with: JSONReader.byteOrderMark) ? bytes[3...] : bytes[...]
    return try text.withUnsafeBufferPointer { text throws(Mistake) in
      yaml_parser_set_input_string(&reader.parser, text.baseAddress, text.count)
      return try reader.document()
    }
  }

  private init(file: String, limits: DescriptionText.Limits, keepsPlaces: Bool) {
    (self.file, self.limits, self.keepsPlaces) = (file, limits, keepsPlaces)
  }

  private mutating func document() throws(Mistake) -> Node {
    var root: Node?
    while true {
      var event = try next()
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: break
      case YAML_DOCUMENT_START_EVENT:
        guard root == nil else {
          throw Mistake(place(event, []), "a second document begins here", hint: "a file may have only one document")
        }
        root = try node([], depth: 0)
      default: return root ?? Node(place: Place(file: file, line: 1, column: 1), content: .scalar(.null))
      }
    }
  }

  // MARK: Events

  private mutating func next() throws(Mistake) -> yaml_event_t {
    var event = yaml_event_t()
    guard yaml_parser_parse(&parser, &event) == 1 else {
      let mark = parser.problem_mark
      let problem = parser.problem.map { String(cString: $0) } ?? "it cannot be read"
      let context = parser.context.map { " (\(String(cString: $0)))" } ?? ""
      let isBytes = parser.error == YAML_READER_ERROR
      throw Mistake(
        Place(file: file, line: isBytes ? nil : Int(mark.line) + 1, column: isBytes ? nil : Int(mark.column) + 1),
        "this is not YAML: \(problem)\(context)",
        hint: problem.hasPrefix("found character that cannot start")
          ? "indent with spaces, and quote text that begins with @, `, % or a tab" : nil)
    }
    return event
  }

  private func place(_ event: yaml_event_t, _ path: [String]) -> Place {
    Place(
      file: file, line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1, path: path)
  }

  private mutating func count(_ more: Int, at place: Place) throws(Mistake) {
    nodes += more
    guard nodes <= limits.values else { throw Mistake(place, "there are more than \(limits.values) values") }
  }

  private mutating func node(_ path: [String], depth: Int) throws(Mistake) -> Node {
    var event = try next()
    defer { yaml_event_delete(&event) }
    return try node(event, path, depth: depth)
  }

  private mutating func node(_ event: yaml_event_t, _ path: [String], depth: Int) throws(Mistake) -> Node {
    let place = place(event, path)
    guard depth < Node.depth else { throw Mistake(place, "nested more than \(Node.depth) levels deep") }
    let before = nodes
    try count(1, at: place)
    let anchor: UnsafeMutablePointer<yaml_char_t>?
    let tag: UnsafeMutablePointer<yaml_char_t>?
    let content: Node.Content
    switch event.type {
    case YAML_ALIAS_EVENT:
      nodes -= 1
      return try alias(bytes(event.data.alias.anchor), at: place, depth: depth)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      (anchor, tag) = (scalar.anchor, scalar.tag)
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      guard tag == nil else { throw tagged(place) }
      content = .scalar(
        scalar.style == YAML_PLAIN_SCALAR_STYLE ? try CoreSchema.value(of: text, at: place) : .string(text))
    case YAML_SEQUENCE_START_EVENT:
      (anchor, tag) = (event.data.sequence_start.anchor, event.data.sequence_start.tag)
      guard tag == nil else { throw tagged(place) }
      content = .list(try elements(path, depth: depth + 1))
    default:
      (anchor, tag) = (event.data.mapping_start.anchor, event.data.mapping_start.tag)
      guard tag == nil else { throw tagged(place) }
      content = .map(try members(path, depth: depth + 1))
    }
    var node = Node(place: place, content: content)
    if !keepsPlaces { node.content = .scalar(node.value) }
    if let anchor { anchors[bytes(anchor)] = (node, nodes - before) }
    return node
  }

  private func tagged(_ place: Place) -> Mistake {
    Mistake(
      place, "a tag (!) cannot be used here", hint: "remove it; quote text that looks like another type")
  }

  private func bytes(_ text: UnsafeMutablePointer<yaml_char_t>?) -> [UInt8] {
    text.map { Array(String(cString: $0).utf8) } ?? []
  }

  private mutating func alias(_ name: [UInt8], at place: Place, depth: Int) throws(Mistake) -> Node {
    // An anchor is defined only after the end of its node, so that nothing can contain itself.
    guard let (node, size) = anchors[name] else {
      throw Mistake(place, "the anchor &\(String(decoding: name, as: UTF8.self)) is not defined before this")
    }
    aliases += 1
    guard aliases <= limits.aliases else {
      throw Mistake(place, "there are more than \(limits.aliases) aliases (*)")
    }
    try count(size, at: place)
    guard depth + node.levels <= Node.depth else {
      throw Mistake(place, "nested more than \(Node.depth) levels deep")
    }
    return node
  }

  private mutating func elements(_ path: [String], depth: Int) throws(Mistake) -> [Node] {
    var elements: [Node] = []
    while true {
      var event = try next()
      defer { yaml_event_delete(&event) }
      if event.type == YAML_SEQUENCE_END_EVENT { return elements }
      elements.append(try node(event, keepsPlaces ? path + ["\(elements.count)"] : [], depth: depth))
    }
  }

  private mutating func members(_ path: [String], depth: Int) throws(Mistake) -> [Node.Member] {
    var members: [Node.Member] = []
    var lines: [[UInt8]: Int] = [:]
    while true {
      var event = try next()
      defer { yaml_event_delete(&event) }
      if event.type == YAML_MAPPING_END_EVENT { return members }
      let place = place(event, path)
      guard event.type == YAML_SCALAR_EVENT else {
        throw Mistake(place, "a key must be text, not a list, a map or an alias")
      }
      let scalar = event.data.scalar
      guard scalar.tag == nil else { throw tagged(place) }
      let name = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      if let first = lines.updateValue(place.line ?? 0, forKey: Array(name.utf8)) {
        throw Mistake(place.at(name), "duplicate key", hint: "first defined on line \(first)")
      }
      try count(1, at: place)
      members.append(
        Node.Member(
          name: name, place: keepsPlaces ? place.at(name) : place,
          node: try node(keepsPlaces ? path + [name] : [], depth: depth)))
    }
  }
}

extension Node {
  fileprivate var levels: Int {
    switch content {
    case .scalar(let value): value.levels
    case .list(let elements): 1 + (elements.map(\.levels).max() ?? 0)
    case .map(let members): 1 + (members.map(\.node.levels).max() ?? 0)
    }
  }
}

extension Value {
  fileprivate var levels: Int {
    switch self {
    case .array(let elements): 1 + (elements.map(\.levels).max() ?? 0)
    case .object(let object): 1 + (object.members.map { $0.1.levels }.max() ?? 0)
    default: 0
    }
  }
}
