import BackendKit

/// Collects the mistakes found while a description is read.
final class Reading {
  /// True if the user trusts the party that names the description.
  let isTrusted: Bool
  /// The files whose facts are from documents and have not been observed at a service.
  let documentary: Set<String>
  /// True if a hook computes the next page, so that no place in the response is needed.
  var computesPages = false
  private(set) var mistakes: [Mistake] = []

  init(isTrusted: Bool = false, documentary: Set<String> = []) {
    (self.isTrusted, self.documentary) = (isTrusted, documentary)
  }

  func add(_ mistake: Mistake) { mistakes.append(mistake) }
}

/// A section of a description, as passed to its reader.
struct SectionNode {
  /// The content; nil if the section is missing.
  let node: Node?
  /// The place of the section, even if it is missing.
  let place: Place
  let reading: Reading
  /// True if the section above calls it likely.
  var isLikely = false
  fileprivate let declared: DeclaredKeys?

  /// The keys that a reader has asked for.
  final class DeclaredKeys {
    fileprivate(set) var keys: [Section.Key] = []
  }

  init(_ node: Node?, at place: Place, _ reading: Reading, declaring declared: DeclaredKeys? = nil) {
    (self.node, self.place) = (node, node?.place ?? place)
    (self.reading, self.declared) = (reading, declared)
  }
}

/// The words that a key may have, each with its help and the value it stands for.
typealias Choices<Choice> = [(name: String, help: String, value: Choice)]

/// A reader of a section.
///
/// Reading a key also declares it with its shape and help. The check, the schema and the reference are made from these
/// declarations, in the order of the calls. A value of the wrong shape counts as missing here; the check has reported
/// it.
protocol Facts {
  var from: SectionNode { get }
  init(from: SectionNode)
}

extension Facts {
  init(_ section: SectionNode) { self.init(from: section) }

  var node: Node? { from.node }
  var place: Place { from.place }
  var reading: Reading { from.reading }

  var isThere: Bool { node?.members != nil }

  func only(_ isKept: (String) -> Bool) -> SectionNode {
    SectionNode(node?.only(isKept), at: place, reading, declaring: from.declared)
  }

  func mistake(_ message: String, at key: String? = nil, hint: String? = nil) {
    let found = key.flatMap { key in node?.members?.first { $0.name == key }?.node.place }
    reading.add(Mistake(found ?? (key.map(place.at) ?? place), message, hint: hint))
  }

  func missing(_ key: String, _ hint: String? = nil) { mistake("\(key) is missing", hint: hint) }

  /// Returns whether a key that is declared elsewhere has a value other than null.
  func has(_ key: some FactName) -> Bool { node?[key.name]?.isNull == false }

  func isNull(_ key: some FactName) -> Bool { node?[key.name]?.isNull == true }

  /// Returns whether one of these keys has a value that is only likely: the section above says so of this one, or it is
  /// from a preset that was not tested, or from a section whose `source` is a document. Nothing that could omit records
  /// may depend on it.
  func isLikely(_ keys: any FactName...) -> Bool {
    if from.isLikely { return keys.contains { has($0) } }
    let source = source == "document" ? node?["source"]?.place.file : nil
    return keys.contains { key in
      let member = node?.members?.first { $0.name == key.name }
      return member.map {
        ([$0.place] + $0.node.places).contains { reading.documentary.contains($0.file) || $0.file == source }
      } ?? false
    }
  }

  /// The word in `source`.
  var source: String? { node?["source"].flatMap { ($0["from"] ?? $0).value.text } }

  // MARK: Keys

  /// Declares a key, and returns its node; nil if it is missing or null.
  func read(
    _ key: some FactName, _ shape: @autoclosure () -> Shape, _ help: String, formerly: String? = nil
  ) -> Node? {
    from.declared?.keys.append(Section.Key(name: key.name, shape: shape(), help: help, formerly: formerly))
    return node?[key.name].flatMap { $0.isNull ? nil : $0 }
  }

  func text(_ key: some FactName, _ help: String, _ rule: TextRule = .any, formerly: String? = nil) -> String? {
    read(key, .text(rule), help, formerly: formerly)?.value.text
  }

  func answer(_ key: some FactName, _ help: String, formerly: String? = nil) -> Bool? {
    read(key, .boolean, help, formerly: formerly)?.value.bool
  }

  func flag(_ key: some FactName, _ help: String, else other: Bool = false, formerly: String? = nil) -> Bool {
    answer(key, help, formerly: formerly) ?? other
  }

  func integer(_ key: some FactName, _ range: ClosedRange<Int>, _ help: String, formerly: String? = nil) -> Int? {
    read(key, .integer(range), help, formerly: formerly)?.value.integer
  }

  func integers(_ key: some FactName, _ range: ClosedRange<Int>, _ help: String, formerly: String? = nil) -> Set<Int> {
    Set(read(key, .list(.integer(range)), help, formerly: formerly)?.value.array?.compactMap(\.integer) ?? [])
  }

