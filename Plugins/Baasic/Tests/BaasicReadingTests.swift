import AdapterSupport
import BackendKit
import BackendTestSupport
import Testing

@Suite struct BaasicReadingTests {
  @Test(arguments: rows) func reads(_ row: CallRow) async throws {
    try await row.check(PluginLibrary("baasic").plugin)
  }

  private static let schemas = JSONWriter.compact([
    "item": [
      [
        "id": "s1", "name": "Todo", "enforceSchemaValidation": false,
        "schema": [
          "properties": [
            "title": ["type": "string"], "isComplete": ["type": ["null", "boolean"]],
            "scheduledDate": ["type": "string", "format": "date-time"], "n": ["type": "integer"], "x": [:],
          ], "required": ["title"],
        ],
      ],
      [
        "id": "s2", "name": "strict", "enforceSchemaValidation": true,
        "schema": #"{"properties":{"a":{"type":"number","required":true}}}"#,
      ], ["id": "s3", "name": "broken", "schema": #"{"properties":{"a":{},}}"#], ["id": "s4"],
    ], "page": 1, "recordsPerPage": 100, "totalRecords": 4,
  ])

  static let rows = CallRow.rows(
    #"""
    # identifiers are opaque: neither numbers nor lowered, and encoded in paths
    get todo/kZyiWLUzz8dqAjHiO1gxXK
      > GET /resources/todo/kZyiWLUzz8dqAjHiO1gxXK  < 200 {"id":"kZyiWLUzz8dqAjHiO1gxXK"}  = kZyi...
    get todo/0001    > GET /resources/todo/0001    < 200 {"id":"0001"}  = 0001 {"id":"0001"}
    get todo/a%2Fb   > GET /resources/todo/a%2Fb   < 200 {"id":"a/b"}   = a/b {"id":"a/b"}
    get todo/%C3%A9  > GET /resources/todo/%C3%A9  < 200 {"id":"é"}     = é {"id":"é"}
    # fields of unexpected kinds and dates in any form stay as they came
    each FIELD  "isComplete":"yes"  "isComplete":null  "scheduledDate":"2017-10-03 09:00:00"  "scheduledDate":"","n":1.10
    each FIELD  "scheduledDate":"2017-10-03T09:00:00.795849Z","n":9007199254740993
    get todo/a  < 200 {"id":"a",{FIELD}}  = a {"id":"a",{FIELD}}
    # a resource below a record cannot be
    list users/1/todo  ! unsupported notSent
    # live, the resources are the schemas, with the fields that can be read
    prepare {"resources":{"todo":null,"more":{"a":"text"}}}
    describe known  = Baasic: todo more users roles permissions schemas
    describe live
      > GET /schemas?page=1&rpp=100  > GET /resources/broken?page=1&rpp=1
      < 200 \#(schemas)  < 200 {"item":[{"id":"r1","a":1,"b":"x","c":null}],"totalRecords":1}
      = Baasic: todo more strict broken users roles permissions schemas
    describe live todo
      < 200 \#(schemas)  < 200 {"item":[],"totalRecords":0}
      = schema: id text read-only, title text, isComplete boolean, scheduledDate date, n integer, x any; ...
    describe live strict
      < 200 \#(schemas)  < 200 {"item":[],"totalRecords":0}  = schema: id text read-only, a number required; ...
    # where a schema cannot be read, the first record shows the fields, and else nothing is known of them
    each ANSWER  401  403  404
    describe live broken  < 200 {"item":[{"name":"broken","schema":"{\"a\":{},}"}],"totalRecords":1}
      < 200 {"item":[{"id":"r1","a":1,"b":"x","c":null}],"totalRecords":1}
      = sample: id text read-only, a number, b text, c any; ...
    prepare
    describe live broken  < 200 {"item":[{"name":"broken","schema":"{\"a\":{},}"}],"totalRecords":1}  < {ANSWER}  = unknown: ...
    # who may not read schemas has the resources of the configuration
    prepare {"resources":{"todo":{"title":"text"}}}
    describe live  < 401  = Baasic: todo users roles permissions schemas...
    prepare
    describe live  < 401  ! unauthorized rejected: authentication required (401)
    # if they may not be listed, one that is named is tried all the same
    describe live
      < 403 {"message":"M"}
      = Baasic: users roles permissions schemas; note: resources cannot be listed: permission denied (403): M; name one to use it, or log in
    # schemas are a resource themselves, named by name
    get schemas/Todo
      > GET /schemas/Todo
      < 200 {"id":"s1","name":"Todo","schema":{"properties":{}}}
      = Todo {"id":"s1","name":"Todo","schema":{"properties":{}}}
    # an option with another value is refused
    each OPTION  {"resources":"todo"}  {"resources":{"todo":"x"}}  {"resources":{"todo":{"a":"x"}}}  {"update":"post"}
    prepare {OPTION}  ! misconfigured notSent
    # a missing record and a missing resource are told apart by the request
    get todo/a  < 404 {"message":"Resource not found"}  ! notFound rejected: not found (404): Resource not found
    list todo   < 404 {"message":"Resource not found"}  ! notFound rejected: ...: Resource not found; hint: ...
    # another record is not the one asked for
    get todo/a  < 200 {"id":"b","title":"other"}  ! badResponse rejected
    """#)
}
