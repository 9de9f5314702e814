import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// A service changes, and `backends check --update` changes its description: the lines that are proved, and no other.
@Suite("Drift of a description") struct DriftTests {
  /// A service that was added, and its description.
  struct Added {
    let server: StyleServer
    let file: URL

    /// Adds the service as it was at first; `text` takes the place of its description.
    init(_ text: String? = nil, named name: String = "it.yaml", only: [String] = []) async throws {
      server = try await StyleServer("drifting")
      let options = "it --yes" + only.map { " --only \($0)" }.joined()
      #expect(try await server.add("api", options).status == 0)
      file = server.file("services/\(name)")
      guard let text else { return }
      try Data(text.utf8).write(to: file)
      let entry = #"{"plugin": "rest", "url": "\#(server.address)/api", "description": "services/\#(name)"}"#
      try configure(entry)
    }

    func configure(_ entry: String) throws {
      _ = try server.home.write(
        #"{"switchboard": 1, "backends": {"it": \#(entry)}}"#, to: "config/switchboard/config.json")
    }

    func become(_ states: String...) throws { _ = try server.read("become?" + states.joined(separator: "&")) }

    func check(_ options: String = "--yes") async throws -> ConsoleRun {
      try await server.run("backends check it \(options)")
    }

    var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }
    /// The same for messages; empty where it cannot be read.
    var shown: String { (try? text) ?? "" }
  }

  @Test(
    "a change of the service is shown, proposed and made",
    arguments: [
      ("field", "resources.things.fields.priority", "+      priority: {", ""),
      ("gone", "resources.things.fields.colour", "-      colour:", "colour"),
      ("kind", "resources.things.fields.n.type", "+        type: text", ""),
      ("value", "resources.things.fields.state.values", "+        values: [open, done, held]", "[open, done]"),
      ("size", "resources.things.size.maximum", "+  maximum: 10", "maximum: 20"),
      ("method", "resources.things.delete", "+delete: null", "delete:\n"),
    ])
  func made(_ state: String, _ path: String, _ line: String, _ gone: String) async throws {
    let it = try await Added(only: ["things"])
    try it.become(state)
    let before = try it.text
    let found = try await it.check("--yes -o json")
    #expect(found.status == 1)
    let record = try found.claims.first { $0["path"] == .string(path) }
    #expect(record != nil, "\(found.output)\(found.errors)")
    let dry = try await it.check("--yes --update --dry-run")
    #expect(dry.output.contains("\n\(line)"), "\(dry.output)\(dry.errors)\(before)")
    #expect(try it.text == before)
    let run = try await it.check("--yes --update")
    #expect(run.status == 0 && run.errors.contains("changed \(it.file.path)"), "\(run.output)\(run.errors)")
    let after = try it.text
    #expect(gone.isEmpty || !after.contains(gone), "\(after)")
    let again = try await it.check("--yes --update")
    #expect(again.status == 0 && again.output.isEmpty, "\(again.output)\(again.errors)")
    #expect(again.errors.contains("it matches services/it.yaml"), "\(again.errors)")
    #expect(try it.text == after)
  }

  /// A description of two resources, which have the size of their pages in common.
  static let two = """
    switchboard: 1
    records: {listPath: items}
    page: {style: offset, parameter: offset}
    size: {parameter: limit, default: 10, maximum: 20}
    total: {member: total}
    resources:
      things: {additionalFields: true}
      others:
        additionalFields: true   # as they come

      # the end

    """

