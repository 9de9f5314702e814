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

  @Test("The switches can be listed, at the command line and over HTTP")
  func listing() async throws {
    let listing = try await DemoProcess.run(["--list-switches"])
    #expect(listing.status == 0)
    #expect(listing.output.contains("grails.release=3.3.0|3.3.9"))
    let demo = try await DemoProcess.start(["--memory", "--set", "grails.release=3.3.9"])
    let rows = try await demo.send("GET", "/_demo/switches").rows()
    let release = try #require(rows.first { $0["name"] as? String == "grails.release" })
    #expect(release["value"] as? String == "3.3.9" && release["default"] as? String == "3.3.0")
  }

  @Test("A switch given at start holds until a request says otherwise")
  func switchPerRequest() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "25", "--set", "grails.order=shuffled"])
    let shuffled = try await demo.send("GET", "/grails/announcements").text
    let ordered = try await demo.send(
      "GET", "/grails/announcements", headers: [("Demo-Set", "grails.release=3.3.9, grails.order=insertion")])
    #expect(try ordered.rows().compactMap { $0["id"] as? Int } == Array(1...10))
    #expect(ordered.text != shuffled)
    let refused = try await demo.send("GET", "/grails/announcements", headers: [("Demo-Set", "grails.order=odd")])
    #expect(refused.status == 400)
    #expect(refused.text.contains("insertion|shuffled"))
  }

  @Test("Any number of records can be seeded", arguments: [0, 1, 6, 10, 25, 101, 1000])
  func seed(count: Int) async throws {
    let first = try await DemoProcess.start(["--memory", "--seed", String(count)])
    let second = try await DemoProcess.start(["--memory", "--seed", String(count)])
    let target = "/grails/announcements?max=-1"
    let headers = [("Accept-Version", "1.0")]
    let answer = try await first.send("GET", target, headers: headers)
    #expect(try answer.rows().count == count)
    #expect(try await second.send("GET", target, headers: headers).text == answer.text)
    if count == 1000 {
      #expect(answer.text.contains("食堂") && answer.text.contains("🎉") && answer.text.contains(#"\""#))
    }
  }
}
