import BackendKit

/// What is found wrong while a description is read.
final class Reading {
  /// Whether the user trusts who names the description.
  let isTrusted: Bool
  private(set) var mistakes: [Mistake] = []
  /// Told of each key that is asked for, so that a test can tell keys that nobody reads.
  private let onKey: ((_ key: String, _ section: Section.Name) -> Void)?

  init(isTrusted: Bool = false, onKey: ((_ key: String, _ section: Section.Name) -> Void)? = nil) {
    self.isTrusted = isTrusted
    self.onKey = onKey
  }

  func add(_ mistake: Mistake) { mistakes.append(mistake) }

  func asks(_ key: String, of section: Section.Name) {
    assert(Section.of(section).key(key) != nil, "\(section.rawValue) has no key \(key)")
    onKey?(key, section)
  }
}

/// A section of a description as it is read: values of the wrong kind are as if they were not there, since the check has
/// told them.
struct Facts {
  let name: Section.Name
  /// What stands there; nil where nothing does.
  let node: Node?
  /// Where it stands, or would.
  let place: Place
  let reading: Reading

  init(_ name: Section.Name, _ node: Node?, at place: Place, _ reading: Reading) {
    self.name = name
    self.node = node
    self.place = node?.place ?? place
    self.reading = reading
  }

  /// Whether it is said at all.
  var isThere: Bool { node?.members != nil }

  func mistake(_ message: String, at key: String? = nil, hint: String? = nil) {
    let found = key.flatMap { key in node?.members?.first { $0.name == key }?.node.place }
    reading.add(Mistake(found ?? (key.map(place.at) ?? place), message, hint: hint))
  }

  /// The node of a key; a null is as if it were not there.
  subscript(key: String) -> Node? {
    reading.asks(key, of: name)
    return node?[key].flatMap { $0.isNull ? nil : $0 }
  }

  /// Whether a null stands at a key.
  func isNull(_ key: String) -> Bool {
    reading.asks(key, of: name)
    return node?[key]?.isNull == true
  }

  func text(_ key: String) -> String? { self[key]?.value.text }
  func flag(_ key: String) -> Bool { self[key]?.value.bool == true }
  func flag(_ key: String, else other: Bool) -> Bool { self[key]?.value.bool ?? other }
  func integer(_ key: String) -> Int? { self[key]?.value.integer }
  func value(_ key: String) -> Value? { self[key]?.value }

  func texts(_ key: String) -> [String]? {
    guard let node = self[key] else { return nil }
    return node.value.array?.compactMap(\.text) ?? node.value.text.map { [$0] }
  }

  func integers(_ key: String) -> [Int] { (self[key]?.value.array ?? []).compactMap(\.integer) }
  func member(_ key: String) -> [String]? { text(key).flatMap(MemberPath.names) }
  func path(_ key: String) -> RequestPath? { text(key).flatMap(RequestPath.written) }

  /// The text of a key that has to be there.
  func required(_ key: String, _ example: String) -> String? {
    if let text = text(key) { return text }
    if isThere, self[key] == nil { mistake("\(key) is missing", hint: "for example \(key): \(example)") }
    return nil
  }

  /// The pairs of a map of texts.
  func pairs(_ key: String) -> [(String, String)]? {
    self[key]?.members?.compactMap { member in member.node.value.text.map { (member.name, $0) } }
  }

  /// A section below this one.
  func section(_ key: String, _ name: Section.Name) -> Facts { Facts(name, self[key], at: place.at(key), reading) }

  /// The sections of a map or of a list, in order, by their names.
  func sections(_ key: String, _ name: Section.Name) -> [(name: String, facts: Facts)] {
    guard let node = self[key] else { return [] }
    switch node.content {
    case .map(let members):
      return members.filter { !$0.node.isNull }.map { ($0.name, Facts(name, $0.node, at: $0.place, reading)) }
    case .list(let elements): return elements.map { ("", Facts(name, $0, at: $0.place, reading)) }
    case .scalar: return []
    }
  }
}
