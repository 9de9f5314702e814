import BackendKit
import ConsoleSupport
import Testing

/// Discovery by `add` of records whose names people choose: maps of them, and paths at which they are created.
@Suite("Records with names") struct NamedTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("operated") }

  private func value(_ claims: [String: Object], _ fact: String, _ grade: Value = "proved") -> Value? {
    claims[fact].flatMap { $0["grade"] == grade ? $0["value"] : nil }
  }

  @Test func `an object with a record for each key is a list, whether or not records have their keys`() async throws {
    for (kind, field, id) in [("members", "name", "ann-3"), ("colours", "id", "c3")] {
      let claims = try await server.claims("\(kind)/things \(kind)")
      #expect(value(claims, "records.layout") == "map", "\(claims["records.layout"] ?? Object())")
      #expect(value(claims, "records.listPath") == "$" && value(claims, "identifier.field") == .string(field))
      #expect(value(claims, "paths.item") == .string("/\(kind)/things/{id}"))
      #expect(value(claims, "notFound") == "404" && claims["lists.omit"] == nil)
      let read = try await server.run(
        "count \(kind) --trust-end", "list \(kind) \(field)=\(id) --trust-end -o id",
        "get \(kind) \(id) -o id")
      #expect(read.output == "7\n\(id)\n\(id)\n", "\(read.errors)")
    }
  }

  @Test func `the parts of one record are no list, alike or not`() async throws {
    for (kind, reason) in [("state", "no list of records in it"), ("mixed", "no resource was found")] {
      let run = try await server.add("\(kind)/things \(kind)")
      #expect(run.status != 0 && run.errors.contains(reason), "\(run.output)\(run.errors)")
    }
  }

  @Test func `a record is made at a path of the trial's choice where the list takes none`() async throws {
    for (kind, method) in [("users", "POST"), ("shares", "PUT")] {
      let claims = try await server.claims("\(kind)/things \(kind)", "--yes --try-writes")
      #expect(value(claims, "create.method") == .string(method), "\(claims["create.method"] ?? Object())")
      #expect(value(claims, "create.identifier") == "client" && value(claims, "delete.method") == "DELETE")
      #expect((claims["create.drop"] == nil) == (kind == "shares"))
      #expect(claims["create"] == nil && claims["delete"] == nil, "\(claims["create"] ?? Object())")
      #expect(try server.read("\(kind)/left") == "[]")
      // Every write of the trial is at the marker's path or refused.
      let writes = try server.log().filter { $0.hasPrefix("P") && $0.contains("/\(kind)/") }
      #expect(writes.count { $0.hasSuffix("/things") } <= 3 && writes.count <= 12, "\(writes)")
      let written = try await server.run(
        "create \(kind) name=bo -o id", "get \(kind) bo -o id", "delete \(kind) bo --yes")
      #expect(written.status == 0 && written.output.hasPrefix("bo\nbo\n"), "\(written.output)\(written.errors)")
      let again = try await server.run("create \(kind) name='ann 3'")
      #expect(again.status != 0, "\(again.output)")
    }
  }

  @Test func `a part of a text is asked for as the service does it, and what finds beginnings alone is refuted`()
    async throws
  {
    let claims = try await server.claims("users/things users")
    let contains = value(claims, "filter.contains")?.object
    #expect(contains?["parameter"] == "{field}__contains" && contains?["fields"] == ["name"], "\(claims)")
    let read = try await server.run("list users --trust-end --where 'name ~ \"n 11\"' -o id")
    #expect(read.output == "ann 11\n", "\(read.errors)")
    #expect(try await server.claims("shares/things shares")["filter.contains"] == nil)
  }

  @Test func `names that people write are not read-only, and times and kinds are so likely`() async throws {
    for kind in ["users", "teams"] {
      let claims = try await server.claims("\(kind)/things \(kind)")
      func facts(_ field: String) -> Object { claims["fields.\(field)"]?["value"]?.object ?? Object() }
      #expect(facts("name")["readOnly"] == nil && facts("name")["type"] == "text", "\(facts("name"))")
      for field in ["created"] + (kind == "users" ? ["kind"] : ["roles"]) {
        #expect(facts(field)["readOnly"] == true, "\(field) of \(kind): \(facts(field))")
        #expect(facts(field)["likely"]?.array?.contains("readOnly") == true, "\(facts(field))")
      }
      #expect(claims["create"]?["grade"] == "untested", "\(kind): \(claims["create"] ?? Object())")
    }
  }
}
