import ConsoleSupport
import Foundation
import Testing

/// `backends edit`: one backend of the user's own configuration in an editor; all else stays as it is.
@Suite("Backends are edited") struct BackendEditTests {
  static let configuration = """
    { "switchboard": 1,   "default": "a",
      "backends": {
        "a": { "plugin": "jsonplaceholder", "url": "http://127.0.0.1:1" },
        "b": {
          "plugin": "kitura",
          "url": "http://127.0.0.1:2"
        } }
    }

    """

  /// A home with the configuration.
  private func home() throws -> ConsoleRun.Home {
    let home = try ConsoleRun.Home()
    try home.writeOwn(Self.configuration)
    return home
  }

  private func edit(_ name: String, with script: String, in home: ConsoleRun.Home) async throws -> ConsoleRun {
    let editor = try home.writeProgram("#!/bin/sh\n\(script)\n", to: "editor")
    return try await ConsoleRun.run(
      ["-c", "backends edit \(name)", "-c", "backends -o json"], in: home, variables: ["EDITOR": editor])
  }

  private func configuration(in home: ConsoleRun.Home) throws -> String {
    try String(contentsOf: home.folder.appending(path: "config/switchboard/config.json"), encoding: .utf8)
  }

  private func kept(in home: ConsoleRun.Home) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/state/switchboard/edits")) ?? []
  }

  @Test func `one backend changes, and everything else stays to the byte`() async throws {
    let home = try home()
    let run = try await edit(
      "b", with: "cp \"$1\" \"$HOME/seen\"; ls -l \"$1\" > \"$HOME/mode\"; sed -i s/:2/:3/ \"$1\"", in: home)
    #expect(run.status == 0, "\(run.errors)")
    let expected = Self.configuration.replacingOccurrences(of: ":2", with: ":3")
    #expect(try configuration(in: home) == expected)
    #expect(run.output.contains("127.0.0.1:3"))
    let seen = try String(contentsOf: home.folder.appending(path: "seen"), encoding: .utf8)
    #expect(seen == "{\n  \"plugin\": \"kitura\",\n  \"url\": \"http://127.0.0.1:2\"\n}\n")
    #expect(try String(contentsOf: home.folder.appending(path: "mode"), encoding: .utf8).hasPrefix("-rw-------"))
    #expect(kept(in: home).isEmpty)
  }

  @Test func `a mistake is reported with its line, the text is kept, and the next edit goes on with it`() async throws {
    let home = try home()
    let wrong = try await edit(
      "b", with: "printf '{\\n  \"plugin\": \"kitura\",\\n  \"ulr\": \"http://127.0.0.1:9\"\\n}\\n' > \"$1\"", in: home)
    #expect(wrong.status == 3, "\(wrong.errors)")
    #expect(wrong.errors.contains("edits/b.json:3: backends.b.ulr: unknown key"), "\(wrong.errors)")
    #expect(wrong.errors.components(separatedBy: "did you mean url?").count == 2, "\(wrong.errors)")
    #expect(try configuration(in: home) == Self.configuration)
    #expect(kept(in: home) == ["b.json"])
    let right = try await edit("b", with: "sed -i s/ulr/url/ \"$1\"", in: home)
    #expect(right.status == 0, "\(right.errors)")
    #expect(right.errors.contains("was kept from an earlier edit"))
    #expect(try configuration(in: home).contains("127.0.0.1:9"))
    #expect(kept(in: home).isEmpty)
  }

  @Test(
    "what is no object, or more than one, changes nothing",
    arguments: ["{", "[]", "{}, \"c\": {\"plugin\": \"rest\", \"url\": \"http://127.0.0.1:5\"}", ""])
  func broken(_ text: String) async throws {
    let home = try home()
    let run = try await edit("a", with: "printf '%s' '\(text)' > \"$1\"", in: home)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("edits/a.json"), "\(run.errors)")
    #expect(try configuration(in: home) == Self.configuration)
  }

  @Test func `an edit without a change, and an editor that fails, change nothing`() async throws {
    let home = try home()
    let same = try await edit("a", with: "true", in: home)
    #expect(same.errors.contains("a was not changed"), "\(same.errors)")
    #expect(kept(in: home).isEmpty)
    let failed = try await edit("a", with: "echo x >> \"$1\"; exit 1", in: home)
    #expect(failed.status == 1)
    #expect(try configuration(in: home) == Self.configuration)
  }

  @Test func `a configuration that changed meanwhile is not replaced`() async throws {
    let home = try home()
    let script = "sed -i s/:2/:3/ \"$1\"; sed -i s/:1/:7/ \"$HOME/config/switchboard/config.json\""
    let run = try await edit("b", with: script, in: home)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("was changed in the meantime"), "\(run.errors)")
    #expect(try configuration(in: home) == Self.configuration.replacingOccurrences(of: ":1", with: ":7"))
    #expect(kept(in: home) == ["b.json"])
  }

  @Test func `a backend of another file, and a restricted run, are refused`() async throws {
    let home = try home()
    let other = try await edit("c", with: "true", in: home)
    #expect(other.errors.contains("c is not in "), "\(other.errors)")
    let run = try await ConsoleRun.run(
      ["--restricted", "-c", "backends edit a"], in: home, variables: ["EDITOR": "false"])
    #expect(run.errors.contains("not allowed with --restricted"), "\(run.errors)")
  }
}
