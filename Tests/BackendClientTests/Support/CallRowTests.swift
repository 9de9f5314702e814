import BackendKit
import BackendTestSupport
import Testing

/// Holds the tables of calls against an adapter that is known.
@Suite struct CallRowTests {
  /// Notes with a title, which are updated by PATCH and cleared by null.
  private static let plugin = Plugin(name: "notes", version: "1", summary: "notes") { settings throws(BackendError) in
    guard settings.options["mode"] == nil else { throw .misconfigured("no mode is known") }
    let fields = [FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text)]
    var notes = Service.Resource(
      "notes", at: try RequestPath("notes"), identifier: IdentifierRule(form: .integer), fields: fields)
    notes.paging.size = "size"
    notes.paging.offset = "from"
    notes.creating = Service.Creating()
    notes.updating = Service.Updating("PATCH", clearing: .null)
    notes.deleting = Service.Deleting()
    return PreparedBackend(Service(product: "Notes", resources: [notes]))
  }

  @Test(arguments: rows) func holds(_ row: CallRow) async throws { try await row.check(Self.plugin) }

  static let rows = CallRow.rows(
    #"""
    # lists and pages
    list notes --size 2  > GET /notes?size=2&from=0  > effect: read  < 200 [{"id":1},{"id":2}]  = 1 2; next 2
    pages notes --size 2
      > GET /notes?size=2&from=0
      > GET /notes?size=2&from=2
      < 200 [{"id":1},
        {"id":2}]
      < 200 []
      = 1 2 | none
    records notes  < 200 [{"id":1,"title":"a"},{"id":2}]  = 1 {"id":1,"title":"a"} + 2 {"id":2}...
    query notes title~"a" --sort -id  < 200 [{"id":1,"title":"a"},{"id":2},{"id":3,"title":"ba"}]  < 200 []  = 3 1; total 2
    plan notes in(title,"a",:null) not(null(title)) or(id>=2,title=x)  = GET /notes?...; not not not
    # records
    get notes/1  > GET /notes/1  > Accept: application/json  > If-Match:  < 200 {"id":1}  = 1 {"id":1}
    create notes {"title":"a"}  > POST /notes {"title":"a"}  < 201 {"id":1,"title":"a"}  = 1 {"id":1,"title":"a"}
    update notes/1 -title  > PATCH /notes/1 {"title":null}  < 200 {"id":1,"title":null}  = 1 {"id":1,"title":null}
    # values are filled in
    each ID  1  20
    each STATUS  200  204
    delete notes/{ID}  > DELETE /notes/{ID}  < {STATUS}  = {ID}
    # failures
    get notes/a  ! invalid notSent
    get notes/1  < 404  ! notFound rejected: not found (404)
    prepare {"mode":"x"}  ! misconfigured notSent: no mode is known
    """#)

  @Test(
    "a row that does not hold is named with its line, the expectation and the finding",
    arguments: [
      ("get notes/1  > GET /notes/2  < 200 {\"id\":1}", "expected: GET /notes/2"),
      ("get notes/1  < 200 {\"id\":1}  = 1 {\"id\":2}", "found:    1 {\"id\":1}"),
      ("get notes/1  < 404  = 1", "found:    failure notFound rejected: not found (404)"),
      ("get notes/1  < 200 {\"id\":1}  ! notFound rejected", "expected: failure notFound rejected"),
      ("get notes/1  < 404  ! invalid rejected", "expected: invalid rejected"),
      ("get notes/1  < 404  ! notFound rejected: gone", "expected: notFound rejected: gone"),
      ("get notes/1", "found:    failure unavailable notSent"),
      ("get notes/1  > GET /notes/1  > X: 1  < 200 {\"id\":1}", "expected: X: 1"),
      ("delete notes/1  > DELETE /notes/1  > effect: read  < 204", "found:    effect: write"),
      ("get notes/a  < 404  ! invalid notSent", "1 responses were written for 0 requests"),
      ("fetch notes/1", "no such call: fetch"), ("list notes --page 3", "no such option: --page"),
      ("list notes title", "no condition: title"), ("get notes/1  < x", "cannot be read"),
      ("get notes/1  > Accept: x  < 200 {\"id\":1}", "expected: Accept: x"),
    ])
  func broken(_ text: String, _ complaint: String) async throws {
    let row = try #require(CallRow.rows("# broken\n\(text)", line: 7).first)
    #expect(row.description == "9: broken")
    let failure = await #expect(throws: CallRow.Failure.self) { try await row.check(Self.plugin) }
    let words = failure?.description ?? ""
    #expect(words.hasPrefix("broken\nline 10, \(text.prefix { $0 != " " })") && words.contains(complaint), "\(words)")
  }
}
