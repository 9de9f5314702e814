import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// `add --try-writes` proves only what it has tried to refute: what is false is not proved, and what is true still is.
@Suite("What a trial of writes proves") struct ProvedTrialTests {
  private typealias Claims = [String: Object]

  private func claims(_ manner: String, _ server: StyleServer) async throws -> Claims {
    try await server.claims("\(manner)/things \(manner)", "--yes --try-writes")
  }

  private func facts(_ field: String, _ claims: Claims) -> Object {
    claims["fields.\(field)"]?["value"]?.object ?? Object()
  }

  /// Returns true if a field has a fact and the fact is proved.
  private func isProved(_ fact: String, of field: String, _ claims: Claims) -> Bool {
    let facts = facts(field, claims)
    return facts[fact] != nil && facts["likely"]?.array?.contains(.string(fact)) != true
  }

  private func file(_ manner: String, _ server: StyleServer) throws -> String {
    try String(
      contentsOf: server.home.folder.appending(path: "config/switchboard/services/\(manner).yaml"), encoding: .utf8)
  }

  @Test func `a way to clear that a read does not show to work is not claimed`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("deaf", server)
    #expect(claims["update.method"]?["grade"] == "proved")
    #expect(claims["update.clear"] == nil, "\(String(describing: claims["update.clear"]))")
    #expect(try file("deaf", server).contains("clear: untested"))
  }

  @Test func `a field that a new record needs and no change reaches is not the service's own`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("fixing", server)
    #expect(claims["update.method"]?["grade"] == "proved")
    #expect(facts("code", claims)["readOnly"] == nil, "\(facts("code", claims))")
    let run = try await ConsoleRun.run(
      ["-c", "create fixing name=one code=mine", "-c", "list fixing --where code=mine -o id"], in: server.home)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `a null in a whole record does not prove that a field which is left out is cleared`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("sparing", server)
    #expect(claims["update.method"]?["value"] == "PUT")
    #expect(claims["update.clear"]?["grade"] != "proved", "\(String(describing: claims["update.clear"]))")
    #expect(claims["update.merges"]?["grade"] != "proved")
  }

  @Test func `a moment that each change sets does not prove that changes replace the record`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("ticking", server)
    #expect(claims["update.merges"]?["value"] == true, "\(String(describing: claims["update.merges"]))")
    let text = try file("ticking", server)
    #expect(text.contains("method: PATCH") && text.contains("clear: untested"), "\(text)")
    #expect(!text.contains("clear: replace"), "\(text)")
  }

  @Test func `a field that stays in a record sent without it is cleared by what a read shows to clear it`() async throws
  {
    let server = try await StyleServer("writes")
    let claims = try await claims("deriving", server)
    // A field that has another value may follow from the change.
    #expect(claims["update.merges"]?["grade"] == "likely", "\(String(describing: claims["update.merges"]))")
    let text = try file("deriving", server)
    #expect(text.contains("method: null") && text.contains("clear: \"null\""), "\(text)")
    let run = try await ConsoleRun.run(
      ["-c", "update deriving 3 --unset note", "-c", "get deriving 3 -o json"], in: server.home)
    #expect(run.status == 0 && run.output.contains("\"note\": null"), "\(run.output)\(run.errors)")
  }

  @Test
  func
    `where a change of one field takes another away, records are sent whole, and nothing proves that they are replaced`()
    async throws
  {
    let server = try await StyleServer("writes")
    let claims = try await claims("emptying", server)
    #expect(claims["update.merges"]?["value"] == false && claims["update.merges"]?["grade"] == "likely")
    #expect(try file("emptying", server).contains("readBack: true"))
    let run = try await ConsoleRun.run(
      ["-c", "update emptying 3 name=new", "-c", "get emptying 3 -o json"], in: server.home)
    #expect(run.status == 0 && run.output.contains("\"note\": \"n3\""), "\(run.output)\(run.errors)")
    let cleared = try await ConsoleRun.run(
      ["-c", "update emptying 3 --unset note", "-c", "get emptying 3 -o json"], in: server.home)
    #expect(!cleared.output.contains("\"note\": \"n3\""), "\(cleared.output)\(cleared.errors)")
  }

  @Test(
    "a PATCH that replaces the record is not taken for one that leaves the other fields alone",
    arguments: [("erasing", "proved"), ("baring", "proved"), ("sole", "untested")])
  func erasing(_ manner: String, _ grade: String) async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims(manner, server)
    #expect(claims["update.method"]?["value"] == "PATCH" && claims["update.method"]?["grade"] == "proved")
    #expect(claims["update.merges"]?["value"] != true, "\(String(describing: claims["update.merges"]))")
    #expect(claims["update.merges"]?["grade"] == .string(grade), "\(String(describing: claims["update.merges"]))")
    let text = try file(manner, server)
    #expect(text.contains("replaceMethod: PATCH") && !text.contains("others stay"), "\(text)")
    #expect(try server.read("\(manner)/left") == "[]")
    guard manner == "erasing" else { return }
    let run = try await ConsoleRun.run(
      ["-c", "update erasing 3 kind=big", "-c", "get erasing 3 -o json"], in: server.home)
    #expect(run.status == 0, "\(run.errors)")
    for text in ["\"name\": \"thing 3\"", "\"kind\": \"big\"", "\"note\": \"n3\""] {
      #expect(run.output.contains(text), "\(run.output)")
    }
  }

  @Test func `an identifier that stays does not prove that a change leaves the other fields alone`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("choosing", server)
    #expect(claims["create.identifier"]?["value"] == "client")
    #expect(claims["update.method"]?["value"] == "PUT")
    #expect(claims["update.merges"]?["value"] != true, "\(String(describing: claims["update.merges"]))")
    let run = try await ConsoleRun.run(
      ["-c", "update choosing thing-3 name=new", "-c", "get choosing thing-3 -o json"], in: server.home)
    #expect(run.status == 0 && run.output.contains("\"size\": 3"), "\(run.output)\(run.errors)")
    #expect(try server.read("choosing/left") == "[]")
  }

  @Test(
    "an identifier that the service makes of a text, or gives in the place of one that is taken, is not chosen",
    arguments: [("slugging", "server", "proved"), ("yielding", "client", "contradicted")])
  func chosen(_ manner: String, _ chooser: String, _ grade: String) async throws {
    let server = try await StyleServer("writes")
    let claim = try await claims(manner, server)["create.identifier"]
    #expect(claim?["value"] == .string(chooser) && claim?["grade"] == .string(grade), "\(String(describing: claim))")
    #expect(try !file(manner, server).contains("identifier: client"))
    #expect(try server.read("\(manner)/left") == "[]")
  }

  @Test func `fields that a sentence names are not left out of whole records`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("wordy", server)
    #expect(claims["update.drop"] == nil, "\(String(describing: claims["update.drop"]))")
    #expect(try !file("wordy", server).contains("drop:"))
  }

  @Test func `a change that is refused without the revision by 412 is sent with it`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("pressing", server)
    #expect(claims["revision.required"]?["grade"] == "proved", "\(String(describing: claims["revision.required"]))")
    #expect(claims["update.method"]?["grade"] == "proved" && claims["delete.method"]?["grade"] == "proved")
    #expect(try server.read("pressing/left") == "[]")
  }

  @Test func `a member in which new records are not kept is not written`() async throws {
    let server = try await StyleServer("writes")
    let run = try await server.add("misplacing/things misplacing", "--yes --try-writes")
    #expect(run.errors.contains("fields that were sent inside data were not stored"), "\(run.errors)")
    #expect(try !file("misplacing", server).contains("wrap: data"))
  }

  @Test func `an empty text that numbers are not cleared by is no way to clear`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("failing", server)
    #expect(claims["update.clear"]?["value"] != "emptyText", "\(String(describing: claims["update.clear"]))")
    #expect(claims["update.clear"]?["grade"] != "proved")
  }

  @Test func `a response of 500 to nulls claims nothing of the fields`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("faulting", server)
    for field in ["note", "size", "place", "made", "visits"] {
      #expect(facts(field, claims)["nullable"] == nil, "\(field): \(facts(field, claims))")
    }
    let failing = try await server.add("failing/things failing", "--yes --try-writes").errors
    #expect(failing.contains("→ 500, null: failed"), "\(failing)")
    #expect(!failing.split(separator: "\n").contains { $0.contains("→ 500") && $0.contains("refused") }, "\(failing)")
  }

  @Test func `the only value that records have is not the only one that is allowed`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("colored", server)
    #expect(facts("color", claims)["values"] == nil, "\(facts("color", claims))")
    let run = try await ConsoleRun.run(
      ["-c", "update colored 5 color=#000000", "-c", "get colored 5 -o json"], in: server.home)
    #expect(run.status == 0 && run.output.contains("#000000"), "\(run.errors)")
  }

  @Test func `fields that a sentence names are not required, and the one that is required is proved`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("talking", server)
    #expect(isProved("required", of: "name", claims), "\(facts("name", claims))")
    for field in ["note", "kind"] { #expect(facts(field, claims)["required"] == nil, "\(field)") }
    #expect(try server.read("talking/left") == "[]")
    let run = try await ConsoleRun.run(["-c", "create talking name=one -o id"], in: server.home)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `required fields are proved by leaving out each of them alone`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("merging", server)
    for field in ["name", "kind"] { #expect(isProved("required", of: field, claims), "\(facts(field, claims))") }
    for field in ["made", "visits"] { #expect(isProved("readOnly", of: field, claims), "\(facts(field, claims))") }
    let strict = try await self.claims("strict", server)
    for field in ["made", "visits"] { #expect(isProved("readOnly", of: field, strict), "\(facts(field, strict))") }
    for field in ["name", "note"] { #expect(isProved("type", of: field, claims), "\(facts(field, claims))") }
    #expect(facts("made", claims)["nullable"] == nil)
  }

  @Test func `required fields are found by their labels`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("labeling", server)
    for field in ["name", "kind", "firstname"] {
      #expect(isProved("required", of: field, claims), "\(field): \(facts(field, claims))")
    }
    #expect(facts("note", claims)["required"] == nil)
    // It was empty in all records, and has kept a text.
    #expect(isProved("type", of: "home", claims) && facts("home", claims)["type"] == "text", "\(facts("home", claims))")
    #expect(try server.read("labeling/left") == "[]")
  }

  @Test func `a word for any member in a refusal is not taken for the field of that name`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("keyed", server)
    for field in ["name", "kind"] {
      #expect(isProved("required", of: field, claims), "\(field): \(facts(field, claims))")
    }
    #expect(facts("key", claims)["required"] == nil)
    #expect(try server.read("keyed/left") == "[]")
  }

  @Test func `texts that all records have are left out in turn where no refusal names a field`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("terse", server)
    for field in ["name", "kind"] { #expect(isProved("required", of: field, claims), "\(facts(field, claims))") }
    #expect(try server.read("terse/left") == "[]")
  }

  @Test func `a reference that records show as an object is sent as its identifier`() async throws {
    let server = try await StyleServer("writes")
    for (manner, name) in [("referring", "project_id"), ("numbered", "project")] {
      let claims = try await claims(manner, server)
      #expect(claims["create.method"]?["grade"] == "proved", "\(manner): \(claims["create.method"] ?? Object())")
      let field = facts(name, claims)
      #expect(field["readPath"] == "project.id" && field["type"] == "integer", "\(manner): \(field)")
      #expect(isProved("required", of: name, claims), "\(manner): \(field)")
      #expect((facts("project", claims)["readOnly"] == true) == (manner == "referring"))
      #expect(try server.read("\(manner)/left") == "[]")
      let made = try await ConsoleRun.run(["-c", "create \(manner) name=one \(name):=2 -o id"], in: server.home)
      let id = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let run = try await ConsoleRun.run(["-c", "get \(manner) \(id) -o json"], in: server.home)
      #expect(run.output.contains("\"\(name)\": 2"), "\(manner): \(made.errors)\(run.output)\(run.errors)")
    }
  }

  @Test func `a value that every record has need not be one that was set in a new record`() async throws {
    let server = try await StyleServer("writes")
    let stage = facts("stage", try await claims("settled", server))
    #expect(stage["note"] == nil && stage["readOnly"] == true, "\(stage)")
    #expect(stage["likely"]?.array?.contains("readOnly") == true, "\(stage)")
  }

  @Test func `what two resources show of writes is likely for one that refused its trial`() async throws {
    let server = try await StyleServer("writes")
    let paths = ["wrapped", "referring", "refusing"].map { "--only \($0)/things" }.joined(separator: " ")
    let run = try await server.add(" all", "\(paths) --yes --try-writes --max-requests 1000 -o json")
    let claims = try JSONReader.read(run.output).array?.compactMap(\.object) ?? []
    for (fact, value) in [
      ("create.method", "POST"), ("create.wrap", "thing"), ("update.method", "PATCH"), ("delete.method", "DELETE"),
    ] as [(String, Value)] {
      let claim = claims.first { $0["fact"] == .string(fact) && $0["resource"]?.text?.hasPrefix("refusing") == true }
      #expect(claim?["value"] == value && claim?["grade"] == "likely", "\(fact): \(claim ?? Object())\(run.errors)")
    }
  }

  @Test func `a field that ignores what is not a value of its form is not read-only`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("typed", server)
    #expect(facts("slug", claims)["readOnly"] == nil, "\(facts("slug", claims))")
    let run = try await ConsoleRun.run(["-c", "update typed 5 slug=xyz", "-c", "get typed 5 -o json"], in: server.home)
    #expect(run.status == 0 && run.output.contains("xyz"), "\(run.errors)")
  }

  @Test func `whole numbers are proved by a fraction that is refused`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("typed", server)
    #expect(facts("weight", claims)["type"] == "number")
    #expect(facts("points", claims)["type"] == "number", "\(facts("points", claims))")
    // It was not tried with a text.
    #expect(!isProved("type", of: "points", claims), "\(facts("points", claims))")
    #expect(facts("size", claims)["type"] == "integer")
    #expect(isProved("type", of: "size", claims), "\(facts("size", claims))")
    #expect(isProved("nullable", of: "size", claims), "\(facts("size", claims))")
    #expect(facts("points", claims)["nullable"] == nil)
  }

  @Test func `an envelope with the identifier of a record is not the record`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("enveloping", server)
    #expect(claims["records.recordPath"]?["value"] == "data", "\(String(describing: claims["records.recordPath"]))")
    #expect(claims["update.method"]?["grade"] == "proved")
    #expect(claims["fields.ok"] == nil && claims["lists.omit"] == nil)
    #expect(try server.read("enveloping/left") == "[]")
  }

  @Test func `a missing permission claims nothing of fields`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await claims("forbidding", server)
    #expect(claims["update.method"]?["grade"] == "proved")
    for fact in ["nullable", "readOnly", "restrictedValues"] { #expect(facts("note", claims)[fact] == nil, "\(fact)") }
  }

  @Test func `records that the trial did not see are no proof of how records are made`() async throws {
    let server = try await StyleServer("writes")
    let run = try await server.add("echoing/things", "--yes --try-writes -o json")
    let claims = try JSONReader.read(run.output).array?.compactMap(\.object) ?? []
    #expect(claims.first { $0["fact"] == "create.method" }?["grade"] == "likely", "\(run.errors)")
  }
}
