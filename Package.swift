// swift-tools-version: 6.2
import PackageDescription

/// The adapters: one folder in `Plugins/`, one dynamic library, one line here.
///
/// `Plugins/` holds ordinary targets with an explicit path, not SwiftPM build plugins. The list is written out because
/// SwiftPM caches the evaluated manifest and would not notice a new folder; a test compares the two.
let adapters = ["Grails", "Kitura", "JSONPlaceholder", "Baasic", "Tickets", "Rest"]
/// Those of the demo, which a first session begins with.
let session = ["Grails", "Kitura", "JSONPlaceholder", "Baasic"]

let backendKit = Target.Dependency.product(name: "BackendKit", package: "BackendKit")
/// The console's parts, each of which uses those before it.
let console: [Target.Dependency] = [
  "ConsoleSystem", "ConsoleOutput", "ConsoleScreen", "CommandLanguage", "ConsoleSetup", "Console",
]
let conformance = Target.Dependency.product(name: "BackendConformance", package: "BackendTesting")

// Of a library that the console opens by itself two functions are asked for. Its own need not be searched for in other libraries; and
// where nobody can find the others, those that nothing calls are left out: a third of what is installed.
let openedOnDemand: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "-Bsymbolic"]),
  .unsafeFlags(
    ["-Xlinker", "--version-script=\(Context.packageDirectory)/Packaging/entries.map"], .when(configuration: .release)),
]

