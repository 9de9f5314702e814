// swift-tools-version: 6.2
import PackageDescription

// What judges adapters and what their tests are written with. Linked into whoever uses it: BackendKit holds none of it.
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
