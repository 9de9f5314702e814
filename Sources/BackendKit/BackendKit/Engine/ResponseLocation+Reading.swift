extension Service.ResponseLocation {
  /// The text or number there.
  func text(in document: Value?, _ answer: HTTPResponse) -> String? {
    switch self {
    case .header(let name, let path):
      guard !path.isEmpty else { return answer.header(name) }
      return Self.text(at: path, in: answer.header(name).flatMap { try? JSONReader.read(Array($0.utf8)) })
    case .member(let path): return Self.text(at: path, in: document)
    case .parameter(let name, let path):
      return Self.text(at: path, in: document).flatMap { Self.parameter(name, of: $0) }
    case .relation(let name): return answer.link(name)
    case .entry(let path, let key, let wanted, let member):
      return document?.at(path)?.array?.first { $0.object?[key]?.text == wanted }?.object?[member]?.text
    case .contentRange:
      return answer.header("Content-Range")?.split(separator: "/").last.map(String.init)
    }
  }

  /// Returns whether the response has nothing at the place, not even null; with `isWhole`, whether the surrounding
  /// objects are missing, too.
  func isAbsent(in document: Value?, _ answer: HTTPResponse, isWhole: Bool = false) -> Bool {
    switch self {
    case .header(let name, _): answer.header(name) == nil
    case .relation(let name): isWhole ? answer.header("Link") == nil : answer.link(name) == nil
    case .contentRange: answer.header("Content-Range") == nil
    case .member(let path), .parameter(_, let path): document?.at(isWhole ? Array(path.prefix(1)) : path) == nil
    case .entry(let path, _, _, _):
      isWhole ? document?.at(Array(path.prefix(1))) == nil : text(in: document, answer) == nil
    }
  }

  /// Returns whether there is something that is neither a text nor a number, and not empty.
  func isUnreadable(in document: Value?) -> Bool {
    guard case .member(let path) = self, let value = document?.at(path), Self.text(at: path, in: document) == nil
    else { return false }
    return switch value {
    case .array, .object: value.hasContent
    case .bool(let isTrue): isTrue
    case .null, .string, .number: false
    }
  }

  private static func text(at path: [String], in document: Value?) -> String? {
    switch document?.at(path) {
    case .string(let text)?: text
    case .number(let number)?: number.text
    // A link with facts about it.
    case .object(let link)?: link["href"]?.text
    default: nil
    }
  }

  private static func parameter(_ name: String, of address: String) -> String? {
    guard let query = address.split(separator: "?", maxSplits: 1).last else { return nil }
    for part in query.prefix(while: { $0 != "#" }).split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2, PercentEncoding.decode(pair[0]) == name { return PercentEncoding.decode(pair[1]) }
    }
    return nil
  }

  /// The whole number there, at least 0; nil if it cannot be used for counting.
  func count(in document: Value?, _ answer: HTTPResponse) -> Int? {
    text(in: document, answer).flatMap { Int($0) }.flatMap { (0...Window.most).contains($0) ? $0 : nil }
  }
}

extension HTTPResponse {
  /// The address with a relation in the header fields Link.
  public func link(_ relation: String) -> String? {
    for (name, value) in headers where name.lowercased() == "link" {
      var rest = value[...]
      while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let address = rest[rest.index(after: open)..<close]
        rest = rest[rest.index(after: close)...]
        var isQuoted = false
        let facts = rest.prefix {
          if $0 == "\"" { isQuoted.toggle() }
          return isQuoted || $0 != ","
        }
        rest = rest[facts.endIndex...]
        let relations = facts.split(separator: ";").compactMap { fact -> Substring? in
          let pair = fact.split(separator: "=", maxSplits: 1)
          guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "rel" else { return nil }
          return pair[1]
        }
        let words = relations.first?.split { $0 == " " || $0 == "\"" } ?? []
        if words.contains(where: { $0.lowercased() == relation }) { return String(address) }
      }
    }
    return nil
  }
}
