import AdapterSupport
import BackendKit
import Foundation
import ServiceDescription

/// The descriptions that stand beside the plugin.
enum DescribedService {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../Examples").standardizedFileURL

  /// Returns the source of a described backend, with the hooks of the plugins that it names.
  static func source(_ name: String, changes: String? = nil) throws -> DescriptionSource {
    let file = "\(name).yaml"
    let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(file)))
    let changes = try changes.map {
      DescriptionSource.Changes(
        file: "config.json", path: ["override"], value: try LocatingScanner.scan(Array($0.utf8)))
    }
    return DescriptionSource(backend: name, file: .init(name: file, bytes: bytes), changes: changes) {
      plugin, name throws(BackendError) in
      guard let hooks = (try? PluginLibrary(plugin).plugin)?.hooks[name] else {
        throw .misconfigured("there are no hooks \(plugin)/\(name)")
      }
      return hooks
    }
  }

  /// Returns the backend that the built plugin prepares from a description.
  static func prepared(_ source: DescriptionSource) throws -> PreparedBackend {
    try PluginLibrary("rest").plugin.describing(source)
      .prepare(BackendSettings(name: source.backend, options: Object()))
  }
}
