import BackendKit
import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct TrustTests {
  private let hint = "read config.json, then run: switchboard -c \"config trust\""

  private func configuration(_ members: String) -> String {
    "{\"switchboard\": 1, \"backends\": {\n\"plain\": {\"plugin\": \"p\", \"url\": \"http://h\"},\n"
      + "\"b\": {\"plugin\": \"p\", \"url\": \"http://h\",\n\(members)}}}"
  }

  @Test(arguments: [
    ("\"credentials\": {\"username\": \"u\", \"password\": {\"env\": \"E\"}}", "credentials: a use of credentials"),
    ("\"headers\": {\"X\": \"y\"}", "headers: an extra header"),
    ("\"tls\": {\"insecure\": true}", "tls: a secure connection of another kind"),
    ("\"tls\": {\"ca\": \"/tmp/ca\"}", "tls: a secure connection of another kind"),
  ])
  func `An untrusted folder's backend is refused at its use and the others work`(
    _ members: String, _ expected: String
  ) throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration(members))
    let configuration = try fixture.load()
    #expect(configuration.notices == ["config.json is not trusted, so that some of it cannot be used: b"])
    let plain = try #require(configuration.backends.first)
    let refused = try #require(configuration.backends.last)
    let plugin = Self.plugin([])
    #expect(try plain.checkedOptions(plugin).isEmpty)
    let sentence = "config.json:4: backends.b.\(expected) counts only in a configuration that is trusted; \(hint)"
    for use: () throws -> Void in [
      { _ = try refused.checkedOptions(plugin) }, { _ = try refused.resolvedHeaders() },
      { _ = try refused.resolvedCredentials() },
    ] {
      #expect(#expect(throws: ConfigurationError.self, performing: use)?.description == sentence)
    }
  }

  @Test func `Once recorded it is trusted until a byte of it changes`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.trust.record(fixture.work + "/config.json")
    #expect(try fixture.load().backends.allSatisfy { $0.refusal == nil && $0.isTrusted })
    try fixture.local(configuration("\"headers\": {\"X\": \"z\"}"))
    #expect(try fixture.load().backends.last?.refusal != nil)
  }

  @Test func `The same content elsewhere is not trusted`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    let copy = try fixture.folder.write(configuration("\"headers\": {\"X\": \"y\"}"), to: "copy/config.json")
    try fixture.trust.record(copy)
    #expect(try fixture.load().backends.last?.refusal != nil)
  }

  @Test func `An untrusted folder cannot give a backend of the user another meaning`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.own("{\"backends\": {\"plain\": {\"plugin\": \"p\", \"url\": \"http://mine\"}}}")
    try fixture.local(configuration("\"resource\": \"r\""))
    let refused = try fixture.load().backends
    #expect(refused.map(\.name) == ["plain", "b"] && refused.map { $0.refusal == nil } == [false, true])
    let error = #expect(throws: ConfigurationError.self) { try refused.first?.checkUsable() }
    #expect(error?.message.contains("another meaning for a backend of") == true && error?.line == 2)
    try fixture.trust.record(fixture.work + "/config.json")
    let trusted = try fixture.load().backends
    #expect(trusted.map(\.name) == ["plain", "b"] && trusted.first?.url == "http://h")
  }

  @Test func `A secret option is refused in an untrusted folder, in whatever form`() throws {
    let fixture = try ConfigurationFixture()
    let plugin = Self.plugin([OptionDescription("token", .text, help: "", isSecret: true)])
    for value in ["\"geheim\"", "{\"env\": \"E\"}"] {
      try fixture.local(configuration("\"options\": {\"token\": \(value)}"))
      let backend = try #require(try fixture.load().backends.last)
      let error = #expect(throws: ConfigurationError.self) { try backend.checkedOptions(plugin) }
      #expect(
        error?.description
          == "config.json:4: backends.b.options.token: a secret option counts only in a configuration that is trusted; "
          + hint)
    }
  }

  @Test func `The record is readable for its owner alone and one that others may write to trusts nothing`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.trust.record(fixture.work + "/config.json")
    let record = "home/.local/state/switchboard/trust.json"
    let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path + "/" + record)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try fixture.folder.setMode(0o666, of: record)
    #expect(try fixture.load().backends.last?.refusal != nil)
    let error = #expect(throws: ConfigurationError.self) { try fixture.trust.record(fixture.work + "/config.json") }
    #expect(error?.message == "others may write to the record of what is trusted (mode 0666)")
  }

  @Test func `A record that is damaged trusts nothing and is not written over`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.folder.write("{", to: "home/.local/state/switchboard/trust.json")
    #expect(try fixture.load().backends.last?.refusal != nil)
    #expect(throws: ConfigurationError.self) { try fixture.trust.record(fixture.work + "/config.json") }
  }

  @Test(arguments: ["{\"name\": \"webpack\"}", "[]", "{\"switchboard\": 2}"])
  func `Another program's file is not recorded`(_ text: String) throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(text)
    let error = #expect(throws: ConfigurationError.self) { try fixture.trust.record(fixture.work + "/config.json") }
    #expect(error?.message == "it has no \"switchboard\": 1, so that there is nothing to trust")
    #expect(!fixture.trust.trusts(fixture.work + "/config.json", content: Array(text.utf8)))
  }

  @Test func `Nothing to trust and nowhere to record it are told`() throws {
    let fixture = try ConfigurationFixture()
    let missing = #expect(throws: ConfigurationError.self) { try fixture.trust.record(fixture.work + "/config.json") }
    #expect(missing?.message == "there is no such file to trust")
    try fixture.local("{\"switchboard\": 1}")
    let homeless = #expect(throws: ConfigurationError.self) {
      try TrustStore(environment: [:]).record(fixture.work + "/config.json")
    }
    #expect(homeless?.message == "nothing can be recorded without a home")
  }

  @Test func `A second file joins the first in the record`() throws {
    let fixture = try ConfigurationFixture()
    let first = "{\"switchboard\": 1}"
    let second = "{\"switchboard\": 1, \"default\": \"a\"}"
    let one = try fixture.folder.write(first, to: "one.json")
    let two = try fixture.folder.write(second, to: "two.json")
    try fixture.trust.record(one)
    try fixture.trust.record(two)
    #expect(fixture.trust.trusts(one, content: Array(first.utf8)))
    #expect(fixture.trust.trusts(two, content: Array(second.utf8)))
    #expect(!fixture.trust.trusts(two, content: Array(first.utf8)))
  }

  static func plugin(_ options: [OptionDescription]) -> Plugin {
    Plugin(name: "p", version: "1", summary: "", options: options) { _ throws(BackendError) in
      throw BackendError(.unsupported, "no backend is made here", effect: .notSent)
    }
  }
}
