import BackendKit
import ServiceDescription

/// The text of a description. Each edit changes one value at the place of its key and no other byte, and is only an
/// attempt: the result must be read again.
struct EditedText {
  let bytes: [UInt8]
  let tree: Node
  let flow: FlowText

  init(_ bytes: [UInt8], file: String) throws(Mistakes) {
    self.bytes = bytes
    tree = try DescriptionText.read(bytes, file: file)
    flow = FlowText(isJSON: file.lowercased().hasSuffix(".json"))
  }

  /// Returns whether a comment is on the line of a key or directly above it.
  func isCommented(_ path: [String]) -> Bool {
    guard let key = member(path)?.member.place.offset(in: bytes) else { return false }
    let line = lineStart(key)
    let above = line == 0 ? bytes[0..<0] : bytes[lineStart(line - 1)..<line].drop { Self.isBlank($0) }
    return hasComment(line..<lineEnd(key)) || above.first == UInt8(ascii: "#")
  }

  func setting(_ path: [String], to value: Value) -> [UInt8]? {
    guard let found = member(path), let start = valueStart(found.member) else { return nil }
    guard let lines = block(of: found.member, from: start) else {
      return replaced(start..<valueEnd(start, isFlow: found.isFlow), with: flow.text(value))
    }
    guard !hasComment(lines) else { return nil }
    let rest = replaced(lines, with: "")
    let colon = end(ofTextBefore: start)
    return Array(rest[..<colon]) + Array(" \(flow.text(value))".utf8) + rest[colon...]
  }

  func removing(_ path: [String]) -> [UInt8]? {
    guard let found = member(path), let key = found.member.place.offset(in: bytes),
      let start = valueStart(found.member)
    else { return nil }
    if found.isFlow {
      var range = key..<valueEnd(start, isFlow: true)
      let after = bytes[range.upperBound...].firstIndex { !Self.isBlank($0) } ?? bytes.endIndex
      if after < bytes.endIndex, bytes[after] == UInt8(ascii: ",") {
        let next = bytes[(after + 1)...].firstIndex { $0 != 0x20 } ?? bytes.endIndex
        range = range.lowerBound..<next
      } else if let comma = bytes[..<key].lastIndex(where: { !Self.isBlank($0) }), bytes[comma] == UInt8(ascii: ",") {
        range = comma..<range.upperBound
      }
      return hasComment(range) ? nil : replaced(range, with: "")
    }
    let line = lineStart(key)
    guard bytes[line..<key].allSatisfy(Self.isBlank) else { return nil }
    let end = block(of: found.member, from: start)?.upperBound ?? lineEnd(valueEnd(start, isFlow: false))
    return hasComment(line..<end) ? nil : replaced(line..<end, with: "")
  }

  func appending(_ elements: [Value], to path: [String]) -> [UInt8]? {
    guard let found = member(path), case .list(let known) = found.member.node.content,
      let start = valueStart(found.member)
    else { return nil }
    guard let lines = block(of: found.member, from: start) else {
      let close = valueEnd(start, isFlow: found.isFlow) - 1
      let place = end(ofTextBefore: close)
      let text = elements.map(flow.text).joined(separator: ", ")
      return replaced(place..<place, with: (known.isEmpty ? "" : ", ") + text)
    }
    guard let first = known.first?.place.offset(in: bytes) else { return nil }
    let mark = String(decoding: bytes[lineStart(first)..<first], as: UTF8.self)
    return inserted(elements.map { mark + flow.text($0) }, at: lines.upperBound)
  }

  /// Adds a missing key, with those that lead to it, at the end of its map.
  func inserting(_ path: [String], _ value: Value) -> [UInt8]? {
    var (node, depth) = (tree, 0)
    while depth < path.count - 1, let next = node[path[depth]], next.members != nil {
      (node, depth) = (next, depth + 1)
    }
    guard let members = node.members, node[path[depth]] == nil else {
      // A null is replaced by the rest of the path.
      let rest = path[(depth + 1)...].reversed().reduce(value) { .object(Object([($1, $0)])) }
      guard node[path[depth]]?.value == .null else { return nil }
      return setting(Array(path[...depth]), to: rest)
    }
    let rest = path[(depth + 1)...].reversed().reduce(value) { .object(Object([($1, $0)])) }
    let text = flow.member(path[depth], rest)
    let found = depth == 0 ? nil : member(Array(path[..<depth]))
    let start = found.map { valueStart($0.member) } ?? tree.place.offset(in: bytes)
    guard let start else { return nil }
    if start < bytes.endIndex, bytes[start] == UInt8(ascii: "{") {
      let place = end(ofTextBefore: valueEnd(start, isFlow: true) - 1)
      return replaced(place..<place, with: (members.isEmpty ? "" : ", ") + text)
    }
    guard let first = members.first?.place.offset(in: bytes) else { return nil }
    let margin = String(decoding: bytes[lineStart(first)..<first], as: UTF8.self)
    guard margin.allSatisfy({ $0 == " " }) else { return nil }
    let place = found.map { block(of: $0.member, from: start)?.upperBound } ?? lineEnd(end(ofTextBefore: bytes.count))
    return place.flatMap { inserted([margin + text], at: $0) }
  }
}

// MARK: Places

