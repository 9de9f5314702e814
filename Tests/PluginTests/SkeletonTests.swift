import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// What `plugin new` writes. It depends on BackendKit as `Scripts/publish-kit` writes it, by its address, and builds it; so
/// this takes minutes where the machine is slow.
@Suite(.serialized) struct SkeletonTests {
  private let folder: TemporaryFolder
  private let home: ConsoleRun.Home

  init() throws {
    folder = try TemporaryFolder()
    home = try ConsoleRun.Home()
  }

  @Test func `A plugin begins with what is published, passes its tests and is opened by an installed console`()
    async throws
  {
    let kit = folder.path + "/kit"
    try Program.run(BuiltLibraries.root + "/Scripts/publish-kit", kit)
    for package in ["BackendKit", "BackendTesting"] {
      #expect(folder.text(of: "kit/\(package)/Package.swift")?.contains("unsafeFlags") == false)
    }
    // Once more is no change.
    try Program.run(BuiltLibraries.root + "/Scripts/publish-kit", kit)
    #expect(try Program.run("git", "-C", kit + "/BackendKit", "rev-list", "--count", "HEAD") == "1\n")

    let begun = try await ConsoleRun.run(
      ["plugin", "new", "my-notes", "--kit", "file://" + kit], in: home, directory: folder.path)
    try #require(begun.status == 0, "\(begun.errors)")
    let package = folder.path + "/switchboard-my-notes"
    #expect(folder.text(of: "switchboard-my-notes/Package.swift")?.contains("file://\(kit)/BackendKit") == true)
    let options = [
      "--package-path", package, "--scratch-path", folder.path + "/build", "-c", SamplePackage.configuration,
    ]
    try Program.run(["swift", "test"] + options)
    try Program.run(["swift", "build", "--product", "switchboard-my-notes"] + options)
    let built = try Program.run(["swift", "build", "--show-bin-path"] + options)
    let place = try #require(built.split(separator: "\n").last.map(String.init))

    let run = try await ConsoleRun.run(
      ["--plugin-path", place, "-c", "explain list my-notes:http://127.0.0.1:9"], bytes: [], in: home,
      executable: try Installation.console(in: folder))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("GET /my-notes"))
  }
}

/// A console that is installed elsewhere.
enum Installation {
  /// Installs the built console into a folder and returns its file.
  static func console(in folder: TemporaryFolder) throws -> String {
    let place = try folder.makeFolder("installed/bin")
    for name in ["switchboard", "libBackendKit.so", "libHTTPTransport.so"] {
      try FileManager.default.copyItem(
        atPath: ConsoleRun.products.appending(path: name).path, toPath: place + "/" + name)
    }
    return place + "/switchboard"
  }
}
