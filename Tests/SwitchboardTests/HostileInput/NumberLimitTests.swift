import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Every number that a configuration may have is held against its limits where it is read.
@Suite("Numbers of a configuration") struct NumberLimitTests {
  /// A key that takes a number, and its limits by the schema.
  struct Key: Sendable, CustomTestStringConvertible {
    var path: [String]
    var isWhole: Bool
    var limits: ClosedRange<Double>
    var testDescription: String { path.joined(separator: ".") }
  }

  static let numbers = [
    "9223372036854775807", "-9223372036854775808", "2147483648", "1e308", "-1e308", "5e-324", "1e-320", "1e-30",
    "1e-20",
    "0.0001", "-1", "0",
  ]

  static let keys: [Key] = {
    let file = ConsoleRun.root.appending(path: "docs/config.schema.json")
    guard let schema = (try? Data(contentsOf: file)).flatMap({ try? JSONReader.read(Array($0)) }) else { return [] }
    var keys: [Key] = []
    func walk(_ part: Value?, _ path: [String]) {
      guard let object = part?.object else { return }
      let name = object["$ref"]?.text.flatMap { $0.hasPrefix("#/$defs/") ? String($0.dropFirst(8)) : nil }
      if let name { walk(schema.object?["$defs"]?.object?[name], path) }
      if let kind = object["type"]?.text, ["integer", "number"].contains(kind) {
        func limit(_ name: String) -> Double { object[name].flatMap { Double($0.plainText) } ?? .nan }
        let (low, high) = (limit("minimum"), limit("maximum"))
        keys.append(
          Key(path: path, isWhole: kind == "integer", limits: low <= high ? low...high : -.infinity ... .infinity))
      }
      for choice in ["anyOf", "oneOf", "allOf"].flatMap({ object[$0]?.array ?? [] }) { walk(choice, path) }
      for (name, inner) in object["properties"]?.object.map({ Array($0.members) }) ?? [] { walk(inner, path + [name]) }
      for inner in ["additionalProperties"].compactMap({ object[$0] })
        + (object["patternProperties"]?.object?.members.map { $0.1 } ?? [])
      { walk(inner, path + ["b"]) }
    }
    walk(schema, [])
    return keys
  }()

  @Test("the schema names limits of all of them") func schema() {
    let names = Set(Self.keys.map(\.testDescription))
    #expect(
      names.isSuperset(of: [
        "settings.perPage", "settings.maxScan", "settings.readAhead", "backends.b.requestsPerSecond",
        "backends.b.maxConcurrent", "backends.b.maxChanges", "backends.b.timeouts.total",
      ]), "\(names)")
    for key in Self.keys { #expect(key.limits.upperBound < 1e10 && key.limits.lowerBound > -1e10, "\(key.path)") }
  }

  @Test("are refused beyond their limits, and taken at them", arguments: keys) func extremes(key: Key) async throws {
    let ends = [key.limits.lowerBound, key.limits.upperBound].map { key.isWhole ? String(Int($0)) : String($0) }
    for number in Self.numbers + ends {
      let value = Double(number) ?? .nan
      let isTaken = key.limits.contains(value) && (!key.isWhole || Int(number) != nil)
      var text = number
      for name in key.path.reversed() {
        // A backend, which needs more.
        if name == "b" { text = #"{"plugin": "jsonplaceholder", "url": "demo:jsonplaceholder", "# + text.dropFirst() }
        text = "{\"\(name)\": \(text)}"
      }
      let home = try ConsoleRun.Home(configuration: "{\"switchboard\": 1, \(text.dropFirst().dropLast())}")
      let run = try await home.run("show output\n")
      #expect((run.status == 0) == isTaken, "\(number): \(run.status) \(run.errors)")
      #expect(isTaken || run.status == 3 && run.errors.contains(key.path.last ?? ""), "\(number): \(run.errors)")
    }
  }
}
