import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
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

  @Test("filters and sorts are listed by the side that decides them") func sides() async throws {
    let run = try await home.runShipped("-c", "describe placeholder/todos", "-c", "describe todolist")
    #expect(
      run.output.contains(/filters +by the service, checked again locally: userId \(= < <= > >=\)/), "\(run.output)")
    #expect(run.output.contains(/\n +locally: userId \(!=\)/), "\(run.output)")
    #expect(run.output.contains(/sorts +by the service with --server-order: all fields/), "\(run.output)")
    #expect(run.output.contains(/filters +locally: all fields\n/), "\(run.output)")
    let facts = try await home.runShipped("-c", "describe placeholder/todos -o json").output
    #expect(facts.contains(/"field": "userId",\s+"comparison": "=",\s+"fidelity": "superset"/), "\(facts)")
    #expect(facts.contains(/"field": "title",\s+"order": "serverOrder"/), "\(facts)")
  }

  @Test("a backend's lists are cut at the width of the window, and not in a pipe", arguments: [40, 120])
  func widths(columns: Int) async throws {
    let wide = try ConsoleRun.Home()
    let names = (1...30).map { "\"member\($0)\": 1" }.joined(separator: ", ")
    let file = try wide.write("{\"things\": [{\"id\": 1, \(names)}], \"others\": [{\"id\": 1}]}", to: "db.json")
    let demo = try await DemoProcess.start(
      ["--memory", "--import", file, "--set", "jsonplaceholder.profile=json-server"])
    let command = "describe jsonplaceholder:\(demo.base("jsonplaceholder"))"
    #expect(try await wide.run(commands: command).output.contains("member29, member30"))
    let picture = try ConsoleTmux(in: wide, columns: columns).run(command)
    let row = try #require(picture.lines.first { $0.hasPrefix("things ") }, "\(picture)")
    #expect(row.hasSuffix("…") && row.count == columns, "\(picture)")
  }
}
