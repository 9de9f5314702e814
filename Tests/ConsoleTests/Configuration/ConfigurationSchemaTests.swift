import BackendKit
import ConsoleSupport
import Foundation
import Testing

@testable import ConsoleSetup

/// docs/config.schema.json against the reader: the same keys, and the same bounds of their values.
@Suite struct ConfigurationSchemaTests {
  private let schema: Value

  init() throws {
    schema = try JSONReader.read(Array(Data(contentsOf: ConsoleRun.root.appending(path: "docs/config.schema.json"))))
  }

  /// The value that a reference within the schema leads to, or the value itself.
  private func resolved(_ value: Value) throws -> Value {
    guard let place = value.object?["$ref"]?.text, place.hasPrefix("#/") else { return value }
    return try place.dropFirst(2).split(separator: "/").reduce(schema) { try #require($0.object?[String($1)]) }
  }

  /// The keys below a key, with the schemas of their values; those of a backend below `backends`.
  private func keys(_ path: String...) throws -> [(name: String, schema: Value)] {
    var value = schema
    for name in path {
      let own = try #require(value.object?["properties"]?.object?[name])
      value = try resolved(name == "backends" ? try #require(own.object?["additionalProperties"]) : own)
    }
    let properties = try #require(value.object?["properties"]?.object)
    return try properties.members.map { ($0, try resolved($1)) }
  }

  /// The complaint about a configuration with a value at a path of keys; nil if the reader takes it.
  private func complaint(_ value: Value, at path: [String]) throws -> ConfigurationError? {
    var value = value
    for name in path.dropFirst().reversed() { value = .object(Object([(name, value)])) }
    if path.first == "backends" {
      let backend =
        [("plugin", Value.string("p")), ("url", .string("http://h"))] + Array(value.object?.members ?? Object().members)
      value = .object(Object([("b", .object(Object(backend)))]))
    }
    do throws(ConfigurationError) {
      let file = try ConfigurationFile(Object([(path[0], value)]), shown: "config.json")
      _ = try ConfigurationReader(file: file, isTrusted: true, environment: [:], isOwn: true).content()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    [], ["settings"], ["journalKeep"], ["backends"], ["backends", "tls"], ["backends", "timeouts"],
  ])
  func `the schema has the keys that the reader knows`(path: [String]) throws {
    // The reader names what it knows when it meets what it does not.
    let hint = try #require(try complaint(.bool(true), at: path + ["zzzzzzzzzzzzzzzz"])?.hint)
    let known = hint.dropFirst("known keys: ".count).split(separator: ", ").map(String.init)
    let described =
      switch path.count {
      case 0: try keys()
      case 1: try keys(path[0])
      default: try keys(path[0], path[1])
      }
    #expect(Set(described.map(\.name)) == Set(known))
  }

  @Test func `numbers, choices and flags of the schema are those that the reader takes`() throws {
    var all =
      try keys("settings").map { (["settings", $0], $1) } + keys("journalKeep").map { (["journalKeep", $0], $1) }
    all += try keys("backends").map { (["backends", $0], $1) } + keys().map { ([$0], $1) }
    for group in ["tls", "timeouts"] { all += try keys("backends", group).map { (["backends", group, $0], $1) } }
    var judged = 0
    for (path, schema) in all {
      func expect(_ value: Value, isTaken: Bool) throws {
        judged += 1
        let isRight = (try complaint(value, at: path) == nil) == isTaken
        #expect(isRight, "\(path.joined(separator: ".")): \(JSONWriter.compact(value))")
      }
      if let lowest = schema.object?["minimum"], let highest = schema.object?["maximum"] {
        for edge in [lowest, highest] { try expect(edge, isTaken: true) }
        let outside = [(lowest.integer ?? 0) - 1, try #require(highest.integer) + 1]
        for number in outside { try expect(.int(number), isTaken: false) }
        try expect(.string("1"), isTaken: false)
      }
      if let words = schema.object?["enum"]?.array {
        for word in words { try expect(word, isTaken: true) }
        try expect(.string("zzzz"), isTaken: false)
      }
      if schema.object?["type"]?.text == "boolean" {
        for flag in [true, false] { try expect(.bool(flag), isTaken: true) }
        for other in [Value.int(1), .string("true")] { try expect(other, isTaken: false) }
      }
    }
    #expect(judged > 80)
  }
}
