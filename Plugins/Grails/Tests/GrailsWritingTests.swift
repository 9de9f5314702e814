import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct GrailsWritingTests {
  @Test(arguments: rows) func writes(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("grails").plugin)
  }

  private static let (x255, x256) = (String(repeating: "x", count: 255), String(repeating: "x", count: 256))
  private static let (e127, e128) = (String(repeating: "😀", count: 127), String(repeating: "😀", count: 128))

  static let rows = CallRow.rows(
    #"""
    # writes go to the singular path as JSON
    create announcements {"title":"T","body":"B"}
      > POST /announcement {"title":"T","body":"B"}  > Accept-Version: 2.0  > Accept: application/json
      > Content-Type: application/json  > effect: write
      < 201 {"id":7,"title":"T","body":"B"}
      = 7 {"id":7,"title":"T","body":"B"}
    update announcements/7 {"title":"U"}
      > PUT /announcement/7 {"title":"U"}  > Accept-Version: 2.0  > Content-Type: application/json
      > effect: repeatableWrite
      < 200 {"id":7,"title":"U","body":"B"}
      = 7 {"id":7,"title":"U","body":"B"}
    delete announcements/7
      > DELETE /announcement/7  > Accept-Version: 2.0  > Content-Type:  > effect: write  < 204  = 7
    delete announcements/7  > DELETE /announcement/7  < 404  ! notFound rejected
    # other paths can be configured, also one for both
    prepare {"readPath":"/api/notes/","writePath":"api/notes","resource":"notes"}
    list notes                  > GET /api/notes?max=10&offset=0&sort=id&order=asc  < 200 []  = none
    create notes {"title":"T"}  > POST /api/notes {"title":"T"}  < 201 {"id":1,"title":"T"}   = 1 ...
    # a path that is none is a fault of the configuration
    each PATH  ""  /  a/../b
    prepare {"writePath":"{PATH}"}  ! misconfigured notSent
    # the stored record is the truth, and the receipt names what the server changed
    create announcements {"title":"  A  ","body":"\n<p>x</p>\n"}
      < 201 {"id":7,"title":"A","body":"<p>x</p>"}  = 7 {"id":7,"title":"A","body":"<p>x</p>"}; note: ...; note: ...
    create announcements {"title":"A","body":" \t\n"}
      < 201 {"id":7,"title":"A"}
      = 7 {"id":7,"title":"A","body":null}; note: body is blank, which the server stores as null
    # data that the server would refuse or ignore is refused before anything is sent
    each FIELDS  {}  {"body":"B"}
    create announcements {FIELDS}  ! invalid notSent
    # a title or a field that the server would refuse or ignore is refused before anything is sent
    each FIELD  "title":null  "title":""  "title":" \n\u0001"  "title":["a"]  "title":{}  "title":"\#(x256)"  "title":"\#(e128)"
    create announcements {{FIELD}}    ! invalid notSent
    update announcements/2 {{FIELD}}  ! invalid notSent
    # a field of another kind, and one that only the server sets, is refused
    each FIELD  "body":[1]  "id":9  "version":9
    create announcements {"title":"T",{FIELD}}    ! invalid notSent
    update announcements/2 {"title":"T",{FIELD}}  ! invalid notSent
    # a title of 255 UTF-16 units is taken, white space around it not counted
    create announcements {"title":"\#(x255)"}  < 201 {"id":7,"title":"\#(x255)"}  = 7 {"id":7,"title":"\#(x255)","body":null}
    create announcements {"title":"  \#(x255)\n"}  < 201 {"id":7,"title":"\#(x255)"}  = 7 {...}; note: ...
    create announcements {"title":"\#(e127)"}  < 201 {"id":7,"title":"\#(e127)"}  = 7 {"id":7,"title":"\#(e127)","body":null}
    # numbers and booleans become texts as they are written
    create announcements {"title":1.10,"body":true}
      > POST /announcement {"title":"1.10","body":"true"}
      < 201 {"id":7,"title":"1.10","body":"true"}
      = 7 {"id":7,"title":"1.10","body":"true"}; note: title is stored as text; note: body is stored as text
    # the identifier of a new record comes from the body, and Location is not followed
    create announcements {"title":"T"}
      > POST /announcement {"title":"T"}
      < 201 {"id":12,"title":"T"}  < Location: http://127.0.0.1:1/announcement/show/99
      = 12 {"id":12,"title":"T","body":null}
    # a field that the server does not know is named
    create announcements {"title":"T","color":"red"}
      < 201 {"id":7,"title":"T"}
      = 7 {"id":7,"title":"T","body":null}; note: the server did not store color as sent
    # a body is cleared by a null that is written out
    each CHANGE  -body  {"body":null}
    update announcements/2 {CHANGE}
      > PUT /announcement/2 {"body":null}  < 200 {"id":2,"title":"T"}  = 2 {"id":2,"title":"T","body":null}
    # a blank body is cleared, too
    update announcements/2 {"body":"  "}
      > PUT /announcement/2 {"body":"  "}  < 200 {"id":2,"title":"T"}  = 2 {"id":2,"title":"T","body":null}; note: ...
    # a title cannot be removed, and an update without changes or with a revision cannot be made
    update announcements/2 -title                     ! invalid notSent
    update announcements/2                            ! invalid notSent
    update announcements/2 {"title":"T"} --revision 3  ! unsupported notSent
    # a 200 with the record as it was does not pass for an update
    update announcements/2 {"title":"new"}  < 200 {"id":2,"title":"old","body":"B"}  ! badResponse unknown: ...title...
    update announcements/2 -body            < 200 {"id":2,"title":"old","body":"B"}  ! badResponse unknown: ...body...
    update announcements/2 {"color":"red"}  < 200 {"id":2,"title":"old","body":"B"}  ! badResponse unknown: ...color...
    # a deletion that a gateway never passed on may have been made
    delete announcements/2  > DELETE /announcement/2  < 502 <html>  ! unavailable unknown
    # a create that was accepted is made, though its response cannot be read
    create announcements {"title":"once"}  > POST /announcement {"title":"once"}  < 201 {"id":7,"tit  ! badResponse applied
    # all records cannot be deleted at once
    delete all announcements  ! unsupported notSent
    """#)
}
