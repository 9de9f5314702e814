import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("Data")
struct DataTests {
  private func create(_ title: String, _ demo: DemoProcess) async throws -> Int {
    let answer = try await demo.send(
      "POST", "/grails/announcement", headers: [("Content-Type", "application/json")], body: #"{"title":"\#(title)"}"#)
    return try #require(try answer.object()["id"] as? Int)
  }

  private func titles(_ demo: DemoProcess) async throws -> [String] {
    try await demo.send("GET", "/grails/announcements?max=-1").rows().compactMap { $0["title"] as? String }
  }

  @Test("A data file keeps everything over a kill, used ids too")
  func keptInFile() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--seed", "3"]
    let first = try await DemoProcess.start(arguments)
    #expect(try await create("kept", first) == 4)
    #expect(try await create("deleted", first) == 5)
    #expect(try await first.send("DELETE", "/grails/announcement/5").status == 204)
    #expect(try await first.send("DELETE", "/grails/announcement/1").status == 204)
    first.stop()
    let second = try await DemoProcess.start(arguments)
    #expect(try await titles(second).count == 3)
    #expect(try await titles(second).last == "kept")
    #expect(try await create("next", second) == 6)
    second.stop()
    let reset = try await DemoProcess.start(arguments + ["--reset"])
    #expect(try await titles(reset).count == 3)
    #expect(try await create("anew", reset) == 4)
  }

  @Test("An emptied store stays empty")
  func emptiedStaysEmpty() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite"]
    let first = try await DemoProcess.start(arguments + ["--seed", "1"])
    #expect(try await first.send("DELETE", "/grails/announcement/1").status == 204)
    first.stop()
    let second = try await DemoProcess.start(arguments)
    #expect(try await titles(second).isEmpty)
  }

  @Test("Without options the data are in the user's data folder, for the user alone")
  func standardFile() async throws {
    let folder = try TemporaryFolder()
    let demo = try await DemoProcess.start([], environment: ["XDG_DATA_HOME": folder.path + "/a/b"])
    _ = try await create("x", demo)
    let place = folder.path + "/a/b/switchboard"
    #expect(FileManager.default.fileExists(atPath: place + "/demo.sqlite"))
    let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("Two servers on one file see each other's writes and never give an id twice")
  func twoServers() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--seed", "0"]
    async let starting = DemoProcess.start(arguments)
    let one = try await DemoProcess.start(arguments), two = try await starting
    _ = try await create("of one", one)
    #expect(try await titles(two) == ["of one"])
    _ = try await create("of two", two)
    #expect(try await titles(one) == ["of one", "of two"])
    let ids = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 {
        group.addTask { try await self.create("n\(number)", number % 2 == 0 ? one : two) }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(Set(ids) == Set(3...42))
    #expect(try await titles(one).count == 42)
    #expect(try await titles(one) == titles(two))
  }

  @Test("A file is imported by dialect")
  func importByDialect() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(
      "data.json",
      #"{"grails":{"announcements":[{"id":7,"title":"Seven","body":"<p>é</p>"},{"title":"Eight"},{"id":3,"title":"Three"}]}}"#
    )
    let demo = try await DemoProcess.start(["--memory", "--import", file])
    let answer = try await demo.send("GET", "/grails/announcements", headers: [("Accept-Version", "1.0")])
    #expect(
      answer.text
        == #"[{"id":7,"body":"<p>é</p>","title":"Seven"},{"id":8,"title":"Eight"},{"id":3,"title":"Three"}]"#)
    #expect(try await create("next", demo) == 9)
    let sorted = try await demo.send("GET", "/grails/announcements?sort=id").rows().compactMap { $0["id"] as? Int }
    #expect(sorted == [3, 7, 8, 9])
  }

  @Test(
    "A file that does not fit is refused in one sentence",
    arguments: [#"[1]"#, #"{"grails":{"announcements":[{"body":"x"}]}}"#, #"{"grails":{}}"#])
  func badImport(text: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await DemoProcess.run(["--memory", "--import", try folder.file("data.json", text)])
    #expect(result.status == 1)
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
