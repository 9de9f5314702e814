import BackendKit
import Foundation
import TestSupport

/// Plain SQLite tables of what services hold, loaded past everything of ours.
final class Oracle: Sendable {
  private let program: RunningProgram

  /// A table: where its records are, and what it has of them.
  struct Table {
    var schema: String
    var name: String
    var url: String
    var at: [String] = []
    var headers: [String: String] = [:]
    var columns: [(name: String, type: String)]
  }

  init(_ tables: [Table]) async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Server/oracle.py")
    program = try RunningProgram(["python3", file.path])
    let documents: [Value] = tables.map { table in
      let fixed: [(String, Value)] = [
        ("schema", .string(table.schema)), ("name", .string(table.name)), ("url", .string(table.url)),
        ("at", .array(table.at.map { .string($0) })),
        ("headers", .object(Object(table.headers.map { ($0, .string($1)) }))),
        ("columns", .array(table.columns.map { .array([.string($0.name), .string($0.type)]) })),
      ]
      return .object(Object(fixed))
    }
    _ = try await ask(["tables": .array(documents)])
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The rows of a statement.
  func rows(_ sql: String) async throws -> [[Value]] {
    try await ask(["sql": .string(sql)])["rows"]?.array?.map { $0.array ?? [] } ?? []
  }

  private func ask(_ order: Value) async throws -> Object {
    try program.type(JSONWriter.compact(order) + "\n")
    let answer = try JSONReader.read(try await program.expect("\n"))
    if let error = answer.object?["error"]?.text { throw Failure(description: error) }
    return answer.object ?? Object()
  }
}

extension [Value] {
  /// The row in a spelling that two equal rows share: numbers by value, truth as a number.
  var spelled: String {
    map { value in
      switch value {
      case .null: "null"
      case .bool(let truth): truth ? "1" : "0"
      case .number(let number): String(format: "%.12g", number.double)
      case .string(let text): "'" + text + "'"
      case .array, .object: "'" + JSONWriter.compact(value) + "'"
      }
    }.joined(separator: "|")
  }
}
