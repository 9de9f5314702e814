import Foundation
import PackagePlugin

/// Puts the presets into the code: they are then wherever the library is, and none is read before a description names it.
@main
struct EmbedPresets: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let folder = package.appending(path: "Sources/ServiceDescription/Presets")
    let script = package.appending(path: "Sources/EmbedPresets/embed.sh")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "yaml" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "PresetTexts.swift")
    return [
      .buildCommand(
        displayName: "Embedding the presets", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + files.map(\.path), inputFiles: [script] + files, outputFiles: [output])
    ]
  }
}
