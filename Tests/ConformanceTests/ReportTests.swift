import BackendConformance
import BackendKit
import Testing

@Suite("Reports") struct ReportTests {
  private let report: ConformanceReport

  init() throws {
    let laws = [
      "plan sends no request", "total count", "skip records", "get missing record", "create stores the fields",
    ].map {
      ConformanceSuite.law(named: $0)
    }
    var breach = Breach(
      "the record <1> was read", expected: "the error \"notFound\"", found: "it's\n\u{1B}[2J # \\ & gone")
    breach.exchanges = ["GET /todos/1 → 200 {\"id\":1}"]
    let outcomes: [LawResult.Outcome] = [
      .kept(.passed), .kept(.refused), .kept(.emulated), .broken(breach),
      .kept(.notApplicable("nothing may be written\nhere")),
    ]
    report = ConformanceReport(
      subject: "local/todos",
      results: try zip(laws, outcomes).map {
        LawResult(try #require($0), $1, requests: 2, duration: .milliseconds(1_500))
      },
      leftBehind: ["9\n"], isCancelled: true, seed: 7)
  }

  @Test("for people: a line for each law that applies, why others do not, the failures, how to repeat them, the counts")
  func text() {
    #expect(
      TextReport.text(report) == """
        judged 4 of 5 laws; not applicable:
          1   nothing may be written\\u{A}here

        passed          plan: plan sends no request
        refused         paging: total count
        emulated        paging: skip records
        failed          get: get missing record

        failed: get missing record
          promise   a `get` of a record that does not exist throws `notFound`.
          done      the record <1> was read
          expected  the error "notFound"
          found     it's\\u{A}\\u{1B}[2J # \\ & gone
          sent      GET /todos/1 → 200 {"id":1}
          again     switchboard conformance local/todos --only "get missing record" --seed 7

        local/todos: 5 laws: 1 failed, 1 passed, 1 refused, 1 emulated, 1 not applicable; 10 requests in 7.500 s, seed 7
        The run was cancelled: laws after the last one above were not checked.
        1 record of the suite could not be removed: 9\\u{A}; a sweep removes those that the list shows.
        again: switchboard conformance local/todos --only "get missing record" --seed 7

        """)
  }

  @Test("TAP: version, plan, a point for each law, and a bail-out")
  func tap() {
    #expect(
      TAPReport.text(report) == """
        TAP version 14
        1..5
        ok 1 - plan: plan sends no request
          ---
          verdict: passed
          ...
        ok 2 - paging: total count
          ---
          verdict: refused
          ...
        ok 3 - paging: skip records
          ---
          verdict: emulated
          ...
        not ok 4 - get: get missing record
          ---
          promise: "a `get` of a record that does not exist throws `notFound`."
          done: "the record <1> was read"
          expected: "the error \\"notFound\\""
          found: "it's\\\\u{A}\\\\u{1B}[2J # \\\\ & gone"
          sent: "GET /todos/1 → 200 {\\"id\\":1}"
          ...
        ok 5 - create: create stores the fields # SKIP nothing may be written\\u{A}here
        # 1 record of the suite could not be removed: 9\\u{A}
        Bail out! the run was cancelled

        """)
  }

  @Test("JUnit: counts, skipped and failed cases, and nothing that XML cannot hold")
  func junit() {
    let text = JUnitReport.text(report)
    #expect(
      text.contains(#"<testsuite name="local/todos" tests="6" failures="1" errors="1" skipped="1" time="7.500">"#))
    #expect(text.contains(#"<testcase name="get missing record" classname="local/todos.get" time="1.500">"#))
    #expect(
      text.contains(
        #"<failure message="it's\u{A}\u{1B}[2J # \ &amp; gone">the record &lt;1&gt; was read; expected the error"#))
    #expect(text.contains(#"<skipped message="nothing may be written\u{A}here"/>"#))
    #expect(text.contains(#"<error message="the run was cancelled"/>"#))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("a report has passed when nothing failed and it ran to its end")
  func passed() throws {
    let law = try #require(ConformanceSuite.laws.first)
    let result = LawResult(law, .kept(.passed))
    let broken = LawResult(law, .broken(Breach("a", expected: "b", found: "c")))
    #expect(ConformanceReport(subject: "s", results: [result]).isPassed)
    #expect(!ConformanceReport(subject: "s", results: [result, broken]).isPassed)
    #expect(!ConformanceReport(subject: "s", results: [result], isCancelled: true).isPassed)
    #expect(TextReport.line(result) == "passed          describe: known description sends nothing")
  }
}
