import DemoServerSupport
import TestSupport
import Testing

@Suite("Command line")
struct OptionTests {
  @Test(
    "A wrong command line ends with 2 and one sentence",
    arguments: [
      ["--port", "70000"], ["--bogus"], ["--seed", "many"], ["--memory", "--data", "x"], ["--set", "nope=1"],
      ["--set", "grails.release=4"], ["--set", "grails.release"], ["--set", "fault.delay=-1"],
    ])
  func wrongUsage(arguments: [String]) async throws {
    let result = try await DemoProcess.run(arguments)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("switchboard-demo: "))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("An unknown switch or value is refused with the known ones")
  func knownSwitches() async throws {
    #expect(try await DemoProcess.run(["--set", "nope=1"]).errors.contains("grails.release"))
    #expect(try await DemoProcess.run(["--set", "grails.release=4"]).errors.contains("3.3.0|3.3.9"))
  }

  @Test("A taken port and a file that cannot be opened end with 1 and one sentence")
  func obstacles() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let folder = try TemporaryFolder()
    let noDatabase = try folder.file("text", String(repeating: "no database ", count: 100))
    for arguments in [
      ["--memory", "--port", String(demo.port)], ["--data", folder.path + "/missing/demo.sqlite"],
      ["--data", noDatabase], ["--memory", "--import", folder.path + "/missing"], ["--memory", "--import", noDatabase],
    ] {
      let result = try await DemoProcess.run(arguments)
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
  }

  @Test("The switches can be listed at the command line")
  func listing() async throws {
    let listing = try await DemoProcess.run(["--list-switches"])
    #expect(listing.status == 0)
    #expect(listing.output.contains("grails.release=3.3.0|3.3.9"))
  }

  @Test(arguments: rows) func holds(_ row: Row) async throws { try await row.check() }

  static let rows = Table.server.rows(
    #"""
    # The switches can be listed over HTTP
    start --set grails.release=3.3.9
    GET /_demo/switches  < 200
      = ...{"name":"grails.release","value":"3.3.9","values":"3.3.0|3.3.9","default":"3.3.0",...
    # A switch given at start holds until a request says otherwise
    start --seed 25 --set grails.order=shuffled
    GET /grails/announcements  < 200  shuffled := body
    GET /grails/announcements  Demo-Set: grails.release=3.3.9, grails.order=insertion  < 200  .*.id 1..10
      != {shuffled}
    GET /grails/announcements  Demo-Set: grails.order=odd  < 400  = ...insertion|shuffled...
    # Any number of records can be seeded
    each COUNT  0  1  6  10  25  101  1000
    start --seed {COUNT}
    GET /grails/announcements?max=-1  Accept-Version: 1.0  < 200  . #{COUNT}  seeded := body
    start --seed {COUNT}
    GET /grails/announcements?max=-1  Accept-Version: 1.0  < 200  = {seeded}
    # Seeds have every kind of text
    start --seed 1000
    GET /grails/announcements?max=-1  Accept-Version: 1.0  < 200  = ...食堂...  = ...🎉...  = ...\"...
    """#)
}
