import Foundation
import TestSupport

/// A plugin in a package of its own, outside the checkout.
enum SamplePackage {
  /// The way to its library.
  enum Build: CaseIterable {
    /// Its one file is compiled against the modules that were built together with the tests: a second.
    case compiler
    /// The package manager builds BackendKit and the package: minutes where the machine is slow.
    case package
  }

  /// True if packages are built as a whole, too.
  static let wantsAll = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_ALL"] != nil

  /// The configuration of the console that is to open the plugin.
  #if DEBUG
    static let configuration = "debug"
  #else
    static let configuration = "release"
  #endif

  /// Builds the plugin against BackendKit as it is in the checkout, and returns the folder of its library.
  static func build(in folder: TemporaryFolder, by build: Build) throws -> String {
    switch build {
    case .compiler: try compile(in: folder)
    case .package: try self.build(in: folder, against: BuiltLibraries.root + "/Sources/BackendKit")
    }
  }

  private static func compile(in folder: TemporaryFolder) throws -> String {
    let file = try folder.write(source, to: "Sample.swift")
    let place = try folder.makeFolder("compiled")
    let built = BuiltFolder.ofTests.path
    try Program.run(
      "swiftc", "-emit-library", "-parse-as-library", "-module-name", "Sample", "-swift-version", "6",
      configuration == "debug" ? "-Onone" : "-O", "-I", built + "/Modules", "-L", built, "-lBackendKit", file, "-o",
      "\(place)/\(library)")
    // Whatever the umask of whoever runs the tests.
    try folder.setMode(0o700, of: "compiled/" + library)
    return place
  }

  /// The name of the plugin's library.
  static let library = "libswitchboard-sample.so"

  /// Writes the package against a BackendKit, builds it and returns the folder of its library.
  static func build(in folder: TemporaryFolder, against backendKit: String) throws -> String {
    try folder.write(manifest(backendKit), to: "Sample/Package.swift")
    try folder.write(source, to: "Sample/Sources/Sample/Sample.swift")
    // A scratch folder of its own: the one of the tests is locked by the command that runs them.
    let command = [
      "swift", "build", "--package-path", folder.path + "/Sample", "--scratch-path", folder.path + "/build", "-c",
      configuration, "--product", "switchboard-sample",
    ]
    try Program.run(command)
    let built = try Program.run(command + ["--show-bin-path"])
    return built.split(separator: "\n").last.map(String.init) ?? ""
  }

  private static func manifest(_ backendKit: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "Sample",
      products: [.library(name: "switchboard-sample", type: .dynamic, targets: ["Sample"])],
      dependencies: [.package(path: "\(backendKit)")],
      targets: [.target(name: "Sample", dependencies: [.product(name: "BackendKit", package: "BackendKit")])]
    )
    """
  }

  /// Lists one record, and refuses the rest.
  private static let source = """
    import BackendKit

    struct SampleBackend: Backend {
      let greeting: String

      func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
        let notes = ResourceDescription(
          name: "notes", identifier: IdentifierRule(form: .text), capabilities: Capabilities(operations: [.list]))
        return BackendDescription(product: "sample", resources: [notes])
      }
      func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan { QueryPlan(request: "nothing") }
      func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
        _ = try await sink.send([Record(id: "1", fields: Object([("id", "1"), ("text", .string(greeting))]))])
        return PageEnd()
      }
      func get(
        _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
      ) async throws(BackendError) -> Record { throw none }
      func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt { throw none }
      func update(
        _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
      ) async throws(BackendError) -> WriteReceipt { throw none }
      func delete(
        _ deletion: Deletion, from resource: ResourcePath, revision: String?
      ) async throws(BackendError) -> WriteReceipt { throw none }
      private var none: BackendError { BackendError(.unsupported, "a sample only lists", effect: .notSent) }
    }

    @c(switchboard_plugin)
    public func switchboardPlugin() -> UnsafeMutableRawPointer {
      Plugin(
        name: "sample", version: "0.0.1", summary: "a sample",
        options: [OptionDescription("greeting", .text, default: "hello", help: "what the record says")]
      ) { settings throws(BackendError) in
        let greeting = settings.text("greeting") ?? ""
        return PreparedBackend { _ in SampleBackend(greeting: greeting) }
      }.export()
    }
    """
}
