// swift-tools-version: 6.2
import PackageDescription

// Judges adapters, and helps to test them. It is linked into its users, not into BackendKit.
let package = Package(
  name: "BackendTesting",
  products: [
    .library(name: "BackendConformance", targets: ["BackendConformance"]),
    .library(name: "BackendTestSupport", targets: ["BackendTestSupport"]),
  ],
  dependencies: [.package(path: "../BackendKit")],
  targets: [
    .target(
      name: "BackendConformance", dependencies: [.product(name: "BackendKit", package: "BackendKit")],
      path: "BackendConformance"),
    .target(
      name: "BackendTestSupport", dependencies: [.product(name: "BackendKit", package: "BackendKit")],
      path: "BackendTestSupport"),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