let package = Package(
  name: "switchboard",
  products: [
    .executable(name: "switchboard", targets: ["switchboard"]),
    .executable(name: "switchboard-demo", targets: ["DemoServer"]),
    // Opened by the console with the first connection.
    .library(name: "HTTPTransport", type: .dynamic, targets: ["HTTPTransport"]),
    // Opened by the console with the first command that judges a backend.
    .library(name: "Conformance", type: .dynamic, targets: ["Conformance"]),
    // Opened by the console with the first command that looks at an unknown service.
    .library(name: "Discovery", type: .dynamic, targets: ["Discovery"]),
    // A plugin for the tests of the console; by its name it is none until a test gives it one.
    .library(name: "desk-plugin", type: .dynamic, targets: ["DeskPlugin"]),
  ]
    + adapters.map {
      // The file's name carries the plugin's name: libswitchboard-grails.so is the plugin "grails".
      .library(name: "switchboard-\($0.lowercased())", type: .dynamic, targets: [$0])
    },
  dependencies: [
    .package(path: "Sources/BackendKit"),
    .package(path: "Sources/BackendTesting"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
  ],
  targets: [
    .target(name: "Files"),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"]),
    // These open their library when it is first needed.
    .target(name: "CLibedit"),
    .target(name: "LineEditor", dependencies: ["CLibedit", "Files"]),
    .target(name: "CGumbo"),
    .target(name: "CSQLite"),
    // Starts the programs that are plugins, confined.
    .target(name: "CSandbox"),
    .target(name: "ConsoleSystem", dependencies: [backendKit, "CSQLite", "Files"]),
    .target(name: "ConsoleOutput", dependencies: [backendKit, "CGumbo", "ConsoleSystem"]),
    // The screen of a terminal, as frames of cells.
    .target(name: "ConsoleScreen", dependencies: ["ConsoleOutput", "Files"]),
    .target(name: "CommandLanguage", dependencies: [backendKit, "ConsoleOutput", "ConsoleSystem"]),
    .target(
      name: "ConsoleSetup",
      dependencies: [backendKit, "CommandLanguage", "CSandbox", "ConsoleOutput", "ConsoleSystem", "Files"],
      exclude: ["Templates"], plugins: ["EmbedTexts"]),
    .target(
      name: "Console",
      dependencies: [
        backendKit, "CommandLanguage", "ConsoleOutput", "ConsoleScreen", "ConsoleSetup", "ConsoleSystem", "Files",
        "SQL",
      ],
      exclude: ["Shells"], plugins: ["EmbedTexts"]),
    // Statements over the resources of backends; SQLite is opened with the first one.
    .target(name: "SQL", dependencies: [backendKit, "CSQLite", "Files"]),
    .testTarget(
      name: "SQLTests", dependencies: [backendKit, "SQL", "AdapterSupport", "DemoServerSupport", "TestSupport"],
      exclude: ["Server"]),
    .target(
      name: "Conformance", dependencies: [backendKit, conformance],
      linkerSettings: openedOnDemand),
    .target(
      name: "Discovery", dependencies: [backendKit, "ServiceDescription"],
      linkerSettings: openedOnDemand),
    // Opens libcurl with the first request.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "HTTPTransport",
      dependencies: [
        backendKit, "CCurl", "Files",
      ],
      linkerSettings: openedOnDemand),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: [
        backendKit, "HTTPTransport", "ConsoleSupport", "TestSupport", "switchboard",
      ], exclude: ["Server"]),
    // A service as data: read by the adapter that takes a description, not by the console.
    .systemLibrary(name: "CYAML"),
    .plugin(name: "EmbedTexts", capability: .buildTool(), path: "Sources/EmbedTexts"),
    .target(
      name: "ServiceDescription", dependencies: [backendKit, "CYAML"], exclude: ["Presets"],
      plugins: ["EmbedTexts"]),
    .testTarget(name: "ServiceDescriptionTests", dependencies: [backendKit, "ServiceDescription", "TestSupport"]),
    .target(name: "CGzip", linkerSettings: [.linkedLibrary("z")]),
    // The demo without its sockets: linked into its program, and into tests that call it in their own process.
    .target(
      name: "DemoService",
      dependencies: [
        "CGzip",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(
      name: "DemoServer",
      dependencies: [
        "DemoService",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "BackendKitTests", dependencies: [backendKit, conformance, "TestSupport"]),
    .testTarget(
      name: "EngineTests",
      dependencies: [
        backendKit, "AdapterSupport", "ServiceDescription", "TestSupport",
      ], exclude: ["Server"]),
    .testTarget(
      name: "BackendClientTests",
      dependencies: [
        backendKit, conformance, "TestSupport", .product(name: "BackendTestSupport", package: "BackendTesting"),
      ]),
    .testTarget(name: "ConformanceTests", dependencies: [backendKit, conformance]),
    .target(name: "CSpawn", path: "Tests/CSpawn"),
    .target(name: "TestSupport", dependencies: ["CSpawn"], path: "Tests/TestSupport", exclude: ["Server"]),
    .target(name: "TerminalSupport", dependencies: ["TestSupport"], path: "Tests/TerminalSupport"),
    .executableTarget(name: "TabBenchmark", dependencies: ["TerminalSupport"], path: "Tests/TabBenchmark"),
    .executableTarget(
      name: "LineEditorProbe", dependencies: ["ConsoleOutput", "ConsoleScreen", "Files", "LineEditor"],
      path: "Tests/LineEditorProbe"),
    .testTarget(
      name: "LineEditorTests", dependencies: ["LineEditor", "LineEditorProbe", "TerminalSupport", "TestSupport"]),
    .testTarget(
      name: "ConsoleTests",
      dependencies: console + [backendKit, "SQL", "TestSupport", "ConsoleSupport", "DemoServerSupport"]),
    .testTarget(
      name: "PluginTests",
      dependencies: console + [
        backendKit, "CSandbox", "TestSupport", "ConsoleSupport",
        .product(name: "BackendTestSupport", package: "BackendTesting"),
      ], exclude: ["StandIn"]),
    .target(
      name: "DemoServerSupport",
      dependencies: ["DemoService", "TestSupport", .product(name: "HTTPTypes", package: "swift-http-types")],
      path: "Tests/DemoServerSupport"),
    .testTarget(name: "DemoServerTests", dependencies: ["DemoServerSupport", "TestSupport"]),
    // Opens the built plugins: each exports the same entry, so that two cannot be linked into one test program.
    .target(
      name: "AdapterSupport", dependencies: [backendKit, "DemoServerSupport", "HTTPTransport", "TestSupport"],
      path: "Tests/AdapterSupport"),
    .testTarget(
      name: "AdapterConformanceTests", dependencies: [backendKit, conformance, "AdapterSupport", "DemoServerSupport"]),
    .target(
      name: "ConsoleSupport",
      dependencies: console + [backendKit, "DemoServerSupport", "HTTPTransport", "TestSupport"],
      path: "Tests/ConsoleSupport"),
    .target(name: "DeskSupport", dependencies: [backendKit, conformance], path: "Tests/DeskSupport"),
    .target(name: "DeskPlugin", dependencies: [backendKit, conformance, "DeskSupport"], path: "Tests/DeskPlugin"),
    .testTarget(
      name: "TranscriptTests",
      dependencies: console + [backendKit, "ConsoleSupport", "DemoServerSupport", "switchboard", "DemoServer"]),
    .testTarget(
      name: "SwitchboardTests",
      dependencies: [
        backendKit, conformance, "AdapterSupport", "ConsoleSupport", "DemoServerSupport", "DeskSupport",
        "TerminalSupport",
        "TestSupport",
        "switchboard", "DemoServer",
      ], exclude: ["Server"]),
    .testTarget(
      name: "HostileTests",
      dependencies: console + [
        backendKit, "AdapterSupport", "ConsoleSupport", "TestSupport", "switchboard", "DemoServer",
      ], path: "Tests/Hostile"),
    .testTarget(
      name: "DiscoveryTests",
      dependencies: [backendKit, "ConsoleSupport", "Discovery", "TestSupport", "switchboard"],
      exclude: ["Server"]),
    .testTarget(name: "LayoutTests", dependencies: ["ConsoleSupport", "TestSupport", "switchboard"]),
    .testTarget(
      name: "UniformTests",
      dependencies: ["ConsoleSupport", "DemoServerSupport", "TestSupport", "switchboard", "DemoServer"]),
    .executableTarget(
      name: "switchboard",
      dependencies: console + [
        backendKit, "Files", "LineEditor",
      ]),
  ]
    + adapters.map {
      .target(
        name: $0, dependencies: [backendKit] + ($0 == "Rest" ? ["ServiceDescription"] : []),
        path: "Plugins/\($0)/Sources")
    }
    + adapters.map {
      .testTarget(
        name: "\($0)Tests",
        dependencies: [
          backendKit, "AdapterSupport", "DemoServerSupport", "TestSupport",
          .product(name: "BackendTestSupport", package: "BackendTesting"),
        ]
          + ($0 == "Rest" ? ["ServiceDescription", conformance] : []),
        path: "Plugins/\($0)/Tests", exclude: $0 == "Rest" ? ["Server"] : [])
    }
)

// Built by Scripts/fuzz alone, with --sanitize fuzzer: libFuzzer brings its own main.
if Context.environment["SWITCHBOARD_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(name: "Fuzz", dependencies: console + [backendKit], path: "Tests/Fuzz"))
}

// Only the targets of a session with the demo: Scripts/console builds these before its first prompt. Targets that stay are compiled as
// in the whole package, so that the build of the rest finds them done.
if Context.environment["SWITCHBOARD_SESSION"] != nil {
  let needed = ["HTTPTransport", "switchboard-demo", "switchboard"] + session.map { "switchboard-\($0.lowercased())" }
  package.products.removeAll { !needed.contains($0.name) }
  var kept: Set<String> = ["EmbedTexts"]
  var waiting = ["HTTPTransport", "DemoServer", "switchboard"] + session
  while let name = waiting.popLast() {
    guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let used, _) in target.dependencies { waiting.append(used) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
}

// All addresses are found when a file is loaded, and what holds them cannot be written to afterwards: 1/500 of a start.
for target in package.targets where [.regular, .executable].contains(target.type) {
  target.linkerSettings =
    (target.linkerSettings ?? []) + [
      .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
    ]
}

for target in package.targets
where ![.plugin, .system].contains(target.type)
  && !["CLibedit", "CGumbo", "CSQLite", "CSandbox", "CGzip", "CSpawn", "CCurl"].contains(target.name)
{
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

// Regular expressions and what comes with them are two libraries more to load: 0.8 of the 6 ms of a start. What is loaded with the
// console, with a plugin or with the first request does without them.
let lean = Set(
  [
    "Files", "LineEditor", "ConsoleSystem", "ConsoleOutput", "ConsoleScreen", "CommandLanguage", "ConsoleSetup",
    "Console", "SQL", "HTTPTransport", "switchboard",
  ]
    + adapters)
for target in package.targets where lean.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]))
}
