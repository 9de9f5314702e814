import Foundation
import PackagePlugin

/// Generates the functions that are the build stamps: digests of the sources, the compiler and its arguments.
///
/// No number has to be raised by hand: any change of a source file changes the stamp.
@main
struct BuildStamp: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let package = context.package.directoryURL
    let tools = ["stamp.sh", "tokens.awk"].map { package.appending(path: "Plugins/BuildStamp/" + $0) }
    let output = context.pluginWorkDirectoryURL.appending(path: "BuildStampSources.swift")
    var sources: [URL] = []
    for name in ["BackendKit", "BackendClient", "BackendTransport"] {
      let files = FileManager.default.enumerator(at: package.appending(path: name), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        if file.pathExtension == "swift" { sources.append(file) }
      }
    }
    sources.sort { $0.path < $1.path }
    // SCRATCH/plugins/outputs/PACKAGE/TARGET/DESTINATION/PLUGIN
    var scratch = context.pluginWorkDirectoryURL
    for _ in 0..<6 { scratch.deleteLastPathComponent() }
    // The descriptions of the build, including the compiler's arguments. They are written before the first command
    // runs.
    let described = ["debug", "release"].map { scratch.appending(path: $0 + ".yaml") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    return [
      .buildCommand(
        displayName: "Stamping \(target.name)",
        executable: URL(filePath: "/bin/sh"),
        arguments: [tools[0].path, output.path, package.path, scratch.path],
        inputFiles: tools + sources + described,
        outputFiles: [output])
    ]
  }
}
