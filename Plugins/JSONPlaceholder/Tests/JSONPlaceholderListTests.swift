import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct JSONPlaceholderListTests {
  @Test(arguments: rows) func lists(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("jsonplaceholder").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # pages follow one another to the last, with the total from the header
    pages todos --size 2
      > GET /todos?_page=1&_limit=2  > GET /todos?_page=2&_limit=2
      < 200 [{"id":1},{"id":2}]  < X-Total-Count: 3  < 200 [{"id":3}]  < X-Total-Count: 3
      = 1 2 | 3; total 3
    # a page that ends with the last record is the last one, though it is full and its Link is empty
    pages todos --size 2
      > GET /todos?_page=1&_limit=2  < 200 [{"id":1},{"id":2}]  < X-Total-Count: 2  < Link:  = 1 2; total 2
    # a page past the end is empty and no error
    list todos --size 5 --at 200  > GET /todos?_page=41&_limit=5  < 200 []  < X-Total-Count: 200  = none; total 200
    # an owner is embedded by _expand, and what a record owns by _embed
    records todos --size 2 --embed user
      > GET /todos?_page=1&_limit=2&_expand=user
      < 200 [{"id":1,"userId":1,"user":{"id":1}}]
      = 1 {"id":1,"userId":1,"user":{"id":1}}; total 1
    list posts --size 1 --embed comments,user
      > GET /posts?_page=1&_limit=1&_embed=comments&_expand=user  < 200 []  = none; total 0
    describe known comments                  = ...; embeds post
    plan posts --embed comments --search x   = GET /posts?_embed=comments; search not
    # in a collection that is not known a name in the singular is that of an owner
    list customers --size 1 --embed company,orders,people
      > GET /customers?_page=1&_limit=1&_expand=company&_embed=orders&_embed=people  < 200 []  = none; total 0
    # without a page size the whole list comes at once, counted by its length
    list todos  > GET /todos  < 200 [{"id":1},{"id":2}]  = 1 2; total 2
    # without the header with the count a short page is the last one, and a full page is followed by another
    list todos --size 3   > GET /todos?_page=1&_limit=3  < 200 [{"id":1},{"id":2}]  = 1 2; total 2
    pages todos --size 2  < 200 [{"id":1},{"id":2}]  < 200 []  = 1 2 | none...
    # a server that sends everything at once is not asked for a second page
    list todos --size 2  > GET /todos?_page=1&_limit=2  < 200 [{"id":1},{"id":2},{"id":3}]  = 1 2 3; total 3; size 3
    # links are not followed: every page is asked of the configured address
    pages todos --size 1
      > GET /todos?_page=1&_limit=1  > GET /todos?_page=2&_limit=1
      < 200 [{"id":1}]  < X-Total-Count: 2  < Link: <http://evil.example/todos?_page=9>; rel="next"
      < 200 [{"id":2}]  < X-Total-Count: 2
      = 1 | 2; total 2
    # the page is before the filters in the query
    plan todos title="page=1" --size 5  = GET /todos?_page=1&_limit=5&title=page%3D1; superset
    # a page size below 1 or a negative skip is refused before anything is sent
    each WINDOW  --size 0  --size -1  --size 1 --skip -1
    list todos {WINDOW}  ! invalid notSent
    # a cursor of another backend is refused
    each MARK  x  -1  3/x  1/2/3  ""
    list todos --size 2 --at "{MARK}"  ! invalid notSent
    # a skip leaves out the first records, on a page's border or within one
    list todos --size 4 --skip 4  > GET /todos?_page=2&_limit=4  < 200 [{"id":5}]  < X-Total-Count: 5  = 5; total 5
    list todos --size 4 --skip 5  > GET /todos?_start=5&_end=9  < 200 [{"id":6}]  < X-Total-Count: 6  = 6; total 6
    list todos --skip 1  > GET /todos?_start=1&_end=9007199254740991  < 200 [{"id":2}]  = 2...
    # a list that is none, or cut short, is a bad response
    each BODY  <pre>SyntaxError</pre>  ""  [{"id":1}  [1]  "text"  [{"id":1}] x
    list todos  < 200 {BODY}  ! badResponse rejected
    # a sort is the console's: the server orders UTF-16 code units and mixes numbers with texts
    plan todos --sort -completed,-id --skip 5  = GET /todos; sort not; skip not
    # the server's own order is asked for if it is wanted
    list todos --sort -completed,-id --size 10 --skip 10 --server-order
      > GET /todos?_page=2&_limit=10&_sort=completed%2Cid&_order=desc%2Cdesc
      < 200 [{"id":9}]  < X-Total-Count: 11
      = 9; total 11
    # a name with a comma would be two names, so the server is not asked
    plan todos --sort "a,b" --server-order  = GET /todos; sort not
    # an object around the records is said to be json-server 1, and a plain list json-server 0.17
    each DATA  "first":1,"prev":null,"last":2,"pages":2,"items":3,"data"
    list todos --size 2
      < 200 {"next":2,{DATA}:[{"id":"1"},{"id":"2"}]}
      ! misconfigured rejected: ...; hint: set the option apiVersion to 1
    prepare {"apiVersion":"1"}
    list todos  < 200 []  ! misconfigured rejected: ...; hint: set the option apiVersion to 0.17
    # pages of json-server 1 follow one another until it names no next, or one that does not go on
    each DATA  "first":1,"prev":null,"last":2,"pages":2,"items":3,"data"
    prepare {"apiVersion":"1"}
    pages todos --size 2
      > GET /todos?_page=1&_per_page=2  > GET /todos?_page=2&_per_page=2
      < 200 {"next":2,{DATA}:[{"id":"1"},{"id":"2"}]}  < 200 {"next":null,{DATA}:[{"id":"3"}]}
      = 1 2 | 3; total 3
    list todos --size 1  < 200 {"next":1,{DATA}:[{"id":"1"}]}  = 1; total 3...
    # json-server 1 embeds owners and owned records by one parameter
    prepare {"apiVersion":"1"}
    plan todos --size 2 --embed user           = GET /todos?_page=1&_per_page=2&_embed=user
    plan posts --size 1 --embed comments,user  = GET /posts?_page=1&_per_page=1&_embed=comments&_embed=user
    # of json-server 1 only pages are asked, and its own order
    prepare {"apiVersion":"1"}
    plan todos userId=1 --search x --sort -title --skip 3
      = GET /todos?_page=1&_per_page=100; not; sort not; search not; skip not
    plan todos --sort -title --server-order  = GET /todos?_page=1&_per_page=100&_sort=-title
    describe known users
      = adapter: id any read-only, ...; list get create update delete; total; clears; unknown; embeds todos posts albums
    """#)
}
