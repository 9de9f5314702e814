import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: sessions")
struct BaasicSessionTests {
  @Test(arguments: rows) func sessions(_ row: Row) async throws { try await row.check() }

  static let rows = Table.baasic.rows(
    #"""
    # 14 a login by form gives a bearer token
    POST /login/ {ana}  Content-Type: {form}  < 201  token := .access_token
      .token_type "bearer"  .expires_in 7200  .sliding_window none
    GET /login  Authorization: Bearer {token}  < 200
    POST /login/ grant_type=password&username=bo&password=battery%20staple  Content-Type: {form}
      Demo-Set: baasic.login=200  < 200
    POST /login/?options=session {ana}  Content-Type: {form}  Demo-Set: baasic.login=error  < 200
      .error string  .access_token none
    # 14 a login with anything wrong is a 400
    POST /login/ {FORM}  Content-Type: {form}  < 400  problem
      for FORM  grant_type=password&username=ana&password=wrong  grant_type=password&username=nobody&password=x
      username=ana&password=correct+horse  grant_type=client_credentials&username=ana&password=correct+horse  ""
    POST /login {"grant_type":"password","username":"ana","password":"correct horse"}  < 400  problem
    # 14 a sliding token is good for a while from the last call on
    start --set baasic.anonymous=401
    POST /login/?options=session,sliding {ana}  Content-Type: {form}  < 201  .sliding_window 7200  .expires_in none
      token := .access_token
    GET /resources/todo  Authorization: bearer {token}  < 200
    // A call that fails moves nothing; one that succeeds moves the end, here to this very moment.
    GET /resources/todo/nope  Authorization: bearer {token}  Demo-Set: baasic.lifetime=0  < 404
    GET /resources/todo  Authorization: bearer {token}  Demo-Set: baasic.lifetime=0  < 200
    GET /resources/todo  Authorization: bearer {token}  < 401
    POST /login/ {ana}  Content-Type: {form}  < 201  fixed := .access_token
    GET /resources/todo  Authorization: bearer {fixed}  Demo-Set: baasic.lifetime=0  < 200
    GET /resources/todo  Authorization: bearer {fixed}  < 200
    # 15 the scheme has any case, and a token must be known and fresh
    POST /login/ {ana}  Content-Type: {form}  < 201  token := .access_token
    POST /login/ {ana}  Content-Type: {form}  Demo-Set: baasic.lifetime=0  < 201  expired := .access_token
    GET /resources/todo  Authorization: {SCHEME} {token}  < 200  for SCHEME  bearer  BEARER  Bearer
    GET /resources/todo  Authorization: {WRONG}  < 401  problem Missing or invalid session  .details "invalid_token"
      for WRONG  bearer nope  Basic {token}  bearer {expired}  bearer
    GET /resources/todo  Authorization: bearer nope  Demo-Set: baasic.tokenerror=header  < 401
      WWW-Authenticate: Bearer error="invalid_token", error_description=...  != ...invalid_token...
    GET /resources/todo  Authorization: bearer nope  Demo-Set: baasic.tokenerror=oauth  < 401
      . keys error error_description
    # 15 anonymous calls are let in or not
    each S  401  403
    start
    GET /resources/todo  < 200
    start --set baasic.anonymous={S}
    GET /resources/todo  < {S}  problem
    GET /schemas  < {S}  problem
    POST /login/ {ana}  Content-Type: {form}  < 201  token := .access_token
    GET /resources/todo  Authorization: bearer {token}  < 200
    # 16 refresh, logout, and who somebody is
    start --set baasic.anonymous=401
    POST /login/ {ana}  Content-Type: {form}  < 201  first := .access_token
    GET /login/  Authorization: bearer {first}  < 200  .userName "ana"  .displayName string  .email string
      .roles list  .roles.0 string  .permissions object
    GET /login  < 401
    PUT /login {"token":"{first}","type":"bearer"}  < 200  .access_token != {first}  second := .access_token
    GET /resources/todo  Authorization: bearer {first}  < 401
    GET /resources/todo  Authorization: bearer {second}  < 200
    PUT /login {"token":"{first}","type":"bearer"}  < 400  problem
    DELETE /login {"token":"{second}","type":"bearer"}  < 204  =
    DELETE /login {"token":"{second}","type":"bearer"}  < 404  problem
    GET /resources/todo  Authorization: bearer {second}  < 401
    # 17 a user who may only read changes nothing
    POST /login/ {bo}  Content-Type: {form}  < 201  reader := .access_token
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    GET /resources/todo/{id}  Authorization: bearer {reader}  < 200
    {M} {PATH} {"title":"x"}  Authorization: bearer {reader}  < 403  problem
      for M PATH  POST /resources/todo  PUT /resources/todo/{id}  PATCH /resources/todo/{id}
      DELETE /resources/todo/{id}  POST /schemas  DELETE /schemas/todo
    POST /login/ {ana}  Content-Type: {form}  < 201  writer := .access_token
    DELETE /resources/todo/{id}  Authorization: bearer {writer}  < 204
    # Seeds are as many as asked for, and the same each time
    each SEED TODOS BOOKS  0 0 0  3 3 5  250 250 5
    start --seed {SEED}
    GET /resources/todo?rpp=1000  < 200  .totalRecords {TODOS}  .item #{TODOS}  todos := body
    GET /resources/Book  < 200  .item #{BOOKS}
    start --seed {SEED}
    GET /resources/todo?rpp=1000  < 200  = {todos}
    """#)

  @Test("14 wrong passwords lock a user, even for another process")
  func lock() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--set", "baasic.lock=3"]
    try await Table.baasic.check(
      #"""
      POST /login/ grant_type=password&username=ana&password=no  Content-Type: {form}  < 400  for TIME  1  2
      POST /login/ {ana}  Content-Type: {form}  < 201
      POST /login/ grant_type=password&username=ana&password=no  Content-Type: {form}  < 400  for TIME  1  2  3
      """#, on: DemoProcess.start(arguments))
    try await Table.baasic.check(
      #"""
      POST /login/ {ana}  Content-Type: {form}  < 400  problem locked
      POST /login/ {bo}  Content-Type: {form}  < 201
      POST /login/ {ana}  Content-Type: {form}  Demo-Set: baasic.lock=0  < 201
      """#, on: DemoProcess.start(arguments))
  }

  @Test("A token made by one process is good in another")
  func shared() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--set", "baasic.anonymous=401"]
    let one = try await DemoProcess.start(arguments), two = try await DemoProcess.start(arguments)
    let values = try await Table.baasic.check(
      #"""
      POST /login/ {ana}  Content-Type: {form}  < 201  token := .access_token
      """#, on: one)
    try await Table.baasic.check(
      #"""
      POST /resources/todo {"title":"from two"}  Authorization: bearer {token}  < 200
      """#, on: two, values)
    try await Table.baasic.check(
      #"""
      GET /resources/todo?page=2  Authorization: bearer {token}  < 200  .item.-1.title "from two"
      """#, on: one, values)
  }
}
