import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct TrustTests {
  private let hint = "read config.json, then run: switchboard -c \"config trust\""

  private func configuration(_ members: String) -> String {
    "{\"switchboard\": 1, \"backends\": {\n\"plain\": {\"plugin\": \"p\", \"url\": \"http://h\"},\n"
      + "\"b\": {\"plugin\": \"p\", \"url\": \"http://h\",\n\(members)}}}"
  }

  @Test(arguments: [
    ("\"credentials\": {\"username\": \"u\", \"password\": {\"env\": \"E\"}}", "credentials: a use of credentials"),
    ("\"headers\": {\"X\": \"y\"}", "headers: an extra header"),
    ("\"tls\": {\"insecure\": true}", "tls: a different TLS setting"),
    ("\"tls\": {\"pin\": \"\(String(repeating: "a", count: 64))\"}", "tls: a different TLS setting"),
    ("\"tls\": {\"ca\": \"/tmp/ca\"}", "tls: a different TLS setting"),
    ("\"login\": {\"kind\": \"bearer\"}", "login: a login"), ("\"runHeader\": \"X-Run\"", "runHeader: an extra header"),
    ("\"journal\": \"off\"", "journal: a journal setting"),
  ])
  func `An untrusted folder's backend is refused at its use and the others work`(
    _ members: String, _ expected: String
  ) throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration(members))
    let configuration = try fixture.load()
    #expect(
      configuration.notices == [
        "config.json is not trusted, and these parts of it are not used: backends.b; to trust it, read it and run: "
          + "switchboard -c \"config trust\""
      ])
    let plain = try #require(configuration.backends.first)
    let refused = try #require(configuration.backends.last)
    let plugin = Self.plugin([])
    #expect(try plain.checkedOptions(plugin).isEmpty)
    let sentence = "config.json:4: backends.b.\(expected) takes effect only in a trusted configuration; \(hint)"
    #expect(
      #expect(throws: ConfigurationError.self) { try refused.checkedOptions(plugin) }?.description == sentence)
    for use: () throws -> Void in [
      { _ = try refused.headers(helpers: .none) },
      { _ = try refused.credentials([.password], isRefused: false, helpers: .none) },
    ] {
      #expect(#expect(throws: BackendError.self, performing: use)?.message == sentence)
    }
  }

  @Test func `Once recorded it is trusted until a byte of it changes`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.record()
    #expect(try fixture.load().backends.allSatisfy { $0.refusal == nil && $0.isTrusted })
    try fixture.local(configuration("\"headers\": {\"X\": \"z\"}"))
    #expect(try fixture.load().backends.last?.refusal != nil)
  }

  @Test func `The same content elsewhere is not trusted`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.folder.write(configuration("\"headers\": {\"X\": \"y\"}"), to: "copy/config.json")
    try fixture.record(fixture.folder.path + "/copy")
    #expect(try fixture.load().backends.last?.refusal != nil)
  }

  @Test func `An untrusted folder cannot take the place of the user's own, nor come before it`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.own("{\"backends\": {\"plain\": {\"plugin\": \"p\", \"url\": \"http://mine\"}}}")
    try fixture.local(configuration("\"resource\": \"r\""))
    let untrusted = try fixture.load()
    #expect(untrusted.backends.map(\.name) == ["plain", "b"])
    #expect(untrusted.backends.map(\.url) == ["http://mine", "http://h"])
    #expect(untrusted.backends.map(\.isTrusted) == [true, false])
    #expect(
      untrusted.notices.first?.contains("backends whose names are already in your own configuration (plain)") == true)
    try fixture.record()
    let trusted = try fixture.load().backends
    #expect(trusted.map(\.name) == ["plain", "b"] && trusted.first?.url == "http://h")
  }

  @Test(arguments: ["\"tls\": {\"ca\": \"ca.pem\"}", "\"tls\": {\"cert\": \"ca.pem\", \"key\": \"key.pem\"}"])
  func `A certificate that the file names is part of what is trusted, and what was judged is what is used`(
    _ members: String
  ) throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration(members))
    try fixture.folder.write("one", to: "work/ca.pem")
    try fixture.folder.write("key", to: "work/key.pem")
    try fixture.record()
    let trusted = try fixture.load()
    try fixture.folder.write("two", to: "work/ca.pem")
    let backend = try #require(trusted.backends.last)
    #expect(try backend.resolvedTLSFiles()[fixture.work + "/ca.pem"] == Array("one".utf8))
    let changed = try fixture.load()
    #expect(changed.backends.last?.refusal != nil)
    #expect(changed.notices.first == "config.json was trusted, but \(fixture.work)/ca.pem has changed since")
  }

  @Test func `A secret that the file names counts by place, owner and mode, and nothing of it is recorded`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(
      configuration("\"credentials\": {\"username\": \"u\", \"password\": {\"file\": \"pass\"}}"))
    try fixture.folder.write("geheim", to: "work/pass")
    try fixture.record()
    let record = try #require(fixture.folder.text(of: "home/.local/state/switchboard/trust.json"))
    #expect(!record.contains(SHA256.hex(Array("geheim".utf8))) && record.contains("/work/pass"))
    try fixture.folder.write("another", to: "work/pass")
    let given = try fixture.load().backends.last?.credentials([.password], isRefused: false, helpers: .none)
    #expect(given?.values == [.password: "another"])
    try fixture.folder.setMode(0o640, of: "work/pass")
    #expect(try fixture.load().backends.last?.refusal != nil)
    try fixture.folder.setMode(0o600, of: "work/pass")
    #expect(try fixture.load().backends.last?.refusal == nil)
    try FileManager.default.removeItem(atPath: fixture.work + "/pass")
    try fixture.folder.write("stolen", to: "elsewhere")
    try FileManager.default.createSymbolicLink(atPath: fixture.work + "/pass", withDestinationPath: "../elsewhere")
    #expect(try fixture.load().backends.last?.refusal != nil)
  }

  @Test func `A link to a trusted configuration does not carry its trust to the files beside the link`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.folder.write(configuration("\"tls\": {\"ca\": \"ca.pem\"}"), to: "real/config.json")
    try fixture.folder.write("right", to: "real/ca.pem")
    try fixture.record(fixture.folder.path + "/real")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.work + "/config.json", withDestinationPath: "../real/config.json")
    try fixture.folder.write("wrong", to: "work/ca.pem")
    let backend = try #require(try fixture.load().backends.last)
    #expect(try backend.resolvedTLSFiles().map { String(decoding: $0.value, as: UTF8.self) } == ["right"])
  }

  @Test func `What was read is trusted, not what lies there a moment later`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"read\"}"))
    let folder = try #require(try fixture.load().folder)
    try fixture.local(configuration("\"headers\": {\"X\": \"later\"}"))
    try fixture.trust.record(TrustSubject(folder))
    #expect(try fixture.load().backends.last?.refusal != nil)
    try fixture.local(configuration("\"headers\": {\"X\": \"read\"}"))
    #expect(try fixture.load().backends.last?.refusal == nil)
  }

  @Test func `A file that others may change is not trusted, and a file that appears later neither`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"tls\": {\"ca\": \"ca.pem\"}"))
    try fixture.record()
    #expect(try fixture.load().backends.last?.refusal == nil)
    try fixture.folder.write("new", to: "work/ca.pem", mode: 0o666)
    #expect(try fixture.load().backends.last?.refusal != nil)
    let error = #expect(throws: ConfigurationError.self) { try fixture.record() }
    #expect(error?.message.contains("which cannot be trusted: it is writable by others (mode 0666)") == true)
  }

  @Test func `A key is checked as a password in a file is`() throws {
    let fixture = try ConfigurationFixture()
    let backend = try fixture.backend("\"tls\": {\"cert\": \"cert.pem\", \"key\": \"key.pem\"}")
    try fixture.folder.write("cert", to: "home/.config/switchboard/cert.pem", mode: 0o644)
    try fixture.folder.write("key", to: "home/.config/switchboard/key.pem", mode: 0o644)
    let error = #expect(throws: ConfigurationError.self) { try backend.resolvedTLSFiles() }
    #expect(error?.description.contains("backends.b.tls.key: the secret in ") == true && error?.hint != nil)
    try fixture.folder.setMode(0o600, of: "home/.config/switchboard/key.pem")
    #expect(try backend.resolvedTLSFiles().count == 2)
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
          == "config.json:4: backends.b.options.token: a secret option takes effect only in a trusted configuration; "
          + hint)
    }
  }

  @Test func `The record is readable for its owner alone and one that others may write to trusts nothing`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.record()
    let record = "home/.local/state/switchboard/trust.json"
    let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path + "/" + record)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try fixture.folder.setMode(0o666, of: record)
    #expect(try fixture.load().backends.last?.refusal != nil)
    let error = #expect(throws: ConfigurationError.self) { try fixture.record() }
    #expect(error?.message == "the trust record is writable by others (mode 0666)")
  }

  @Test func `A record that is damaged trusts nothing and is not written over`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local(configuration("\"headers\": {\"X\": \"y\"}"))
    try fixture.folder.write("{", to: "home/.local/state/switchboard/trust.json")
    #expect(try fixture.load().backends.last?.refusal != nil)
    #expect(throws: ConfigurationError.self) { try fixture.record() }
  }

  @Test func `Nowhere to record it is reported`() throws {
    let fixture = try ConfigurationFixture()
    try fixture.local("{\"switchboard\": 1}")
    let folder = try #require(try fixture.load().folder)
    let homeless = #expect(throws: ConfigurationError.self) {
      try TrustStore(environment: [:]).record(TrustSubject(folder))
    }
    #expect(homeless?.message == "the trust record needs a home folder")
  }

  @Test func `A second file joins the first in the record`() throws {
    let fixture = try ConfigurationFixture()
    for name in ["one", "two"] {
      try fixture.folder.write(configuration("\"headers\": {\"X\": \"\(name)\"}"), to: "\(name)/config.json")
      try fixture.record(fixture.folder.path + "/" + name)
    }
    for name in ["one", "two"] {
      #expect(try fixture.load(in: fixture.folder.path + "/" + name).backends.last?.refusal == nil)
    }
  }

  static func plugin(_ options: [OptionDescription]) -> Plugin {
    Plugin(name: "p", version: "1", summary: "", options: options) { _ throws(BackendError) in
      throw BackendError(.unsupported, "no backend is made here", effect: .notSent)
    }
  }
}
