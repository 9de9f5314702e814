import ConsoleSupport
import Foundation
import Testing

/// `config migrate` on real files.
@Suite struct ConfigMigrateTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func migrate(_ file: String, _ more: String...) async throws -> ConsoleRun {
    try await ConsoleRun.run(["-c", "config migrate \(file)"] + more, in: home)
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOf: home.folder.appending(path: file), encoding: .utf8)
  }

  @Test func `A description is rewritten in its place, says what was renamed, and is left alone the second time`()
    async throws
  {
    let path = try home.write("# the desk\nrecords: {at: rows, okAt: ok}  # at\nothers: {}\n", to: "desk.yaml")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let run = try await migrate("desk.yaml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        desk.yaml:2: records.at is now listPath
        desk.yaml:2: records.okAt is now successFlag
        desk.yaml:3: others is now fallbackResource

        """)
    #expect(run.errors.contains("renamed 3 keys in desk.yaml"), "\(run.errors)")
    let written = "# the desk\nrecords: {listPath: rows, successFlag: ok}  # at\nfallbackResource: {}\n"
    #expect(try text("desk.yaml") == written)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    let again = try await migrate("desk.yaml")
    #expect(again.status == 0 && again.output == "" && again.errors.contains("desk.yaml has no old keys"), "\(again)")
    #expect(try text("desk.yaml") == written)
  }

  @Test
  func `A configuration is rewritten where a backend overrides a description, and is then accepted`() async throws {
    let before = """
      {"switchboard": 1, "backends": {"at": {
        "plugin": "rest", "url": "http://127.0.0.1:9/", "override": {"records": {"at": "rows"}}}}}
      """
    let config = try home.write(before, to: "own.json")
    let refused = try await ConsoleRun.run(["--config", config, "-c", "list at/x"], in: home)
    #expect(refused.status == 3)
    #expect(
      refused.errors.contains("this key is now listPath\nhint: write \"listPath\": \"rows\", or run config migrate "),
      "\(refused.errors)")
    let run = try await ConsoleRun.run(["--config", config, "-c", "config migrate own.json"], in: home)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try text("own.json") == before.replacing("{\"at\": \"rows\"}", with: "{\"listPath\": \"rows\"}"))
    let accepted = try await ConsoleRun.run(["--config", config, "-c", "list at/x"], in: home)
    #expect(accepted.status != 3, "\(accepted.errors)")
  }

  @Test func `What cannot be read or renamed safely stays as it is`() async throws {
    let double = "others: {}\nfallbackResource: {}\n"
    _ = try home.write(double, to: "double.yaml")
    let run = try await migrate("double.yaml")
    #expect(run.status == 3 && run.errors.contains("double.yaml:1: others: "), "\(run.errors)")
    #expect(try text("double.yaml") == double)
    let missing = try await migrate("nothing.yaml")
    #expect(missing.status == 2 && missing.errors.contains("nothing.yaml"), "\(missing.errors)")
    let checked = try await migrate("double.yaml", "--check")
    #expect(checked.status == 0 || checked.status == 2, "\(checked.errors)")
    #expect(try text("double.yaml") == double)
  }
}
