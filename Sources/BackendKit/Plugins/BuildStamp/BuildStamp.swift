import Foundation
import PackagePlugin

/// Generates the function that gives the build stamp: a digest of BackendKit's sources and the compiler's version.
///
/// Nobody raises a number by hand: whoever changes a source file of the library changes the stamp.
@main
struct BuildStamp: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let package = context.package.directoryURL
    let script = package.appending(path: "Plugins/BuildStamp/stamp.sh")
    let output = context.pluginWorkDirectoryURL.appending(path: "BuildStampSources.swift")
    var sources: [URL] = []
    for name in ["BackendKit", "BackendClient", "BackendTransport", "BackendConformance"] {
      let folder = package.appending(path: name)
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        if file.pathExtension == "swift" { sources.append(file) }
      }
    }
    sources.sort { $0.path < $1.path }
    return [
      .buildCommand(
        displayName: "Stamping \(target.name)",
        executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path, package.path],
        inputFiles: [script] + sources,
        outputFiles: [output])
    ]
  }
}
