import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct BaasicListTests {
  @Test(arguments: rows) func lists(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("baasic").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # records are in item, at the top or in _embedded, whatever else the envelope holds
    each RECORDS  "item":[{"id":"r1"},{"id":"r2"}]  "_embedded":{"item":[{"id":"r1"},{"id":"r2"}]}
    each RECORDS  "embed":["a"],"links":["x"],"new":{"item":[{"id":"no"}]},"item":[{"id":"r1"},{"id":"r2"}]
    list todo --size 10
      > GET /resources/todo?page=1&rpp=10  > Accept: application/json  > Authorization:
      < 200 {{RECORDS},"page":1,"recordsPerPage":10,"searchQuery":null,"sort":null,"totalRecords":2}
      = r1 r2; total 2
    # a list that is answered with 204 is empty
    list todo  > GET /resources/todo?page=1&rpp=100  < 204  = none; total 0
    # pages follow one another, the same sort on each, until the total is reached
    pages todo --sort -title --size 2 --server-order
      > GET /resources/todo?page=1&rpp=2&sort=title%7Cdesc  > GET /resources/todo?page=2&rpp=2&sort=title%7Cdesc
      < 200 {"item":[{"id":"r1"},{"id":"r2"}],"page":1,"recordsPerPage":2,"totalRecords":3}
      < 200 {"item":[{"id":"r3"}],"page":2,"recordsPerPage":2,"totalRecords":3}
      = r1 r2 | r3; total 3
    # an ascending sort is named
    plan todo --sort title --server-order  = GET /resources/todo?page=1&rpp=100&sort=title%7Casc
    # the page size that the server names counts, since it may cap what was asked
    list todo --size 50
      < 200 {"item":[{"id":"r1"},{"id":"r2"}],"page":1,"recordsPerPage":2,"totalRecords":3}
      = r1 r2; total 3; size 2; next 2/2/0
    list todo --size 50 --at 2/2/0
      > GET /resources/todo?page=2&rpp=2
      < 200 {"item":[{"id":"r3"}],"page":2,"recordsPerPage":2,"totalRecords":3}
      = r3; total 3...
    # an empty page ends the list though the total promised more
    pages todo --size 2
      < 200 {"item":[{"id":"r1"},{"id":"r2"}],"page":1,"recordsPerPage":2,"totalRecords":5}
      < 200 {"item":[],"page":2,"recordsPerPage":2,"totalRecords":5}
      = r1 r2 | none; total 5...
    # a total that changes between pages changes where the list ends
    pages todo --size 2
      < 200 {"item":[{"id":"r1"},{"id":"r2"}],"page":1,"recordsPerPage":2,"totalRecords":3}
      < 200 {"item":[{"id":"r2"},{"id":"r3"}],"page":2,"recordsPerPage":2,"totalRecords":5}
      < 200 {"item":[{"id":"r4"}],"page":3,"recordsPerPage":2,"totalRecords":5}
      = r1 r2 | r2 r3 | r4; total 3 5
    # a skip begins within the page of the first record
    pages todo --size 3 --skip 4
      > GET /resources/todo?page=2&rpp=3  > GET /resources/todo?page=3&rpp=3
      < 200 {"item":[{"id":"r4"},{"id":"r5"},{"id":"r6"}],"page":2,"recordsPerPage":3,"totalRecords":7}
      < 200 {"item":[{"id":"r7"}],"page":3,"recordsPerPage":3,"totalRecords":7}
      = r5 r6 | r7; total 7
    # a skip over capped pages asks for another page before any record is shown
    pages todo --size 5 --skip 6
      > GET /resources/todo?page=2&rpp=5  > GET /resources/todo?page=3&rpp=3
      < 200 {"item":[{"id":"r4"},{"id":"r5"},{"id":"r6"}],"page":2,"recordsPerPage":3,"totalRecords":8}
      < 200 {"item":[{"id":"r7"},{"id":"r8"}],"page":3,"recordsPerPage":3,"totalRecords":8}
      = r7 r8; total 8...
    # a cursor of another backend is refused
    each MARK  1  0/3/0  x  1/2/-1  1/2/3/4
    list todo --at {MARK}  ! invalid notSent
    # a page that is none is a bad response
    each BODY  {"items":[]}  []  <html>  ""  {"item":[{"id":"a"}  {"item":[1]}
    list todo  < 200 {BODY}  ! badResponse rejected
    # links to another host are not followed
    pages todo --size 1
      > GET /resources/todo?page=1&rpp=1  > GET /resources/todo?page=2&rpp=1
      < 200 {"_links":{"next":{"href":"http://evil.example/2"}},"item":[{"id":"r1","_links":{"self":{"href":
        "http://evil.example/r1"}}}],"page":1,"recordsPerPage":1,"totalRecords":2}
      < 200 {"item":[{"id":"r2"}],"page":2,"recordsPerPage":1,"totalRecords":2}
      = r1 | r2; total 2
    # embedded records are asked for by list and get; those of a list replace those of the option
    prepare {"embed":"owner"}
    plan todo --size 1                    = GET /resources/todo?page=1&rpp=1&embed=owner
    plan todo --size 1 --embed user,tags  = GET /resources/todo?page=1&rpp=1&embed=user%2Ctags
    get todo/a  > GET /resources/todo/a?embed=owner  < 200 {"id":"a"}  = a {"id":"a"}
    """#)
}
