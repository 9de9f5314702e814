import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// No secret gets into a recording, and a replay does not need them.
@Suite("Secrets in recordings") struct RecordedSecretTests {
  let run: RecordedRun

  init() throws { run = try RecordedRun() }

  private static let secrets = [
    "header-s3cret", "correct horse", "field-s3cret", "nested-s3cret", "tax-s3cret", "4711471147",
  ]

  @Test("those of the configuration, of names that say so, and of names that the configuration tells")
  func blanked() async throws {
    let config = try run.home.write(
      """
      {"switchboard": 1, "default": "placeholder", "backends": {
        "placeholder": {"plugin": "jsonplaceholder", "url": "demo:jsonplaceholder", "resource": "posts",
          "headers": {"X-Team": {"env": "TEAM"}}, "secrets": ["taxNumber"]},
        "baasic": {"plugin": "baasic", "url": "demo:baasic", "resource": "todo",
          "credentials": {"username": "ana", "password": {"env": "PASSWORD"}}}}}
      """, to: "secrets.json")
    let script = """
      create title=header-s3cret password=field-s3cret meta:='{"tokens": ["nested-s3cret", 4711471147], "a": 1}' taxNumber=tax-s3cret
      list password=field-s3cret
      list --search "correct horse"
      list baasic -n 2
      whoami baasic

      """
    let variables = ["TEAM": "header-s3cret", "PASSWORD": "correct horse"]
    let recorded = try await run.record(script, ["--on-error", "continue"], config: config, variables: variables)
    let text = try String(contentsOfFile: run.file, encoding: .utf8)
    let marks = text.components(separatedBy: "[blanked]").count - 1
    #expect(marks >= 10)
    for secret in Self.secrets {
      let isThere = [secret, secret.replacing(" ", with: "%20")].contains { text.contains($0) }
      #expect(!isThere, "\(secret)")
    }
    // Other secrets, and none at all.
    let others = script.replacing("field-s3cret", with: "another")
    for (script, variables) in [(script, variables), (others, ["TEAM": "other", "PASSWORD": "else"]), (script, [:])] {
      let replayed = try await run.replay(script, ["--on-error", "continue"], config: config, variables: variables)
      #expect(replayed.status == recorded.status)
      #expect(!replayed.errors.contains("differs"))
      #expect(
        replayed.output.split(separator: "\n").dropFirst(2) == recorded.output.split(separator: "\n").dropFirst(2))
    }
  }

  @Test("a secret that the service stored is stored in the replay, too") func stored() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "3", "--set", "jsonplaceholder.profile=json-server"])
    let config = try run.home.write(
      """
      {"switchboard": 1, "default": "json", "backends": {"json": {"plugin": "jsonplaceholder",
        "url": "\(demo.base("jsonplaceholder"))", "resource": "todos"}}}
      """, to: "stored.json")
    let script = "update 1 title=new password=field-s3cret --new-fields\n"
    let recorded = try await run.record(script, config: config)
    #expect(recorded.status == 0 && recorded.output == "updated todos/1: title, password\n", "\(recorded.errors)")
    let replayed = try await run.replay(script, config: config)
    #expect((replayed.output, replayed.errors) == (recorded.output, recorded.errors))
  }
}
