import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// A backend of several resources is described as a whole where none of them is meant.
@Suite("Descriptions of backends") struct DescribedBackendTests {
  let home: ConsoleRun.Home
  let demo: Demo

  init() async throws {
    home = try ConsoleRun.Home()
    let database = """
      {"customers": [{"id": 1, "name": "A", "companyId": 1}], "companies": [{"id": 1, "city": "Bern"}], "profile": {"name": "x"}}
      """
    let file = try home.write(database, to: "db.json")
    demo = try await Demo.start(["--memory", "--import", file, "--set", "jsonplaceholder.profile=json-server"])
  }

  @Test("a json-server shows the collections of its whole database, without a configuration") func root() async throws {
    let address = "jsonplaceholder:\(demo.base("jsonplaceholder"))"
    let run = try await home.run(commands: "describe \(address)")
    #expect(run.status == 0, "\(run.errors)")
    for line in [/customers +id, name, companyId/, /companies +id, city/, /profile +name/] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    let document = try await home.run(commands: "describe \(address) -o json")
    let facts = try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any]
    #expect((facts?["resources"] as? [String])?.contains("customers") == true, "\(document.output)")
    #expect(facts?["plugin"] as? String == "jsonplaceholder" && facts?["resource"] == nil)
  }

  @Test("one that is chosen or configured is described by itself") func chosen() async throws {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {
          "a": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))"},
          "b": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "companies"}}}
        """)
    let run = try await home.run(commands: "describe", "describe b", "use a/customers", "describe a")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.matches(of: /RESOURCE +FIELDS/).count == 1, "\(run.output)")
    #expect(run.output.contains(/resource +companies/) && run.output.contains(/resource +customers/), "\(run.output)")
  }
}
