import BackendKit
import ServiceDescription

/// A sign of a kind of service, from its preset. A single sign never proves a product, since others may share it.
struct Sign: Sendable {
  private let facts: Object

  init?(_ value: Value) {
    guard let facts = value.object else { return nil }
    self.facts = facts
  }

  /// The sign in words.
  var name: String { facts["as"]?.text ?? facts["members"]?.texts.joined(separator: ", ") ?? "" }

  /// The path to the version in the response; nil if it has none.
  var version: [String]? { facts["version"]?.text.flatMap(MemberPath.names) }

  /// The path of the sign for a product whose API has this path.
  func path(below base: String) -> String {
    guard var path = facts["path"]?.text else { return base }
    var segments = base.split(separator: "/", omittingEmptySubsequences: false)
    while path.hasPrefix("../"), !segments.isEmpty {
      segments.removeLast()
      path.removeFirst(3)
    }
    let last = Candidates.last(base) ?? ""
    return "\(segments.joined(separator: "/"))/\(path.replacing(text: "{last}", with: last))"
  }

  /// Returns whether a response shows the sign. With `base`, the path of a product's API, an error response only shows
  /// signs that name its status.
  func isShown(by answer: ProbeResponse, below base: String? = nil) -> Bool {
    if let others = facts["any"]?.array {
      guard others.contains(where: { Sign($0)?.isShown(by: answer, below: base) == true }) else { return false }
    } else if base != nil, facts["status"] != "any" {
      guard facts["status"].map({ $0 == .int(answer.status) }) ?? answer.isSuccess else { return false }
    }
    func value(_ place: String) -> Value? {
      MemberPath.names(place).flatMap { names in answer.document.flatMap { ListShape.value($0, at: names) } }
    }
    func matches(_ text: String?, _ pattern: Value) -> Bool {
      guard let text, let pattern = pattern.text else { return false }
      return pattern.isEmpty || TextPattern(pattern)?.isFound(in: text, beyondASCII: true) == true
    }
    return facts.members.allSatisfy { key, wanted in
      switch key {
      case "members":
        wanted.named(or: "any").allSatisfy { place, kind in value(place).map { $0.isOf(kind) } ?? false }
      case "equals": wanted.named(or: "").allSatisfy { value($0) == $1 }
      case "texts":
        wanted.named(or: "").allSatisfy { place, pattern in
          value(place).map { $0.array ?? [$0] }?.contains { matches($0.text, pattern) } == true
        }
      case "headers": wanted.named(or: "").allSatisfy { name, pattern in matches(answer.header(name), pattern) }
      case "contentType": matches(answer.contentType, wanted)
      case "link": answer.link(wanted.text ?? "") != nil
      case "named": base.map { value(wanted.text ?? "")?.text == Candidates.last($0) } == true
      case "includes":
        wanted.named(or: "").allSatisfy { place, lists in
          let rows = value(place)?.array ?? []
          return lists.named(or: "").allSatisfy { field, names in
            names.texts.allSatisfy { name in rows.contains { $0.object?[field] == .string(name) } }
          }
        }
      default: true
      }
    }
  }
}

extension Value {
  var texts: [String] { array?.compactMap(\.text) ?? [] }

  /// The members of an object, or the names in a list, each with this value.
  fileprivate func named(or value: Value) -> [(String, Value)] {
    object?.members.map { ($0, $1) } ?? texts.map { ($0, value) }
  }

  fileprivate func isOf(_ kind: Value) -> Bool {
    kind == "any" || kind == .string(self.kind) || kind == "integer" && integer != nil
  }
}
