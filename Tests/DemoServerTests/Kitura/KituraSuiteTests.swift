import DemoServerSupport
import TestSupport
import Testing

/// The sixteen points of the public suite for to-do back ends, as it makes them.
@Suite("Kitura: Todo-Backend")
struct KituraSuiteTests {
  @Test(arguments: rows) func points(_ row: Row) async throws { try await row.check() }

  static let rows = Table.todoBackend.rows(
    #"""
    # 27 points 1 to 8: all sixteen points hold where url names this server
    // 1 to 4
    GET /  < 200  open
    POST / {"title":"a todo"}  < 201  open  .title "a todo"
    DELETE /  < 204  open
    GET /  < 200  open  = []
    // 5 to 8
    POST / {"title":"walk the dog"}  < 201  open  .completed false  id := .id  .url = {base}/{id}
    GET /  < 200  open  . #1  .0.title "walk the dog"  .0.completed false  .0.url = {base}/{id}
    GET /{id}  < 200  open  .title "walk the dog"
    DELETE /  < 204  open
    # 27 points 10 to 16: all sixteen points hold where url names this server
    // 10 to 13
    POST / {"title":"before"}  < 201  open  id := .id  .url = {base}/{id}
    PATCH /{id} {"title":"after"}  < 200  open  .title "after"
    PATCH /{id} {"completed":true}  < 200  open  .completed true
    GET /{id}  < 200  open  .title "after"  .completed true
    GET /  < 200  open  . #1  .0.title "after"
    DELETE /{id}  < 204  open
    GET /  < 200  open  = []
    // 14 to 16
    POST / {"title":"x","order":523}  < 201  open  .order 523  id := .id  .url = {base}/{id}
    PATCH /{id} {"order":95}  < 200  open  .order 95
    GET /{id}  < 200  open  .order 95
    # 27 those that follow url fail where it names another server, the others hold
    start --seed 0
    GET /  < 200  open
    POST / {"title":"a todo","order":523}  < 201  open  .title "a todo"  .order 523  .url = http://localhost:8080/0
    DELETE /  < 204  open
    GET /  < 200  open  = []
    POST / {"title":"walk the dog"}  < 201  open  .completed false  .url = http://localhost:8080/1
    GET /  < 200  open  . #1  .0.title "walk the dog"  .0.completed false  .0.url = http://localhost:8080/1
    """#)

  @Test("27 point 9: two todos that are made at once have addresses of their own")
  func together() async throws {
    let demo = try await Demo.start(["--memory", "--seed", "0", "--set", "kitura.url=own"])
    async let one = Table.todoBackend.check(
      #"""
      POST / {"title":"one"}  < 201  open  id := .id  .url = {base}/{id}
      GET /{id}  < 200  open  .title "one"
      """#, on: demo)
    async let two = Table.todoBackend.check(
      #"""
      POST / {"title":"two"}  < 201  open  id := .id  .url = {base}/{id}
      GET /{id}  < 200  open  .title "two"
      """#, on: demo)
    let (first, second) = (try await one, try await two)
    #expect(first["id"] != second["id"])
    try await Table.todoBackend.check("GET /  < 200  open  . #2", on: demo)
  }
}
