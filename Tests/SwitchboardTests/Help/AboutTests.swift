import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The console's information about itself.
@Suite("About the console") struct AboutTests {
  private struct About: Decodable {
    struct Library: Decodable { let name, file: String }
    struct Place: Decodable { let name, path: String }
    let version, compiler, configuration, kit, folder: String
    let libraries: [Library]
    let missing: [String]
    let places: [Place]
  }

  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("about names version, compiler and each library that is loaded") func facts() async throws {
    let run = try await ConsoleRun.run(["about", "-o", "json"], in: home)
    #expect(run.status == 0, "\(run.errors)")
    let about = try JSONDecoder().decode(About.self, from: Data(run.output.utf8))
    let said = try await ConsoleRun.run(["--version"], in: home).output
    #expect(said.hasPrefix("switchboard \(about.version)\n"))
    #expect(about.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil, "a semantic version")
    #expect(about.compiler.hasPrefix("Swift "))
    #expect(["debug", "release"].contains(about.configuration))
    #expect(said.contains(".\(about.kit)."))
    #expect(about.missing.isEmpty)
    for name in ["libBackendKit", "libswiftCore", "libcurl", "libedit", "libgumbo", "libsqlite3", "libyaml-0"] {
      let library = try #require(about.libraries.first { $0.name == name }, "\(name)")
      #expect(FileManager.default.fileExists(atPath: library.file))
    }
    #expect(Set(about.places.map(\.name)) == ["configuration", "plugins", "presets", "state", "journal"])
  }

  @Test(
    "about reads the note of the package, and one that is broken counts as none",
    arguments: [
      (#"{"commit": "abc1", "packages": {"swift-nio": "2.0.0"}}"#, true), ("{", false), (#"{"commit": 1}"#, false),
    ])
  func note(_ text: String, _ isWhole: Bool) async throws {
    // A copy of the executable, as an archive would have it.
    let folder = try TemporaryFolder()
    let console = try BuiltFolder.ofPrograms.install([], in: folder.path)
    try folder.write(text, to: "build.json")
    let run = try Program.run(console, "about", "-o", "json")
    #expect(run.contains("abc1") == isWhole)
    #expect(run.contains("swift-nio") == isWhole)
  }
}