extension EditedText {
  /// A key's member, and whether it is within braces.
  private func member(_ path: [String]) -> (member: Node.Member, isFlow: Bool)? {
    var (node, isFlow) = (tree, isFlow(tree))
    for (depth, name) in path.enumerated() {
      guard let next = node.members?.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
      if depth == path.count - 1 { return (next, isFlow) }
      node = next.node
      isFlow = isFlow || self.isFlow(node)
    }
    return nil
  }

  /// Returns whether a map is in braces. An alias has the place of its anchor.
  private func isFlow(_ node: Node) -> Bool {
    guard let start = node.place.offset(in: bytes) else { return false }
    let place = skippingAnchor(start)
    return place < bytes.endIndex && bytes[place] == UInt8(ascii: "{")
  }

  /// The place after an anchor, if there is one, and the blanks around it.
  private func skippingAnchor(_ start: Int) -> Int {
    var place = start
    func skipBlanks() { while place < bytes.endIndex, [0x20, 0x09].contains(bytes[place]) { place += 1 } }
    skipBlanks()
    if place < bytes.endIndex, bytes[place] == UInt8(ascii: "&") {
      while place < bytes.endIndex, !Self.isBlank(bytes[place]) { place += 1 }
      skipBlanks()
    }
    return place
  }

  /// The place of a key's value after an anchor. If the value is on the lines below, the end of the line or a comment.
  private func valueStart(_ member: Node.Member) -> Int? {
    guard var place = member.place.offset(in: bytes), place < bytes.endIndex else { return nil }
    if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place]) { place = quoteEnd(place) }
    while place < bytes.endIndex, bytes[place] != UInt8(ascii: ":") {
      if bytes[place] == 0x0A { return nil }
      place += 1
    }
    return skippingAnchor(min(place + 1, bytes.endIndex))
  }

  /// The end of a value on one line, or in braces.
  private func valueEnd(_ start: Int, isFlow: Bool) -> Int {
    guard start < bytes.endIndex else { return start }
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoteEnd(start)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return bracketEnd(start)
    default: break
    }
    var place = start
    while place < bytes.endIndex, bytes[place] != 0x0A {
      if isFlow, [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[place]) { break }
      if isComment(place) { break }
      place += 1
    }
    return max(end(ofTextBefore: place), start)
  }

  private func bracketEnd(_ start: Int) -> Int {
    var (place, depth) = (start, 0)
    while place < bytes.endIndex {
      switch bytes[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"): place = quoteEnd(place) - 1
      case UInt8(ascii: "#") where isComment(place): place = lineEnd(place) - 1
      default: break
      }
      place += 1
      if depth == 0 { break }
    }
    return place
  }

  private func quoteEnd(_ start: Int) -> Int {
    let quote = bytes[start]
    var place = start + 1
    while place < bytes.endIndex {
      if quote == UInt8(ascii: "\""), bytes[place] == UInt8(ascii: "\\") {
        place += 1
      } else if bytes[place] == quote {
        guard quote == UInt8(ascii: "'"), place + 1 < bytes.endIndex, bytes[place + 1] == quote else { break }
        place += 1
      }
      place += 1
    }
    return min(place + 1, bytes.endIndex)
  }

  /// The lines of a value below its key; nil if it begins on the line of the key.
  private func block(of member: Node.Member, from start: Int) -> Range<Int>? {
    guard let key = member.place.offset(in: bytes), start >= bytes.endIndex || isLineEnd(start) || isComment(start)
    else {
      return nil
    }
    let margin = key - lineStart(key)
    var isList = false
    if case .list = member.node.content { isList = true }
    let begin = lineEnd(start)
    var (place, end) = (begin, begin)
    while place < bytes.endIndex {
      let next = lineEnd(place)
      let line = bytes[place..<next]
      let text = line.drop { $0 == 0x20 }
      if !text.allSatisfy(Self.isBlank), text.first != UInt8(ascii: "#") {
        let depth = line.count - text.count
        guard depth > margin || isList && depth == margin && text.first == UInt8(ascii: "-") else { break }
        end = next
      }
      place = next
    }
    return begin..<end
  }
}

// MARK: Bytes

extension EditedText {
  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x0A].contains(byte) }

  private func isLineEnd(_ place: Int) -> Bool { [0x0D, 0x0A].contains(bytes[place]) }

  private func isComment(_ place: Int) -> Bool {
    bytes[place] == UInt8(ascii: "#") && !flow.isJSON && (place == 0 || Self.isBlank(bytes[place - 1]))
  }

  private func hasComment(_ range: Range<Int>) -> Bool { range.contains { isComment($0) } }

  private func lineStart(_ place: Int) -> Int { bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 }

  /// The start of the next line.
  private func lineEnd(_ place: Int) -> Int { bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex }

  /// The end of the text before a place, without blanks.
  private func end(ofTextBefore place: Int) -> Int {
    bytes[..<place].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? 0
  }

  private func replaced(_ range: Range<Int>, with text: String) -> [UInt8] {
    bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...]
  }

  /// Inserts lines with the line ending of the others.
  private func inserted(_ lines: [String], at place: Int) -> [UInt8] {
    let end = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D ? "\r\n" : "\n" } ?? "\n"
    let isClosed = place == 0 || bytes[place - 1] == 0x0A
    return replaced(place..<place, with: (isClosed ? "" : end) + lines.map { $0 + end }.joined())
  }
}
