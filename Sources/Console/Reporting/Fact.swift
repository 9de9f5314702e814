import BackendKit

/// A fact for programs as the value of a member; nil leaves the member out.
protocol Fact {
  var fact: Value? { get }
}

extension Value: Fact { var fact: Value? { self } }
extension Object: Fact { var fact: Value? { .object(self) } }
extension String: Fact { var fact: Value? { .string(self) } }
extension Number: Fact { var fact: Value? { .number(self) } }
extension Int: Fact { var fact: Value? { .int(self) } }
extension Int64: Fact { var fact: Value? { .int(Int(self)) } }
extension Bool: Fact { var fact: Value? { .bool(self) } }
extension Optional: Fact where Wrapped: Fact { var fact: Value? { self?.fact } }
extension Array: Fact where Element: Fact { var fact: Value? { .array(compactMap(\.fact)) } }

extension Object {
  init(facts: [(String, any Fact)] = [], _ more: [(String, Value?)] = []) {
    self.init((facts.map { ($0, $1.fact) } + more).compactMap { name, value in value.map { (name, $0) } })
  }
}
