import Testing

@Suite("Grails: reading")
struct GrailsReadingTests {
  @Test(arguments: rows) func reads(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
    # 01 version 1.0 lists whole announcements
    GET /announcements  Accept-Version: 1.0  < 200  json  .*.id [1,2,3,4,5,6]  .* keys id title body
      .*.title /.{31,51}/  .*.body /(?s).{700,1800}/  = ...“...  = ...&nbsp;...  = ...&amp;...  = ...src=\"//...
      = ...href=\"intranet.example.org...
    # 02 and 03 version 2.0 and no version list ids and titles alone
    GET /announcements  Accept-Version: {V}  < 200  json  . #6  .* keys id title  for V  2.0  ""
    # 04 an unknown version is a routing 404
    GET /announcements  Accept-Version: {V}  < noRoute  for V  3.0  1  v1  1.0.0
    # 04 the version may stand in Accept, where the header is missing
    GET /announcements  Accept: application/json;v=1.0  < 200  .0.body string
    GET /announcements  Accept: application/json;v=1.0  Accept-Version: 3.0  < noRoute
    # 05 one trailing slash changes nothing
    GET /announcements  Accept-Version: 1.0  < 200  plain := body
    GET /announcements/  Accept-Version: 1.0  < 200  = {plain}
    GET /announcements//  Accept-Version: 1.0  < noRoute
    # 06 and 07 one announcement is the same in all versions, with and without .json
    GET /announcements/2  Accept-Version: 1.0  < 200  json  . keys id title body  two := body
    GET /announcements.json  < noRoute
    GET {PATH}  Accept-Version: {V}  < 200  = {two}
      for PATH  /announcements/2  /announcements/2.json  /announcements/2/  for V  1.0  2.0  ""
    # 08 a record that is not there is an empty 404
    GET /announcements/{ID}  Accept-Version: {V}  < gone  for ID  999  abc  -1  for V  1.0  2.0  ""
    # 09 a known record with an unknown version is a routing 404
    GET /announcements/2  Accept-Version: 9.9  < noRoute
    # 10 the singular list is of one version, whatever is asked for
    each FIXED BODIES  v1 6  v2 0
    start --set grails.singular={FIXED}
    GET /announcements/2  < 200  two := body
    GET /announcement/2  Accept-Version: 9.9  < 200  = {two}
    GET /announcement  Accept-Version: {V}  < 200  . #6  .*.body #{BODIES}  for V  1.0  2.0  9.9  ""
    # 10 left to chance the singular list stays as it was at start
    GET /announcement  < 200  first := body
    GET /announcement  < 200  = {first}  for TIME  1  2  3  4  5
    # 11 a null body has no key
    start --set grails.nullbody=yes
    GET /announcements  Accept-Version: 1.0  < 200  . #6  .*.body #5  .5.body none
    GET /announcements/6  < 200  . keys id title
    """#)
}
