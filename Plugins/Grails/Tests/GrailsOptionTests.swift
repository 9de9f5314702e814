import AdapterSupport
import BackendTestSupport
import Testing

@Suite struct GrailsOptionTests {
  @Test(arguments: rows) func options(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("grails").plugin)
  }

  static let rows = CallRow.rows(
    #"""
    # any version is named in a header, in reads and in writes
    prepare {"apiVersion":"3.1-rc"}
    get announcements/1  > GET /announcements/1  > Accept-Version: 3.1-rc  > Accept: application/json  < 200 {"id":1,"title":"T"}
    update announcements/1 {"title":"T"}
      > PUT /announcement/1 {"title":"T"}  > Accept-Version: 3.1-rc  > Accept: application/json
      < 200 {"id":1,"title":"T"}
    # no version is named nowhere
    prepare {"apiVersion":"none"}
    get announcements/1  > GET /announcements/1  > Accept-Version:  > Accept: application/json  < 200 {"id":1,"title":"T"}
    update announcements/1 {"title":"T"}
      > PUT /announcement/1 {"title":"T"}  > Accept-Version:  > Accept: application/json  < 200 {"id":1,"title":"T"}
    # in the media type it stands alone
    prepare {"apiVersion":"1.0","versionIn":"accept"}
    get announcements/1
      > GET /announcements/1  > Accept-Version:  > Accept: application/json;v=1.0  < 200 {"id":1,"title":"T"}
    # a vendor's media type follows the version
    each ACCEPT  application/vnd.intranet.announcement+json;v=
    prepare {"apiVersion":"1.0","versionIn":"accept","mediaType":"{ACCEPT}{version}"}
    get announcements/1      > GET /announcements/1  > Accept: {ACCEPT}1.0  < 200 {"id":1,"title":"T"}
    records announcements  < 200 [{"id":1,"title":"T"}]  = 1 {"id":1,"title":"T","body":null}
    prepare {"apiVersion":"2.0","versionIn":"accept","mediaType":"{ACCEPT}{version}"}
    records announcements  < 200 [{"id":1,"title":"T"}]  = 1 {"id":1,"title":"T"}; unloaded body
    prepare {"apiVersion":"none","versionIn":"accept","mediaType":"{ACCEPT}{version}"}
    get announcements/1      > GET /announcements/1  > Accept: application/json  < 200 {"id":1,"title":"T"}
    # in the path it stands alone
    prepare {"apiVersion":"2","versionIn":"path","readPath":"v{version}/announcements","writePath":"v{version}/announcement"}
    get announcements/1  > GET /v2/announcements/1  > Accept-Version:  < 200 {"id":1,"title":"T"}
    update announcements/1 {"title":"T"}
      > PUT /v2/announcement/1 {"title":"T"}  > Accept-Version:  < 200 {"id":1,"title":"T"}
    # of a version of another name a list may leave bodies out
    prepare {"apiVersion":"1.1"}
    records announcements --size 10
      < 200 [{"id":1,"title":"T","body":"<p>x"},{"id":2,"title":"U"}]
      = 1 {"id":1,"title":"T","body":"<p>x"} + 2 {"id":2,"title":"U"}; unloaded body
    describe known announcements  = ...; likely unlisted body
    # other domain classes stand beside the announcements
    prepare {"resources":{"notices":{"readPath":"announcement","fields":{"title":"text","body":"html"}},"announcement":null}}
    describe known  = Grails, 2.0: announcements notices announcement
    records notices
      > GET /announcement?max=10&offset=0&sort=id&order=asc
      < 200 [{"id":1,"title":"T"}]
      = 1 {"id":1,"title":"T"}; unloaded body
    create notices {"title":" A ","body":null}
      > POST /announcement {"title":" A ","body":null}
      < 201 {"id":7,"title":"A"}
      = 7 {"id":7,"title":"A","body":null}; note: ...
    get notices/7  > GET /announcement/7  < 200 {"id":7,"title":"A"}  = 7 {"id":7,"title":"A","body":null}
    update notices/7 {"body":"b"}
      > PUT /announcement/7 {"body":"b"}  < 200 {"id":7,"title":"A","body":"b"}  = 7 {"id":7,"title":"A","body":"b"}
    get announcement/7  > GET /announcement/7  < 200 {"id":7,"title":"A","body":"b"}  = 7 {"id":7,"title":"A","body":"b"}
    delete notices/7    > DELETE /announcement/7  < 204  = 7
    # an option with another value is refused
    prepare {"versionIn":"accept","mediaType":"application/json"}  ! misconfigured notSent
    prepare {"apiVersion":"1;q"}                                   ! misconfigured notSent
    prepare {"apiVersion":""}                                      ! misconfigured notSent
    prepare {"versionIn":"path"}                                   ! misconfigured notSent
    prepare {"readPath":"v{version}/announcements"}                ! misconfigured notSent
    prepare {"resources":{"x":{"fields":{"a":"nonsense"}}}}        ! misconfigured notSent
    """#)
}
