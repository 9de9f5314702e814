// swift-tools-version: 6.2
import PackageDescription

// One dynamic library with all targets. The console and every adapter link this one file, so that a type exists once in
// the process; a second product of this package would put a second copy of the types into the executable.
let package = Package(
  name: "BackendKit",
  products: [
    .library(name: "BackendKit", type: .dynamic, targets: ["BackendKit", "BackendClient", "BackendTransport"])
  ],
  targets: [
    .target(name: "BackendKit", path: "BackendKit", plugins: ["BuildStamp"]),
    .target(name: "BackendClient", dependencies: ["BackendKit"], path: "BackendClient"),
    .target(name: "BackendTransport", dependencies: ["BackendKit"], path: "BackendTransport"),
    .plugin(name: "BuildStamp", capability: .buildTool(), path: "Plugins/BuildStamp"),
  ]
)

// All symbols are bound when the library is loaded, and their table is read-only afterwards.
for target in package.targets where target.name == "BackendKit" {
  target.linkerSettings = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])]
}

for target in package.targets where target.type != .plugin {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

// Regular expressions and their dependencies are two libraries more to load with every start.
for target in package.targets where target.type != .plugin {
  target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]))
}
