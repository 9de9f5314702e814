/// The package that `plugin new` writes: an adapter that reads one resource, its tests, and a guide.
package struct PluginSkeleton {
  package struct File {
    /// Its path within the package.
    package let path: String
    let text: String
  }

  package let name: String
  package let kit: KitPlace
  package let version: String

  /// A package for a plugin of this name, built against the kit at this place.
  package init(name: String, kit: KitPlace, version: String) {
    self.name = name
    self.kit = kit
    self.version = version
  }

  /// The folder it is written to.
  package var folder: String { "switchboard-\(name)" }

  /// The name as a Swift type: `my-notes` is `MyNotes`.
  var type: String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  var module: String { "\(type)Adapter" }

  /// The files to write, in the order in which to read them.
  package var files: [File] {
    [
      file("README.md", "README.md"), file("Package.swift", "Package.swift.txt"),
      file("Sources/\(module)/Plugin.swift", "Plugin.swift.txt"),
      file("Sources/\(module)/\(type)Service.swift", "Service.swift.txt"),
      file("Tests/\(module)Tests/\(type)Tests.swift", "Tests.swift.txt"),
      file("Tests/\(module)Tests/Recordings/list.ndjson", "list.ndjson"), File(path: ".gitignore", text: ".build/\n"),
    ]
  }

  /// The file from a template, with the names of this plugin.
  private func file(_ path: String, _ template: String) -> File {
    let values = [
      "name": name, "type": type, "module": module, "backendKit": dependency("BackendKit"),
      "backendTesting": dependency("BackendTesting"),
    ]
    // Every second part is the name of a value, between two signs.
    let parts = (EmbeddedTexts.text(of: template) ?? "").split(separator: "§", omittingEmptySubsequences: false)
    let text = parts.enumerated().map { place, part in
      place.isMultiple(of: 2) ? String(part) : values[String(part)] ?? ""
    }
    return File(path: path, text: text.joined())
  }

  private func dependency(_ package: String) -> String {
    switch kit {
    case .folder(let path): ".package(path: \"\(path)/\(package)\")"
    case .address(let address): ".package(url: \"\(address)/\(package)\", exact: \"\(release)\")"
    }
  }

  /// The version in the form of a tag.
  private var release: String { version.split(separator: ".").count < 3 ? version + ".0" : version }
}
