import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("Data")
struct DataTests {
  @Test("A data file keeps everything over a kill, used ids too")
  func keptInFile() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--seed", "3"]
    let first = try await DemoProcess.start(arguments)
    try await Table.grails.check(
      #"""
      POST /announcement {"title":"kept"}  < 201  .id 4
      POST /announcement {"title":"deleted"}  < 201  .id 5
      DELETE /announcement/5  < 204
      DELETE /announcement/1  < 204
      """#, on: first)
    first.stop()
    let second = try await DemoProcess.start(arguments)
    try await Table.grails.check(
      #"""
      GET /announcements?max=-1  < 200  . #3  .-1.title "kept"
      POST /announcement {"title":"next"}  < 201  .id 6
      """#, on: second)
    second.stop()
    try await Table.grails.check(
      #"""
      GET /announcements?max=-1  < 200  . #3
      POST /announcement {"title":"anew"}  < 201  .id 4
      """#, on: DemoProcess.start(arguments + ["--reset"]))
  }

  @Test("An emptied store stays empty")
  func emptiedStaysEmpty() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite"]
    let first = try await DemoProcess.start(arguments + ["--seed", "1"])
    try await Table.grails.check("DELETE /announcement/1  < 204", on: first)
    first.stop()
    try await Table.grails.check("GET /announcements?max=-1  < 200  = []", on: DemoProcess.start(arguments))
  }

  @Test("Without options the data are in the user's data folder, for the user alone")
  func standardFile() async throws {
    let folder = try TemporaryFolder()
    let demo = try await DemoProcess.start([], environment: ["XDG_DATA_HOME": folder.path + "/a/b"])
    try await Table.grails.check(#"POST /announcement {"title":"x"}  < 201"#, on: demo)
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
    try await Table.grails.check(#"POST /announcement {"title":"of one"}  < 201"#, on: one)
    try await Table.grails.check(
      #"""
      GET /announcements?max=-1  < 200  .*.title ["of one"]
      POST /announcement {"title":"of two"}  < 201
      """#, on: two)
    try await Table.grails.check(#"GET /announcements?max=-1  < 200  .*.title ["of one","of two"]"#, on: one)
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<40 {
        group.addTask {
          let values = try await Table.grails.check(
            #"""
            POST /announcement {"title":"n"}  < 201  id := .id
            """#, on: number % 2 == 0 ? one : two)
          return values["id"] ?? ""
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(ids.count == 40)
    #expect(Set(ids) == Set((3...42).map(String.init)))
    let values = try await Table.grails.check("GET /announcements?max=-1  < 200  . #42  all := body", on: one)
    try await Table.grails.check("GET /announcements?max=-1  < 200  = {all}", on: two, values)
  }

  @Test(arguments: rows) func imports(_ row: Row) async throws { try await row.check() }

  static let rows = Table.grails.rows(
    #"""
    # A file is imported by dialect
    start --import {"grails":{"announcements":[
      {"id":7,"title":"Seven","body":"<p>é</p>"},{"title":"Eight"},{"id":3,"title":"Three"}]}}
    GET /announcements  Accept-Version: 1.0  < 200
      = [{"id":7,"body":"<p>é</p>","title":"Seven"},{"id":8,"title":"Eight"},{"id":3,"title":"Three"}]
    POST /announcement {"title":"next"}  < 201  .id 9
    GET /announcements?sort=id  < 200  .*.id [3,7,8,9]
    """#)

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
