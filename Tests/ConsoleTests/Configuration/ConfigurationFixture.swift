import ConsoleSystem
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

/// A home and a current folder of a test's own, and the configuration as the console finds it from there.
struct ConfigurationFixture {
  let folder: TemporaryFolder
  var environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    environment = ["HOME": folder.path + "/home"]
    _ = try folder.makeFolder("work")
    _ = try folder.makeFolder("home")
  }

  var work: String { folder.path + "/work" }
  var trust: TrustStore { TrustStore(environment: environment) }

  func local(_ text: String) throws { try folder.write(text, to: "work/config.json") }

  func own(_ text: String) throws { try folder.write(text, to: "home/.config/switchboard/config.json") }

  func load(_ explicit: String? = nil) throws -> Configuration {
    try Configuration.load(explicit: explicit, environment: environment, directory: work, trust: trust)
  }

  /// The configuration of the current folder, or another one, as it is loaded from there.
  func load(in directory: String) throws -> Configuration {
    try Configuration.load(explicit: nil, environment: environment, directory: directory, trust: trust)
  }

  /// Trusts the configuration of the current folder, or another one, as it is now.
  func record(_ directory: String? = nil) throws {
    try trust.record(TrustSubject(try #require(try load(in: directory ?? work).folder)))
  }

  /// The one line that a text in a `config.json` that was named is refused with.
  func complaint(_ text: String) throws -> String? {
    try local(text)
    return #expect(throws: ConfigurationError.self) { try load("config.json") }?.description
  }

  /// The one line that a backend with these members is refused with; its members begin in line 3.
  func complaint(backend members: String) throws -> String? {
    try complaint("{\"switchboard\": 1, \"backends\": {\n\"b\": {\n\(members)\n}}}")
  }

  /// The backend with these members, trusted.
  func backend(_ members: String, environment extra: [String: String] = [:]) throws -> BackendConfiguration {
    var fixture = self
    fixture.environment.merge(extra) { $1 }
    try fixture.own("{\"backends\": {\n\"b\": {\"plugin\": \"p\", \"url\": \"http://h\",\n\(members)}}}")
    return try #require(try fixture.load().backends.first)
  }
}

extension CredentialHelpers {
  /// Helpers for configurations that name no program.
  static var none: CredentialHelpers { CredentialHelpers(ChildEnvironment([:]), Blanking(), now: { 0 }) }
}
