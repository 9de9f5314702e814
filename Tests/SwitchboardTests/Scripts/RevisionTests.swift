import AdapterSupport
import BackendConformance
import BackendKit
import ConsoleSupport
import Testing

/// Writes insist on the revision in which a script has seen the record.
@Suite("Revisions in a script") struct RevisionTests {
  /// Somebody else gives the first ticket another subject before each write.
  private func contested() throws -> DeskConsole {
    try DeskConsole { service in
      _ = try await service.send(
        HTTPRequest(
          "PATCH", RequestPath("tickets", "1"), body: Array(#"{"set": {"subject": "theirs"}, "unset": []}"#.utf8),
          effect: .repeatableWrite))
    }
  }

  @Test("a record that was shown is changed at its revision; a conflict shows both versions") func conflict()
    async throws
  {
    let desk = try contested()
    let run = try await desk.run("get 1 -o id\nupdate 1 subject=mine\n").failed(1, saying: "is at revision 1, not 0")
    #expect(run.errors.contains(#"subject: was "Ticket 1", is now "theirs", was to be "mine""#), "\(run.errors)")
    #expect(run.errors.contains("--force"))
    #expect(desk.fields()["subject"] == "theirs")
  }

  @Test("a conflict is reported field by field as JSON, too") func json() async throws {
    let run = try await contested().run("get 1 -o id\ndelete 1\n", ["--errors", "json"])
    let line = try #require(run.errors.split(separator: "\n").first)
    let error = try #require(try JSONReader.read(Array(line.utf8)).object)
    #expect(error["code"] == "conflict")
    let first = error["fields"]?.array?.first?.object
    #expect(first?["field"] == "subject")
    #expect(first?["message"] == #"was "Ticket 1", is now "theirs""#)
  }

  @Test("--force writes all the same") func force() async throws {
    let desk = try contested()
    try await desk.run("get 1 -o id\nupdate 1 subject=mine --force\n").succeeded()
    #expect(desk.fields()["subject"] == "mine")
  }

  @Test("what nobody has seen is written at no revision") func unseen() async throws {
    let desk = try contested()
    try await desk.run("update 1 subject=mine\n").succeeded()
    #expect(desk.fields()["subject"] == "mine")
  }

  @Test("a record of a loop is written at the revision of the loop's list, whatever was read of it since then")
  func loop() async throws {
    let desk = try DeskConsole()
    let script = """
      for row in (list id<=2)
        update 2 subject=changed
        update $row.id due=2026-01-02
      end
      """
    let run = try await desk.run(script)
    // The first turn changes record 2, which the second has from before that.
    #expect(run.status == 1)
    #expect(run.errors.contains("is now \"changed\"") || run.errors.contains("version: was"), "\(run.errors)")
    #expect(desk.fields(0)["due"] == "2026-01-02")
    #expect(desk.fields(1)["due"] == nil)
  }

  @Test("one's own writes of a record follow each other") func own() async throws {
    let desk = try DeskConsole()
    try await desk.run(
      "get 1 -o id\nupdate 1 subject=a\nupdate 1 subject=b\ncall close 1 reason=r\nupdate 1 subject=c\ndelete 1\n"
    ).succeeded()
    #expect(desk.server.texts.filter { $0.contains("If-Match:") || $0.contains("if-match:") }.count == 4)
  }
}
