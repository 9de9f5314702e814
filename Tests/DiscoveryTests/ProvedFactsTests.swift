import BackendKit
import ConsoleSupport
import Testing

/// Claims that `add` makes from reads: a fact is proved only if a read that could refute it was tried, and a merely
/// likely one makes no condition exact and refuses no write.
@Suite("Proved and likely facts") struct ProvedFactsTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("proved") }

  // MARK: Conditions

  @Test func `a condition with a parameter for each field is not exact, and a text with a comma is compared here`()
    async throws
  {
    let claims = try await server.claims("commas/things commas")
    #expect(claims["filter.equal"]?["value"]?.object?["accuracy"] == "superset")
    #expect(claims["filter.equal"]?["grade"] == "proved")
    let listed = try await server.run("list commas 'name=thing 7,thing 8' -o id")
    #expect(listed.output == "30\n", "\(listed.output)\(listed.errors)")
    // Nothing else is left to the console.
    let before = try server.log().count
    let narrowed = try await server.run("list commas 'name=thing 7' -o id")
    #expect(narrowed.output == "7\n", "\(narrowed.output)\(narrowed.errors)")
    #expect(try server.log().dropFirst(before).contains { $0.contains("name=thing") })
  }

  @Test func `a condition that no other value refutes is exact`() async throws {
    let claims = try await server.claims("typed/things typed")
    let equal = claims["filter.equal"]
    #expect(equal?["grade"] == "proved")
    // No thing has a text in these fields that could be a number.
    #expect(equal?["value"]?.object?["exact"] == ["n"], "\(String(describing: equal))")
    let text = try server.description("typed")
    #expect(text.contains("accuracy: exact") && text.contains("accuracy: superset"), "\(text)")
  }

  @Test(
    "a condition that finds other records for a text that is alike is not exact",
    arguments: ["casting", "splitting", "unquoting", "trimming", "globbing", "liking"])
  func refuted(_ manner: String) async throws {
    let equal = try await server.claims("\(manner)/things \(manner)")["filter.equal"]?["value"]?.object
    #expect(equal?["accuracy"] == "superset" && equal?["exact"] == nil, "\(String(describing: equal))")
    #expect(try !server.description(manner).contains("accuracy: exact"))
  }

  @Test func `a condition that leaves out records that meet it is not used`() async throws {
    let claims = try await server.claims("partial/things partial")
    let fields = claims["filter.equal"]?["value"]?.object?["fields"]?.array ?? []
    #expect(!fields.contains("state"), "\(fields)")
    let listed = try await server.run("list partial state=open -o id --all")
    #expect(listed.output.split(separator: "\n").count == 15, "\(listed.output)\(listed.errors)")
  }

  @Test(
    "a condition that misses texts with capitals or other letters is not used", arguments: ["lowering", "narrowing"])
  func folded(_ manner: String) async throws {
    let claims = try await server.claims("\(manner)/things \(manner)")
    let fields = claims["filter.equal"]?["value"]?.object?["fields"]?.array ?? []
    #expect(!fields.contains("name"), "\(fields)")
    let name = manner == "lowering" ? "Big thing" : "cafe\u{301} thing"
    let listed = try await server.run("list \(manner) 'name=\(name)' -o id")
    #expect(listed.output == "30\n", "\(listed.output)\(listed.errors)")
  }

  @Test(
    "texts with signs that services take for operators are compared here",
    arguments: ["^thing", "!~thing", "*x", "a+b", "c?", "(x)", "[z]", "$5", "eq:1"])
  func signs(_ text: String) async throws {
    #expect(try await server.claims("patterned/things patterned")["filter.equal"]?["grade"] == "proved")
    let listed = try await server.run("list patterned 'name=\(text)' -o tsv --no-header --fields name")
    #expect(listed.output == text + "\n", "\(listed.output)\(listed.errors)")
    // Texts without such signs are still left to the service.
    let before = try server.log().count
    let narrowed = try await server.run("list patterned name=thing_7 -o id")
    #expect(narrowed.output == "41\n", "\(narrowed.output)\(narrowed.errors)")
    #expect(try server.log().dropFirst(before).contains { $0.contains("name=thing_7") })
  }

  @Test
  func `a word that a service may take for no value is compared here, also if no record had it so far`() async throws {
    let claims = try await server.claims("nulling/things nulling")
    let fields = claims["filter.equal"]?["value"]?.object?["fields"]?.array ?? []
    #expect(fields.contains("name") && fields.contains("state"), "\(fields)")
    // The service has had a thing with this name since its list was read.
    #expect(try server.read("nulling/things?made=1&offset=20").contains("null"))
    let listed = try await server.run("list nulling name=null -o id")
    #expect(listed.output == "30\n", "\(listed.output)\(listed.errors)")
    let before = try server.log().count
    let narrowed = try await server.run("list nulling 'name=thing 7' -o id")
    #expect(narrowed.output == "7\n", "\(narrowed.output)\(narrowed.errors)")
    #expect(try server.log().dropFirst(before).contains { $0.contains("name=thing") })
  }

  @Test func `signs in the value of a parameter for a field are found`() async throws {
    let claims = try await server.claims("operating/things operating")
    for (fact, value) in [
      ("filter.contains", "~{value}"), ("filter.greaterOrEqual", ">={value}"), ("filter.lessOrEqual", "<={value}"),
    ] as [(String, Value)] {
      let facts = claims[fact]?["value"]?.object
      #expect(facts?["parameter"] == "{field}" && facts?["value"] == value, "\(fact): \(claims[fact] ?? Object())")
    }
    let before = try server.log().count
    let listed = try await server.run("list operating --where 'n >= 29' -o id")
    #expect(listed.output == "13\n22\n", "\(listed.output)\(listed.errors)")
    #expect(try server.log().dropFirst(before).contains { $0.contains("n=>=29") })
  }

  @Test(
    "a part of a text is asked for only if the service also finds one or two letters",
    arguments: [("parting", true), ("brief", false)])
  func parts(_ manner: String, _ isFound: Bool) async throws {
    let facts = try await server.claims("\(manner)/things \(manner)")["filter.contains"]?["value"]?.object
    #expect((facts?["parameter"] == "{field}__icontains") == isFound, "\(facts ?? Object())")
    let listed = try await server.run("list \(manner) --where 'name ~ \"7\"' -o id")
    #expect(listed.output == "7\n17\n27\n30\n", "\(listed.output)\(listed.errors)")
  }

  @Test func `a parameter that finds more than is equal is tried with a part`() async throws {
    let claims = try await server.claims("stated/things stated")
    let facts = claims["filter.contains"]?["value"]?.object
    #expect(facts?["parameter"] == "{field}" && facts?["fields"] == ["state"], "\(claims["filter"] ?? Object())")
    #expect(claims["filter.equal"] == nil)
    let counted = try await server.run("count stated state=Open")
    #expect(counted.output == "10\n", "\(counted.output)\(counted.errors)")
  }

  @Test func `a condition on numbers is not proved by whole ones where records have others`() async throws {
    let equal = try await server.claims("rounding/things rounding")["filter.equal"]?["value"]?.object
    #expect(equal?["fields"]?.array?.contains("price") != true, "\(equal ?? Object())")
    let counted = try await server.run("count rounding price=2.5")
    #expect(counted.output == "8\n", "\(counted.output)\(counted.errors)")
  }

  @Test func `a total that stays where a condition leaves records out is none of lists with conditions`() async throws {
    let claims = try await server.claims("unmoved/things unmoved")
    #expect(claims["total"]?["grade"] == "proved" && claims["total.ignoresConditions"]?["grade"] == "proved")
    #expect(try server.description("unmoved").contains("ignoresConditions: true"))
    for (line, count) in [("count unmoved", "30\n"), ("count unmoved state=open", "15\n")] {
      let counted = try await server.run(line)
      #expect(counted.status == 0 && counted.output == count, "\(line): \(counted.output)\(counted.errors)")
    }
    let checked = try await server.run("backends check unmoved --yes")
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
  }

  @Test func `a number behind which pages are refused is no total`() async throws {
    let claims = try await server.claims("windowed/things windowed")
    #expect(claims["total"]?["grade"] == "untested", "\(String(describing: claims["total"]))")
    #expect(claims["end.status"] == nil)
    #expect(try !server.description("windowed").contains("\ntotal:"))
    let counted = try await server.run("count windowed")
    #expect(counted.status != 0 && counted.output.isEmpty, "\(counted.output)\(counted.errors)")
    #expect(counted.errors.contains("the window is too large"), "\(counted.errors)")
  }

  @Test func `a parameter that asks for a whole text is tried with a part of one`() async throws {
    let facts = try await server.claims("holding/things holding")["filter.contains"]?["value"]?.object
    #expect(facts?["parameter"] == "{field}" && facts?["fields"] == ["name"], "\(facts ?? Object())")
    let before = try server.log().count
    let listed = try await server.run("list holding --where 'name ~ \"ing 07\"' -o id")
    #expect(listed.output == "7\n", "\(listed.output)\(listed.errors)")
    #expect(try server.log().dropFirst(before).contains { $0.contains("name=ing") })
  }

  @Test func `the size that a response says it has made of a larger one is the largest`() async throws {
    let claims = try await server.claims("reporting/things reporting")
    #expect(claims["size.maximum"]?["value"] == 100 && claims["size.maximum"]?["grade"] == "proved", "\(claims)")
    #expect(claims["size.whenTooLarge"]?["value"] == "clamp")
  }

  @Test func `an order is looked for by a field whose values differ within a page`() async throws {
    let claims = try await server.claims("directed/things directed")
    #expect(claims["sort.parameter"]?["value"] == "order_by", "\(claims["sort.parameter"] ?? Object())")
    #expect(claims["sort.directionParameter"]?["value"] == "direction")
    #expect(claims["sort.parameter"]?["grade"] == "proved")
    let listed = try await server.run("list directed --sort -note --limit 2 -o id")
    #expect(listed.output == "9\n8\n", "\(listed.output)\(listed.errors)")
  }

  @Test func `records are read by a code where their names lead nowhere, and a strict service is asked by filter`()
    async throws
  {
    let claims = try await server.claims("coded/things coded")
    #expect(claims["identifier.field"]?["value"] == "code", "\(claims["identifier.field"] ?? Object())")
    #expect(claims["identifier.field"]?["grade"] == "proved")
    let equal = claims["filter.equal"]?["value"]?.object
    #expect(equal?["parameter"] == "filter[{field}]" && equal?["fields"] == ["state"], "\(equal ?? Object())")
    #expect(try server.log().count { $0.hasPrefix("GET /coded/things/thing") } == 1)
  }

  @Test func `an order is also looked for by a second field`() async throws {
    let claims = try await server.claims("suffixed/things suffixed")
    #expect(claims["sort.parameter"]?["value"] == "sort", "\(claims["sort.parameter"] ?? Object())")
    #expect(claims["sort.direction"]?["value"] == "suffix" && claims["sort.descending"]?["value"] == ":desc")
    #expect(claims["sort.fields"]?["value"] == ["name"])
  }

  @Test(
    "a mark of the end that comes too early is not believed, and the list is whole",
    arguments: ["clamped", "multiplying", "tokened", "lying"])
  func early(_ style: String) async throws {
    let claims = try await server.claims("\(style)/things \(style)")
    if style == "lying" {
      #expect(claims["end.hasMore"]?["grade"] == "contradicted", "\(claims)")
    } else {
      #expect(claims["size.maximum"]?["value"] == 50 && claims["size.whenTooLarge"]?["value"] == "clamp", "\(claims)")
    }
    let list = try await server.run("list \(style)/things --all -o id")
    #expect(list.status == 0 && list.output.split(separator: "\n").count == 120, "\(list.errors)")
  }

  @Test func `a list that leaves out a record is told of`() async throws {
    let run = try await server.add("hiding/things hiding", "--yes -o ndjson")
    #expect(run.errors.contains("things: the list leaves out records: GET /hiding/things/{id}"), "\(run.errors)")
    let claim = try run.output.split(separator: "\n").compactMap { try JSONReader.read(String($0)).object }
      .first { $0["fact"] == "lists.omitsRecords" }
    #expect(claim?["value"] == true && claim?["grade"] == "proved", "\(run.output)")
    let description = try server.description("hiding")
    #expect(description.contains("omitsRecords: true"), "\(description)")
    let other = try await server.add("reporting/things reporting")
    #expect(!other.errors.contains("leaves out records"), "\(other.errors)")
  }

  @Test func `a record that a list leaves out is looked for in several gaps, at both ends`() async throws {
    let run = try await server.add("sharing/things sharing", "--yes")
    #expect(run.errors.contains("things: the list leaves out records: GET /sharing/things/{id}"), "\(run.errors)")
    #expect(try server.description("sharing").contains("omitsRecords: true"))
  }

  // MARK: What will be used

  @Test func `a condition and an order that work without a page alone are none`() async throws {
    let claims = try await server.claims("crossed/things crossed")
    #expect(claims["page.style"]?["value"] == "offset")
    #expect(claims["filter.equal"] == nil && claims["filter"]?["grade"] == "untested", "\(claims.keys.sorted())")
    #expect(claims["sort.parameter"]?["grade"] == "untested", "\(String(describing: claims["sort.parameter"]))")
    let listed = try await server.run("list crossed state=open -o id --all")
    #expect(listed.output.split(separator: "\n").count == 15, "\(listed.output)\(listed.errors)")
  }

  @Test func `a path with a blank is described as it is`() async throws {
    let claims = try await server.claims("spaced/my%20things spaced")
    #expect(claims["page.style"]?["grade"] == "proved" && claims["filter.equal"]?["grade"] == "proved")
    #expect(claims["paths.item"]?["grade"] == "proved")
    let text = try server.description("spaced")
    #expect(text.contains("collection: my things"), "\(text)")
    let counted = try await server.run("count spaced")
    #expect(counted.output == "30\n", "\(counted.output)\(counted.errors)")
    let got = try await server.run("get spaced 7 -o json")
    #expect(got.output.contains("\"name\": \"thing 7\""), "\(got.output)\(got.errors)")
    let checked = try await server.run("backends check spaced --yes")
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
  }

  // MARK: Ends

  @Test(
    "a page with fewer records than were asked for does not end a list in which others follow",
    arguments: [("gapped", "57\n"), ("stretched", "183\n")])
  func gaps(_ manner: String, _ count: String) async throws {
    let claims = try await server.claims("\(manner)/things \(manner)")
    #expect(claims["end.repeat"] == nil)
    #expect(claims["end.shortPage"]?["grade"] != "proved", "\(String(describing: claims["end.shortPage"]))")
    let text = try server.description(manner)
    #expect(text.contains("when: [emptyPage]"), "\(text)")
    let counted = try await server.run("count \(manner)")
    #expect(counted.status == 0 && counted.output == count, "\(counted.output)\(counted.errors)")
  }

  // MARK: Missing records

  @Test
  func `how a record that is not there is told is proved by an identifier of the form that others have`() async throws {
    for (manner, missing) in [("numbered", "404"), ("identified", "404")] {
      let claims = try await server.claims("\(manner)/things \(manner)")
      #expect(claims["notFound"]?["value"] == .string(missing), "\(String(describing: claims["notFound"]))")
      #expect(claims["notFound"]?["grade"] == "proved")
    }
    let claims = try await server.claims("lettered/things lettered")
    #expect(claims["notFound"]?["grade"] == "likely", "\(String(describing: claims["notFound"]))")
    #expect(try !server.description("lettered").contains("missing:"))
  }

  // MARK: Errors

  @Test func `a status beside a message is no field`() async throws {
    let server = try await StyleServer("writes")
    let claims = try await server.claims("numbering/things numbering", "--yes --try-writes")
    #expect(claims["errors.fields"] == nil && claims["fields.msg"] == nil)
    #expect(claims["update.method"]?["grade"] == "proved", "\(String(describing: claims["update.method"]))")
    let run = try await server.run("create numbering name=one kind=other")
    #expect(run.errors.contains("not one of the kinds") && !run.errors.contains("msg"), "\(run.errors)")
  }

  @Test func `the message of an error is its description before its title`() async throws {
    _ = try await server.add("titled/things titled")
    let text = try server.description("titled")
    #expect(text.contains("message: description"), "\(text)")
  }

  // MARK: Records

  @Test func `an envelope with the identifier of its record is not the record`() async throws {
    let claims = try await server.claims("enveloped/things enveloped")
    #expect(claims["records.recordPath"]?["value"] == "data")
    #expect(claims["records.recordPath"]?["grade"] == "proved")
    #expect(claims["fields.took"] == nil && claims["fields.data"] == nil)
    let got = try await server.run("get enveloped 7 -o json")
    #expect(got.output.contains("\"name\": \"thing 7\"") && !got.output.contains("took"), "\(got.output)\(got.errors)")
  }

  @Test func `an object that shows nothing but the identifier proves no place of a record`() async throws {
    let claims = try await server.claims("echoing/things")
    for fact in ["identifier.field", "records.recordPath", "paths.item"] {
      #expect(claims[fact]?["grade"] == "likely", "\(fact): \(String(describing: claims[fact]))")
    }
  }

  @Test func `attributes beside a type are an object of the record, unless the service has JSON:API`() async throws {
    let claims = try await server.claims("attributed/things attributed")
    #expect(claims["lists.omit"]?["value"] == ["type", "attributes"], "\(String(describing: claims["lists.omit"]))")
    #expect(claims["fields.name"] == nil && claims["fields.attributes"] != nil)
    let listed = try await server.run("list attributed -n 1 -o json")
    #expect(listed.status == 0, "\(listed.errors)")
  }

  // MARK: Fields

  @Test func `types of samples and facts of OPTIONS are likely, and 22.0 is no integer`() async throws {
    let claims = try await server.claims("priced/things priced")
    func facts(_ field: String) -> Value? { claims["fields.\(field)"]?["value"] }
    #expect(facts("price") == ["type": "number", "likely": ["type"]])
    #expect(facts("color") == ["type": "text", "values": ["#FFFFFF"], "likely": ["type", "values"]])
    #expect(facts("n") == ["type": "integer", "required": true, "likely": ["type", "required"]])
    #expect(facts("note") == ["type": "text", "readOnly": true, "likely": ["type", "readOnly"]])
    #expect(facts("state") == ["type": "text", "maximumLength": 4, "likely": ["type", "maximumLength"]])
    for (fact, claim) in claims where fact.hasPrefix("fields.") { #expect(claim["grade"] == "likely", "\(fact)") }
    #expect(claims["identifier.type"]?["grade"] == "likely")
  }

  @Test func `what is only likely refuses no write and no identifier before it is sent`() async throws {
    #expect(try await server.add("priced/things priced").status == 0)
    for line in [
      "update priced 7 color=#000000", "update priced 7 note=x", "update priced 7 state=longer",
      "update priced 7 price=1.5", "create priced name=new", "get priced abc",
    ] { _ = try await server.run(line) }
    let log = try server.log()
    for (request, value) in [
      ("PATCH /priced/things/7", "#000000"), ("PATCH /priced/things/7", "note"), ("PATCH /priced/things/7", "longer"),
      ("PATCH /priced/things/7", "1.5"), ("POST /priced/things", "new"), ("GET /priced/things/abc", ""),
    ] {
      #expect(log.contains { $0.hasPrefix(request) && (value.isEmpty || $0.contains(value)) }, "\(request) \(value)")
    }
  }

  @Test func `how a field is cleared is untested if no write has shown it`() async throws {
    #expect(try await server.add("priced/things priced").status == 0)
    let text = try server.description("priced")
    #expect(text.contains("clear: untested"), "\(text)")
    #expect(text.contains("identifier:\n  field: id\n  type: integer\n  likely: [type]\n"), "\(text)")
  }

  // MARK: Orders, searches and totals

  @Test(
    "an order in which the list comes anyway, or one of each page, is none", arguments: ["newest", "leafing"])
  func order(_ manner: String) async throws {
    let claims = try await server.claims("\(manner)/things")
    #expect(claims["sort.parameter"]?["grade"] == "untested", "\(String(describing: claims["sort.parameter"]))")
  }

  @Test func `a search for words is not the console's, and one for parts of texts is looked at again`() async throws {
    #expect(try await server.claims("wording/things wording")["search.parameter"]?["grade"] == "untested")
    #expect(try await server.claims("seeking/things seeking")["search.parameter"]?["grade"] == "proved")
    #expect(try server.description("seeking").contains("search:\n  parameter: search\n  accuracy: superset\n"))
  }

  @Test func `a number that was only ever that of the records which came is no total`() async throws {
    let claims = try await server.claims("counting/things counting")
    #expect(claims["total"]?["grade"] == "likely")
    #expect(claims["page.style"]?["grade"] == "likely")
    let text = try server.description("counting")
    #expect(!text.contains("\ntotal:") && text.contains("style: untested"), "\(text)")
    let count = try await server.run("count counting")
    #expect(count.status == 5, "\(count.output)\(count.errors)")
  }
}
