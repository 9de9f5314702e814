import AdapterSupport
import ConsoleSupport
import TestSupport
import Testing

@Suite("Lists behind a pipe") struct StreamingTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test(
    "the rows of a page are there while the last page is awaited",
    arguments: ["-o ndjson", "-o json", "-o id", "-o tsv --fields id,title", "-o csv --fields id"])
  func pageByPage(options: String) async throws {
    let page = FixtureServer.json(200, #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#)
    // The second page never comes.
    let server = try FixtureServer(page, [], holdsOpen: true)
    let config = try home.write(
      """
      {
        "switchboard": 1, "default": "intranet",
        "backends": {
          "intranet": {
            "plugin": "grails", "url": "\(server.address)", "resource": "announcements",
            "timeouts": { "firstByte": 600, "total": 600 }
          }
        }
      }
      """, to: "one.json")
    let console = try ConsoleRun.start(["--config", config, "-c", "list --all --per-page 2 \(options)"], in: home)
    try await console.expect("2")
    #expect(server.requests.count <= 2)
  }
}
