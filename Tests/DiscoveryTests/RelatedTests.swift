import BackendKit
import ConsoleSupport
import Testing

/// The facts that `add` finds in the records of several resources without a document: words that recur, the resources
/// that fields refer to, conditions and orders on more than one field, and lists below records.
@Suite("Related resources without a document") struct RelatedTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("related") }

  /// The claims about a resource, by fact.
  private func claims(of resource: String, _ options: String = "") async throws -> [String: Object] {
    let run = try await server.add(" shop", "--yes -o json \(options)")
    #expect(run.status == 0, "\(run.errors)")
    return try run.facts(of: resource)
  }

  private func field(_ name: String, _ claims: [String: Object]) -> Object {
    claims["fields.\(name)"]?["value"]?.object ?? Object()
  }

  @Test func `words that recur in many records are likely the only ones`() async throws {
    let claims = try await claims(of: "items")
    for (name, words) in [
      ("status", ["active", "sold", "draft"]), ("phase", ["early", "middle", "recent"]), ("shade", ["dark", "light"]),
    ] as [(String, Value)] {
      #expect(field(name, claims)["values"] == words, "\(name): \(field(name, claims))")
      #expect(field(name, claims)["likely"] == ["type", "values"], "\(name): \(field(name, claims))")
    }
    for name in ["title", "supplierId", "length", "paid"] {
      #expect(field(name, claims)["values"] == nil, "\(name): \(field(name, claims))")
    }
    #expect(field("_links", claims)["readOnly"] == true, "\(field("_links", claims))")
  }

  @Test func `another text that a trial stores refutes them, and a refused one does not`() async throws {
    let claims = try await claims(of: "items", "--try-writes")
    #expect(field("status", claims)["values"] == ["active", "sold", "draft"], "\(field("status", claims))")
    for name in ["shade", "phase"] {
      #expect(field(name, claims)["values"] == nil, "\(name): \(field(name, claims))")
    }
    // Its name ends like that of a reference.
    #expect(try server.log().contains { $0.hasPrefix("P") && $0.contains(/"paid":(true|false)/) })
    #expect(try !server.log().contains { $0.hasPrefix("POST") && $0.contains("_links") })
    #expect(try server.read("left") == "[]")
  }

  @Test func `fields refer to the resource of their name, or to the only one with their values`() async throws {
    let claims = try await claims(of: "items")
    for name in ["supplierId", "makerId"] {
      #expect(field(name, claims)["reference"] == "suppliers", "\(name): \(field(name, claims))")
    }
    // There is no seller 6, and no number of an order need be that of a record.
    for name in ["sellerId", "order", "paid", "title"] {
      #expect(field(name, claims)["reference"] == nil, "\(name): \(field(name, claims))")
    }
    #expect(try server.log().contains("GET /sellers/6"))
    #expect(try server.description("shop").contains("reference: items"))
  }

  @Test func `conditions are tried on every field whose type allows them`() async throws {
    let claims = try await claims(of: "items")
    let equal = claims["filter.equal"]?["value"]?.object?["fields"]?.array ?? []
    let fields = equal + (claims["filter.others"]?["value"]?.array ?? [])
    for name in ["title", "status", "phase", "shade", "length", "supplierId", "makerId", "sellerId", "paid"] {
      #expect(fields.contains(.string(name)), "\(name): \(fields)")
    }
    let most = claims["filter.lessOrEqual"]?["value"]?.object?["fields"]?.array ?? []
    #expect(most.contains("length") && most.contains("id"), "\(most)")
    let before = try server.log().count
    let listed = try await server.run("list shop/items --where 'id <= 3 and sellerId = 2' -o id")
    #expect(listed.output == "1\n", "\(listed.output)\(listed.errors)")
    #expect(try server.log().dropFirst(before).contains { $0.contains("id=<=3") || $0.contains("sellerId=2") })
  }

  @Test func `a page with one of a few values proves an order, unless the newest records are first anyway`()
    async throws
  {
    let fields = try await claims(of: "items")["sort.fields"]?["value"]?.array ?? []
    #expect(fields.contains("status") && fields.contains("title"), "\(fields)")
    #expect(!fields.contains("phase"), "\(fields)")
    let listed = try await server.run("list shop/items --sort phase,id -n 1 -o id")
    #expect(listed.output == "1\n", "\(listed.output)\(listed.errors)")
  }

  @Test func `a list that the root names below records has an owner, and new records where the whole list takes none`()
    async throws
  {
    let read = try await claims(of: "orders")
    #expect(read["owners.items"]?["value"] == ["field": "itemId"], "\(read["owners.items"] ?? Object())")
    #expect(field("itemId", read)["reference"] == "items", "\(field("itemId", read))")
    #expect(try await server.run("backends remove shop --yes").status == 0)
    let run = try await server.add(" shop", "--yes -o json --try-writes")
    #expect(run.errors.contains("× POST /items/{item_id}/orders"), "\(run.errors)")
    let claims = try run.facts(of: "orders")
    #expect(claims["owners.items"]?["value"]?.object?["createsBelow"] == true, "\(claims["owners.items"] ?? Object())")
    #expect(claims["owners.items"]?["grade"] == "proved" && claims["create.method"]?["grade"] == "proved")
    #expect(try server.read("left") == "[]")
    let made = try await server.run("create shop/items/2/orders note=mine -o id", "get shop/orders 31 -o json")
    #expect(made.output.hasPrefix("31\n") && made.output.contains("\"itemId\": 2"), "\(made.output)\(made.errors)")
  }

  @Test func `the next command names a resource`() async throws {
    let run = try await server.add(" shop", "--yes")
    #expect(run.errors.contains("next: list shop/items\n"), "\(run.errors)")
  }
}
