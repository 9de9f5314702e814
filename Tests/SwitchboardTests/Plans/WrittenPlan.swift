import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// A plan over the backends `json` and `todo`, written by hand: an owner, what refers to it, and todos elsewhere.
struct WrittenPlan {
  /// The lines, that of the header first.
  var lines: [String]

  /// Takes the header and the line of the other backend from plans of the console.
  init(for console: JournalConsole) async throws {
    var heads: [String] = []
    for name in ["json", "todo"] {
      let file = console.home.folder.path + "/\(name).plan"
      let run = try await console.run("plan --to \(file) delete \(name)/todos 1 --yes\n")
      #expect(run.status == 0, "\(run.errors)")
      heads.append(String(try String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "\n" }))
    }
    let other: [String: Any] = try heads[1].json()
    let place = ["backend", "origin", "prefix"].map { "\"\($0)\":\"\(other[$0] ?? "")\"" }.joined(separator: ",")
    lines = [
      heads[0].replacingOccurrences(of: #""switchboardPlan":1"#, with: #""switchboardPlan":2"#),
      #"{"verb":"create","resource":"users","new":"new:1","set":{"name":"Ada"}}"#,
      "{\(place)}",
      #"{"verb":"create","on":"todo","resource":"todos","new":"new:2","set":{"title":"new:1"}}"#,
      #"{"verb":"create","resource":"todos","set":{"userId":"new:1","title":"child","tags":["new:2",{"of":"new:1"}]}}"#,
      #"{"verb":"update","on":"todo","resource":"todos","id":"new:2","set":{"completed":true},"#
        + #""before":{"fields":{"title":"new:1","completed":false},"partial":true}}"#,
      #"{"verb":"update","resource":"users","id":"new:1","set":{"username":"ada"},"#
        + #""before":{"fields":{"name":"Ada"},"partial":true}}"#,
      #"{"verb":"delete","on":"todo","resource":"todos","id":"1","before":{"fields":{"id":1},"partial":true}}"#,
      #"{"writes":6}"#,
    ]
  }

  /// Writes the plan to a file of a console, and returns its path.
  func write(to name: String, of console: JournalConsole) throws -> String {
    try console.home.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  /// The writes that the service has had, in order, as method, dialect and path.
  static func sent(to console: JournalConsole) async throws -> [String] {
    let writes = try await console.demo.send("GET", "/_demo/writes").json() as? [[String: String]] ?? []
    return writes.map { "\($0["method"] ?? "") \($0["dialect"] ?? "")\($0["path"] ?? "")" }
  }

  /// Expects the records of the plan with the identifiers that the services gave, and every write once.
  static func expectDone(on console: JournalConsole) async throws {
    let owners: [[String: Any]] = try await console.run("list json/users name=Ada -o json\n").output.json()
    let owner = try #require(owners.first?["id"] as? Int)
    #expect(owners.count == 1 && owners.first?["username"] as? String == "ada")
    let todos: [[String: Any]] = try await console.run("list todo/todos title=\(owner) -o json\n").output.json()
    let todo = try #require(todos.first?["id"] as? Int)
    #expect(todos.count == 1 && todos.first?["completed"] as? Bool == true)
    let children: [[String: Any]] = try await console.run("list json/todos title=child -o json\n").output.json()
    #expect(children.count == 1 && children.first?["userId"] as? Int == owner)
    let tags = try #require(children.first?["tags"] as? [Any])
    #expect(tags.first as? String == "\(todo)" || tags.first as? Int == todo)
    #expect((tags.last as? [String: Any])?["of"] as? String == "\(owner)")
    #expect(
      try await sent(to: console) == [
        "POST jsonplaceholder/users", "POST kitura/", "POST jsonplaceholder/todos", "PATCH kitura/\(todo)",
        "PATCH jsonplaceholder/users/\(owner)", "DELETE kitura/1",
      ])
  }
}
