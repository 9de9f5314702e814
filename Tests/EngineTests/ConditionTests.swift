import AdapterSupport
import BackendClient
import BackendKit
import Synchronization
import Testing

/// Requests for conditions, and how well services check these.
@Suite struct ConditionTests {
  typealias Filters = Service.Filters

  private func request(
    _ filters: [Filter], kinds: [FieldDescription] = TrapServer.fields, ignoringCase: Bool = false,
    _ change: (inout Service.Resource) -> Void
  ) async throws -> (request: String, plan: [Fidelity]) {
    var resource = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer), fields: kinds)
    resource.paging.offset = "o"
    change(&resource)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: NoExchange())
    var query = ListQuery(things, filters: filters)
    query.ignoreCase = ignoringCase
    let plan = try await backend.plan(query)
    return (PercentEncoding.decoded(plan.request[...]) ?? plan.request, plan.filters)
  }

  private static func name(_ comparison: Comparison, _ text: String) -> Filter {
    .compare(FieldPath("name"), comparison, .word(text))
  }
  private static let number = Filter.compare(FieldPath("n"), .greaterOrEqual, .word("10"))

  @Test func `a service can say of each comparison how it is sent`() {
    // One without a counterpart would never be sent.
    for comparison in Comparison.allCases { #expect(Filters.Comparison(rawValue: comparison.rawValue) != nil) }
  }

  @Test func `each comparison has a row of its own`() async throws {
    let (request, plan) = try await request([Self.name(.contains, "a"), Self.number, .isNull(FieldPath("note"))]) {
      $0.filters = Filters(
        ["name", "n", "note"],
        rows: [
          .init(.contains, "{field}__contains", fidelity: .exact),
          .init(.greaterOrEqual, "{field}__gte", fidelity: .exact),
          .init(.isNull, "{field}__isnull", value: "true", fidelity: .superset),
        ])
    }
    #expect(request == "GET /things?o=0&name__contains=a&n__gte=10&note__isnull=true")
    #expect(plan == [.exact, .exact, .superset])
  }

  @Test(
    "a list of values is sent as the service takes it",
    arguments: [
      (Service.ListForm.separated(","), "n=1,2"), (.repeated, "n=1&n=2"), (.bracketed, "n[]=1&n[]=2"),
      (.indexed, "n[0]=1&n[1]=2"), (.json, #"n=["1","2"]"#),
    ])
  func lists(_ list: Service.ListForm, _ expected: String) async throws {
    let (request, plan) = try await request([.among(FieldPath("n"), [.word("1"), .word("2")])]) {
      $0.addressing.lists = list
      $0.filters = Filters(["n"], rows: [.init(.among, "{field}", fidelity: .exact)])
    }
    #expect(request == "GET /things?o=0&\(expected)")
    #expect(plan == [.exact])
  }

  @Test(arguments: ["o", "size", "sort"])
  func `a condition on a field that has the name of another parameter is left to the console`(field: String)
    async throws
  {
    let condition = Filter.compare(FieldPath(field), .equal, .word("3"))
    let (request, plan) = try await request([condition, Self.name(.equal, "a")]) {
      ($0.paging.size, $0.sorting) = ("size", Service.Sorting("sort", direction: .minus))
      $0.filters = Filters(["name"], rows: [.init(.equal, "{field}", fidelity: .exact)])
      $0.filters?.unknown = .ignores
    }
    #expect(plan == [.not, .exact] && !request.contains("=3"), "\(request)")
  }

  @Test func `a value that would be taken apart is left to the console`() async throws {
    let rows = [
      Filters.Row(.equal, "{field}", fidelity: .exact), Filters.Row(.among, "{field}", fidelity: .exact),
    ]
    let unsendable: [Filter] = [
      Self.name(.equal, "a,b"), .among(FieldPath("name"), [.word("a,b"), .word("c")]), .among(FieldPath("name"), []),
    ]
    for filter in unsendable {
      #expect(try await request([filter]) { $0.filters = Filters(["name"], rows: rows) }.plan == [.not])
    }
  }

  @Test func `the values of a template are quoted and escaped`() async throws {
    let (request, plan) = try await request([.among(FieldPath("name"), [.word("a,b"), .word(#"say "x" \"#)])]) {
      var filters = Filters(["name"], rows: [.init(.among, "{field}", value: "in.({values})", fidelity: .exact)])
      (filters.values.quote, filters.values.escape) = ("\"", #"\"#)
      $0.filters = filters
    }
    #expect(request == #"GET /things?o=0&name=in.("a,b","say \"x\" \\")"#)
    #expect(plan == [.exact])
  }

  private static func odata(_ resource: inout Service.Resource) {
    var filters = Filters(
      ["name", "n", "note", "done"],
      rows: [
        .init(.equal, "{field} eq {value}", fidelity: .exact),
        .init(.greaterOrEqual, "{field} ge {value}", fidelity: .exact),
        .init(.contains, "contains({field},{value})", fidelity: .superset),
        .init(.isNull, "{field} eq null", fidelity: .exact),
        .init(.among, "{field} in ({values})", fidelity: .exact),
      ])
    filters.language = Filters.Language(
      "$filter", and: .text(" and "), or: .text(" or "), not: "not ({0})", longest: 200)
    (filters.values.quote, filters.values.escape) = ("'", "'")
    resource.filters = filters
  }

  @Test func `a language of one parameter joins conditions`() async throws {
    let or = Filter.or([Self.name(.equal, "O'Neil"), .and([Self.number, .isNull(FieldPath("note"))])])
    let (request, plan) = try await request([or, .not(Self.number), Self.name(.contains, "x")], Self.odata)
    #expect(
      request
        == "GET /things?o=0&$filter=(name eq 'O''Neil' or (n ge 10 and note eq null)) and not (n ge 10) and contains(name,'x')"
    )
    #expect(plan == [.exact, .exact, .superset])
  }

  @Test func `the opposite of what is not checked exactly, and what is too long, is left to the console`() async throws
  {
    let (one, plan) = try await request([.not(Self.name(.contains, "x")), Self.number], Self.odata)
    #expect(one == "GET /things?o=0&$filter=n ge 10")
    #expect(plan == [.not, .exact])
    let long = Self.name(.equal, String(repeating: "x", count: 300))
    let (none, left) = try await request([long, Self.number], Self.odata)
    #expect(none == "GET /things?o=0")
    #expect(left == [.not, .not])
  }

  @Test func `a value that is not of the field's kind is not sent`() async throws {
    let (request, plan) = try await request([.compare(FieldPath("n"), .equal, .word("abc"))], Self.odata)
    #expect(request == "GET /things?o=0")
    #expect(plan == [.not])
  }

  @Test func `a number is not asked for a part of it where texts are quoted`() async throws {
    let (request, plan) = try await request(
      [.compare(FieldPath("n"), .contains, .word("1")), Self.name(.contains, "1")], Self.odata)
    #expect(request == "GET /things?o=0&$filter=contains(name,'1')")
    #expect(plan == [.not, .superset])
  }

  @Test(
    "texts are compared by the service only where that is said; numbers always",
    arguments: [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual, .notEqual], [true, false])
  func orders(_ comparison: Comparison, _ isSaid: Bool) async throws {
    let number = Filter.compare(FieldPath("n"), comparison, .word("10"))
    let (_, plan) = try await request([Self.name(comparison, "m"), number]) {
      let sign = Filters.Comparison(rawValue: comparison.rawValue) ?? .less
      var row = Filters.Row(sign, "{field}__\(comparison)", fidelity: .superset)
      row.comparesTexts = isSaid
      $0.filters = Filters(["name", "n"], rows: [row])
    }
    #expect(plan == [isSaid ? .superset : .not, .superset])
  }

  private static let kinds = [
    FieldDescription("at", .date), FieldDescription("m", .any), FieldDescription("n", .integer),
    FieldDescription("name", .text),
  ]
  private static func row(
    _ comparison: Filters.Comparison, _ fidelity: Fidelity, texts: Bool = false, ignoresCase: Bool = false
  ) -> Filters.Row {
    var row = Filters.Row(comparison, "{field}.\(comparison)", fidelity: fidelity)
    (row.comparesTexts, row.ignoresCase) = (texts, ignoresCase)
    return row
  }
  private static func at(_ comparison: Comparison, _ text: String) -> Filter {
    .compare(FieldPath("at"), comparison, Instant(text).map { .moment($0) } ?? .word(text))
  }
  private static func any(_ comparison: Comparison, _ value: Value) -> Filter {
    .compare(FieldPath("m"), comparison, .value(value))
  }
  private static func n(_ comparison: Comparison, _ text: String) -> Filter {
    .compare(FieldPath("n"), comparison, .word(text))
  }
  private static let large = "99999999999999999999"
  private static let (noon, east) = ("2026-07-01T12:00:00Z", "2026-12-31T23:00:00.5-02:00")

  @Test(
    "what a service may understand otherwise is asked for so that no record is lost, or not at all",
    arguments: [
      // Dates, which a service may compare as texts or as moments.
      (at(.greater, noon), row(.greater, .superset), "&at.greater=2026-06-29T12:00:00Z", Fidelity.superset),
      (at(.lessOrEqual, east), row(.lessOrEqual, .superset), "&at.lessOrEqual=2027-01-02T23:00:00.5-02:00", .superset),
      (at(.less, "2026-03-01"), row(.less, .superset), "&at.less=2026-03-03", .superset),
      (at(.less, "9999-12-31T00:00:00Z"), row(.less, .superset), "", .not),
      (at(.greater, noon), row(.greater, .exact), "&at.greater=2026-07-01T12:00:00Z", .exact),
      (at(.greater, noon), row(.greater, .exact, texts: true), "&at.greater=2026-06-29T12:00:00Z", .superset),
      (at(.equal, noon), row(.equal, .superset), "", .not),
      (at(.equal, noon), row(.equal, .exact), "&at.equal=2026-07-01T12:00:00Z", .exact),
      (at(.equal, noon.lowercased()), row(.equal, .exact), "&at.equal=2026-07-01T12:00:00Z", .exact),
      (at(.notEqual, noon), row(.notEqual, .superset), "", .not),
      // Values of another kind that are written alike.
      (any(.equal, "10"), row(.equal, .exact), "&m.equal=10", .superset),
      (any(.equal, 10), row(.equal, .exact), "&m.equal=10", .superset),
      (any(.equal, "true"), row(.equal, .exact), "&m.equal=true", .superset),
      (any(.equal, "ten"), row(.equal, .exact), "&m.equal=ten", .exact),
      (any(.notEqual, "10"), row(.notEqual, .exact, texts: true), "", .not),
      (any(.notEqual, "10"), row(.notEqual, .superset, texts: true), "", .not),
      (any(.greater, "10"), row(.greater, .superset, texts: true), "", .not),
      // Fractions and large numbers, which no field of whole numbers has.
      (n(.equal, "3.5"), row(.equal, .exact), "", .not),
      (n(.equal, "35e-1"), row(.equal, .exact), "", .not),
      (n(.equal, "3.0"), row(.equal, .exact), "&n.equal=3", .exact),
      (n(.notEqual, "3.5"), row(.notEqual, .exact), "", .not),
      (n(.greaterOrEqual, "3.5"), row(.greaterOrEqual, .exact), "&n.greaterOrEqual=3", .superset),
      (n(.less, "3.5"), row(.less, .exact), "&n.less=4", .superset),
      (n(.greater, "-0.5"), row(.greater, .exact), "&n.greater=-1", .superset),
      (n(.lessOrEqual, "-3.5"), row(.lessOrEqual, .exact), "&n.lessOrEqual=-3", .superset),
      (n(.greaterOrEqual, large), row(.greaterOrEqual, .exact), "", .not),
      (n(.less, "1e30"), row(.less, .exact), "", .not),
      (.among(FieldPath("n"), [.word("4"), .word("3.5")]), row(.among, .exact), "", .not),
      (.among(FieldPath("n"), [.word("4"), .word(large)]), row(.among, .exact), "", .not),
      // Dates that the calendar or the clock does not have.
      (at(.equal, "2026-02-30"), row(.equal, .exact), "", .not),
      (at(.greater, "2026-02-28T25:00:00Z"), row(.greater, .exact), "", .not),
      (at(.less, "tomorrow"), row(.less, .exact), "", .not),
      (at(.less, "2026-02-28 09:30"), row(.less, .exact), "&at.less=2026-02-28 09:30", .exact),
      // A part of a number's digits.
      (.compare(FieldPath("n"), .contains, .word("1.0")), row(.contains, .exact), "&n.contains=1.0", .exact),
      // An order of texts in which case does not count.
      (name(.greaterOrEqual, "k"), row(.greaterOrEqual, .superset, texts: true, ignoresCase: true), "", .not),
      (name(.notEqual, "k"), row(.notEqual, .superset, texts: true, ignoresCase: true), "", .not),
      (number, row(.greaterOrEqual, .exact, texts: true, ignoresCase: true), "&n.greaterOrEqual=10", .superset),
    ] as [(Filter, Filters.Row, String, Fidelity)])
  func understood(_ filter: Filter, _ row: Filters.Row, _ asked: String, _ fidelity: Fidelity) async throws {
    let (request, plan) = try await request([filter], kinds: Self.kinds) {
      $0.filters = Filters(["at", "m", "n", "name"], rows: [row])
    }
    #expect(request == "GET /things?o=0\(asked)")
    #expect(plan == [fidelity])
  }

  @Test(
    "a number that binary floating point has not, or not with these digits, is left to the console",
    arguments: [
      ("0.1", true), ("1e400", false), ("1e-400", false), ("0.1234567890123456789", false), ("9007199254740993", false),
    ])
  func digits(_ text: String, _ isSent: Bool) async throws {
    let price = FieldDescription("price", .number)
    let filter = Filter.compare(FieldPath("price"), .less, .word(text))
    let (request, plan) = try await request([filter], kinds: [price]) {
      $0.filters = Filters(["price"], rows: [.init(.less, "max", fidelity: .exact)])
    }
    #expect(request == "GET /things?o=0" + (isSent ? "&max=\(text)" : "") && plan == [isSent ? .exact : .not])
  }

  @Test func `numbers have no case, so they are sent also where case is ignored`() async throws {
    let (request, plan) = try await request([Self.number, Self.name(.equal, "a")], ignoringCase: true, Self.odata)
    #expect(request == "GET /things?o=0&$filter=n ge 10")
    #expect(plan == [.exact, .not])
  }

  @Test(
    "a language without quotes gets plain words only",
    arguments: [
      ("room-1", true), ("食堂", true), ("5", true), ("a;b", false), ("a b", false), ("x,name==y", false), ("-a", false),
      ("or", false), ("null", false), ("a*", false), ("(a", false),
    ])
  func unquoted(_ text: String, _ isSent: Bool) async throws {
    let (request, plan) = try await request([Self.name(.equal, text), Self.number]) {
      var filters = Filters(
        ["name", "n"],
        rows: [
          .init(.equal, "{field}=={value}", fidelity: .exact),
          .init(.greaterOrEqual, "{field}=ge={value}", fidelity: .exact),
        ])
      filters.language = Filters.Language("q", and: .text(";"), or: .text(","))
      $0.filters = filters
    }
    #expect(request == "GET /things?o=0&q=" + (isSent ? "name==\(text);" : "") + "n=ge=10")
    #expect(plan == [isSent ? .exact : .not, .exact])
  }

  @Test func `a value in parentheses without quotes does not end them`() async throws {
    for (text, isSent) in [("a b", true), ("a)", false), ("(a", false), (#"a"b"#, false)] {
      let among = Filter.among(FieldPath("name"), [.word(text), .word("c")])
      let (request, plan) = try await request([among]) {
        $0.filters = Filters(["name"], rows: [.init(.among, "{field}", value: "in.({values})", fidelity: .exact)])
      }
      #expect(request == "GET /things?o=0" + (isSent ? "&name=in.(\(text),c)" : ""))
      #expect(plan == [isSent ? .exact : .not])
    }
  }

  @Test func `a text in quotes with a control character is left to the console`() async throws {
    #expect(try await request([Self.name(.equal, "a\nb")], Self.odata).plan == [.not])
  }

  @Test("conditions are left to the console, the longest first, where the address would be too long")
  func longAddress() async throws {
    func plan(_ values: Int, longest: Int? = nil) async throws -> (request: String, plan: [Fidelity]) {
      let among = Filter.among(FieldPath("n"), (0..<values).map { .word("\(100_000 + $0)") })
      return try await request([Self.name(.equal, "a"), among, .compare(FieldPath("n"), .equal, .word("5"))]) {
        $0.filters = Filters(
          ["name", "n"],
          rows: [
            .init(.equal, "{field}", fidelity: .exact),
            .init(.among, "{field}.in", fidelity: .exact, list: .separated(",")),
          ])
        $0.projection = Service.Projection("fields", always: [])
        $0.projection?.longestAddress = longest
      }
    }
    // Nine bytes for each value.
    for (values, longest, isSent) in [
      (800, nil, true), (900, nil, false), (300, 2_000, false), (100, 2_000, true),
    ] as [(Int, Int?, Bool)] {
      let (request, plan) = try await plan(values, longest: longest)
      #expect(plan == [.exact, isSent ? .exact : .not, .exact])
      #expect(request.hasPrefix("GET /things?o=0&name=a&n" + (isSent ? ".in=100000,100001," : "=5")))
      #expect(request.hasSuffix("&n=5"))
    }
  }

  @Test func `a list of conditions as JSON is said once, and never within itself`() async throws {
    func listed(_ resource: inout Service.Resource) {
      var filters = Filters(
        ["name", "n"], rows: [.init(.equal, "", document: ["f": "{field}", "v": "{value}"], fidelity: .exact)])
      filters.language = Filters.Language("filter", and: .list, or: .member("or"))
      resource.filters = filters
    }
    let (one, two) = (Self.name(.equal, "x"), Filter.compare(FieldPath("n"), .equal, .word("1")))
    let (flat, plan) = try await request([.and([one, .and([two])])], listed)
    #expect(flat == #"GET /things?o=0&filter=[{"f":"name","v":"x"},{"f":"n","v":1}]"#)
    #expect(plan == [.exact])
    let (nested, left) = try await request([.or([one, .and([one, two])])], listed)
    #expect(nested == "GET /things?o=0")
    #expect(left == [.not])
  }

  private static func mongo(_ resource: inout Service.Resource) {
    var filters = Filters(
      ["name", "n"],
      rows: [
        .init(.equal, "", document: ["{field}": "{value}"], fidelity: .exact),
        .init(.greaterOrEqual, "", document: ["{field}": ["$gte": "{value}"]], fidelity: .exact),
        .init(.among, "", document: ["{field}": ["$in": "{values}"]], fidelity: .exact),
      ])
    filters.language = Filters.Language("where", and: .members, or: .member("$or"))
    filters.unknown = .none
    resource.filters = filters
  }

  @Test func `a language of JSON keeps the kinds of values`() async throws {
    let among = Filter.among(FieldPath("name"), [.word("1"), .word("b")])
    let (request, plan) = try await request([Self.number, among], Self.mongo)
    #expect(request == #"GET /things?o=0&where={"n":{"$gte":10},"name":{"$in":["1","b"]}}"#)
    #expect(plan == [.exact, .exact])
    let or = Filter.or([Self.number, Self.name(.equal, "x")])
    #expect(
      try await self.request([or], Self.mongo).request
        == #"GET /things?o=0&where={"$or":[{"n":{"$gte":10}},{"name":"x"}]}"#)
  }

  @Test func `two conditions that JSON cannot hold side by side are left to the console`() async throws {
    let (request, plan) = try await request(
      [Self.number, .compare(FieldPath("n"), .equal, .word("20"))], Self.mongo)
    #expect(request == "GET /things?o=0")
    #expect(plan == [.not, .not])
  }

  @Test(
    "a name that nobody described is sent only where every record comes",
    arguments: [
      (Filters.Unknown.ignores, Fidelity.superset), (.all, .superset), (.refuses, .not), (.none, .not),
    ])
  func unknown(_ unknown: Filters.Unknown, _ expected: Fidelity) async throws {
    let filter = Filter.compare(FieldPath("zz"), .equal, .word("1"))
    let (_, plan) = try await request([filter]) {
      var filters = Filters(["name"], rows: [.init(.equal, "{field}", fidelity: .exact)])
      filters.unknown = unknown
      $0.filters = filters
    }
    #expect(plan == [expected])
  }

  @Test func `wildcards and the service's own case make a condition a superset`() async throws {
    func plan(_ text: String, ignoringCase: Bool = false) async throws -> [Fidelity] {
      try await request([Self.name(.contains, text)], ignoringCase: ignoringCase) {
        var row = Filters.Row(.contains, "{field}", value: "like.*{value}*", fidelity: .exact)
        row.ignoresCase = true
        var filters = Filters(["name"], rows: [row])
        filters.values.wildcards = "*%"
        $0.filters = filters
      }.plan
    }
    #expect(try await plan("a") == [.superset])
    #expect(try await plan("a", ignoringCase: true) == [.exact])
    #expect(try await plan("a*", ignoringCase: true) == [.superset])
  }

  @Test func `one parameter is sent twice only where both count`() async throws {
    for (repetition, expected) in [(Filters.RepeatedParameter.none, Fidelity.not), (.and, .exact), (.or, .not)] {
      let (_, plan) = try await request([Self.name(.contains, "a"), Self.name(.contains, "b")]) {
        var filters = Filters(["name"], rows: [.init(.contains, "{field}~", fidelity: .exact)])
        filters.repetition = repetition
        $0.filters = filters
      }
      #expect(plan == [.exact, expected])
    }
  }

  @Test(
    "an order is asked for as the service takes it",
    arguments: [
      (Service.Sorting.Direction.minus, Service.ListForm.separated(","), "s=name,-n"),
      (.suffix(ascending: ":asc", descending: ":desc"), .indexed, "s[0]=name:asc&s[1]=n:desc"),
      (.words("d", ascending: "ASC", descending: "DESC"), .repeated, "s=name&s=n&d=ASC&d=DESC"),
      (.suffix(ascending: "", descending: " desc"), .separated(","), "s=name,n desc"),
    ])
  func orders(_ direction: Service.Sorting.Direction, _ list: Service.ListForm, _ expected: String) async throws {
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.paging.offset = "o"
    resource.sorting = Service.Sorting("s", direction: direction, exact: ["name", "n"], isMultiple: true)
    resource.sorting?.list = list
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: NoExchange())
    let keys = [SortKey(FieldPath("name")), SortKey(FieldPath("n"), isDescending: true)]
    let plan = try await backend.plan(ListQuery(things, sort: keys))
    #expect(PercentEncoding.decoded(plan.request[...]) == "GET /things?o=0&\(expected)")
  }

  @Test func `an order has a parameter for each field where the service takes it so`() async throws {
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.sorting = Service.Sorting(
      "order[{field}]", direction: .value(ascending: "asc", descending: "desc"), exact: ["name", "n"], isMultiple: true)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: NoExchange())
    let keys = [SortKey(FieldPath("name")), SortKey(FieldPath("n"), isDescending: true)]
    let plan = try await backend.plan(ListQuery(things, sort: keys))
    #expect(PercentEncoding.decoded(plan.request[...]) == "GET /things?order[name]=asc&order[n]=desc")
  }

  @Test func `fields are chosen here where the address would be too long`() async throws {
    let fields = (0..<50).map { FieldDescription("a_long_name_\($0)", .text) }
    for (longest, expected) in [(nil, Fidelity.exact), (500, .not)] {
      var resource = Service.Resource(
        "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer), fields: fields)
      resource.projection = Service.Projection("fields", always: [])
      resource.projection?.longestAddress = longest
      let backend = RESTBackend(Service(product: "p", resources: [resource]), over: NoExchange())
      let plan = try await backend.plan(ListQuery(things, fields: fields.map { FieldPath($0.name) }))
      #expect(plan.fields == expected)
    }
  }

  @Test func `a search is asked for, and looked through again where the service finds too much`() async throws {
    let server = try await TrapServer()
    for fidelity in [Fidelity.exact, .superset] {
      let client = try server.client("searched") { $0.searching = Service.Searching("q", fidelity: fidelity) }
      #expect(try await client.all(ListQuery(things, search: "thing 1")).ids == [1] + Array(10...19))
    }
  }

  @Test("a condition finds on the server what it means", arguments: ["lookups", "where"])
  func found(_ trap: String) async throws {
    let server = try await TrapServer()
    let client = try server.client(trap) { resource in
      if trap == "where" {
        Self.mongo(&resource)
        resource.filters?.fields = ["n", "group"]
      } else {
        resource.recordsAt = [["results"]]
        (resource.paging.offset, resource.paging.size, resource.paging.total) = ("offset", "limit", .member(["count"]))
        var contains = Filters.Row(.contains, "{field}__icontains", fidelity: .exact)
        contains.ignoresCase = true
        var filters = Filters(
          ["n", "group", "note"],
          rows: [
            .init(.equal, "{field}", fidelity: .exact), .init(.greaterOrEqual, "{field}__gte", fidelity: .exact),
            .init(.among, "{field}__in", fidelity: .exact, list: .separated(",")), contains,
            .init(.isNull, "{field}__isnull", value: "true", fidelity: .exact),
          ])
        filters.unknown = .ignores
        resource.filters = filters
      }
    }
    let queries: [(Filter, [Int])] = [
      (.compare(FieldPath("n"), .greaterOrEqual, .word("200")), Array(20...25)),
      (.among(FieldPath("n"), [.word("30"), .word("50")]), [3, 5]),
      (.compare(FieldPath("group"), .equal, .word("even")), Array(stride(from: 2, through: 24, by: 2))),
      (.compare(FieldPath("note"), .contains, .word("N2")), []),
      (.compare(FieldPath("note"), .contains, .word("n2")), [2, 21, 22, 23, 24]),
      (.isNull(FieldPath("note")), [5, 10, 15, 20, 25]),
      (.compare(FieldPath("name"), .equal, .word("thing 7")), [7]),
      (.compare(FieldPath("missing"), .equal, .word("x")), []),
    ]
    for (filter, expected) in queries {
      #expect(try await client.all(ListQuery(things, filters: [filter])).ids == expected, "\(filter)")
    }
  }

  @Test("a condition for which an address is too long is checked here, on every page and from any position")
  func refusedAddress() async throws {
    let server = try await TrapServer()
    let client = try server.client("brief") { resource in
      resource.recordsAt = [["results"]]
      (resource.paging.offset, resource.paging.size, resource.paging.total) = ("offset", "limit", .member(["count"]))
      resource.filters = Filters(
        ["n", "group"],
        rows: [
          .init(.equal, "{field}", fidelity: .exact),
          .init(.among, "{field}__in", fidelity: .exact, list: .separated(",")),
        ])
    }
    let many = Filter.among(FieldPath("n"), (0..<300).map { .word("\($0 * 20)") })
    let query = ListQuery(
      things, filters: [.compare(FieldPath("group"), .equal, .word("even")), many], pageSize: 5)
    let even = Array(stride(from: 2, through: 24, by: 2))
    #expect(try await client.all(query).ids == even)
    #expect(try await client.count(query, maximumScan: 1_000).total == even.count)
    let log = try await server.log()
    #expect(log.contains { $0.hasPrefix("GET /brief/things?") && $0.contains("group=even") && !$0.contains("n__in") })
    let kept = Mutex<[Int]>([])
    var start: ListPosition?
    repeat {
      let request = ListRequest(query, limit: 5, start: start)
      start = try await client.list(
        request,
        to: RecordSink { records in
          kept.withLock { $0 += records.compactMap { $0.id.flatMap { Int($0.text) } } }
          return .more
        }
      ).next
    } while start != nil
    #expect(kept.withLock(\.self) == even)
  }
}

/// A way to nowhere.
struct NoExchange: HTTPExchange {
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    throw BackendError(.unavailable, "nothing is sent in this test", effect: .notSent)
  }
}
