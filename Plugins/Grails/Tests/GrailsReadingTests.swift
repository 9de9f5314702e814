import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct GrailsReadingTests {
  @Test(arguments: rows) func reads(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("grails").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # reads go to the plural path with a version, and ask for JSON in English
    prepare {"apiVersion":"1.0"}
    list announcements
      > GET /announcements?max=10&offset=0&sort=id&order=asc  > Accept-Version: 1.0  > Accept: application/json
      > Accept-Language: en  > effect: read
      < 200 []
    get announcements/2
      > GET /announcements/2  > Accept-Version: 1.0  > Accept: application/json  > Accept-Language: en
      > effect: read
      < 200 {"id":2,"title":"T"}
    # a list of version 2 does not load bodies, a get does
    records announcements  < 200 [{"id":1,"title":"T"}]  = 1 {"id":1,"title":"T"}; unloaded body
    get announcements/1  < 200 {"id":1,"body":"<p>x</p>","title":"T"}  = 1 {"id":1,"body":"<p>x</p>","title":"T"}
    # a body that is not written is null in a list of version 1, and in a get of either
    prepare {"apiVersion":"1.0"}
    records announcements
      < 200 [{"id":1,"body":"<p>x</p>","title":"T"},{"id":6,"title":"U"}]
      = 1 {"id":1,"body":"<p>x</p>","title":"T"} + 6 {"id":6,"title":"U","body":null}
    get announcements/6  < 200 {"id":6,"title":"U"}  = 6 {"id":6,"title":"U","body":null}
    prepare {"apiVersion":"2.0"}
    get announcements/6  < 200 {"id":6,"title":"U"}  = 6 {"id":6,"title":"U","body":null}
    # unknown fields, a version and any order of members are kept
    records announcements
      < 200 [{"version":7,"title":"T","tags":["a",1.10],"body":"B","id":3}]
      = 3 {"version":7,"title":"T","tags":["a",1.10],"id":3}; unloaded body
    get announcements/3
      < 200 {"version":7,"title":"T","tags":["a",1.10],"body":"B","id":3}
      = 3 {"version":7,"title":"T","tags":["a",1.10],"body":"B","id":3}
    # identifiers keep all of their 64 bits
    list announcements  < 200 [{"id":9007199254740993,"title":"T"}]  = 9007199254740993
    get announcements/9223372036854775807
      > GET /announcements/9223372036854775807  < 200 {"id":9223372036854775807,"title":"T"}  = 9223372036854775807 ...
    # a text that is no identifier is refused before anything is sent
    each ID  abc  2.json  +1  01  ""  ..  9223372036854775808
    get announcements/{ID}                   ! invalid notSent
    delete announcements/{ID}                ! invalid notSent
    update announcements/{ID} {"title":"T"}  ! invalid notSent
    # foreign HTML and control characters come through unchanged
    get announcements/1
      < 200 {"id":1,"title":"a\u0007b","body":"<p>café&nbsp;\u001b[2J</p><iframe src=\"//example.org\"></iframe>"}
      = 1 {"id":1,"title":"a\u0007b","body":"<p>café&nbsp;\u001b[2J</p><iframe src=\"//example.org\"></iframe>"}
    # a success that holds no list of records is a bad response
    list announcements  < 200 [{"title":"T"}]         ! badResponse rejected: ...instead of a record with an id...
    list announcements  < 200 [3]                     ! badResponse rejected: ...instead of a record with an id...
    list announcements  < 200 {"message":"hello"}     ! badResponse rejected: ...not a list...
    list announcements  < 200 <html>                  ! badResponse rejected: ...not a JSON list...
    list announcements  < 200                         ! badResponse rejected: ...not a JSON list...
    list announcements  < 200 [{"id":1,"title":"T"}   ! badResponse rejected: ...not a JSON list...
    # a list counts that can be read, whatever the name of its type
    each TYPE  application/json  application/json; charset=utf-8  text/html
    list announcements  < 200 [{"id":1,"title":"T"}]  < Content-Type: {TYPE}  = 1
    # another record than the one asked for is a bad response
    get announcements/3  < 200 {"id":4,"title":"T"}  ! badResponse rejected
    # a known description asks nothing and names the limits of the version
    describe known  = Grails, 2.0: announcements
    describe known announcements
      = adapter: id integer read-only, title text required, body html; list get create update delete; clears; unlisted body
    prepare {"apiVersion":"1.0"}
    describe known announcements
      = adapter: id integer read-only, title text required, body html; list get create update delete; clears
    # a live description names the product and finds a wrong configuration
    describe live
      > GET /  > GET /announcements?max=1&offset=0&sort=id&order=asc
      < 200 {"message":"Welcome","grailsversion":"3.3.0"}  < 200 [{"id":1,"title":"T"}]
      = Grails 3.3.0, 2.0: announcements
    prepare {"readPath":"nothing"}
    describe live  < 200 {"grailsversion":"3.3.0"}  < 404 {"message":"Not Found","error":404}  ! misconfigured rejected
    """#)
}
