import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import Testing

/// Previews of a record that was not created, and a server's information about itself.
@Suite("Previews and OPTIONS") struct PreviewTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory", "--seed", "3"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "g", "backends": {
          "live": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements",
            "label": "production"},
          "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
          "p": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))"}}}
        """)
  }

  @Test("create --preview shows HTML as text and sends nothing") func preview() async throws {
    let run = try await home.run(
      "create title=Tour body='<p>At <b>ten</b> &amp; eleven</p><ul><li>a</ul>' --preview\ncreate title=x --preview -o json\n",
      ["--trace"])
    #expect(run.status == 0 && run.output.contains("At ten & eleven") && run.output.contains("- a"), "\(run)")
    #expect(
      !run.output.contains("<p>") && run.output.contains(#"{"title": "x"}"#) || run.output.contains(#""title": "x""#))
    #expect(run.errors.contains("nothing was sent") && !run.errors.contains("POST"), "\(run.errors)")
    #expect(try await home.run(commands: "count").output == "3\n")
  }

  @Test("a dry run and the question show the HTML of a create or an update as text") func asked() async throws {
    let body = "body='<p>At <b>ten</b></p><p><img src=https://example.org/map.png alt=Map></p>'"
    let dry = try await home.run("create title=Tour \(body) --dry-run\nupdate 1 \(body) --dry-run\n").succeeded()
    let shown = "    body:\n      At ten\n\n      [image: Map (https://example.org/map.png)]\n"
    #expect(dry.errors.components(separatedBy: shown).count == 3, "\(dry.errors)")
    let several = try await home.run("update 1 2 \(body) --dry-run\n").succeeded()
    #expect(several.errors.components(separatedBy: "    body: At ten [image: Map]\n").count == 3, "\(several.errors)")
    let terminal = try ConsoleTerminal.start(
      in: home, config: home.config, columns: 120, prompt: "g/announcements 2.0>")
    terminal.send("create live title=Tour \(body)\r")
    try terminal.expect("[image: Map (https://example.org/map.png)]")
    try terminal.expect("Create a record of live/announcements (production) at")
    terminal.send("n\r")
    try terminal.expect("nothing was created")
    #expect(try await home.run(commands: "count").output == "3\n")
  }

  @Test("request OPTIONS is a read that shows the head of the response") func options() async throws {
    let allowed = try await home.run(commands: "request p OPTIONS todos")
    #expect(allowed.status == 0 && allowed.output.contains("status"), "\(allowed)")
    #expect(allowed.output.lowercased().contains("access-control-allow-methods"), "\(allowed)")
    // No mapping of Grails knows the method.
    let unknown = try await home.run(commands: "request OPTIONS announcements")
    #expect(unknown.status == 1 && unknown.errors.contains("not found"), "\(unknown)")
    let restricted = try await home.run("", ["--restricted", "-c", "request p OPTIONS todos"])
    #expect(restricted.status == 0, "\(restricted)")
  }
}
