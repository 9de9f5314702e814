import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Dotted paths in conditions and in writes, and fields that nobody knows.
@Suite("Dotted paths and new fields") struct DottedPathTests {
  @Test("a path means the same in a list, an update and a new record") func paths() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run(
      "update 1 customer.city=Basel\ncreate subject=new customer.city=Chur customer.zip=7000\n"
        + "list customer.city=Basel -o id\nlist customer.zip=7000 -o id\nupdate 2 --unset customer.zip\n"
    ).succeeded()
    #expect(run.output.contains("updated tickets/1: customer.city\n"))
    #expect(run.output.contains("\n1\n4\n"), "\(run.output)")
    #expect(desk.fields()["customer"] == ["city": "Basel", "zip": 3000])
    #expect(desk.fields(1)["customer"] == ["city": "Bern"])
    #expect(desk.fields(3)["customer"] == ["city": "Chur", "zip": 7000])
    // The revision of what was read guards it.
    #expect(!run.errors.contains("sent whole"), "\(run.errors)")
  }

  @Test("without revisions a warning says what sending the whole field may cost") func unguarded() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run("update notes 1 address.city=Basel\n")
    #expect(run.status == 0)
    #expect(run.errors.contains("address was read, changed and sent whole"), "\(run.errors)")
    #expect(desk.fields(of: "notes")["address"] == ["city": "Basel", "zip": 3000])
  }

  @Test("a field whose own name has a dot is written in quotes, or found by its description") func quoted() async throws
  {
    let desk = try DeskConsole()
    let run = try await desk.run("update notes 1 \"a.b\"=x a.c=y --new-fields\n").succeeded()
    #expect(run.errors.isEmpty)
    #expect(desk.fields(of: "notes")["a.b"] == "x")
    #expect(desk.fields(of: "notes")["a.c"] == "y")
  }

  @Test("a field that nobody knows is a warning with the nearest name, unless it is meant") func unknown() async throws
  {
    let desk = try DeskConsole()
    let warned = try await desk.run("create notes titel=x\n")
    #expect(warned.status == 0)
    #expect(warned.errors.contains("did you mean title?"), "\(warned.errors)")
    let refused = try await desk.run("create notes titel=x\n", ["--strict"])
    #expect(refused.status == 2)
    let meant = try await desk.run("create notes titel=x --new-fields\n", ["--strict"])
    #expect((meant.status, meant.errors) == (0, ""))
    #expect(desk.writes.count == 2)
  }

  @Test("what is given for a secret field goes into no log and no message") func secret() async throws {
    let desk = try DeskConsole()
    let log = desk.home.folder.appending(path: "log").path
    let run = try await desk.run(
      "update users 1 pin=hunter22\nupdate users 99 pin=hunter22\n", ["--log", log, "--trace"])
    #expect(run.status == 1)
    #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("hunter22"))
    #expect(!run.errors.contains("hunter22"), "\(run.errors)")
    #expect(desk.fields(of: "users")["pin"] == "hunter22")
  }

  @Test("a part and its whole are not set together", arguments: ["a:={} a.b=1", "a.b=1 a.b=2", "a.b.c=1 a.b=2"])
  func overlap(_ words: String) async throws {
    let desk = try DeskConsole()
    try await desk.run("update 1 \(words)\n").failed(2, saying: "set twice")
  }
}
