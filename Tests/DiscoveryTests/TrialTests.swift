import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// `add --try-writes` on services that take writes in different manners: what it claims is so, and it leaves nothing behind.
@Suite("Trials of writes") struct TrialTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("writes") }

  /// The facts to find about one manner of taking writes.
  struct Manner: Sendable, CustomTestStringConvertible {
    var name: String
    var facts: [String: Value]
    /// Properties common to all records seen, which makes them likely.
    var likely: [String: Value] = [:]
    var testDescription: String { name }
  }

  static let manners = [
    Manner(
      name: "merging",
      facts: [
        "create.method": "POST", "create.returns": "record", "create.location": true, "create.wrap": "$",
        "update.method": "PATCH", "update.merges": true, "update.clear": "null", "update.keepsNull": true,
        "update.returns": "record", "revision.from": "etag", "revision.onDelete": true, "delete.method": "DELETE",
        "delete.readsFirst": false, "persistence.kept": "yes",
        "errors.fields": ["errorsPath": "errors", "layout": "object"],
      ]),
    Manner(name: "replacing", facts: ["update.method": "PUT", "update.merges": false, "update.clear": "replace"]),
    Manner(name: "resetting", facts: ["update.method": "PUT", "update.merges": false]),
    Manner(name: "lenient", facts: ["update.method": "PATCH", "delete.readsFirst": true]),
    Manner(name: "strict", facts: ["update.method": "PATCH", "revision.required": true, "revision.onDelete": true]),
    Manner(name: "silent", facts: ["create.returns": "nothing", "update.clear": "null", "delete.method": "DELETE"]),
    Manner(name: "texts", facts: ["update.clear": "emptyText"]),
    Manner(name: "wrapped", facts: ["create.wrap": "thing", "update.method": "PATCH", "update.clear": "null"]),
    Manner(name: "answering", facts: ["create.wrap": "$", "update.method": "PATCH", "update.clear": "null"]),
    Manner(
      name: "linked",
      facts: [
        "identifier.link": "_links.self.href", "create.method": "POST", "update.method": "PATCH",
        "delete.method": "DELETE",
      ], likely: ["identifier.type": "integer"]),
    Manner(
      name: "terse",
      facts: ["create.returns": "identifier", "create.identifierPath": "id", "update.readBack": true]),
    Manner(name: "listing", facts: ["create.returns": "identifier", "create.identifierPath": "0.id"]),
    Manner(name: "mirroring", facts: ["create.returns": "identifier", "update.readBack": true]),
    Manner(name: "trimming", facts: ["create.returns": "identifier", "create.identifierPath": "id"]),
    Manner(name: "mute", facts: ["create.returns": "record", "update.returns": "maybe", "update.readBack": true]),
    Manner(name: "losing", facts: ["update.method": "PATCH", "delete.method": "DELETE"]),
    Manner(
      name: "insisting",
      facts: [
        "update.method": "PATCH", "errors.fields": ["errorsPath": "detail", "field": "loc", "message": "msg"],
      ], likely: ["update.merges": false, "update.clear": "null"]),
    Manner(name: "hashing", facts: ["revision.from": "etag", "revision.onDelete": true, "delete.method": "DELETE"]),
    Manner(
      name: "slashed",
      facts: [
        "paths.item": "/slashed/things/{id}/", "create.method": "POST", "update.method": "PATCH",
        "delete.method": "DELETE",
      ]),
    Manner(name: "dropping", facts: ["delete.method": "DELETE"]),
  ]

  @Test("what writes show is found, and no record stays", arguments: manners)
  func manner(_ manner: Manner) async throws {
    let claims = try await server.claims("\(manner.name)/things", "--yes --try-writes")
    for (fact, value) in manner.facts {
      #expect(claims[fact]?["value"] == value, "\(fact): \(String(describing: claims[fact]))")
      #expect(claims[fact]?["grade"] == "proved", "\(fact)")
    }
    for (fact, value) in manner.likely { #expect(claims[fact]?["value"] == value, "\(fact)") }
    #expect(try server.read("\(manner.name)/left") == "[]")
    let creations = try server.log().count { $0.hasPrefix("POST ") }
    #expect((1...8).contains(creations))
  }

  @Test func `required fields and those of the service alone are found`() async throws {
    for manner in ["merging", "strict", "stating"] {
      let claims = try await server.claims("\(manner)/things \(manner)", "--yes --try-writes")
      #expect(claims["fields.kind"]?["value"]?.object?["required"] == true)
      #expect(claims["fields.note"]?["value"]?.object?["required"] == nil)
      #expect(claims["fields.reason"] == nil)
      #expect(claims["fields.made"]?["value"]?.object?["readOnly"] == true)
      #expect(claims["fields.visits"]?["value"]?.object?["readOnly"] == true)
      #expect(claims["fields.name"]?["value"]?.object?["readOnly"] == nil)
    }
  }

  @Test func `a backend that was added so works, and its description says what was shown`() async throws {
    for manner in Self.manners.map(\.name)
    where !["losing", "dropping", "silent", "answering", "resetting"].contains(manner) {
      #expect(try await server.add("\(manner)/things \(manner)", "--yes --try-writes").status == 0)
      let made = try await server.run("create \(manner) name=one kind=big note=x -o id")
      let id = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let run = try await server.run(
        "update \(manner) \(id) --unset note", "get \(manner) \(id) -o json", "delete \(manner) \(id) --yes")
      #expect(run.status == 0, "\(manner): \(run.errors)")
      #expect(run.output.contains("\"name\": \"one\"") || run.output.contains("\"name\":\"one\""), "\(run.output)")
      #expect(!run.output.contains("\"x\""), "\(run.output)")
    }
  }

  @Test func `what a service sets back where a change lacks it is sent with every change`() async throws {
    #expect(try await server.add("resetting/things resetting", "--yes --try-writes").status == 0)
    let made = try await server.run("create resetting name=one kind=small note=x -o id")
    let id = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let run = try await server.run("update resetting \(id) note=y", "get resetting \(id) -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"kind\": \"small\"") && run.output.contains("\"note\": \"y\""), "\(run.output)")
  }

  @Test func `revisions that do not count are contradicted, and the description has none`() async throws {
    let claims = try await server.claims("lenient/things", "--yes --try-writes")
    #expect(claims["revision.from"]?["grade"] == "contradicted")
    #expect(try !server.description("lenient").contains("revision"))
  }

  @Test func `a record that could not be deleted is named, and the status is 1`() async throws {
    let run = try await server.add("keeping/things", "--yes --try-writes")
    #expect(run.status == 1)
    #expect(run.errors.contains("not deleted: things/13"), "\(run.errors)")
    #expect(run.errors.contains("added the backend"))
    #expect(try server.log().count { $0.hasPrefix("POST ") } == 2)
  }

  @Test func `further records have names of the trial where nothing else can have the marker`() async throws {
    let claims = try await server.claims("lone/things", "--yes --try-writes")
    #expect(claims["create.identifier"]?["value"] == "client")
    #expect(claims["delete.method"]?["grade"] == "proved")
    let names = try created("lone").compactMap { $0["id"]?.text }
    #expect(Set(names).count > 1 && names.allSatisfy { $0.hasPrefix("switchboard-trial-") }, "\(names)")
    #expect(try server.read("lone/left") == "[]")
  }

  @Test func `a record that was not found again is named as it was sent`() async throws {
    let run = try await server.add("hiding/things", "--yes --try-writes")
    #expect(run.status == 1, "\(run.errors)")
    let name = try #require(try created("hiding").last?["id"]?.text)
    #expect(
      run.errors.contains("possibly a record of things with id=\(name), which was not found in the list"),
      "\(name): \(run.errors)")
  }

  /// The bodies of the requests that create things.
  private func created(_ manner: String) throws -> [Object] {
    let writes = try JSONReader.read(server.read("\(manner)/sent")).array?.compactMap(\.array) ?? []
    return writes.filter { $0.first == "POST" }.compactMap { $0.last?.object }
  }

  @Test("a field that identifies records gets a new value of the form of the others", arguments: ["coding", "ended"])
  func identifying(manner: String) async throws {
    let claims = try await server.claims("\(manner)/things", "--yes --try-writes")
    #expect(claims["create.method"]?["grade"] == "proved" && claims["update.method"]?["grade"] == "proved")
    let taken = Set((1...12).flatMap { [Value.string("AB-\(100 + $0)"), .string("zone-\($0).")] })
    for write in try JSONReader.read(server.read("\(manner)/sent")).array?.compactMap(\.array) ?? [] {
      let code = write.last?.object?["code"]
      #expect(code.map(taken.contains) != true, "\(write)")
    }
    #expect(try server.read("\(manner)/left") == "[]")
  }

  @Test func `a refused marker moves to another text, and names without reasons are those of missing fields`()
    async throws
  {
    let claims = try await server.claims("publishing/things", "--yes --try-writes")
    for fact in ["create.method", "update.method", "delete.method", "errors.fields"] {
      #expect(claims[fact]?["grade"] == "proved", "\(fact): \(claims[fact] ?? Object())")
    }
    #expect(claims["errors.fields"]?["value"] == ["errorsPath": "data.params", "layout": "object"])
    #expect(claims["fields.title"]?["value"]?.object?["required"] == true, "\(claims["fields.title"] ?? Object())")
    let sent = try created("publishing")
    #expect(sent.contains { $0["slug"]?.text?.hasPrefix("switchboard-trial-") == true }, "\(sent)")
    #expect(try server.read("publishing/left") == "[]")
  }

  @Test func `a service without the method has refused a new record and left none behind`() async throws {
    let run = try await server.add("unable/things", "--yes --try-writes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("a record could not be created"), "\(run.errors)")
    #expect(!run.errors.contains("looking for the marker"), "\(run.errors)")
    #expect(try server.log().count { $0 == "POST /unable/things" } == 1)
  }

  @Test func `a record that is only marked as deleted is named, and has its marker`() async throws {
    let listed = try await server.add("shelving/things shelving", "--yes --try-writes")
    #expect(listed.status == 1, "\(listed.errors)")
    #expect(
      listed.errors.contains("not deleted: things/13, which the service has marked as deleted and still lists"),
      "\(listed.errors)")
    let hidden = try await server.add("filed/things filed", "--yes --try-writes")
    #expect(hidden.status == 0, "\(hidden.errors)")
    #expect(
      hidden.errors.contains("the service has marked the test record things/13 as deleted and keeps it"),
      "\(hidden.errors)")
    for manner in ["shelving", "filed"] {
      let left = try JSONReader.read(server.read("\(manner)/left")).array ?? []
      #expect(left.count == 1 && left[0].object?["name"]?.text?.hasPrefix("switchboard-trial-") == true, "\(left)")
    }
  }

  @Test func `an interruption deletes every record that was read, and names the others`() async throws {
    let console = try ConsoleRun.start(
      ["-c", "add \(server.address)/hanging/things hanging --yes --try-writes"], in: server.home)
    // Ends once nobody answers the read of the second record.
    _ = try server.read("hanging/reached")
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("stopped; the test record things/switchboard-trial-"), "\(run.errors)")
    #expect(run.errors.contains("-id was deleted; possibly a record of things with name=switchboard-trial-"))
    #expect(run.errors.contains("-id-b, but a read did not show the marker there"), "\(run.errors)")
    let left = try JSONReader.read(server.read("hanging/left")).array ?? []
    #expect(left.count == 1 && left[0].object?["id"]?.text?.hasSuffix("-id-b") == true, "\(left)")
  }

  @Test func `a creation without a response is not sent again`() async throws {
    let losing = try await server.add("losing/things losing", "--yes --try-writes")
    #expect(losing.status == 0, "\(losing.errors)")
    #expect(losing.errors.contains("looking for the marker"))
    #expect(losing.errors.contains("a record with the marker exists"))
    let closing = try await server.add("closing/things closing", "--yes --try-writes")
    #expect(closing.status == 1)
    #expect(closing.errors.contains("no record with the marker was found"), "\(closing.errors)")
    #expect(try server.log().count { $0 == "POST /closing/things" } == 1)
  }

  @Test func `a record that is not kept is reported`() async throws {
    let claims = try await server.claims("echoing/things", "--yes --try-writes")
    #expect(claims["persistence.kept"]?["value"] == "no")
  }

  @Test func `a record that was accepted and is nowhere in the whole list has not stayed`() async throws {
    let run = try await server.add("swallowing/things", "--yes --try-writes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("the record that was created was not found in the list"), "\(run.errors)")
    #expect(!run.errors.contains("not deleted"), "\(run.errors)")
  }

  @Test func `a record that a response names and that has no marker is not touched`() async throws {
    let run = try await server.add("queuing/things", "--yes --try-writes")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("possibly a record of things with name=switchboard-trial-"), "\(run.errors)")
    #expect(run.errors.contains("the response identified things/3"), "\(run.errors)")
    let log = try server.log()
    #expect(log.contains("POST /queuing/things"))
    #expect(log.allSatisfy { line in !["PUT ", "PATCH ", "DELETE "].contains { line.hasPrefix($0) } }, "\(log)")
  }

  @Test func `a record is found by its marker if the response names another one`() async throws {
    let claims = try await server.claims("filing/things", "--yes --try-writes")
    #expect(claims["create.returns"]?["value"] == "nothing")
    #expect(claims["create.identifierPath"] == nil && claims["create.location"]?["value"] != true)
    #expect(claims["delete.method"]?["grade"] == "proved")
    #expect(try server.read("filing/left") == "[]")
    let writes = try server.log().filter { !$0.hasPrefix("GET ") && !$0.hasPrefix("HEAD ") }
    #expect(!writes.contains { $0.hasSuffix("/things/1") && !$0.hasPrefix("OPTIONS ") }, "\(writes)")
    #expect(writes.contains("DELETE /filing/things/13"))
  }

  @Test func `no secret of another record is sent, and no right is given`() async throws {
    let run = try await server.add("trusted/things trusted", "--yes --try-writes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("says that it holds a secret: api_key, access"), "\(run.errors)")
    #expect(run.errors.contains("says that it grants rights: admin, role"), "\(run.errors)")
    let text = try server.read("trusted/sent")
    for number in 1...12 {
      #expect(!text.contains("key-of-\(number)\"") && !text.contains("token-of-\(number)\""), "\(text)")
    }
    let writes = try JSONReader.read(text).array?.compactMap(\.array) ?? []
    #expect(writes.contains { $0.first == "POST" } && writes.contains { $0.first == "PATCH" }, "\(text)")
    for write in writes {
      let body = write.last?.object ?? Object()
      #expect(body["admin"] ?? false == false, "\(text)")
      // A whole record has what the record has itself.
      if write.first != "PUT" {
        for field in ["admin", "role", "api_key", "access"] { #expect(body[field] == nil, "\(field): \(text)") }
      }
    }
    #expect(try server.read("trusted/left") == "[]")
  }

  @Test func `a field with the name of a secret is described as one`() async throws {
    let claims = try await server.claims("trusted/things trusted")
    #expect(claims["fields.api_key"]?["value"]?.object?["secret"] == true, "\(claims["fields.api_key"] ?? Object())")
    #expect(claims["fields.name"]?["value"]?.object?["secret"] == nil)
    #expect(try server.description("trusted").contains("secret: true"))
  }

  @Test func `a write that the description leaves out is unknown, and not impossible`() async throws {
    #expect(try await server.add("refusing/things refusing").status == 0)
    for (line, verb, done) in [
      ("create refusing name=x", "create", "created"), ("update refusing 3 name=x", "update", "changed"),
      ("delete refusing 3 --yes", "delete", "deleted"),
    ] {
      // Two commands are checked before the first is run.
      for commands in [[line], ["show perPage", line]] {
        let run = try await server.home.run("", commands.flatMap { ["-c", $0] })
        #expect(run.errors.contains("the description does not say how records of things are \(done)"), "\(run.errors)")
        #expect(run.errors.contains("--try-writes may show it; the key \(verb) says it"), "\(run.errors)")
      }
    }
  }

  @Test func `a record counts as gone only while the service responds with its list`() async throws {
    let run = try await server.add("gated/things", "--yes --try-writes")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("not deleted: possibly things/13"), "\(run.errors)")
    #expect(try server.read("gated/left").contains("switchboard-trial-"))
  }

  @Test func `a deletion that takes other records along is the last write`() async throws {
    let run = try await server.add("sweeping/things", "--yes --try-writes")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("removed other records: 3 records of things"), "\(run.errors)")
    let log = try server.log()
    #expect(
      log.last { line in ["POST ", "PATCH ", "DELETE "].contains { line.hasPrefix($0) } }?.hasPrefix("DELETE ") == true)
    // The first one was refused for a revision that is out of date.
    #expect(log.count { $0.hasPrefix("DELETE ") } == 2, "\(log)")
  }

  @Test func `no write is tried at json-server 0.17 while records name others that do not exist`() async throws {
    let server = try await StyleServer("orphans")
    let run = try await server.add(" zero", "--yes --try-writes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("on any delete, json-server 0.17 would also delete 2 records"), "\(run.errors)")
    #expect(run.errors.contains("posts/7 (userId), posts/8 (userId)"), "\(run.errors)")
    let log = try server.log()
    #expect(log.contains { $0.hasPrefix("GET /posts") })
    // The description knows it, too, so that the dry run of a deletion counts them.
    #expect(try server.description("zero").contains("orphanSuffix: Id"))
    let dry = try await server.run("delete zero/posts 1 --dry-run")
    #expect(dry.errors.contains("also deletes 2 records of posts whose owner does not exist"), "\(dry.errors)")
    #expect(log.allSatisfy { line in ["GET ", "HEAD ", "OPTIONS "].contains { line.hasPrefix($0) } }, "\(log)")
  }

  @Test func `evidence and steps hold no value`() async throws {
    let run = try await server.add("merging/things", "--yes --try-writes -o json")
    let shown = run.errors + (try run.claims).compactMap { $0["evidence"]?.text }.joined()
    for value in ["switchboard-trial-", "thing 1", "can't be blank", "/things/13"] { #expect(!shown.contains(value)) }
  }

  @Test func `nothing is written without agreement, to what is read only, and in production`() async throws {
    let script = try await server.add("merging/things", "--try-writes")
    #expect(script.errors.contains("writes to \(server.address) needs --yes"), "\(script.errors)")
    #expect(try await server.add("merging/things desk").status == 0)
    let configuration = try server.configuration()
    for (key, words) in [
      ("\"readOnly\": true", "is read only"), ("\"label\": \"production\"", "is labeled production"),
    ] {
      let changed = configuration.replacingOccurrences(of: "\"plugin\": \"rest\"", with: "\"plugin\": \"rest\", \(key)")
      try changed.write(to: server.file(), atomically: true, encoding: .utf8)
      for line in ["backends check desk --try-writes --yes", "add \(server.address)/lenient/things --try-writes --yes"]
      {
        let run = try await server.run(line)
        #expect(run.status != 0 && run.errors.contains(words), "\(line): \(run.errors)")
      }
    }
    try configuration.write(to: server.file(), atomically: true, encoding: .utf8)
    let restricted = try await server.run("backends check desk --try-writes --yes", options: ["--restricted"])
    #expect(restricted.errors.contains("not allowed with --restricted"), "\(restricted.errors)")
    #expect(try !server.log().contains { $0.hasPrefix("POST ") })
    let checked = try await server.run("backends check desk --try-writes --yes")
    #expect(try server.log().contains { $0.hasPrefix("POST ") })
    #expect(checked.errors.contains("things: create: POST /merging/things → 201"), "\(checked.errors)")
  }

  @Test(
    "Writes are not tried at a service that is read only, however its origin is written",
    arguments: ["http://LOCALHOST:80/things", "HTTP://localhost", "http://localhost/api"])
  static func readOnly(address: String) async throws {
    let backends = #"{"desk": {"plugin": "rest", "url": "http://localhost/v1", "readOnly": true}}"#
    let home = try ConsoleRun.Home(configuration: #"{"switchboard": 1, "backends": \#(backends)}"#)
    let run = try await home.run(commands: "add \(address) other --yes --try-writes")
    #expect(run.errors.contains("desk is read only: writes are not tried there"), "\(run.errors)")
  }
}
