import AdapterSupport
import ConsoleSupport
import Foundation
import Testing

/// A plan, a description or a program does not decide by its own word where it leads, or that it is harmless.
@Suite("Files that vouch for themselves") struct VouchingTests {
  private let home: ConsoleRun.Home
  private let server: SocketServer

  private static let actions = """
    preset: plain
    identifier: {type: integer}
    page: {style: none}
    resources:
      items:
        fields: {id: {type: integer, readOnly: true}, title: text}
        actions:
          purge: {appliesTo: collection, method: DELETE, effect: read}
          find: {appliesTo: collection, method: POST, effect: read, returnsList: true}
          peek: {appliesTo: collection, method: GET, effect: read, returnsList: true}

    """

  init() throws {
    home = try ConsoleRun.Home()
    server = try SocketServer { request in
      let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
      let record = words.first == "PATCH" ? #"{"id":1,"title":"new"}"# : #"{"id":1,"title":"a"}"#
      return SocketServer.json(200, words.dropFirst().first == "/items/1" ? record : "[\(record)]")
    }
    _ = try home.write(Self.actions, to: "items.yaml")
    _ = try home.write(backends("items.yaml"), to: "own.json")
  }

  /// A configuration with backends of one service; `elsewhere` has another path.
  private func backends(_ description: String) -> String {
    let shared = #""plugin": "rest", "description": "\#(description)", "resource": "items""#
    return #"""
      {"switchboard": 1, "backends": {
        "own": {\#(shared), "url": "\#(server.address)"},
        "locked": {\#(shared), "url": "\#(server.address)", "readOnly": true},
        "live": {\#(shared), "url": "\#(server.address)", "label": "production"},
        "elsewhere": {\#(shared), "url": "\#(server.address)/other"}}}
      """#
  }

  /// Runs a command with a configuration that is named, and with that trusted.
  private func run(_ command: String, _ options: String...) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", "own.json"] + options, input: command + "\n", in: home)
  }

  /// Runs a command in a folder whose `config.json` nobody has trusted.
  private func runUntrusted(_ command: String) async throws -> ConsoleRun {
    _ = try home.write(backends("items.yaml"), to: "config.json")
    return try await ConsoleRun.run([], input: command + "\n", in: home)
  }

  private func requests(_ method: String) -> [String] { server.requests.filter { $0.hasPrefix(method + " ") } }

  // MARK: Plans

  /// A plan of one change, for the backend of a name.
  private func write(_ name: String, for backend: String) async throws {
    let run = try await run("plan --to \(name) update own/items 1 title=new")
    try #require(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: home.folder.path + "/" + name, encoding: .utf8)
    _ = try home.write(text.replacing(#""backend":"own""#, with: "\"backend\":\"\(backend)\""), to: name)
  }

  @Test("a plan that names its own address is sent nowhere, and nothing is read for it", arguments: ["", " --dry-run"])
  func ownAddress(option: String) async throws {
    let address = "rest:\(server.address)"
    try await write("theirs.plan", for: address)
    let before = server.requests.count
    for command in ["apply theirs.plan --yes\(option)", "use \(address)\napply theirs.plan --yes\(option)"] {
      let run = try await run(command)
      #expect(run.status == 2)
      #expect(run.errors.contains("the backend \"\(address)\" is not configured"), "\(run.errors)")
    }
    #expect(server.requests.count == before)
  }

  @Test("--on chooses a configured backend for a plan, at the address that the plan was made for")
  func chosen() async throws {
    try await write("theirs.plan", for: "rest:\(server.address)")
    let other = try await run("apply theirs.plan --yes --on elsewhere")
    #expect((other.status, requests("PATCH")) == (2, []))
    #expect(other.errors.contains("it was made for \(server.address), and elsewhere is"), "\(other.errors)")
    for name in ["nobody", "rest:\(server.address)"] {
      let unknown = try await run("apply theirs.plan --yes --on \(name)")
      #expect((unknown.status, requests("PATCH")) == (2, []))
      #expect(unknown.errors.contains("the backend \"\(name)\" is not configured"), "\(unknown.errors)")
    }
    let run = try await run("apply theirs.plan --yes --quiet --on own")
    #expect((run.status, requests("PATCH").count) == (0, 1), "\(run.errors)")
  }

  @Test(
    "backend and address are shown before anything is sent", arguments: ["--yes --quiet", "--yes --dry-run", "--yes=1"])
  func shown(options: String) async throws {
    try await write("mine.plan", for: "live")
    let run = try await run("apply mine.plan \(options)", "--trace")
    #expect(run.errors.contains("1 write to live (production) at \(server.address)"), "\(run.errors)")
    let shown = run.errors.range(of: "1 write to live")?.lowerBound
    let sent = run.errors.range(of: "GET ")?.lowerBound
    #expect(shown.flatMap { shown in sent.map { shown < $0 } } ?? true, "\(run.errors)")
  }

  @Test("a plan is not applied to a backend of an untrusted folder that nobody has chosen")
  func untrustedBackend() async throws {
    try await write("theirs.plan", for: "own")
    let before = server.requests.count
    let run = try await runUntrusted("apply theirs.plan --yes")
    #expect((run.status, server.requests.count) == (2, before))
    #expect(run.errors.contains("which is not trusted"), "\(run.errors)")
    let chosen = try await runUntrusted("apply theirs.plan --yes --on own")
    #expect((chosen.status, requests("PATCH").count) == (0, 1), "\(chosen.errors)")
  }

  @Test("a plan for an address says that it is applied to a configured backend only")
  func plannedAddress() async throws {
    let address = "jsonplaceholder:\(server.address)"
    let run = try await run("plan --to theirs.plan update \(address)/items 1 title=new")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains(
        "apply writes only to configured backends, and \(address) is not one: use apply theirs.plan --on"),
      "\(run.errors)")
    let configured = try await self.run("plan --to mine.plan update own/items 1 title=new")
    #expect(
      configured.status == 0 && !configured.errors.contains("only to configured backends"), "\(configured.errors)")
  }

  // MARK: Effects

  @Test("a DELETE that is described as a read is a write") func deletion() async throws {
    let locked = try await run("call locked purge")
    #expect(locked.status == 2 && locked.errors.contains("read only"), "\(locked.errors)")
    let live = try await run("call live purge")
    #expect(live.status == 2 && live.errors.contains("needs --yes"), "\(live.errors)")
    let restricted = try await run("call own purge", "--restricted")
    #expect(restricted.status == 2 && restricted.errors.contains("restricted"), "\(restricted.errors)")
    let dry = try await run("call own purge --dry-run")
    #expect(dry.status == 0 && dry.output.contains("DELETE"), "\(dry.errors)")
    #expect(server.requests.isEmpty)
    let described = try await run("describe own/items")
    #expect(described.output.contains("described as a read, but sent by DELETE"), "\(described.output)")
    #expect(try await run("call own purge").status == 0)
    #expect(requests("DELETE") == ["DELETE /items/purge HTTP/1.1"])
    #expect(try await run("count locked\njournal -o id").output.hasSuffix("\n1\n"), "it is journaled")
  }

  @Test("a POST that a trusted description calls a read is one, and a GET always is", arguments: ["find", "peek"])
  func trusted(action: String) async throws {
    for (backend, options) in [("locked", []), ("live", []), ("own", ["--restricted"])] {
      let run = try await ConsoleRun.run(
        ["--config", "own.json"] + options, input: "call \(backend) \(action)\n", in: home)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(server.requests.count == 3)
  }

  @Test("a POST that an untrusted description calls a read is a write") func untrusted() async throws {
    let run = try await runUntrusted("call locked find")
    #expect(run.status == 2 && run.errors.contains("read only"), "\(run.errors)")
    #expect(server.requests.isEmpty)
    let got = try await runUntrusted("call locked peek")
    #expect((got.status, server.requests) == (0, ["GET /items/peek HTTP/1.1"]), "\(got.errors)")
  }

  @Test("what a plugin that is a program says of a POST does not make it a read", arguments: ["POST", "DELETE"])
  func program(method: String) async throws {
    let path = try home.write(
      """
      #!/usr/bin/env python3
      import json, sys
      find = {"appliesTo": "collection", "method": "\(method)", "effect": "read", "returnsList": True}
      look = {**find, "method": "GET"}
      answers = {
          "hello": {"switchboard": 1, "name": "mine", "version": "1", "summary": "mine", "answers": []},
          "describe": {"description": {"resources": {"items": {"actions": {"find": find, "look": look}}}}}}
      for line in sys.stdin:
          asked = json.loads(line)
          print(json.dumps({"number": asked["number"], "answer": answers[asked["ask"]]}), flush=True)

      """, to: "switchboard-mine")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    _ = try home.write(
      #"{"switchboard": 1, "backends": {"it": {"plugin": "mine", "url": "\#(server.address)", "readOnly": true}}}"#,
      to: "own.json")
    let run = try await run("call it/items find", "--plugin-path", path)
    #expect(run.status == 2 && run.errors.contains("read only"), "\(run.errors)")
    #expect(try await self.run("call it/items find", "--plugin-path", path, "--restricted").status == 2)
    #expect(server.requests.isEmpty)
    let look = try await self.run("call it/items look", "--plugin-path", path, "--restricted")
    #expect((look.status, server.requests) == (0, ["GET /items/look HTTP/1.1"]), "\(look.errors)")
  }

  // MARK: Header fields and parameters

  @Test(
    "a description sets no field with credentials, and nothing that makes another request of one",
    arguments: [
      "base: {headers: {X-HTTP-Method-Override: DELETE}}", "base: {readingHeaders: {x-http-method: DELETE}}",
      "base: {itemHeaders: {X_Method_Override: PUT}}", "base: {headers: {X-Original-URL: /admin}}",
      "base: {version: {value: DELETE, in: header, name: X-HTTP-Method-Override}}",
      "base: {version: {value: DELETE, in: parameter, name: _method}}",
      "base: {version: {value: Bearer x, in: header, name: Authorization}}",
      "create: {headers: {X-Api-Key: a}}", "update: {method: PATCH, headers: {Api_Key: a}}",
      "delete: {headers: {X-Auth-Token: a}}", "create: {idempotencyKey: X-Access-Token}",
      "revision: {from: etag, header: X-HTTP-Method-Override}", "paths: {parameters: {_method: DELETE}}",
      "delete: {parameters: {_METHOD: PUT}}", "search: {parameter: _method}",
      "page: {style: number, parameter: _method}", "filter: {fields: [title], conditions: {\"=\": _method}}",
      "base: {headers: {X-Vault-Token: a}}", "base: {headers: {Impersonate-User: root}}",
      "base: {headers: {Sudo: root}}", "base: {headers: {X-Session-ID: a}}", "base: {headers: {X-JWT: a}}",
      "base: {headers: {X-HTTP-Method-Overrides: DELETE}}", "base: {headers: {X-Method: DELETE}}",
      "base: {headers: {Upgrade: h2c}}", "base: {headers: {TE: trailers}}",
    ])
  func reserved(text: String) async throws {
    _ = try home.write(
      "preset: plain\nidentifier: {type: integer}\n\(text)\nresources: {items: {fields: {title: text}}}\n",
      to: "items.yaml")
    let run = try await run("list own/items\nget own/items 1")
    #expect(run.status != 0 && run.errors.contains("cannot be described"), "\(run.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test(
    "a description sets fields that only look like those with credentials",
    arguments: ["X-Cookie-Consent", "X-CSRF-Token", "X-Atlassian-Token", "X-Author", "Idempotency-Key"])
  func harmless(header: String) async throws {
    _ = try home.write(
      "preset: plain\nidentifier: {type: integer}\npage: {style: none}\nbase: {headers: {\(header): no-check}}\n"
        + "resources: {items: {fields: {id: integer, title: text}}}\n", to: "items.yaml")
    let run = try await run("list own/items")
    let sent = server.texts.last?.lowercased() ?? ""
    #expect(run.status == 0 && sent.contains("\(header.lowercased()): no-check\r\n"), "\(run.errors)\(sent)")
  }

  // MARK: Logins

  private static let request = "kind: login, response: {token: title}"
  private static let body = "json: {u: $username, p: $password}"

  @Test(
    "the login of a description sends no deletion, and nothing that makes another request of one",
    arguments: [
      ("\(request), request: {method: DELETE, path: items/5, \(body)}", "login.request.method: \"DELETE\" is not"),
      ("\(request), request: {method: PATCH, path: items/5, \(body)}", "login.request.method: \"PATCH\" is not"),
      ("\(request), request: {path: items/5, query: {_method: DELETE}, \(body)}", "_method cannot be set"),
      ("\(request), request: {path: items/5, form: {_method: DELETE, u: $username}}", "_method cannot be set"),
      (
        "\(request), request: {path: items/1, \(body)}, refresh: {method: DELETE, path: items/5}",
        "login.refresh.method: \"DELETE\" is not"
      ),
      (
        "\(request), header: X-HTTP-Method, request: {path: items/1, \(body)}", "X-HTTP-Method cannot carry a key"
      ),
      ("kind: basic, identity: {method: POST, path: items/1}", "login.identity.method: \"POST\" is not"),
      ("kind: basic, identity: {path: items/1, query: {_method: DELETE}}", "_method cannot be set"),
      ("kind: key, header: X-HTTP-Method-Override, prefix: DELETE", "X-HTTP-Method-Override cannot carry a key"),
      ("kind: key, query: _method", "_method cannot carry a key"),
      (
        "kind: oauth2, grant: password, tokenURL: items/5, parameters: {_method: DELETE}", "_method cannot be set"
      ),
    ])
  func login(text: String, reason: String) async throws {
    _ = try home.write(Self.actions + "login: {\(text)}\n", to: "items.yaml")
    let isKey = text.contains("kind: key")
    _ = try home.write(isKey ? "DELETE" : "correct horse", to: "pw")
    let credentials =
      isKey
      ? #"{"key": {"file": "pw"}}"# : #"{"username": "ana", "password": {"file": "pw"}}"#
    _ = try home.write(
      #"""
      {"switchboard": 1, "backends": {"own": {"plugin": "rest", "description": "items.yaml", "resource": "items",
        "url": "\#(server.address)", "readOnly": true, "credentials": \#(credentials)}}}
      """#, to: "own.json")
    for options in [[], ["--restricted"]] {
      let run = try await ConsoleRun.run(["--config", "own.json"] + options, input: "list own\nwhoami own\n", in: home)
      #expect(run.status != 0 && run.errors.contains(reason), "\(run.errors)")
    }
    #expect(server.requests.isEmpty)
  }
}
