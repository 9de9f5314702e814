import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct PluginCatalogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func catalog(_ paths: String...) -> PluginCatalog {
    PluginCatalog(searchPath: paths.map { PluginFolder(folder.path + "/" + $0, isNamed: true) })
  }

  @Test func `The places stand in their order`() {
    let catalog = PluginCatalog.default(
      executable: "/opt/sb/bin/switchboard", pluginPaths: ["one", "/two/libswitchboard-x.so"],
      environment: ["HOME": "/home/ana"])
    #expect(
      catalog.searchPath.map(\.path) == [
        "/opt/sb/bin", "/opt/sb/lib/switchboard/plugins", "/home/ana/.local/share/switchboard/plugins", "one",
        "/two/libswitchboard-x.so",
      ])
    let packaged = PluginCatalog.default(
      executable: "/usr/lib/switchboard/switchboard", pluginPaths: [], environment: [:])
    #expect(packaged.searchPath.map(\.path) == ["/usr/lib/switchboard", "/usr/lib/switchboard/plugins"])
    let other = PluginCatalog.default(
      executable: "/build/switchboard", pluginPaths: [], environment: ["XDG_DATA_HOME": "/data"])
    #expect(other.searchPath.map(\.path) == ["/build", "/data/switchboard/plugins"])
  }

  @Test func `The adapters built with these tests are found and load`() throws {
    let built = BuiltFolder.ofTests.path
    let catalog = PluginCatalog.default(executable: built + "/switchboard", pluginPaths: [], environment: [:])
    #expect(catalog.entries().map(\.name) == ["baasic", "grails", "jsonplaceholder", "kitura", "rest", "tickets"])
    for entry in catalog.entries() {
      #expect(entry.state == .found)
      #expect(try catalog.load(entry)?.name == entry.name)
    }
  }

  @Test func `What is found earlier wins, even where it cannot be used`() throws {
    let first = try folder.write("no library", to: "a/libswitchboard-grails.so")
    let built = BuiltFolder.ofTests.path
    let catalog = PluginCatalog(searchPath: [PluginFolder(folder.path + "/a"), PluginFolder(built)])
    let grails = catalog.entries().filter { $0.name == "grails" }
    #expect(grails.map(\.file) == [first, built + "/libswitchboard-grails.so"])
    #expect(grails.last?.state == .shadowed(by: first))
    #expect(throws: PluginError.self) { try catalog.load("grails") }
    let hidden = #expect(throws: PluginError.self) { try catalog.load(try #require(grails.last)) }
    #expect(hidden?.message == "\(built)/libswitchboard-grails.so is hidden by \(first)")
    #expect(try catalog.load("kitura").name == "kitura")
  }

  @Test func `A missing plugin names the places, what there is and the nearest`() throws {
    try folder.write("", to: "a/libswitchboard-grails.so")
    try folder.write("", to: "a/libswitchboard-baasic.so")
    let error = #expect(throws: PluginError.self) { try catalog("a", "no").load("grials") }
    #expect(
      error?.description == "unknown plugin \"grials\": searched \(folder.path)/a, \(folder.path)/no (not found); "
        + "found: baasic, grails; did you mean grails?")
  }

  @Test(arguments: ["../x", "X", "", "a b", "é"])
  func `What is no name is not searched for`(_ name: String) {
    let error = #expect(throws: PluginError.self) { try catalog("a").load(name) }
    #expect(error?.message == "\"\(name)\" is not a valid plugin name")
  }

  @Test func `A file with a malformed name is listed as what it is`() throws {
    try folder.write("", to: "a/libswitchboard-Grails.so")
    try folder.write("", to: "a/libother.so")
    let entries = catalog("a").entries()
    #expect(entries.count == 1)
    guard case .refused(let error) = entries.first?.state else {
      Issue.record("it is not refused")
      return
    }
    #expect(error.message.hasSuffix("does not have a valid plugin name"))
  }

  @Test func `One file may be named`() throws {
    let file = try BuiltFolder.ofTests.file("libswitchboard-grails.so")
    let catalog = PluginCatalog(searchPath: [PluginFolder(file, isNamed: true)])
    #expect(catalog.entries().map(\.file) == [file])
    #expect(try catalog.load("grails").name == "grails")
    #expect(throws: PluginError.self) { try catalog.load("kitura") }
  }

  @Test func `A named place that is missing is worth a notice, a usual one is not`() {
    let catalog = PluginCatalog(searchPath: [PluginFolder("/no/usual"), PluginFolder("/no/named", isNamed: true)])
    #expect(catalog.notices == ["there are no plugins at /no/named: it does not exist"])
    #expect(catalog.entries().isEmpty)
  }

  @Test func `A file that is named otherwise than plugins are is passed over with a notice`() throws {
    let file = try folder.write("", to: "notes.so")
    let catalog = catalog("notes.so")
    let names = "libswitchboard-NAME.so or switchboard-NAME"
    #expect(catalog.notices == ["\(file) is ignored: a plugin file is named \(names)"])
    #expect(catalog.entries().isEmpty)
  }
}
