import BackendKit
import ConsoleSupport
import Testing

/// The output of `--with`, on services with and without a filter on identifiers.
@Suite("Records that fields refer to") struct RelationTests {
  private let desk: RelatedDesk

  init() async throws { desk = try await RelatedDesk() }

  private func related(_ run: ConsoleRun, _ member: String = "@requester") throws -> [Value?] {
    try (JSONReader.read(run.output).array ?? []).map { $0.object?[member] }
  }

  @Test("a list is completed page by page: one request more where the service filters, else one for each other record")
  func batches() async throws {
    let filtered = try await desk.run("list filtered/tickets --with requester -o json --limit 60").succeeded()
    let found = try related(filtered)
    #expect(found[10]?.object?["name"] == "person 12")
    let requests = try await desk.requests(filtered)
    #expect(requests.filter { $0.contains("id=") }.count == 2, "\(requests)")
    // Person 11 is in no list, and 999 is nobody.
    let read = requests.filter { !$0.contains("?") }.sorted()
    #expect(read == ["GET /filtered/people/11", "GET /filtered/people/999"], "\(requests)")

    let other = try await desk.run("list read/tickets --with requester -o json --limit 60").succeeded()
    #expect(try related(other) == found)
    let reads = try await desk.requests(other).filter { $0.hasPrefix("GET /read/") }
    #expect(Set(reads).count == reads.count, "each record is asked for once: \(reads)")
    #expect(reads.allSatisfy { !$0.contains("?") })
  }

  @Test("a reference to a record that is not there is null, one that is null or absent has no member") func missing()
    async throws
  {
    for backend in ["filtered", "read"] {
      let run = try await desk.run("list \(backend)/tickets --with requester -o json --limit 5")
      #expect(run.status == 0)
      let found = try related(run)
      #expect(found[0] == .null)
      #expect(found[1] == nil && found[2] == nil)
      #expect(found[3]?.object?["name"] == "person 7")
      #expect(found[4] == .null)
      #expect(
        run.errors.contains("\(backend)/tickets/1: requester 999 does not identify a record of people\n"),
        "\(run.errors)")
      #expect(run.errors.contains("\(backend)/tickets/5: requester p9 does not identify a record of people\n"))
      let table = try await desk.run("list \(backend)/tickets --with requester --limit 3 --fields id")
      #expect(table.output == " ID  @REQUESTER\n  1  missing\n  2  -\n  3  -\n")
    }
  }

  @Test("a field that is a list shows a list of records") func lists() async throws {
    let run = try await desk.run("list filtered/tickets --with watchers -o json --limit 6")
    let found = try related(run, "@watchers")
    #expect(found[0]?.array?.count == 2)
    #expect(found[0]?.array?.last == .null)
    #expect(found[1] == .array([]))
    #expect(found[5]?.array?.compactMap { $0.object?["id"]?.integer } == [1, 2, 3])
    let table = try await desk.run("list filtered/tickets --with watchers --where 'id = 6' --fields id")
    // A title that reads like the mark is told apart from it, and what cannot be seen is shown.
    #expect(
      table.output == " ID  @WATCHERS\n  6  person 1, \"missing\", Ana, \"the admin\"\\u{202e}\\x1b[31m\n",
      "\(table.output)")
  }

  @Test("an error stops the list and names the field, the record and the identifier") func refused() async throws {
    let run = try await desk.run("list refused/tickets --with requester -o json --limit 20")
    #expect(run.status != 0)
    #expect(run.errors.contains("get refused/people 8: requester of refused/tickets/7: "), "\(run.errors)")
  }

  @Test("a name of the service's own is never replaced") func taken() async throws {
    let run = try await desk.run("list filtered/odd --with requester")
    #expect(run.status != 0)
    #expect(run.errors.contains("filtered/odd/6 already has a field @requester"), "\(run.errors)")
  }

  @Test("records named by another field than their identifier are found by it, or looked through") func keys()
    async throws
  {
    for backend in ["filtered", "read"] {
      let run = try await desk.run("get \(backend)/byLogin 5 --with requester -o json")
      let record = try JSONReader.read(run.output).object
      #expect(record?["@requester"]?.object?["id"]?.integer == 9, "\(run.errors)")
    }
    let graph = try await desk.run("describe read -o dot")
    #expect(graph.output.contains("r1 -> r3 [label=\"requester\"];"), "\(graph.output)\(graph.errors)")
    let plan = try await desk.run("explain list read/byLogin --with requester")
    #expect(plan.output.contains("requester -> people.login, the records of people are read"), "\(plan.output)")
  }

  @Test("what it costs is explained") func explained() async throws {
    let filtered = try await desk.run("explain list filtered/tickets --with requester -n 30")
    #expect(
      filtered.output.contains(
        "with      requester -> people.id, at most 1 more request for a page: a filter on id requests several at once"),
      "\(filtered.output)")
    let read = try await desk.run("explain list read/tickets --with requester,watchers -n 30 -o json")
    let with = try JSONReader.read(read.output).object?["with"]?.array
    #expect(with?.count == 2)
    #expect(with?.first?.object?["way"] == "get")
    #expect(with?.first?.object?["mostRequests"]?.integer == 30)
  }

  @Test("a script can use it, and a mistake in it is found before anything is sent") func scripts() async throws {
    let run = try await desk.run(
      "capture t = get filtered/tickets 6 --with requester",
      "get filtered/people ${t[\"@requester\"].id} --fields name -o json")
    #expect(run.output == "{\n  \"name\": \"person 7\"\n}\n", "\(run.errors)")
    let wrong = try await desk.run("list filtered/tickets", "list filtered/tickets --with title")
    #expect(wrong.status == 2)
    #expect(wrong.output == "")
    #expect(
      wrong.errors.contains(
        "unknown reference field \"title\" in filtered/tickets"),
      "\(wrong.errors)")
  }

  @Test("columns of csv are those of the record that is referred to") func separated() async throws {
    let run = try await desk.run("list filtered/tickets --with requester --limit 1 --page 6 -n 1 -o csv")
    #expect(run.status == 2)
    let csv = try await desk.run("list filtered/tickets --with requester --page 6 -n 1 -o csv")
    #expect(
      csv.output == """
        id,title,requester,watchers,@requester.id,@requester.name,@requester.login
        6,ticket 6,7,"[1,2,3]",7,person 7,p7

        """, "\(csv.output)\(csv.errors)")
    let chosen = try await desk.run(
      "list filtered/tickets --with requester --page 6 -n 1 -o csv --fields id,@requester.name")
    #expect(chosen.output == "id,@requester.name\n6,person 7\n")
  }
}
