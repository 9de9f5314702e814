@testable import ConsoleSetup

/// A configuration: read or refused with a sentence, trusted or not.
enum ConfigurationFuzz {
  private static let file = FuzzFile("config.json")

  static func run(_ bytes: [UInt8]) {
    file.write(bytes)
    let environment = ["HOME": file.folder]
    let trust = TrustStore(environment: environment)
    _ = try? Configuration.load(explicit: file.path, environment: environment, directory: file.folder, trust: trust)
    _ = try? Configuration.load(explicit: nil, environment: environment, directory: file.folder, trust: trust)
  }
}
