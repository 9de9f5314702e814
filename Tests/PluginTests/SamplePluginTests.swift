import BackendKit
import ConsoleSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ConsoleSetup

/// A plugin that is not of this checkout. With `--all` it is built in a package of its own, too, which builds BackendKit.
@Suite(.serialized) struct SamplePluginTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func catalog(_ place: String) throws -> PluginCatalog {
    PluginCatalog.default(
      executable: try BuiltFolder.ofTests.file("switchboard"), pluginPaths: [place], environment: [:])
  }

  @Test(arguments: SamplePackage.wantsAll ? SamplePackage.Build.allCases : [.compiler])
  func `A plugin of a package of its own loads through its folder and answers`(_ build: SamplePackage.Build)
    async throws
  {
    let place = try SamplePackage.build(in: folder, by: build)
    let plugin = try catalog(place).load("sample")
    #expect(plugin.version == "0.0.1")
    #expect(try isOpen(place))
    var configuration = BackendConfiguration(name: "mine", plugin: "sample", url: "http://127.0.0.1")
    configuration.options = Object([("greeting", "good day")])
    let settings = BackendSettings(name: "mine", options: try configuration.checkedOptions(plugin))
    let backend = try plugin.prepare(settings).attach(NoExchange())
    #expect(try await backend.describe(.known).resources.map(\.name) == ["notes"])
    let texts = Mutex<[Value?]>([])
    let end = try await backend.list(
      ListQuery(ResourcePath(name: "notes")), at: nil,
      to: RecordSink { records in
        texts.withLock { $0 += records.map { $0.fields["text"] } }
        return .more
      })
    #expect(end.next == nil && texts.withLock { $0 } == ["good day"])
    // Types are the same on both sides of the border: the error is caught as what it is.
    let error = await #expect(throws: BackendError.self) {
      try await backend.get("1", from: ResourcePath(name: "notes"))
    }
    #expect(error?.code == .unsupported && error?.message == "a sample only lists")
    let run = try await ConsoleRun.runProgram(
      ["--plugin-path", place, "-c", "list sample:http://127.0.0.1:9 -o ndjson"], bytes: [], in: try ConsoleRun.Home(),
      executable: try Installation.console(in: folder))
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.contains(#""text":"hello""#))
  }

  @Test func `A plugin with another stamp is refused before it is opened, and stops no other`() async throws {
    let place = try SamplePackage.build(in: folder, by: .compiler)
    let file = URL(fileURLWithPath: place + "/" + SamplePackage.library)
    var library = try Data(contentsOf: file)
    let stamp = try #require(BuiltLibraries.stamps.first)
    let kit = stamp.dropFirst((BuildStamp.prefix + "kit.").count).prefix(16)
    let other = stamp.replacingOccurrences(of: kit, with: String(kit.reversed()))
    #expect(other != stamp)
    // Its place in the table of names stays the same.
    library.replaceSubrange(try #require(library.range(of: Data(stamp.utf8))), with: Data(other.utf8))
    try library.write(to: file)
    try await isRefused(in: place)
  }

  @Test(.enabled(if: SamplePackage.wantsAll, "builds BackendKit three times: Scripts/test --all"))
  func
    `Two private properties that change places make a plugin stale, also where the build was incremental; a comment does not`()
    async throws
  {
    let copy = folder.path + "/BackendKit"
    try Program.run("cp", "-R", BuiltLibraries.root + "/Sources/BackendKit", copy)
    let first = try SamplePackage.build(in: folder, against: copy)
    #expect(try catalog(first).entries().first { $0.name == "sample" }?.state == .found)
    let file = copy + "/BackendKit/JSON/Object.swift"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let commented = text.replacingOccurrences(
      of: "  private var values", with: "  // A comment.\n\n  private var values")
    try commented.write(toFile: file, atomically: true, encoding: .utf8)
    let same = try SamplePackage.build(in: folder, against: copy)
    #expect(try catalog(same).entries().first { $0.name == "sample" }?.state == .found)
    let lines = try #require(
      text.firstMatch(of: /(  private var values.*\n)((?:  \/\/.*\n)*  private var backing.*\n)/))
    try text.replacingCharacters(in: lines.range, with: lines.2 + lines.1)
      .write(toFile: file, atomically: true, encoding: .utf8)
    let place = try SamplePackage.build(in: folder, against: copy)
    try await isRefused(in: place)
  }

  /// Expects that the plugin in a folder is stale, is not opened, and that others are.
  private func isRefused(in place: String) async throws {
    let catalog = try catalog(place)
    let error = #expect(throws: PluginError.self) { try catalog.load("sample") }
    #expect(error?.message.contains("was built against another console: its stamp is") == true)
    #expect(error?.hint == "rebuild it against this console")
    #expect(try catalog.load("grails").name == "grails")
    #expect(try !isOpen(place))
    let run = try await ConsoleRun.run(
      [
        "--plugin-path", place, "--config", ConsoleRun.root.appending(path: "config.json").path, "--on-error",
        "continue",
        "-c", "list sample:http://127.0.0.1:9", "-c", "count intranet",
      ], in: try ConsoleRun.Home())
    #expect(run.status == 3 && run.output == "6\n")
    #expect(run.errors.contains("was built against another console: its stamp is"))
  }

  /// Returns true if this process has a file of a folder open.
  private func isOpen(_ folder: String) throws -> Bool {
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/self/maps")).readDataToEndOfFile()
    return maps.range(of: Data(folder.utf8)) != nil
  }
}

/// An exchange with nobody at its other end.
private struct NoExchange: HTTPExchange {
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    throw BackendError(.unavailable, "nothing is asked here", effect: .notSent)
  }
}