  func value(_ key: some FactName, _ help: String) -> Value? { read(key, .any, help)?.value }

  func texts(_ key: some FactName, _ help: String, formerly: String? = nil) -> [String]? {
    read(key, .list(.text()), help, formerly: formerly)?.value.texts
  }

  /// The names along a path to a member.
  func member(_ key: some FactName, _ help: String, formerly: String? = nil) -> [String]? {
    text(key, help, .member, formerly: formerly).flatMap(MemberPath.names)
  }

  /// The names along each of one or more paths to members.
  func members(_ key: some FactName, _ help: String, formerly: String? = nil) -> [[String]]? {
    read(key, .oneOrMore(.text(.member)), help, formerly: formerly)?.value.texts?.compactMap(MemberPath.names)
  }

  func path(_ key: some FactName, _ help: String) -> RequestPath? {
    text(key, help, .path).flatMap(RequestPath.written)
  }

  func segments(_ key: some FactName, _ help: String) -> [String] { path(key, help)?.segments ?? [] }

  func object(_ key: some FactName, of names: String, _ help: String, formerly: String? = nil) -> Object? {
    read(key, .map(of: names, .any), help, formerly: formerly)?.value.object
  }

  func pairs(_ key: some FactName, of names: String, _ help: String) -> [(String, String)] {
    read(key, .map(of: names, .text(.mayBeEmpty)), help)?.pairs ?? []
  }

  /// The text of a mandatory key.
  func required(_ key: some FactName, _ help: String, example: String) -> String? {
    let text = text(key, help)
    if text == nil, isThere { missing(key.name, "for example \(key.name): \(example)") }
    return text
  }

  /// Assigns a given value, or keeps the default.
  func set<Content>(_ content: inout Content, _ given: Content?) {
    if let given { content = given }
  }

  // MARK: Words

  func word(_ key: some FactName, _ words: @autoclosure () -> [Word], _ help: String, formerly: String? = nil)
    -> String?
  {
    read(key, .word(words()), help, formerly: formerly)?.value.text
  }

  /// The case named by a word.
  func word<Case: RawRepresentable<String>>(
    _ key: some FactName, _ words: @autoclosure () -> [Word], _ help: String, formerly: String? = nil
  ) -> Case? {
    word(key, words(), help, formerly: formerly).flatMap { Case(rawValue: $0) }
  }

  /// The value that a word stands for.
  func choice<Choice>(
    _ key: some FactName, _ words: Choices<Choice>, _ help: String, formerly: String? = nil
  ) -> Choice? {
    let word = word(key, words.map { ($0.name, $0.help) }, help, formerly: formerly)
    return words.first { $0.name == word }?.value
  }

  func words<Case: RawRepresentable<String> & Hashable>(
    _ key: some FactName, _ words: @autoclosure () -> [Word], _ help: String
  ) -> Set<Case>? {
    (read(key, .list(.word(words())), help)?.value.texts?.compactMap { Case(rawValue: $0) }).map { Set($0) }
  }

  // MARK: Sections

  /// A section within this one. Its key is the name of the section unless given.
  func section(
    _ name: Section.Name, at key: (any FactName)? = nil, _ help: String, formerly: String? = nil
  ) -> SectionNode {
    let key = key?.name ?? name.rawValue
    var section = below(read(key, .section(name), help, formerly: formerly), at: place.at(key))
    section.isLikely = isCalledLikely(key)
    return section
  }

  /// Returns whether this section calls the one at a key likely.
  func isCalledLikely(_ key: String) -> Bool {
    node?[Key.likely.name]?.elements?.contains { $0.value == .string(key) } ?? false
  }

  /// A node as a section with the same reading.
  func below(_ node: Node?, at place: Place? = nil) -> SectionNode {
    SectionNode(node, at: place ?? self.place, reading)
  }

  func sections(_ key: some FactName, _ name: Section.Name, _ help: String, formerly: String? = nil) -> [SectionNode] {
    (read(key, .list(.section(name)), help, formerly: formerly)?.elements ?? []).map { below($0) }
  }

  /// The sections in a map, in order, with their names.
  func sections(
    _ key: some FactName, of names: String, _ name: Section.Name, _ help: String
  ) -> [(name: String, section: SectionNode)] {
    (read(key, .map(of: names, .section(name)), help)?.members ?? []).filter { !$0.node.isNull }.map {
      ($0.name, below($0.node))
    }
  }
}

extension Node {
  /// The members whose values are texts.
  var pairs: [(String, String)] {
    (members ?? []).compactMap { member in member.node.value.text.map { (member.name, $0) } }
  }
}

extension Value {
  fileprivate var texts: [String]? { array?.compactMap(\.text) ?? text.map { [$0] } }
}
