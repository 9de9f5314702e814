import Foundation
import PackagePlugin

/// Puts texts of a target into its code: they are then wherever the library is, and none is read before it is needed.
@main
struct EmbedTexts: BuildToolPlugin {
  /// The folders with texts: presets of services, templates of a plugin, completion scripts for shells.
  private static let folders = ["Presets", "Templates", "Shells"]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let script = context.package.directoryURL.appending(path: "Sources/EmbedTexts/embed.sh")
    let files = try Self.folders.map { target.directoryURL.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .flatMap { try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedTexts.swift")
    return [
      .buildCommand(
        displayName: "Embedding the texts of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + files.map(\.path), inputFiles: [script] + files, outputFiles: [output])
    ]
  }
}
