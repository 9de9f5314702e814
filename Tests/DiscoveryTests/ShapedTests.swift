import ConsoleSupport
import Testing

/// Paths of a document that are neither a list nor one record below it.
@Suite("Paths of unusual shapes") struct ShapedTests {
  private let server: StyleServer

  init() async throws {
    server = try await StyleServer("shaped")
    let run = try await server.add("v1", "svc --only rooms --yes")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(
    "what the document describes is listed, read and deleted at its path",
    arguments: [
      ("list svc/objects/cars/records -o id", "1\n2\n3\n", "GET /v1/objects/cars"),
      ("get svc/objects/cars/records 2 -o json", "cars 2", "GET /v1/objects/cars/2"),
      ("delete svc/objects/cars/records 2 --yes", "deleted", "DELETE /v1/objects/cars/2"),
      ("list svc/rooms/1/guests/late/records -o ndjson", "late 3", "GET /v1/rooms/1/guests/late"),
      ("get svc/flags beta -o json", "\"on\"", "GET /v1/flags/beta"),
      ("update svc/flags beta value=off", "flags/beta", #"PUT /v1/flags/beta {"value":"off"}"#),
      ("delete svc/flags beta --yes", "deleted", "DELETE /v1/flags/beta"),
      ("list svc/seats -o ndjson", "seats tue", "GET /v1/seats"),
      ("get svc/seats tue/9 -o json", "seats tue", "GET /v1/seats/tue/9"),
      ("list svc/teams/a/slots -o ndjson", "teams tue", "GET /v1/teams/a/slots"),
      ("get svc/teams/a/slots tue/9 -o json", "teams tue", "GET /v1/teams/a/slots/tue/9"),
      ("delete svc/teams/a/slots mon/9 --yes", "deleted", "DELETE /v1/teams/a/slots/mon/9"),
      ("list svc/teams/a/slots/tue/9/notes -o ndjson", "tue 3", "GET /v1/teams/a/slots/tue/9/notes"),
      ("list svc/stores -o ndjson", "s2", "GET /v1/stores"),
      ("get svc/stores-2 eu/s1 -o json", "\"s1\"", "GET /v1/stores/eu/s1"),
      ("list svc/stores-2/eu/s1/items -o ndjson", "s1 3", "GET /v1/stores/eu/s1/items"),
      ("list svc/stars -o ndjson", "star 3", "GET /v1/stars"),
      ("list svc/members -o ndjson", "member 3", "GET /v1/members"),
      ("list svc/notices -o id", "1\n2\n3\n", "GET /v1/notices.json"),
      ("list svc/t/1/posts -o id", "1\n2\n3\n", "GET /v1/t/1/posts.json"),
      ("get svc/t 1 -o json", "first", "GET /v1/t/1.json"),
    ])
  func shape(command: String, output: String, request: String) async throws {
    let run = try await server.run(command)
    #expect(run.status == 0 && run.output.contains(output), "\(run.output)\(run.errors)")
    #expect(try server.log().contains(request))
  }

  @Test func `a list that there is not is no hint`() async throws {
    let described = try await server.run("describe svc/flags")
    #expect(described.output.contains("get, update, delete"), "\(described.output)")
    let run = try await server.run("list svc/flags")
    #expect(run.status == 2 && !run.errors.contains("shows"), "\(run.errors)")
    let missing = try await server.run("get svc/rooms/1/guests/late/records 1")
    #expect(missing.status == 2, "\(missing.errors)")
    #expect(missing.errors.contains("list svc/rooms/ID/guests/ID/records shows the records"), "\(missing.errors)")
  }

  @Test func `a list below records that was read has the extension once`() async throws {
    let run = try await server.add("v1", "read --only topics --only answers --yes")
    #expect(run.status == 0 && run.output.contains("answers"), "\(run.output)\(run.errors)")
    let listed = try await server.run("list read/topics/2/answers -o ndjson")
    #expect(listed.status == 0 && listed.output.contains("answer to 2 3"), "\(listed.errors)")
    #expect(try server.log().contains("GET /v1/topics/2/answers.json"))
    let extended = try await server.add("v1", "read --only answers --extend --yes")
    #expect(extended.errors.contains("has all of these already"), "\(extended.errors)")
  }
}
