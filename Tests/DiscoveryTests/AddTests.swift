import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// `add` on services in several styles: what it claims is so, and it only reads.
@Suite struct AddTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer() }

  /// The facts to find about a style of service.
  struct Style: Sendable, CustomTestStringConvertible {
    var name: String
    var facts: [String: Value]
    /// The facts that are not more than likely.
    var likely: Set<String> = []
    var testDescription: String { name }
  }

  static let styles = [
    Style(
      name: "numbered",
      facts: [
        "records.listPath": "content", "identifier.field": "id", "page.style": "number", "page.parameter": "page",
        "page.first": 0, "size.parameter": "size", "size.default": 10, "size.maximum": 20, "size.whenTooLarge": "clamp",
        "total": ["member": "totalElements"], "unknown": "ignored", "notFound": "404", "lists.omit": ["detail"],
      ]),
    Style(
      name: "offset",
      facts: [
        "records.listPath": "data.rows", "page.style": "offset", "page.parameter": "offset", "size.parameter": "limit",
        "size.maximum": 15, "total": ["member": "data.meta.total"], "sort.parameter": "sort", "sort.direction": "minus",
        "end.emptyPage": true,
      ]),
    Style(
      name: "after",
      facts: [
        "page.style": "after", "page.parameter": "starting_after", "size.parameter": "limit", "end.hasMore": "has_more",
      ]),
    Style(
      name: "token",
      facts: [
        "records.listPath": "things", "page.style": "cursor", "page.parameter": "pageToken",
        "size.parameter": "pageSize",
        "page.next": ["member": "nextPageToken"],
      ]),
    Style(
      name: "linked",
      facts: [
        "records.listPath": "$", "page.style": "number", "page.parameter": "page", "page.next": ["relation": "next"],
        "size.parameter": "per_page", "size.maximum": 12, "end.noNext": true, "sort.parameter": "sort",
        "sort.direction": "minus",
      ]),
    Style(
      name: "shy",
      facts: [
        "records.listPath": "$", "page.style": "number", "page.parameter": "_page", "size.parameter": "_limit",
        "total": ["header": "X-Total-Count"], "sort.parameter": "_sort", "sort.directionParameter": "_order",
        "filter.equal": [
          "parameter": "{field}", "value": "{value}", "json": false, "accuracy": "superset",
          "fields": ["name", "state", "n"],
        ],
      ]),
    Style(name: "slashed", facts: ["paths.item": "/slashed/things/{id}", "size.default": 10, "page.style": "offset"]),
    Style(
      name: "inside",
      facts: [
        "records.fieldsPath": "attributes", "identifier.field": "id",
        "fields.n": ["type": "integer", "likely": ["type"]],
        "filter.equal": [
          "parameter": "filter[{field}]", "value": "{value}", "json": false, "accuracy": "superset",
          "fields": ["name", "state", "n"],
        ],
      ], likely: ["records.fieldsPath", "fields.n"]),
    Style(
      name: "named",
      facts: [
        "identifier.link": "name", "identifier.type": "integer", "paths.item": "/named/things/{id}",
        "size.parameter": "pageSize", "page.style": "cursor", "page.parameter": "pageToken", "unknown": "refused",
        "sort.parameter": "orderBy", "sort.direction": "suffix", "sort.descending": " desc",
      ], likely: ["identifier.type"]),
    Style(
      name: "asked",
      facts: [
        "page.style": "number", "page.parameter": "page", "size.parameter": "limit",
        "total": ["member": "meta.filter_count", "parameters": ["meta": "*"]], "projection.parameter": "fields",
      ]),
    Style(
      name: "items",
      facts: [
        "preset": "directus", "size.parameter": "limit", "size.default": 25, "size.maximum": 25,
        "size.whenTooLarge": "clamp",
        "end.emptyPage": true, "total": ["member": "meta.filter_count", "parameters": ["meta": "filter_count"]],
        "projection.parameter": "fields",
        "filter.equal": [
          "parameter": "filter[{field}][_eq]", "value": "{value}", "json": false, "accuracy": "superset",
          "fields": ["name", "state", "n"],
        ],
      ]),
    Style(
      name: "picky",
      facts: [
        "fields.owner": ["type": "text", "restrictedValues": true, "likely": ["type"]],
        "records.recordPath": "objects.0",
        "lists.omit": ["meta"],
        "filter.equal": [
          "parameter": "{field}", "value": "{value}", "json": false, "accuracy": "superset", "fields": ["n"],
        ],
      ], likely: ["fields.owner"]),
    Style(
      name: "prefixed",
      facts: [
        "records.listPath": "hydra:member", "page.parameter": "page", "size.parameter": "itemsPerPage",
        "sort.parameter": "order[{field}]", "sort.direction": "value",
        "total": ["member": "hydra:totalItems"], "page.next": ["member": "hydra:view.hydra:next"],
        "fields.@id": ["type": "text", "readOnly": true, "likely": ["type", "readOnly"]],
      ], likely: ["fields.@id"]),
    Style(
      name: "spelled",
      facts: [
        "size.parameter": "__page_size", "page.parameter": "__page", "sort.parameter": "__order",
        "projection.parameter": "__visible_fields", "total": ["header": "X-Pagination", "member": "totalCount"],
      ]),
    Style(
      name: "pages",
      facts: ["paths.item": "/pages/things/{id}.json", "page.style": "offset", "total": ["member": "total_count"]]),
    Style(name: "apart", facts: ["page.style": "offset", "total": ["member": "total"]]),
    Style(name: "either", facts: ["size.parameter": "perPage", "filter.or": " || "]),
    Style(name: "whole", facts: ["records.listPath": "$", "unknown": "ignored"]),
    Style(name: "counted", facts: ["page.style": "none", "total": ["member": "total"]]),
    Style(name: "masked", facts: ["lists.omit": ["key"], "page.style": "offset"]),
    Style(
      name: "strict",
      facts: ["page.style": "offset", "size.parameter": "limit", "size.whenTooLarge": "refuse", "unknown": "refused"]),
  ]

  @Test("a style is recognized, and reads alone are sent", arguments: styles) func style(_ style: Style) async throws {
    let claims = try await server.claims("\(style.name)/things" + (style.name == "slashed" ? "/" : ""))
    for (fact, value) in style.facts {
      #expect(claims[fact]?["value"] == value, "\(fact)")
      #expect(claims[fact]?["grade"]?.text == (style.likely.contains(fact) ? "likely" : "proved"), "\(fact)")
    }
    // Methods in a document override OPTIONS.
    #expect(claims["create.method"]?["grade"] == (style.name == "spelled" ? nil : "likely"))
    let log = try server.log()
    #expect(log.count > 5)
    // Services with the usual parameters take fewer requests than the limit. Four of these run the description: two
    // pages, a record and the count. One looks for a record that the list leaves out, one orders by a second field, and
    // two ask for a part of a text by the parameter of a whole one. Behind a total that a full page reaches, the count asks
    // once more.
    #expect(log.count { $0.contains("/things") } <= 47)
    #expect(log.allSatisfy { line in ["GET ", "HEAD ", "OPTIONS "].contains { line.hasPrefix($0) } })
  }

  @Test func `what is added is a backend that lists, gets and counts every record`() async throws {
    for style in [
      "numbered", "offset", "after", "token", "linked", "counted", "strict", "slashed", "inside", "asked", "prefixed",
      "picky", "spelled", "apart", "pages",
    ] {
      #expect(try await server.add("\(style)/things\(style == "slashed" ? "/" : "") \(style)").status == 0)
      let run = try await server.run(
        "list \(style) --all -o id", "get \(style) 17 -o json", "list \(style) state=open -o id --all")
      #expect(run.status == 0, "\(style): \(run.errors)")
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines.prefix(30) == (1...30).map(String.init)[...], "\(style)")
      #expect(lines.suffix(15) == stride(from: 2, through: 30, by: 2).map(String.init)[...], "\(style)")
      #expect(run.output.contains("\"thing 17\""), "\(style)")
    }
  }

  @Test func `relationships of records lead to the resource that has records of their type`() async throws {
    let run = try await server.add("related related", "--yes --evidence")
    #expect(run.status == 0 && run.output.contains("type: Thing") && run.output.contains("reference: people"))
    let listed = try await server.run("list related/things --with owner -n 2 -o json", "get related/things 3 -o json")
    #expect(listed.status == 0 && listed.output.contains("person 2"), "\(listed.output)\(listed.errors)")
    #expect(listed.output.contains("\"owner\": \"1\""), "\(listed.output)")
  }

  @Test func `a root may say of each resource where its list is`() async throws {
    #expect(try await server.claims("picky")["total"]?["grade"] == "proved")
    #expect(try server.log().allSatisfy { !$0.contains("things/schema") })
    #expect(try await server.claims("apart")["total"]?["grade"] == "proved")
  }

  @Test func `what joins conditions is proposed only where the service is seen to take it`() async throws {
    for (style, grade, condition) in [
      ("either", "proved", "state = 'open' || n = 7"), ("both", "contradicted", ""), ("bare", "contradicted", ""),
    ] {
      #expect(try await server.claims("\(style)/things \(style)")["filter.or"]?["grade"]?.text == grade)
      let run = try await server.run("list \(style) --where \"state=open or n=7\" --all -o id")
      #expect(run.output.split(separator: "\n").count == 16, "\(style): \(run.output)\(run.errors)")
      if !condition.isEmpty { #expect(try server.log().contains { $0.contains(condition) }) }
    }
  }

  @Test func `links that differ are not fields, and another spelling of an identifier names no record`() async throws {
    let claims = try await server.claims("generous/things generous")
    #expect(claims["records.notFields"]?["value"] == ["_links"])
    #expect(claims["fields._links"] == nil)
    let got = try await server.run("get generous 17 -o json")
    #expect(got.output.contains("thing 17") && !got.output.contains("_links"), "\(got.output)")
    for id in ["17/", "17.", "17 ", "017"] {
      let run = try await server.run("get generous \"\(id)\"")
      #expect(run.errors.contains("not found") || run.errors.contains("not a"), "\(id): \(run.errors)")
    }
    let before = try server.log().count
    for line in ["delete generous '17/' --yes", "update generous '17.' name=x"] {
      let run = try await server.run(line)
      #expect(run.status != 0, "\(line): \(run.errors)")
    }
    #expect(try server.log().dropFirst(before).allSatisfy { $0.hasPrefix("GET ") })
  }

  @Test func `a section of a description says who told it`() async throws {
    for (path, expected) in [
      ("whole/things whole", "from: probe\n    evidence: \"OPTIONS /whole/things → 200, Allow (likely)\""),
      ("offset/things offset", "from: probe\n    evidence: \"GET /offset/things"),
    ] {
      let run = try await server.add(path, "--yes --evidence")
      #expect(run.output.contains(expected), "\(run.output)")
      #expect(!run.output.contains("from: document"), "\(run.output)")
    }
  }

  @Test func `a page for people is told from an API without lists`() async throws {
    let run = try await server.add("login/api", "--yes")
    #expect(run.status != 0, "\(run.output)")
    #expect(
      run.errors.contains("\(server.address)/login/api responded with a web page (Sign in), not with data"),
      "\(run.errors)")
    #expect(run.errors.contains("--bearer-env"), "\(run.errors)")
  }

  @Test func `too few records prove nothing of pages`() async throws {
    let claims = try await server.claims("few/things")
    #expect(claims["size.parameter"]?["grade"] == "untested")
    #expect(claims["identifier.field"]?["grade"] == "proved")
  }

  @Test func `another server is never asked, whatever a response or a document names`() async throws {
    let run = try await server.add("elsewhere/things")
    #expect(run.errors.contains("does not return the next page"), "\(run.errors)")
    let described = try await server.add("described")
    #expect(described.status == 0, "\(described.errors)")
    let configuration = try server.configuration()
    #expect(!configuration.contains("elsewhere.example.org"))
  }

  @Test func `what a document says and the service does not do is reported`() async throws {
    let run = try await server.add("described", "--yes --evidence")
    for difference in [
      "the document says that the list is at results; the service sends it at data.rows",
      "the document says that n is text; the service sends integer",
      "the document says that note is integer; the service sends text",
      "the document says that note is one of 1 value; records have others",
      "the document says that state is at most 3 characters long; records have longer texts",
      "the document has the field extra; no record that was read has it",
    ] { #expect(run.errors.contains("things: \(difference)"), "\(run.errors)") }
    #expect(run.output.contains("size.maximum"))
    let claims = try await server.claims("described other")
    let (note, state) = (claims["fields.note"]?["value"]?.object, claims["fields.state"]?["value"]?.object)
    #expect(note?["type"] == "text" && note?["values"] == nil, "\(note ?? Object())")
    #expect(state?["values"] == ["open", "done"] && state?["maximumLength"] == nil, "\(state ?? Object())")
    let log = try server.log()
    #expect(!log.contains { $0.contains("logout") || $0.contains("reports") })
  }

  @Test func `a document that refers to itself, to files and to other servers is read as far as it goes`() async throws
  {
    let run = try await server.add("broken/things", "--yes --evidence")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("records.listPath"))
    #expect(!run.output.contains("root:"))
  }

  @Test func `broken header fields prove nothing`() async throws {
    let claims = try await server.claims("odd/things")
    #expect(claims["records.listPath"]?["grade"] == "proved")
    #expect(claims["page.style"]?["grade"] != "proved")
  }

  @Test func `a rate limit is waited out`() async throws {
    let claims = try await server.claims("limited/things")
    #expect(claims["page.style"]?["value"] == "offset")
  }

  @Test("a service that stops answering loses nothing of what was found", arguments: ["tired", "full", "dying"])
  func stopping(_ style: String) async throws {
    let run = try await server.add("\(style)/things \(style)", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("the service stopped responding: "), "\(run.errors)")
    let claims = try run.claims
    func grade(_ fact: String) -> Value? { claims.first { $0["fact"]?.text == fact }?["grade"] }
    #expect(grade("records.listPath") == "proved")
    #expect(grade("identifier.field") == "proved")
    #expect(grade("size.parameter") == "proved")
    #expect(grade("sort.parameter") == "untested")
    #expect(!claims.contains { $0["evidence"]?.text?.contains("503") == true && $0["grade"] == "proved" })
    let configuration = try server.configuration()
    #expect(configuration.contains("\"\(style)\""))
  }

  @Test func `a script has to agree, and nothing but the address and its document is read before`() async throws {
    let run = try await server.add("offset/things", "")
    #expect(run.status != 0)
    #expect(run.errors.contains("needs --yes"))
    #expect(try server.log().allSatisfy { $0 == "GET /offset/things" || !$0.contains("/things") })
  }

  @Test func `credentials come from variables, and not over plain http to other machines`() async throws {
    let without = try await server.add("guarded/things")
    #expect(without.status != 0)
    #expect(without.errors.contains("authentication required (401)"))
    let with = try await server.add(
      "guarded/things guarded --bearer-env DESK_TOKEN --yes", "", variables: ["DESK_TOKEN": "t0k"])
    #expect(with.status == 0, "\(with.errors)")
    let configuration = try server.configuration()
    #expect(configuration.contains("DESK_TOKEN"))
    #expect(!configuration.contains("t0k"))
    let plain = try await server.run(
      "add http://desk.example.org/api --bearer-env DESK_TOKEN --yes", variables: ["DESK_TOKEN": "t0k"])
    #expect(plain.status == 2 && plain.errors.contains("plain http"))
  }

  @Test func `evidence holds no value of a record`() async throws {
    let run = try await server.add("offset/things", "--yes -o json")
    for evidence in try run.claims.compactMap({ $0["evidence"]?.text }) {
      #expect(!evidence.contains("thing "), "\(evidence)")
      #expect(!evidence.contains("/things/1"), "\(evidence)")
    }
  }

  @Test func `the number of requests is held, and what was not reached is untested`() async throws {
    let run = try await server.add("offset/things", "--yes --max-requests 12")
    #expect(run.status == 0 || run.errors.contains("the 12 requests of the run were used up"), "\(run.errors)")
    #expect(try server.log().count <= 12)
  }

  @Test func `the plan has both paths of a list where the address shows a page`() async throws {
    let run = try await server.add("pages site", "--only things --yes")
    #expect(run.errors.contains("× GET /pages/things or /pages/things.json"), "\(run.errors)")
    #expect(run.errors.contains("× GET /pages/things/{id} or /pages/things/{id}.json"), "\(run.errors)")
  }

  @Test func `a name that is taken, an address that is none and --print change no file`() async throws {
    let printed = try await server.add("offset/things", "--yes --print")
    #expect(printed.status == 0, "\(printed.errors)")
    #expect(printed.output.hasPrefix("switchboard: 1\n"))
    #expect(!FileManager.default.fileExists(atPath: server.file().path))
    #expect(try await server.add("offset/things desk").status == 0)
    let again = try await server.add("offset/things desk")
    #expect(again.errors.contains("the backend desk already exists"))
    let none = try await server.run("add nowhere")
    #expect(none.errors.contains("an address begins with http://"))
  }
}
