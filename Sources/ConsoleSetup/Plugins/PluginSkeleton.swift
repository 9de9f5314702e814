/// The folder that `plugin new` writes: an adapter of one resource, its tests, and a guide.
package struct PluginSkeleton {
  /// The language of the plugin.
  package enum Language {
    /// A library, built against the kit of this version at a place.
    case swift(KitPlace, version: String)
    /// A program.
    case python
  }

  package struct File {
    /// Its path within the folder.
    package let path: String
    let text: String
    var isExecutable = false
  }

  package let name: String
  package let language: Language

  package init(name: String, _ language: Language) {
    (self.name, self.language) = (name, language)
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
    switch language {
    case .swift:
      [
        file("README.md", "README.md"), file("Package.swift", "Package.swift.txt"),
        file("Sources/\(module)/Plugin.swift", "Plugin.swift.txt"),
        file("Sources/\(module)/\(type)Service.swift", "Service.swift.txt"),
        file("Tests/\(module)Tests/\(type)Tests.swift", "Tests.swift.txt"),
        file("Tests/\(module)Tests/Recordings/list.ndjson", "list.ndjson"), File(path: ".gitignore", text: ".build/\n"),
      ]
    case .python:
      [
        file("README.md", "PROGRAM.md"), file(folder, "program.py", isExecutable: true),
        file("test_plugin.py", "test_plugin.py"), file("service.py", "service.py"),
        File(path: ".gitignore", text: "__pycache__/\n"),
      ]
    }
  }

  /// The file from a template, with the names of this plugin.
  private func file(_ path: String, _ template: String, isExecutable: Bool = false) -> File {
    let values = [
      "name": name, "type": type, "module": module, "backendKit": dependency("BackendKit"),
      "backendTesting": dependency("BackendTesting"),
    ]
    // Every second part is the name of a value, between two signs.
    let parts = (EmbeddedTexts.text(of: template) ?? "").split(separator: "§", omittingEmptySubsequences: false)
    let text = parts.enumerated().map { place, part in
      place.isMultiple(of: 2) ? String(part) : values[String(part)] ?? ""
    }
    return File(path: path, text: text.joined(), isExecutable: isExecutable)
  }

  /// The dependency on a package of the kit, for a library.
  private func dependency(_ package: String) -> String {
    guard case .swift(let kit, let version) = language else { return "" }
    switch kit {
    case .folder(let path): return ".package(path: \"\(path)/\(package)\")"
    case .address(let address):
      // The version in the form of a tag.
      let release = version.split(separator: ".").count < 3 ? version + ".0" : version
      return ".package(url: \"\(address)/\(package)\", exact: \"\(release)\")"
    }
  }
}