  @Test(
    "what holds for all resources changes there, and what holds for one of them in that one",
    arguments: [
      ("one", "things: {additionalFields: true}", "things: {additionalFields: true, size: {maximum: 10}}"),
      ("size", "maximum: 20", "maximum: 10"),
    ])
  func shared(_ state: String, _ before: String, _ after: String) async throws {
    let it = try await Added(Self.two)
    try it.become(state)
    let run = try await it.check("--yes --update")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try it.text == Self.two.replacing(before, with: after))
  }

  @Test func `two resources of a description at one path are both looked at`() async throws {
    let size = "size: {parameter: limit, default: 10, maximum: 20}, additionalFields: true"
    let it = try await Added(
      """
      switchboard: 1
      records: {listPath: items}
      page: {style: offset, parameter: offset}
      total: {member: total}
      resources:
        things: {\(size)}
        twins: {paths: {collection: things}, \(size)}

      """)
    try it.become("size")
    let run = try await it.check("--yes -o json")
    #expect(run.status == 1, "\(run.errors)")
    let paths = try run.claims.compactMap { $0["path"]?.text }
    for name in ["things", "twins"] {
      #expect(paths.contains("resources.\(name).size.maximum"), "\(run.output)\(run.errors)")
    }
  }

  /// A description that a person has written.
  static let own = """
    # Of the people who run it.\tDo not touch.
    switchboard: 1
    base: {arrays: repeat}
    records: {listPath: items}   # where they are
    page: {style: offset, parameter: offset}
    size: &size {parameter: limit, default: 10, maximum: 20, whenTooLarge: clamp}  # asked twice
    identifier: {field: id, type: integer}
    total: {member: total}
    delete: {}
    resources:
      things:
        size: *size
        fields:
          id: {type: integer, readOnly: true}
          name: text
          n: &count integer
          # open or done
          state:
            type: text
            values:
              - open   # not yet
              - done
          colour: text
        additionalFields: true

    """

  @Test(
    "what a person has written stays, but for what is proved, and so does every other byte", arguments: ["\n", "\r\n"])
  func person(_ end: String) async throws {
    let text = Self.own.replacing("\n", with: end)
    let it = try await Added(text)
    try it.become("gone", "kind", "value", "size", "method", "field")
    let run = try await it.check("--yes --update")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("things: no record that was read has the field colour"), "\(run.errors)")
    #expect(run.errors.contains("things: not described, as the description permits: priority"), "\(run.errors)")
    #expect(run.errors.contains("resources.things.fields.n is left: it was written by hand"), "\(run.errors)")
    #expect(run.errors.contains("resources.things.delete is left: it was written by hand"), "\(run.errors)")
    let after = try it.text
    var wanted = text.replacing("          - done", with: "          - done\(end)          - held")
    // The anchor stands for both places.
    wanted = wanted.replacing("maximum: 20", with: "maximum: 10")
    #expect(after == wanted, "\(run.output)\(run.errors)\(after)")
  }

  @Test func `a line of add on which a person has commented counts as that person's`() async throws {
    let it = try await Added(only: ["things"])
    let text = try it.text.replacing("      colour:\n", with: "      # of the label\n      colour:\n").replacing(
      "      \"n\":\n        type: integer\n", with: "      \"n\":\n        type: integer  # in kg\n")
    #expect(text != it.shown)
    try Data(text.utf8).write(to: it.file)
    try it.become("gone", "kind")
    let run = try await it.check("--yes --update")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    for name in ["fields.colour", "fields.n.type"] {
      #expect(run.errors.contains("\(name) is left: it has a hand-written comment"), "\(run.errors)")
    }
    #expect(try it.text == text)
  }

  @Test func `a description in JSON stays JSON`() async throws {
    let it = try await Added(
      """
      {
        "switchboard": 1, "records": {"listPath": "items"},
        "page": {"style": "offset", "parameter": "offset"}, "identifier": {"field": "id"},
        "size": {"parameter": "limit", "default": 10, "maximum": 20, "whenTooLarge": "clamp"},
        "total": {"member": "total"}, "resources": {
          "things": {"fields": {"state": {"type": "text", "values": ["open", "done"]}}, "additionalFields": true}
        }
      }

      """, named: "it.json")
    try it.become("value", "size")
    let before = try it.text
    let run = try await it.check("--yes --update")
    #expect(
      try it.text
        == before.replacing("\"maximum\": 20", with: "\"maximum\": 10").replacing(
          "\"done\"]", with: "\"done\", \"held\"]"), "\(run.output)\(run.errors)")
  }

  @Test func `what the configuration says is left to the person who has written it there`() async throws {
    let it = try await Added(Self.own)
    try it.configure(
      """
      {"plugin": "rest", "url": "\(it.server.address)/api", "description": "services/it.yaml",
       "override": {"resources": {"things": {"size": {"maximum": 20}}}}}
      """)
    try it.become("size")
    let run = try await it.check("--yes --update")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("size.maximum is left: it is set under `override` in the configuration"), "\(run.errors)")
    #expect(try it.text == Self.own)
    try it.configure(
      """
      {"plugin": "rest", "url": "\(it.server.address)/api",
       "override": {"records": {"listPath": "items"}, "size": {"parameter": "limit", "maximum": 20},
                    "resources": {"things": {"additionalFields": true}}}}
      """)
    let alone = try await it.check("--yes --update")
    #expect(alone.status == 1 && alone.errors.contains("it has no description file"), "\(alone.output)\(alone.errors)")
  }

  @Test func `a file that is not to be changed is said before anything is sent`() async throws {
    let it = try await Added(Self.own)
    try it.become("size")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: it.file.path)
    let run = try await it.check("--yes --update")
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains("\(it.file.path) cannot be changed: it is read only"), "\(run.errors)")
    #expect(!run.errors.contains("at most"), "\(run.errors)")
    let restricted = try await it.server.run("backends check it --update --yes", options: ["--restricted"])
    #expect(restricted.status == 2 && !restricted.errors.contains("at most"), "\(restricted.errors)")
    #expect(try it.text == Self.own)
    let alone = try await it.check("--yes --dry-run")
    #expect(alone.status == 2 && alone.errors.contains("--dry-run needs --update"), "\(alone.errors)")
  }

  @Test func `a service that is down changes nothing`() async throws {
    let it = try await Added(Self.own)
    try it.configure(#"{"plugin": "rest", "url": "http://127.0.0.1:9/api", "description": "services/it.yaml"}"#)
    let run = try await it.check("--yes --update")
    #expect(run.status == 4, "\(run.errors)")
    #expect(run.output.isEmpty && run.errors.matches(of: #/(?m)^\S+ error: /#).count == 1, "\(run.output)\(run.errors)")
    #expect(try it.text == Self.own)
  }

  @Test func `the changes are asked about at the prompt, and a script needs --yes`() async throws {
    let it = try await Added(Self.own)
    try it.become("size")
    let no = try await it.server.type("backends check it --update", "y", "n")
    #expect(no.contains("Make 1 change in \(it.file.path)?") && no.contains("nothing was changed"), "\(no)")
    #expect(try it.text == Self.own)
    let script = try await it.check("--update")
    #expect(script.status == 2 && script.errors.contains("needs --yes"), "\(script.errors)")
    let yes = try await it.server.type("backends check it --update", "y", "y")
    #expect(yes.contains("changed \(it.file.path): 1 change"), "\(yes)")
    #expect(try it.text == Self.own.replacing("maximum: 20", with: "maximum: 10"))
  }

  @Test func `evidence has its day, and a check says if the service has another version since`() async throws {
    let it = try await Added(only: ["things"])
    let today = try #require(try it.text.firstMatch(of: /\n  date: "([0-9]{4}-[0-9]{2}-[0-9]{2})"\n/)).1
    #expect(try it.text.contains("\n  version: \"1.0\"\n"), "\(it.shown)")
    let old = try it.text.replacing("date: \"\(today)\"", with: "date: \"2020-02-03\"")
    try Data(old.utf8).write(to: it.file)
    try it.become("version", "size")
    let run = try await it.check("--yes --update")
    #expect(
      run.errors.contains("services/it.yaml is for version 1.0 of 2020-02-03, and the service now has version 2.0"),
      "\(run.errors)")
    #expect(run.output.contains("the description says 20, as of 2020-02-03"), "\(run.output)")
    // Midnight may have passed.
    let days = Set(it.shown.matches(of: /\bdate: "([0-9-]+)"/).map { $0.1 })
    #expect(days.count == 2 && days.contains("2020-02-03"), "\(it.shown)")
  }
}
