import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: writing")
struct BaasicWritingTests {
  @Test(arguments: rows) func writes(_ row: Row) async throws { try await row.check() }

  static let rows = Table.baasic.rows(
    #"""
    # 8 an insertion answers with the object and an id of its own
    each ID  ""  "id":"",  "id":"mine",
    start
    POST /resources/todo {{ID}"title":"食堂 🎉","isComplete":false}  < 200  Location:  text := body  id := .id
      .id != mine  .id /[0-9A-Za-z]{15,22}/  .title "食堂 🎉"  .isComplete false
    GET /resources/todo/{id}  < 200  = {text}
    POST /resources/todo/ {"title":"y"}  Demo-Set: baasic.insert=201  < 201
    GET /resources/todo  < 200  .totalRecords 14
    # 8 the same insertions give the same identifiers, unless chance is asked for
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=counted  < 200  a := .id
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=counted  < 200  b := .id  .id != {a}
    start
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=counted  < 200  .id = {a}
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=counted  < 200  .id = {b}
    start
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=random  < 200  c := .id  .id != {a}  .id != {b}
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=random  < 200  d := .id  .id != {a}  .id != {b}  .id != {c}
    start
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.ids=random  < 200  .id != {c}  .id != {d}  for TIME  1  2
    # 9 a record is found by its id, case and all
    start --import {"baasic":{"resources":{"todo":[{"id":"aB","title":"x"}]}}}
    GET /resources/todo/aB/  < 200  .id "aB"
    GET {PATH}  < 404  problem  for PATH  /resources/todo/ab  /elsewhere
    GET {PATH}  < 404  problem nope  for PATH  /resources/todo/nope  /resources/nope  /resources/nope/aB
    # 10 PUT replaces, PATCH changes, DELETE takes away
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    PUT /resources/todo/{id} {"id":"other","title":"new"}  < 204  =  Content-Type:
    GET /resources/todo/{id}  < 200  = {"id":"{id}","title":"new"}
    PATCH /resources/todo/{id} {"isComplete":true,"extra":{"a":[1.50]}}  < 204  =  Content-Type:
    GET /resources/todo/{id}  < 200  = {"id":"{id}","title":"new","isComplete":true,"extra":{"a":[1.50]}}  text := body
    PATCH /resources/todo/{id} {}  Demo-Set: baasic.patch=200  < 200  = {text}
    PATCH /resources/todo/{id} {"title":"no"}  Demo-Set: baasic.patch=405  < 405  problem
    GET /resources/todo/{id}  < 200  = {text}
    DELETE /resources/todo/{id}  < 204  =
    DELETE /resources/todo/{id}  < 404  problem
    {M} /resources/todo/{id} {"title":"x"}  < {S}  problem  for M S  PUT 404  PATCH 404  POST 405
    # 11 records are held to a schema that says so
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    GET /resources/todo/{id}  < 200  before := body
    {M} /resources/{PATH} {BODY}  < 400  problem {NAME}  for M PATH  POST todo  PUT todo/{id}  for NAME BODY
      title {"title":5}  isComplete {"title":"x","isComplete":"yes"}  title {"isComplete":true}  title {"title":null}
    PATCH /resources/todo/{id} {"isComplete":1}  < 400  problem
    GET /resources/todo/{id}  < 200  = {before}
    POST /resources/Book {"title":5,"pages":"many","new":null}  < 200  = ..."title":5,"pages":"many","new":null}
    # 11 the third draft of schemas, and one that allows nothing else
    start --import {"baasic":{"schemas":[{"name":"todo","enforceSchemaValidation":true,"schema":{
      "additionalProperties":false,
      "properties":{"title":{"type":"string","required":true},"count":{"type":"integer"},"any":{"type":"any"}}}}],
      "resources":{"todo":[]}}}
    POST /resources/todo {BODY}  < 200  for BODY  {"title":"x","count":2.0}  {"title":"x","any":[{}]}
    POST /resources/todo {BODY}  < 400  for BODY  {}  {"title":"x","count":1.5}  {"title":"x","more":1}
    # 12 a body must be a whole JSON object
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    POST /resources/todo {BODY}  < 400  problem  for BODY  {  ""  []  null  "x"  {"title":"x"} y
    PATCH /resources/todo/{id} {BODY}  < 400  problem  for BODY  {  ""  []  null  "x"  {"title":"x"} y
    # 17 a conflict and a failure
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    POST /resources/todo {"title":"x"}  Demo-Set: baasic.conflict=yes  < 409  problem
    {M} /resources/todo/{id} {"title":"x"}  Demo-Set: baasic.conflict=yes  < 409  problem  for M  PUT  PATCH
    GET /resources/todo/{id}  Demo-Set: baasic.conflict=yes  < 200
    GET /resources/todo  Demo-Set: baasic.failure=yes  < 500  problem
    GET {PATH}  Demo-Set: baasic.schemas={S}  < {S}  problem  for S  403  404  for PATH  /schemas  /schemas/todo
    GET /resources/todo  Demo-Set: baasic.schemas={S}  < 200  for S  403  404
    # 18 schemas are listed, made, replaced and deleted with their records
    each NOTE  {"name":"Note","schema":{"properties":{"text":{"type":"string"}}}}
    GET /schemas/?sort=name  < 200  .item.*.name ["Book","todo"]
    GET /schemas/ToDo  < 200  .enforceSchemaValidation true  .schema.properties object
    POST /schemas {NOTE}  < 200  .id string
    POST /schemas {BODY}  < {S}  problem  for S BODY  409 {"name":"Note","schema":{}}  409 {"name":"NOTE","schema":{}}
      400 {"name":"x"}
    POST /resources/note {"text":5}  < 200
    PUT /schemas/note {"name":"Note","enforceSchemaValidation":true,"schema":{"properties":{"text":{"type":"string"}}}}
      < 204  =
    POST /resources/note {"text":5}  < 400  problem
    DELETE /schemas/Note/  < 204
    GET {PATH}  < 404  problem  for PATH  /schemas/Note  /resources/note
    POST /schemas {NOTE}  < 200
    GET /resources/note  < 200  .item []
    # 19 purge and batch are refused unless they are enabled
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    DELETE /resources/todo/batch ["{id}"]  < 403  problem
    {M} /resources/todo/batch []  < 403  problem  for M  POST  PUT  PATCH
    DELETE /resources/todo/{PATH}  < 403  problem  for PATH  purge  {id}?query=where+title+%3D+'x'
    GET /resources/todo  < 200  .totalRecords 12
    POST /resources/todo/batch [{"title":"a"},{"title":5}]  Demo-Set: baasic.bulk=enabled  < 200
      .*.statusCode [200,400]
    DELETE /resources/todo/batch ["{id}","nope"]  Demo-Set: baasic.bulk=enabled  < 200  .*.statusCode [200,404]
    DELETE /resources/todo/purge  Demo-Set: baasic.bulk=enabled  < 204
    GET /resources/todo  < 200  .item []
    GET /resources/Book  < 200  .item #5
    # 21 stamps are stored with the record, and a PUT that forgets them loses them
    start --set baasic.stamps=yes
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    GET /resources/todo/{id}  < 200  .dateCreated string  created := .dateCreated  .dateUpdated = {created}
    PUT /resources/todo/{id} {"title":"x","dateCreated":"{created}"}  < 204
    GET /resources/todo/{id}  < 200  .dateCreated = {created}  .dateUpdated != {created}
    PUT /resources/todo/{id} {"title":"x"}  < 204
    GET /resources/todo/{id}  < 200  .dateCreated none
    # 22 errors come in four layouts
    GET /resources/todo/nope  Demo-Set: baasic.errors=json  < 404  problem
    GET /resources/todo/nope  Demo-Set: baasic.errors=textstatus  < 404  .statusCode "404"
    GET /resources/todo/nope  Demo-Set: baasic.errors=empty  < 404  =  Content-Type:
    GET /resources/todo/nope  Demo-Set: baasic.errors=html  < 404  Content-Type: text/html  = ...<h1>...
    # 11 a value that breaks a rule of its property is refused with its name
    each RULES GOOD BAD  {"minLength":2} "ab" "é"  {"maxLength":2} "éé" "abc"  {"pattern":"^[A-Z]+$"} "AB" "aB"
      {"enum":["a",1,null]} 1.0 2  {"minimum":1,"maximum":9} 9 0  {"minimum":1,"maximum":9} 1 9.5
      {"minimum":1,"exclusiveMinimum":true} 1.1 1  {"exclusiveMaximum":9} 8 9  {"type":"string","minimum":5} "1" 6
      {"type":"string","format":"date-time"} "2017-10-03T14:00:00.5+02:00" "2017-10-03 14:00:00"
      {"type":"string","format":"date-time"} "2017-10-03T14:00:00Z" "2017-02-30T14:00:00Z"
      {"type":"string","format":"date"} "2017-10-03" "2017-10-03T14:00:00Z"
    start
    POST /schemas {"name":"ruled","enforceSchemaValidation":true,"schema":{"properties":{"x":{RULES}}}}  < 200
    POST /resources/ruled {"x":{GOOD}}  < 200  id := .id
    POST /resources/ruled {"x":{BAD}}  < 400  problem x
    PATCH /resources/ruled/{id} {"x":{BAD}}  < 400  problem x
    """#)

  @Test("12 a chunked body is refused", arguments: ["411", "400"])
  func chunked(status: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "baasic.chunked=\(status)"])
    try await Table.baasic.check(
      #"""
      POST /resources/todo {CHUNKS}  Transfer-Encoding: chunked  < {STATUS}  problem
      GET /resources/todo  < 200  .totalRecords 12
      """#, on: demo, ["CHUNKS": "d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n", "STATUS": status])
  }
}
