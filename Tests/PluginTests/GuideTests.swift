import Foundation
import TestSupport
import Testing

/// The guide for authors, followed to the letter: each command that it shows is run, in its order, by one shell. With `--all`
/// the packages are built from what `Scripts/publish-kit` writes, which takes minutes where the machine is slow. Otherwise a stand-in
/// for the package manager compiles the adapter and its tests against the modules that were built together with these tests.
@Suite(.serialized) struct GuideTests {
  private static let guide = BuiltLibraries.root + "/docs/authors/writing-an-adapter.md"

  @Test func `The guide leads from an empty folder to an adapter that conforms`() async throws {
    let folder = try TemporaryFolder()
    let console = try Installation.console(in: folder)
    let port = try Program.run(
      "python3", "-c", "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])")
    let configuration = SamplePackage.configuration
    let commands = try Self.blocks("sh").joined(separator: "\n")
      // These depend on the machine: a free port, and the build configuration of the console in this test.
      .replacing("8555", with: port.dropLast()).replacing(".build/debug", with: ".build/\(configuration)")
      .replacing(/swift (test|build)/) { "\($0.output.0) -c \(configuration)" }
    let standIn = SamplePackage.wantsAll ? "" : BuiltLibraries.root + "/Tests/PluginTests/StandIn:"
    let script = """
      set -eu
      manager=$(command -v swift)
      export HOME=$PWD CHECKOUT='\(BuiltLibraries.root)' BUILT='\(BuiltFolder.ofTests.path)'
      export PATH='\(standIn)\(console.dropLast("/switchboard".count))':$PATH
      command -v curl >/dev/null || curl() { :; }
      trap 'kill $(jobs -p)' EXIT
      \(commands)
      "$manager" package resolve
      """
    let printed = try Program.run(["bash", folder.write(script, to: "guide.sh")], in: folder.path)
    #expect(printed.contains(" laws: 0 failed"), "\(printed.suffix(2000))")

    for package in ["BackendKit", "BackendTesting"] {
      #expect(folder.text(of: "kit/\(package)/Package.swift")?.contains("unsafeFlags") == false)
    }
    // A package that is built from it has the stamps of the console.
    let kit = folder.path + "/kit/BackendKit"
    let scratch = URL(fileURLWithPath: BuiltFolder.ofTests.path).deletingLastPathComponent().deletingLastPathComponent()
    try Program.run("sh", kit + "/Plugins/BuildStamp/stamp.sh", folder.path + "/stamps.swift", kit, scratch.path)
    let stamps = try #require(folder.text(of: "stamps.swift"))
    for stamp in BuiltLibraries.stamps { #expect(stamps.contains("\(stamp)"), "\(stamp)") }
    #expect(folder.text(of: "switchboard-desk/Package.swift")?.contains("file://\(folder.path)/kit/BackendKit") == true)
    // Published once more, nothing has changed.
    try Program.run(BuiltLibraries.root + "/Scripts/publish-kit", folder.path + "/kit")
    let count = try Program.run("git", "-C", folder.path + "/kit/BackendKit", "rev-list", "--count", "HEAD")
    #expect(count == "1\n")
  }

  @Test func `What the guide shows of a mapping stands in the adapter for the help desk`() throws {
    let source = try String(
      contentsOfFile: BuiltLibraries.root + "/Plugins/Tickets/Sources/HelpDesk.swift", encoding: .utf8)
    let lines = Set(source.split(separator: "\n").map(Self.plain))
    let shown = try Self.blocks("swift").flatMap { $0.split(separator: "\n").map(Self.plain) }
    #expect(shown.count > 8)
    for line in shown {
      #expect(lines.contains { $0.contains(line) }, "\(line)")
    }
  }

  /// The blocks of a language in the guide.
  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOfFile: guide, encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  private static func plain(_ line: Substring) -> String {
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.hasSuffix(",") ? String(text.dropLast()) : text
  }
}

/// A console that is installed elsewhere.
enum Installation {
  /// Installs the built console into a folder and returns its file.
  static func console(in folder: TemporaryFolder) throws -> String {
    let place = try folder.makeFolder("installed/bin")
    for name in ["switchboard", "libBackendKit.so", "libHTTPTransport.so", "libConformance.so"] {
      try FileManager.default.copyItem(atPath: BuiltFolder.ofTests.file(name), toPath: place + "/" + name)
    }
    return place + "/switchboard"
  }
}
