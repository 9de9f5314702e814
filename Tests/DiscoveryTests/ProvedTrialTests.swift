import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// `add --try-writes` proves only what it has tried to refute: what is false is not proved, and what is true still is.
@Suite("What a trial of writes proves") struct ProvedTrialTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("writes") }

  private typealias Claims = [String: Object]

  private func claims(_ manner: String) async throws -> Claims {
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

  @Test func `a way to clear that a read does not show to work is not claimed`() async throws {
    let claims = try await claims("deaf")
    #expect(claims["update.method"]?["grade"] == "proved")
    #expect(claims["update.clear"] == nil, "\(String(describing: claims["update.clear"]))")
    #expect(try server.description("deaf").contains("clear: untested"))
  }

  @Test func `a field that a new record needs and no change reaches is not the service's own`() async throws {
    let claims = try await claims("fixing")
    #expect(claims["update.method"]?["grade"] == "proved")
    #expect(facts("code", claims)["readOnly"] == nil, "\(facts("code", claims))")
    let run = try await server.run("create fixing name=one code=mine", "list fixing --where code=mine -o id")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `a null in a whole record does not prove that a field which is left out is cleared`() async throws {
    let claims = try await claims("sparing")
    #expect(claims["update.method"]?["value"] == "PUT")
    #expect(claims["update.clear"]?["grade"] != "proved", "\(String(describing: claims["update.clear"]))")
    #expect(claims["update.merges"]?["grade"] != "proved")
  }

  @Test func `a moment that each change sets does not prove that changes replace the record`() async throws {
    let claims = try await claims("ticking")
    #expect(claims["update.merges"]?["value"] == true, "\(String(describing: claims["update.merges"]))")
    let text = try server.description("ticking")
    #expect(text.contains("method: PATCH") && text.contains("clear: untested"), "\(text)")
    #expect(!text.contains("clear: replace"), "\(text)")
  }

  @Test func `a field that stays in a record sent without it is cleared by what a read shows to clear it`() async throws
  {
    let claims = try await claims("deriving")
    // A field that has another value may follow from the change.
    #expect(claims["update.merges"]?["grade"] == "likely", "\(String(describing: claims["update.merges"]))")
    let text = try server.description("deriving")
    #expect(text.contains("method: null") && text.contains("clear: \"null\""), "\(text)")
    let run = try await server.run("update deriving 3 --unset note", "get deriving 3 -o json")
    #expect(run.status == 0 && run.output.contains("\"note\": null"), "\(run.output)\(run.errors)")
  }

  @Test
  func
    `where a change of one field takes another away, records are sent whole, and nothing proves that they are replaced`()
    async throws
  {
    let claims = try await claims("emptying")
    #expect(claims["update.merges"]?["value"] == false && claims["update.merges"]?["grade"] == "likely")
    #expect(try server.description("emptying").contains("readBack: true"))
    let run = try await server.run("update emptying 3 name=new", "get emptying 3 -o json")
    #expect(run.status == 0 && run.output.contains("\"note\": \"n3\""), "\(run.output)\(run.errors)")
    let cleared = try await server.run("update emptying 3 --unset note", "get emptying 3 -o json")
    #expect(!cleared.output.contains("\"note\": \"n3\""), "\(cleared.output)\(cleared.errors)")
  }

  @Test(
    "a PATCH that replaces the record is not taken for one that leaves the other fields alone",
    arguments: [("erasing", "proved"), ("baring", "proved"), ("sole", "untested")])
  func erasing(_ manner: String, _ grade: String) async throws {
    let claims = try await claims(manner)
    #expect(claims["update.method"]?["value"] == "PATCH" && claims["update.method"]?["grade"] == "proved")
    #expect(claims["update.merges"]?["value"] != true, "\(String(describing: claims["update.merges"]))")
    #expect(claims["update.merges"]?["grade"] == .string(grade), "\(String(describing: claims["update.merges"]))")
    let text = try server.description(manner)
    #expect(text.contains("replaceMethod: PATCH") && !text.contains("others stay"), "\(text)")
    #expect(try server.read("\(manner)/left") == "[]")
    guard manner == "erasing" else { return }
    let run = try await server.run("update erasing 3 kind=big", "get erasing 3 -o json")
    #expect(run.status == 0, "\(run.errors)")
    for text in ["\"name\": \"thing 3\"", "\"kind\": \"big\"", "\"note\": \"n3\""] {
      #expect(run.output.contains(text), "\(run.output)")
    }
  }

  @Test func `an identifier that stays does not prove that a change leaves the other fields alone`() async throws {
    let claims = try await claims("choosing")
    #expect(claims["create.identifier"]?["value"] == "client")
    #expect(claims["update.method"]?["value"] == "PUT")
    #expect(claims["update.merges"]?["value"] != true, "\(String(describing: claims["update.merges"]))")
    let run = try await server.run("update choosing thing-3 name=new", "get choosing thing-3 -o json")
    #expect(run.status == 0 && run.output.contains("\"size\": 3"), "\(run.output)\(run.errors)")
    #expect(try server.read("choosing/left") == "[]")
  }

  @Test(
    "an identifier that the service makes of a text, or gives in the place of one that is taken, is not chosen",
    arguments: [("slugging", "server", "proved"), ("yielding", "client", "contradicted")])
  func chosen(_ manner: String, _ chooser: String, _ grade: String) async throws {
    let claim = try await claims(manner)["create.identifier"]
    #expect(claim?["value"] == .string(chooser) && claim?["grade"] == .string(grade), "\(String(describing: claim))")
    #expect(try !server.description(manner).contains("identifier: client"))
    #expect(try server.read("\(manner)/left") == "[]")
  }

  @Test func `fields that a sentence names are not left out of whole records`() async throws {
    let claims = try await claims("wordy")
    #expect(claims["update.drop"] == nil, "\(String(describing: claims["update.drop"]))")
    #expect(try !server.description("wordy").contains("drop:"))
  }

  @Test func `a change that is refused without the revision by 412 is sent with it`() async throws {
    let claims = try await claims("pressing")
    #expect(claims["revision.required"]?["grade"] == "proved", "\(String(describing: claims["revision.required"]))")
    #expect(claims["update.method"]?["grade"] == "proved" && claims["delete.method"]?["grade"] == "proved")
    #expect(try server.read("pressing/left") == "[]")
  }

  @Test func `a member in which new records are not kept is not written`() async throws {
    let run = try await server.add("misplacing/things misplacing", "--yes --try-writes")
    #expect(run.errors.contains("fields that were sent inside data were not stored"), "\(run.errors)")
    #expect(try !server.description("misplacing").contains("wrap: data"))
  }

  @Test func `an empty text that numbers are not cleared by is no way to clear`() async throws {
    let claims = try await claims("failing")
    #expect(claims["update.clear"]?["value"] != "emptyText", "\(String(describing: claims["update.clear"]))")
    #expect(claims["update.clear"]?["grade"] != "proved")
  }

  @Test func `a response of 500 to nulls claims nothing of the fields`() async throws {
    let claims = try await claims("faulting")
    for field in ["note", "size", "place", "made", "visits"] {
      #expect(facts(field, claims)["nullable"] == nil, "\(field): \(facts(field, claims))")
    }
    let failing = try await server.add("failing/things failing", "--yes --try-writes").errors
    #expect(failing.contains("→ 500, null: failed"), "\(failing)")
    #expect(!failing.split(separator: "\n").contains { $0.contains("→ 500") && $0.contains("refused") }, "\(failing)")
  }

  @Test func `the only value that records have is not the only one that is allowed`() async throws {
    let claims = try await claims("colored")
    #expect(facts("color", claims)["values"] == nil, "\(facts("color", claims))")
    let run = try await server.run("update colored 5 color=#000000", "get colored 5 -o json")
    #expect(run.status == 0 && run.output.contains("#000000"), "\(run.errors)")
  }

  @Test func `fields that a sentence names are not required, and the one that is required is proved`() async throws {
    let claims = try await claims("talking")
    #expect(isProved("required", of: "name", claims), "\(facts("name", claims))")
    for field in ["note", "kind"] { #expect(facts(field, claims)["required"] == nil, "\(field)") }
    #expect(try server.read("talking/left") == "[]")
    let run = try await server.run("create talking name=one -o id")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `required fields are proved by leaving out each of them alone`() async throws {
    let claims = try await claims("merging")
    for field in ["name", "kind"] { #expect(isProved("required", of: field, claims), "\(facts(field, claims))") }
    for field in ["made", "visits"] { #expect(isProved("readOnly", of: field, claims), "\(facts(field, claims))") }
    let strict = try await self.claims("strict")
    for field in ["made", "visits"] { #expect(isProved("readOnly", of: field, strict), "\(facts(field, strict))") }
    for field in ["name", "note"] { #expect(isProved("type", of: field, claims), "\(facts(field, claims))") }
    #expect(facts("made", claims)["nullable"] == nil)
  }

  @Test func `required fields are found by their labels`() async throws {
    let claims = try await claims("labeling")
    for field in ["name", "kind", "firstname"] {
      #expect(isProved("required", of: field, claims), "\(field): \(facts(field, claims))")
    }
    #expect(facts("note", claims)["required"] == nil)
    // It was empty in all records, and has kept a text.
    #expect(isProved("type", of: "home", claims) && facts("home", claims)["type"] == "text", "\(facts("home", claims))")
    #expect(try server.read("labeling/left") == "[]")
  }

  @Test func `a word for any member in a refusal is not taken for the field of that name`() async throws {
    let claims = try await claims("keyed")
    for field in ["name", "kind"] {
      #expect(isProved("required", of: field, claims), "\(field): \(facts(field, claims))")
    }
    #expect(facts("key", claims)["required"] == nil)
    #expect(try server.read("keyed/left") == "[]")
  }

  @Test func `texts that all records have are left out in turn where no refusal names a field`() async throws {
    let claims = try await claims("terse")
    for field in ["name", "kind"] { #expect(isProved("required", of: field, claims), "\(facts(field, claims))") }
    #expect(try server.read("terse/left") == "[]")
  }

  @Test func `a reference that records show as an object is sent as its identifier`() async throws {
    for (manner, name) in [("referring", "project_id"), ("numbered", "project")] {
      let claims = try await claims(manner)
      #expect(claims["create.method"]?["grade"] == "proved", "\(manner): \(claims["create.method"] ?? Object())")
      let field = facts(name, claims)
      #expect(field["readPath"] == "project.id" && field["type"] == "integer", "\(manner): \(field)")
      #expect(isProved("required", of: name, claims), "\(manner): \(field)")
      #expect((facts("project", claims)["readOnly"] == true) == (manner == "referring"))
      #expect(try server.read("\(manner)/left") == "[]")
      let made = try await server.run("create \(manner) name=one \(name):=2 -o id")
      let id = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let run = try await server.run("get \(manner) \(id) -o json")
      #expect(run.output.contains("\"\(name)\": 2"), "\(manner): \(made.errors)\(run.output)\(run.errors)")
    }
  }

  @Test func `a value that every record has need not be one that was set in a new record`() async throws {
    let stage = facts("stage", try await claims("settled"))
    #expect(stage["note"] == nil && stage["readOnly"] == true, "\(stage)")
    #expect(stage["likely"]?.array?.contains("readOnly") == true, "\(stage)")
  }

  @Test func `what two resources show of writes is likely for one that refused its trial`() async throws {
    let paths = ["wrapped", "referring", "refusing"].map { "--only \($0)/things" }.joined(separator: " ")
    let run = try await server.add(" all", "\(paths) --yes --try-writes --max-requests 1000 -o json")
    let claims = try run.claims
    for (fact, value) in [
      ("create.method", "POST"), ("create.wrap", "thing"), ("update.method", "PATCH"), ("delete.method", "DELETE"),
    ] as [(String, Value)] {
      let claim = claims.first { $0["fact"] == .string(fact) && $0["resource"]?.text?.hasPrefix("refusing") == true }
      #expect(claim?["value"] == value && claim?["grade"] == "likely", "\(fact): \(claim ?? Object())\(run.errors)")
    }
  }

  @Test func `a field that ignores what is not a value of its form is not read-only`() async throws {
    let claims = try await claims("typed")
    #expect(facts("slug", claims)["readOnly"] == nil, "\(facts("slug", claims))")
    let run = try await server.run("update typed 5 slug=xyz", "get typed 5 -o json")
    #expect(run.status == 0 && run.output.contains("xyz"), "\(run.errors)")
  }

  @Test func `whole numbers are proved by a fraction that is refused`() async throws {
    let claims = try await claims("typed")
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
    let claims = try await claims("enveloping")
    #expect(claims["records.recordPath"]?["value"] == "data", "\(String(describing: claims["records.recordPath"]))")
    #expect(claims["update.method"]?["grade"] == "proved")
    #expect(claims["fields.ok"] == nil && claims["lists.omit"] == nil)
    #expect(try server.read("enveloping/left") == "[]")
  }

  @Test func `a missing permission claims nothing of fields`() async throws {
    let claims = try await claims("forbidding")
    #expect(claims["update.method"]?["grade"] == "proved")
    for fact in ["nullable", "readOnly", "restrictedValues"] { #expect(facts("note", claims)[fact] == nil, "\(fact)") }
  }

  @Test func `records that the trial did not see are no proof of how records are made`() async throws {
    let run = try await server.add("echoing/things", "--yes --try-writes -o json")
    let claims = try run.claims
    #expect(claims.first { $0["fact"] == "create.method" }?["grade"] == "likely", "\(run.errors)")
  }
}
