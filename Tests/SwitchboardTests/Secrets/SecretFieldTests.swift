import BackendKit
import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Fields that a description declares as secret are held as those that the configuration lists.
@Suite("Secret fields") struct SecretFieldTests {
  /// The places in which the console leaves or shows something other than the requested result.
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case command, format, report, trace, log, recording, journal, plan, message

    var testDescription: String { rawValue }
  }

  /// The way the value came to the console.
  enum Use: String, CaseIterable, CustomTestStringConvertible {
    case read, written, condition

    var testDescription: String { rawValue }
  }

  /// Who says that the fields are secret.
  enum Origin: String, CaseIterable, CustomTestStringConvertible {
    case description, configuration

    var testDescription: String { rawValue }
  }

  private let home: ConsoleRun.Home
  private let service: PythonServer

  init() async throws {
    home = try ConsoleRun.Home()
    service = try await PythonServer("../Server/secrets.py")
    for origin in Origin.allCases {
      let isDescribed = origin == .description
      let field = isDescribed ? "{type: text, secret: true}" : "text"
      _ = try home.write(
        """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        resources:
          items:
            fields:
              id: {type: integer, readOnly: true}
              title: text
              phrase: \(field)
              vault: {type: object, fields: {pin: \(field), shelf: integer}}
            filter: {fields: [phrase, title], conditions: {"=": {template: "{field}", accuracy: exact}}}
            actions: {seal: {path: seal, fields: {seal: \(field)}}}
          drafts: {fields: {id: {type: integer, readOnly: true}, title: text, phrase: \(field)}}
        """, to: "\(origin).yaml")
      let secrets = isDescribed ? "" : #", "secrets": ["phrase", "pin", "seal"]"#
      _ = try home.write(
        """
        {"switchboard": 1, "default": "s", "backends": {"s": {"plugin": "rest", "url": "\(service.address)",
          "description": "\(origin).yaml", "resource": "items"\(secrets)}}}
        """, to: "\(origin).json")
    }
  }

  private func run(
    _ script: String, _ options: [String] = [], _ origin: Origin = .description
  ) async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", "\(home.folder.path)/\(origin).json"] + options, input: script + "\n", in: home)
  }

  /// A text as it may be found.
  private static func spellings(_ secret: String) -> [String] {
    let data = Data(secret.utf8)
    let json = secret.replacing("é", with: "\\u00e9")
    let hexadecimal = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return [
      secret, json, secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
      secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "", hexadecimal,
      hexadecimal.uppercased(), data.base64EncodedString(), String(secret.suffix(9)),
    ]
  }

  private func read(_ name: String) -> String {
    (try? String(decoding: Data(contentsOf: home.folder.appending(path: name)), as: UTF8.self)) ?? ""
  }

  /// All files that a run leaves in its folders.
  private func leftFiles() throws -> String {
    let folder = home.folder.appending(path: "state")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }
      .filter { (try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
      .map { file in
        // SQLite may still be removing the files beside its database.
        do { return String(decoding: try Data(contentsOf: file), as: UTF8.self) } catch CocoaError.fileReadNoSuchFile {
          return ""
        }
      }.joined(separator: "\n")
  }

  /// Returns the text that a use leaves in a place, and the secrets that must not be in it.
  private func trial(_ way: Way, _ use: Use, _ origin: Origin) async throws -> (text: String, secrets: [String]) {
    let (command, secrets): (String, [String]) =
      switch use {
      case .read: ("get 1", ["sécret phrase=1", "sécret pin=1"])
      case .written:
        ("update 1 phrase='sécret written' vault.pin='sécret nested'", ["sécret written", "sécret nested"])
      case .condition: ("list --where \"phrase = 'sécret phrase=2'\" --fields title", ["sécret phrase=2"])
      }
    let comparison = "get 1 --to one.txt\nexpect $last.phrase = 'other'"
    let refused =
      use == .written
      ? "update 1 phrase='sécret refuse-plain written'"
      : "list --where \"phrase = 'sécret refuse-plain asked'\" --fields title"
    let refusedSecret = use == .written ? "sécret refuse-plain written" : "sécret refuse-plain asked"
    switch way {
    case .command:
      if use == .read {
        let compared = try await run(comparison, [], origin)
        return (compared.errors, secrets)
      }
      let checked = try await run("\(command) --nope", ["--check"], origin)
      let failed = try await run("\(command) --nope", [], origin)
      #expect(checked.status == 2 && failed.status == 2, "\(checked.errors)\(failed.errors)")
      var explained = ""
      if use == .condition {
        for format in ["table", "json"] {
          let run = try await run("explain \(command) -o \(format)", [], origin)
          #expect(run.status == 0 && run.output.contains("[blanked]"), "\(run.output)\(run.errors)")
          explained += run.output
        }
      }
      return (checked.errors + failed.errors + explained, secrets)
    case .format:
      let traced = try await run(command, ["--errors", "json", "--trace"], origin)
      return (traced.errors, secrets)
    case .report:
      let script = use == .read ? comparison : refused
      var text = ""
      for form in ["junit", "tap"] { text += try await run(script, ["--report", form], origin).output }
      return (text, use == .read ? secrets : [refusedSecret])
    case .trace:
      let traced = try await run(command, ["--trace"], origin)
      return (traced.errors, secrets)
    case .log:
      _ = try await run(command + "\n" + refused, ["--log", "run.log", "--on-error", "continue"], origin)
      return (read("run.log"), secrets + [refusedSecret])
    case .recording:
      _ = try await run(command + "\n" + refused, ["--record", "run.rec", "--on-error", "continue"], origin)
      return (read("run.rec"), secrets + [refusedSecret])
    case .journal:
      let writes =
        switch use {
        case .read: "update title=new --where 'id < 9' --yes"
        case .written:
          "\(command)\n\(refused)\ncreate title=z phrase='sécret created' vault:='{\"pin\": \"sécret cpin\"}'"
        case .condition: "update title=new --where \"phrase = 'sécret phrase=2'\" --yes"
        }
      let run = try await self.run(writes, ["--on-error", "continue"], origin)
      #expect(use == .written || run.status == 0, "\(run.errors)")
      let shown = try await self.run("journal --all -o json", [], origin)
      #expect(shown.output.contains("update"), "\(shown.errors)")
      let left = try leftFiles()
      return (left + shown.output, secrets + ["sécret created", "sécret cpin", refusedSecret])
    case .plan:
      let planned =
        switch use {
        case .read: "plan --to a.plan update 1 title=new"
        case .written: "plan --to a.plan \(command)"
        case .condition: "plan --to a.plan update title=new --where \"phrase = 'sécret phrase=2'\""
        }
      let run = try await self.run(planned, [], origin)
      // A plan with a secret could not be carried out without keeping it.
      #expect((run.status == 0) == (use != .written), "\(run.errors)")
      return (run.output + run.errors + read("a.plan"), secrets)
    case .message:
      if use == .read {
        let failed = try await run("get 1 --to one.txt\nget 9", [], origin)
        return (failed.errors, secrets)
      }
      var text = ""
      var secrets: [String] = []
      for kind in ["plain", "hex", "base64", "wrapped", "quoted"] {
        let run = try await self.run(refused.replacing("plain", with: kind), [], origin)
        #expect(run.errors.contains("not taken"), "\(run.errors)")
        text += run.errors
        secrets.append(refusedSecret.replacing("plain", with: kind))
      }
      // The last line of what was wrapped, with its own place among the encoded bytes.
      let wrapped = (Data(repeating: UInt8(ascii: "x"), count: 52) + Data((secrets[3]).utf8)).base64EncodedString()
      secrets.append(String(wrapped.suffix(12).prefix(8)))
      return (text, secrets)
    }
  }

  @Test("hold their values in everything but the result that was asked for", arguments: Way.allCases, Use.allCases)
  func table(way: Way, use: Use) async throws {
    for origin in Origin.allCases {
      let (text, secrets) = try await trial(way, use, origin)
      #expect(text.contains("[blanked]") || way == .plan || way == .journal || way == .command, "\(text)")
      for secret in secrets {
        for spelling in Self.spellings(secret) {
          #expect(!text.contains(spelling), "\(origin): \(way) of \(use) holds \(spelling): \(text)")
        }
      }
    }
  }

  /// A service that shows or takes a secret field in a way that does not name it, and a command that meets it.
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var facts: String
    var command: String
    var testDescription: String { name }

    init(_ name: String, _ facts: String, _ command: String) {
      (self.name, self.facts, self.command) = (name, facts, command)
    }
  }

  private static let mapped = "sécret it's mapped"
  private static let pin = "pin: {type: text, secret: true}"
  private static let fields = "    fields: {id: {type: integer, readOnly: true}, title: text, \(pin)}\n"
  private static let asked = fields + "    filter: {fields: [pin], conditions: {\"=\": "
  private static let keyed = "    identifier: {field: pin, type: text}\n    fields: {\(pin), title: text}\n"
  private static let condition = "list pin=\"\(mapped)\""

  static let shapes = [
    Shape("nested", fields.replacing("secret: true", with: "secret: true, readPath: auth.code"), "update 1 title=x"),
    Shape(
      "table", "    records: {layout: table, listPath: rows, columns: columns}\n    paths: {item: null}\n" + fields,
      "list"),
    Shape(
      "map",
      "    records: {layout: map, valueField: pin}\n" + keyed.replacing("field: pin,", with: "field: title,"), "list"),
    Shape("keyed", keyed, "update \"\(mapped)\" title=x"),
    Shape("keyed", keyed, "get \"\(mapped)\" --to one.txt"),
    Shape("keyed", keyed + "    create: {returns: location}\n", "create title=x"),
    Shape("asked", asked + "{template: q, value: \"{value}\", accuracy: exact}}}\n", condition),
    Shape(
      "asked",
      fields + "    filter: {fields: [pin], language: {parameter: q, and: {layout: list, member: f}}, conditions: "
        + "{\"=\": {document: {name: \"{field}\", val: \"{value}\"}, accuracy: exact}}}\n",
      condition),
    Shape(
      "asked", "    listRequest: {method: POST, in: body}\n" + asked + "{template: q, accuracy: exact}}}\n", condition),
    Shape(
      "asked",
      "    listRequest: {in: parameter, parameter: q, encoding: rison}\n" + asked
        + "{template: p, accuracy: exact}}}\n", condition),
    Shape("linked", asked + "{template: \"{field}\", accuracy: exact}}}\n", condition),
    Shape("linked", asked + "{template: q, accuracy: exact}}}\n", condition),
  ]

  /// Writes a configuration of the service of a shape, and returns its path.
  private func configuration(of shape: Shape) throws -> String {
    _ = try home.write(
      """
      preset: plain
      identifier: {type: integer}
      page: {style: none}
      update: {method: PATCH, clear: "null", returns: maybe}
      resources:
        items:
      \(shape.facts)
      """, to: "shaped.yaml")
    return try home.write(
      """
      {"switchboard": 1, "default": "s", "backends": {"s": {"plugin": "rest", "resource": "items", "journal": "full",
        "url": "\(service.address)/shaped/\(shape.name)", "description": "shaped.yaml"}}}
      """, to: "shaped.json")
  }

  @Test("are known by the field, whatever a request or a response calls them", arguments: shapes)
  func shaped(shape: Shape) async throws {
    let config = try configuration(of: shape)
    let run = try await ConsoleRun.run(
      ["--config", config, "--trace", "--record", "run.rec", "--log", "run.log"], input: shape.command + "\n", in: home)
    #expect(run.status == 0, "\(run.errors)")
    for text in [run.errors, read("run.rec"), read("run.log"), try leftFiles()] {
      for spelling in Self.spellings(Self.mapped) { #expect(!text.contains(spelling), "\(spelling): \(text)") }
    }
    #expect(run.errors.contains("[blanked]") && read("run.rec").contains("[blanked]"), "\(run.errors)")
    // A recording does not tell whose record it has where that is a secret; and a replay, which keeps no journal, does not read a
    // record for it before an update.
    guard !["keyed", "nested"].contains(shape.name) else { return }
    let replayed = try await ConsoleRun.run(
      ["--config", config, "--replay", "run.rec"], input: shape.command + "\n", in: home)
    #expect(replayed.status == 0, "\(replayed.errors)")
  }

  @Test("that name records are in no state that an import leaves to go on from") func resumed() async throws {
    let config = try configuration(of: Shape("keyed", Self.keyed + "    create: {returns: location}\n", ""))
    _ = try home.write("{\"title\": \"x\"}\n{\"title\": \"refuse-plain\"}\n", to: "in.ndjson")
    let run = try await ConsoleRun.run(
      ["--config", config, "-c", "import in.ndjson --jobs 1"], in: home)
    #expect(run.status != 0 && run.errors.contains("run the same command again to resume"), "\(run.errors)")
    let left = try leftFiles()
    #expect(left.contains("done\t"))
    for spelling in Self.spellings(Self.mapped) { #expect(!left.contains(spelling), "\(spelling)") }
  }

  @Test("hold values that are too short to be looked for, by the name of the field") func short() async throws {
    let script = "update 1 phrase=QZX vault.pin=JKV\nlist --where \"phrase = 'QZX'\" --fields title"
    let run = try await self.run(script, ["--trace", "--log", "run.log", "--record", "run.rec"])
    #expect(run.status == 0, "\(run.errors)")
    let failed = try await self.run("update 1 phrase=QZX vault.pin=JKV --nope", ["--check"])
    let compared = try await self.run("get 1 --to one.txt\nexpect $last.phrase = 'JKV'", ["--report", "junit"])
    for text in [
      run.errors, read("run.log"), read("run.rec"), try leftFiles(), failed.errors, compared.errors + compared.output,
    ] {
      #expect(!text.isEmpty && !text.contains("QZX") && !text.contains("JKV"), "\(text)")
    }
  }

  @Test("are blanked under the name that records give them, even short ones", arguments: ["title", "vault.shelf"])
  func shortElsewhere(place: String) async throws {
    _ = try home.write(
      """
      preset: plain
      page: {style: none}
      update: {method: PATCH, returns: maybe}
      resources:
        items:
          identifier: {type: integer}
          fields: {id: {type: integer, readOnly: true}, note: text, code: {secret: true, readPath: \(place)}}
      """, to: "elsewhere.yaml")
    let config = try home.write(
      """
      {"switchboard": 1, "default": "s", "backends": {"s": {"plugin": "rest", "resource": "items", "journal": "full",
        "url": "\(service.address)", "description": "elsewhere.yaml"}}}
      """, to: "elsewhere.json")
    let run = try await ConsoleRun.run(
      ["--config", config, "--trace", "--record", "run.rec", "--log", "run.log"], input: "update 2 note=x\n", in: home)
    #expect(run.status == 0 && run.errors.contains("[blanked]"), "\(run.errors)")
    for text in [run.errors, read("run.rec"), read("run.log"), try leftFiles()] {
      #expect(!text.contains("item 2") || place != "title", "\(text)")
      #expect(!text.contains("\"shelf\":2") && !text.contains("\"shelf\": 2") || place == "title", "\(text)")
    }
  }

  @Test("with a short value that was written leave other texts as they are") func shortWord() async throws {
    let run = try await self.run("update 1 phrase=item\nlist --fields title", ["--trace", "--record", "run.rec"])
    #expect(run.status == 0, "\(run.errors)")
    for text in [run.errors, read("run.rec")] {
      #expect(text.contains("[blanked]") && text.contains("item 2"), "\(text)")
    }
  }

  @Test("show their values in a result that was asked for, wherever they are called secret")
  func results() async throws {
    for origin in Origin.allCases {
      for format in ["table", "json", "csv"] {
        let run = try await self.run("get 1 -o \(format)", [], origin)
        #expect(run.output.contains("sécret phrase=1"), "\(run.errors)")
      }
    }
  }

  @Test("of an action are held as well", arguments: Origin.allCases) func action(origin: Origin) async throws {
    let run = try await self.run(
      "call seal 1 seal='sécret act'", ["--trace", "--log", "run.log", "--record", "run.rec"], origin)
    #expect(run.status == 0, "\(run.errors)")
    for text in [run.errors, read("run.log"), read("run.rec"), try leftFiles()] {
      #expect(!text.contains("cret act"), "\(text)")
    }
  }

  @Test("are in no file of rejected rows, those within objects included", arguments: Origin.allCases)
  func rejects(origin: Origin) async throws {
    _ = try home.write(
      #"{"title": "a", "phrase": "sécret refuse-plain row", "vault": {"pin": "sécret row", "shelf": 1}}"# + "\n",
      to: "in.ndjson")
    let run = try await self.run("import in.ndjson --rejects left.json", [], origin)
    #expect(
      run.errors.contains("left.json lacks fields that are secret or contain a secret value: phrase, vault"),
      "\(run.errors)")
    #expect(!run.errors.contains("cret refuse") && !read("left.json").contains("cret"), "\(run.errors)")
    #expect(try rejected("left.json") == ["title": "a"])
  }

  /// The only row of a file of rejected rows, without the reason, in which no secret is.
  private func rejected(_ file: String) throws -> Value {
    var row = try JSONReader.read(read(file)).object ?? Object()
    #expect(row["import_error"]?.text?.contains("cret") == false)
    row["import_error"] = nil
    return .object(row)
  }

  @Test("leave a text that only has a secret in it in a file of rejected rows") func partly() async throws {
    let inputs = [
      "first": #"{"title": "new", "phrase": "a sécret partly"}"#,
      "whole": #"{"title": "a sécret partly", "phrase": "refuse-plain"}"#,
      "partly": #"{"title": "as a sécret partly, refuse-plain", "phrase": "a sécret partly"}"#,
    ]
    for (name, row) in inputs { _ = try home.write(row + "\n", to: "\(name).ndjson") }
    let run = try await self.run(
      "import first.ndjson\nimport whole.ndjson --rejects left.json\nimport partly.ndjson --rejects other.json",
      ["--on-error", "continue"])
    // A value that is as a whole one of a secret field is left out, whatever its field is called.
    #expect(try rejected("left.json") == [:], "\(read("left.json"))\(run.errors)")
    #expect(
      try rejected("other.json") == ["title": "as a sécret partly, refuse-plain"],
      "\(read("other.json"))\(run.errors)")
    #expect(
      run.errors.contains("lacks fields that are secret or contain a secret value: phrase, title"), "\(run.errors)")
  }

  @Test("of a document with passwords are held while add reads their records") func document() async throws {
    let run = try await home.run("add \(service.address) new --print --yes\n", ["--trace", "--record", "run.rec"])
    #expect(run.status == 0 && run.output.contains("secret: true"), "\(run.errors)")
    for text in [run.errors, read("run.rec")] {
      #expect(text.contains("item 1") && text.contains("[blanked]"), "\(text)")
      for secret in ["sécret phrase=1", "sécret pin=1"] {
        for spelling in Self.spellings(secret) { #expect(!text.contains(spelling), "\(spelling): \(text)") }
      }
    }
  }

  @Test(
    "are refused in a plan that was edited, and not shown",
    arguments: [
      ("update 1 title=new", #""set":{"title":"new"}"#, #""set":{"phrase":"sécret edited"}"#),
      ("update 1 title=new", #"{"title":"new"}"#, #"{"title":"x","vault":{"pin":"sécret edited"}}"#),
      (
        "update 1 title=new", #""set":{"title":"new"}"#,
        #""set":{"title":"x"},"parts":[{"path":["vault","pin"],"value":"sécret edited"}]"#
      ),
      ("update 1 title=new", #""before":{"fields":{"#, #""before":{"fields":{"phrase":"sécret edited","#),
      ("delete 1", #""before":{"fields":{"#, #""before":{"fields":{"phrase":"sécret edited","#),
      ("create title=new", #"{"title":"new"}"#, #"{"title":"new","phrase":"sécret edited"}"#),
    ])
  func editedPlan(command: String, old: String, new: String) async throws {
    for origin in Origin.allCases {
      let plan = home.folder.path + "/edited.plan"
      try await run("plan --to \(plan) \(command)", [], origin).succeeded()
      let text = try String(contentsOfFile: plan, encoding: .utf8)
      #expect(text.contains(old))
      _ = try home.write(text.replacing(old, with: new), to: "edited.plan")
      for command in ["plan show \(plan)", "apply \(plan) --dry-run", "apply \(plan) --yes"] {
        let run = try await run(command, [], origin)
        #expect(run.status == 2 && run.errors.contains("is secret, and a plan has no secrets"), "\(run.errors)")
        #expect(!(run.output + run.errors).contains("cret edited"), "\(run.output)\(run.errors)")
      }
      #expect(try await !self.run("list -o json", [], origin).output.contains("cret edited"))
    }
  }

  @Test("are given to a plan by variables when it is applied", arguments: Origin.allCases)
  func appliedSecret(origin: Origin) async throws {
    let plan = home.folder.path + "/s.plan"
    try await run("plan --to \(plan) create title=new", [], origin).succeeded()
    func apply(_ words: String, _ variables: [String: String] = ["PHRASE": "sécret applied"]) async throws -> ConsoleRun
    {
      try await ConsoleRun.run(
        ["--config", "\(home.folder.path)/\(origin).json"], input: "apply \(plan) --yes \(words)\n", in: home,
        variables: variables)
    }
    for (words, says) in [
      ("--secret title=PHRASE", "has a secret field \"title\""), ("--secret phrase", "--secret takes FIELD=VARIABLE"),
      ("--secret phrase=OTHER", "the environment variable for it is not set"),
    ] {
      let run = try await apply(words)
      #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
    }
    let run = try await apply("--secret phrase=PHRASE")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try service.read("items/4").contains("cret applied"))
    #expect(!(run.output + run.errors).contains("cret applied"), "\(run.output)\(run.errors)")
    #expect(try !leftFiles().contains("cret applied"))
  }

  @Test("are told in a message from the words of a condition") func words() async throws {
    let run = try await self.run("list --where \"phrase between '12' and b\"")
    #expect(run.status == 2 && run.errors.contains("is null and is missing"), "\(run.errors)")
    #expect(!run.errors.contains("12"), "\(run.errors)")
  }

  @Test("are not restored by undo, which says so") func undo() async throws {
    let run = try await self.run(
      "update title=new phrase='sécret written' vault.pin='sécret nested' --where 'id = 1' --yes\nundo --yes")
    for field in ["phrase: ", "vault: ", "secret"] {
      #expect((run.output + run.errors).contains(field), "\(run.output)\(run.errors)")
    }
    #expect(!(run.output + run.errors).contains("cret "), "\(run.output)\(run.errors)")
  }

  @Test("are held in what conformance prints", arguments: ["text", "junit", "tap"])
  func conformance(form: String) async throws {
    for origin in Origin.allCases {
      let run = try await self.run(
        "conformance s/drafts --read-only --only 'get is repeatable' --only 'list matches get' --report \(form)", [],
        origin)
      #expect(run.output.contains(origin == .description ? "which is secret" : "[blanked]"), "\(run.errors)")
      #expect(!(run.output + run.errors).contains("cret draft") && !run.output.contains("cret phrase"), "\(run.output)")
    }
  }

  /// The history after some lines that were typed at a terminal.
  private func keptHistory(_ config: String, _ lines: [String]) throws -> String {
    let terminal = try ConsoleTerminal.open(["--config", config], in: home, columns: 80)
    for (count, line) in lines.enumerated() {
      try terminal.wait("a prompt") { screen in
        let prompts = screen.fullText.split(separator: "\n").count { $0.hasPrefix("switchboard>") }
        return prompts == count + 1 && screen.cursorLine.hasPrefix("switchboard>") && screen.modes.contains(2004)
      }
      terminal.send(line + "\r")
    }
    try terminal.wait("the last prompt") { screen in
      screen.fullText.split(separator: "\n").count { $0.hasPrefix("switchboard>") } == lines.count + 1
        && screen.modes.contains(2004)
    }
    terminal.send(Key.endOfFile)
    _ = try terminal.waitForExit()
    return read("state/switchboard/history")
  }

  @Test("are held in the history, also of a backend that was not opened yet") func history() throws {
    let config = home.folder.path + "/description.json"
    let other = try home.write(
      try String(contentsOfFile: config, encoding: .utf8).replacing(#""default": "s", "#, with: ""), to: "other.json")
    let text = try keptHistory(
      other,
      [
        "update s/items 1 phrase=QZX", "get s/items 1 --fields title", "update s/items 1 phrase=JKV", "show output",
      ])
    #expect(text.contains("get s/items 1 --fields title"), "\(text)")
    #expect(!text.contains("QZX") && !text.contains("JKV"), "\(text)")
  }

  @Test("leave a command in the history that has the name of another backend in a value") func namedInPassing() throws {
    let config = home.folder.path + "/description.json"
    let other = try home.write(
      try String(contentsOfFile: config, encoding: .utf8).replacing(#""default": "s", "#, with: "")
        .replacing(
          #""backends": {"#,
          with:
            #""backends": {"live": {"plugin": "rest", "url": "\#(service.address)", "description": "description.yaml"}, "#
        ),
      to: "other.json")
    let text = try keptHistory(
      other,
      [
        "update s/items 1 title=\"seen live today\"", "update live/items 1 phrase=QZX", "updat live/items 1 phrase=JKV",
      ])
    #expect(text.contains("seen live today"), "\(text)")
    #expect(!text.contains("QZX") && !text.contains("JKV"), "\(text)")
  }
}
