import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct GrailsPagingTests {
  @Test(arguments: rows) func pages(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("grails").plugin)
  }

  private static func records(_ ids: ClosedRange<Int>) -> String {
    "[\(ids.map { #"{"id":\#($0),"title":"T"}"# }.joined(separator: ","))]"
  }

  static let rows = CallRow.rows(
    #"""
    # pages follow each other by identifier until one is short
    pages announcements --size 2
      > GET /announcements?max=2&offset=0&sort=id&order=asc
      > GET /announcements?max=2&offset=2&sort=id&order=asc
      < 200 [{"id":1,"title":"A"},{"id":2,"title":"B"}]  < 200 [{"id":3,"title":"C"}]
      = 1 2 | 3
    # a last page that is full is followed by an empty one
    pages announcements --size 2  < 200 [{"id":1,"title":"A"},{"id":2,"title":"B"}]  < 200 []  = 1 2 | none
    # more than the cap is never asked for, and a capped page is not taken for the end
    pages announcements --size 500
      > GET /announcements?max=100&offset=0&sort=id&order=asc
      > GET /announcements?max=100&offset=100&sort=id&order=asc
      < 200 \#(records(1...100))  < 200 \#(records(101...102))
      = 1 2 3 ... 100 | 101 102; size 100
    # a page has at least one record, since the server takes less for no limit
    each SIZE  0  -1
    list announcements --size {SIZE}  ! invalid notSent
    # records that move to a later page while others write are shown once
    query announcements --sort -id --size 2
      > GET /announcements?max=2&offset=0&sort=id&order=desc
      > GET /announcements?max=2&offset=2&sort=id&order=desc
      > GET /announcements?max=2&offset=4&sort=id&order=desc
      < 200 [{"id":3,"title":"C"},{"id":2,"title":"B"}]  < 200 [{"id":2,"title":"B"},{"id":1,"title":"A"}]
      < 200 []
      = 3 2 1; total 3
    # records can be skipped on the server, also past the end
    pages announcements --size 10 --skip 17
      > GET /announcements?max=10&offset=17&sort=id&order=asc  < 200 [{"id":18,"title":"R"}]  = 18
    list announcements --skip 1000  > GET /announcements?max=10&offset=1000&sort=id&order=asc  < 200 []  = none
    list announcements --skip 2147483648  ! invalid notSent
    # a cursor of another backend is refused before anything is sent
    each MARK  abc  -3  +10  010  ""  1e1  10\u0020  99999999999
    list announcements --at "{MARK}"  ! invalid notSent
    # more records than asked for are a bad response
    list announcements --size 2
      < 200 [{"id":1,"title":"A"},{"id":2,"title":"B"},{"id":3,"title":"C"}]
      ! badResponse rejected: ...; hint: ...readPath...
    # conditions, the search and the projection are left to the console
    each OP  =  !=  <  <=  >  >=  ~
    plan announcements title{OP}a --search a --fields title
      = GET /announcements?max=10&offset=0&sort=id&order=asc; not; search not; fields not
    plan announcements in(title,a,b) null(title) missing(title) not(null(title)) and(null(title)) or(null(title)) id=3
      = GET /announcements?max=10&offset=0&sort=id&order=asc; not not not not not not not
    # the server orders by identifier in both directions
    plan announcements --sort id --skip 7   = GET /announcements?max=10&offset=7&sort=id&order=asc
    plan announcements --sort -id --skip 7  = GET /announcements?max=10&offset=7&sort=id&order=desc
    # any other order is made in the console
    each KEYS  title  id,title  nope  body
    plan announcements --sort {KEYS}  = GET /announcements?max=10&offset=0&sort=id&order=asc; sort not
    # the server's own order of titles is there for those who ask for it
    plan announcements --sort -title --server-order  = GET /announcements?max=10&offset=0&sort=title&order=desc
    list announcements --sort -title --server-order
      > GET /announcements?max=10&offset=0&sort=title&order=desc
      < 200 [{"id":3,"title":"C"},{"id":1,"title":"b"},{"id":2,"title":"A"}]
      = 3 1 2
    # an order by a field that the server fails on never reaches it
    list announcements --sort nope                 ! unsupported notSent
    list announcements --sort nope --server-order  ! unsupported notSent
    # a query in the server's own language is refused, since it has none
    plan announcements --native "from Announcement"  ! unsupported notSent
    list announcements --native "from Announcement"  ! unsupported notSent
    # there is one resource
    each PATH  announcement  announcements/1/announcements
    list {PATH}  ! notFound notSent
    """#)
}
