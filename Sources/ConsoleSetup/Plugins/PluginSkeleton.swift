/// The package that `plugin new` writes: an adapter that reads one resource, its tests, and what there is to know.
package struct PluginSkeleton {
  /// A file of the package.
  package struct File {
    /// Its path within the package.
    package let path: String
    let text: String
  }

  package let name: String
  package let kit: KitPlace
  /// The console's version.
  package let version: String

  /// A package for a plugin of this name, built against the kit at this place.
  package init(name: String, kit: KitPlace, version: String) {
    self.name = name
    self.kit = kit
    self.version = version
  }

  /// The folder that it is written to.
  package var folder: String { "switchboard-\(name)" }

  /// The name as Swift names types: `my-notes` is `MyNotes`.
  var type: String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  var module: String { "\(type)Adapter" }

  /// The files to write, in the order in which to read them.
  package var files: [File] {
    [
      File(path: "README.md", text: readme), File(path: "Package.swift", text: manifest),
      File(path: "Sources/\(module)/Plugin.swift", text: plugin),
      File(path: "Sources/\(module)/\(type)Service.swift", text: service),
      File(path: "Tests/\(module)Tests/\(type)Tests.swift", text: tests),
      File(path: "Tests/\(module)Tests/Recordings/list.ndjson", text: recording),
      File(path: ".gitignore", text: ".build/\n"),
    ]
  }

  private var manifest: String {
    func dependency(_ package: String) -> String {
      switch kit {
      case .folder(let path): ".package(path: \"\(path)/\(package)\")"
      case .address(let address): ".package(url: \"\(address)/\(package)\", exact: \"\(release)\")"
      }
    }
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "switchboard-\(name)",
        // The file's name carries the plugin's name: libswitchboard-\(name).so is the plugin "\(name)".
        products: [.library(name: "switchboard-\(name)", type: .dynamic, targets: ["\(module)"])],
        dependencies: [
          \(dependency("BackendKit")),
          \(dependency("BackendTesting")),
        ],
        targets: [
          .target(name: "\(module)", dependencies: [.product(name: "BackendKit", package: "BackendKit")]),
          .testTarget(
            name: "\(module)Tests",
            dependencies: [
              "\(module)",
              .product(name: "BackendKit", package: "BackendKit"),
              .product(name: "BackendConformance", package: "BackendTesting"),
              .product(name: "BackendTestSupport", package: "BackendTesting"),
            ],
            resources: [.copy("Recordings")]),
        ]
      )

      """
  }

  /// The version as a tag has it.
  private var release: String { version.split(separator: ".").count < 3 ? version + ".0" : version }
}
