import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct VerifiedPluginTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func copyGrails(to name: String) throws -> String {
    let path = folder.path + "/" + name
    try FileManager.default.copyItem(atPath: BuiltFolder.ofTests.file("libswitchboard-grails.so"), toPath: path)
    try folder.setMode(0o600, of: name)
    return path
  }

  @Test func `The file that was judged is the file that is loaded`() throws {
    let path = try copyGrails(to: "libswitchboard-grails.so")
    let judged = try PluginFile(name: "grails", path: path, kind: .library, owners: []).judged()
    let mark = folder.path + "/opened"
    let trap = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: BuiltLibraries.stamps, leaves: mark), to: "trap.so", in: folder)
    try #require(rename(trap, path) == 0)
    #expect(try judged.load().name == "grails")
    #expect(!folder.holds("opened"))
  }

  @Test func `Two plugins that are loaded one after the other are two`() throws {
    let catalog = PluginCatalog(searchPath: [PluginFolder(BuiltFolder.ofTests.path)])
    #expect(try ["grails", "kitura", "baasic"].map { try catalog.load($0).name } == ["grails", "kitura", "baasic"])
  }

  // Only root can give files away.
  @Test(.enabled(if: geteuid() == 0), arguments: ["libswitchboard-grails.so", "links/libswitchboard-grails.so"])
  func `A link of another user on the way to a plugin is not followed`(_ place: String) throws {
    _ = try folder.makeFolder("real")
    _ = try copyGrails(to: "real/libswitchboard-grails.so")
    let link = folder.path + "/" + (place.hasPrefix("links") ? "links" : place)
    let target = folder.path + "/real" + (place.hasPrefix("links") ? "" : "/libswitchboard-grails.so")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let file = PluginFile(name: "grails", path: folder.path + "/" + place, kind: .library, owners: [])
    #expect(file.problem() == nil)
    try #require(lchown(link, 54_321, 54_321) == 0)
    #expect(
      file.problem()?.message.hasSuffix("in its path, \(link) is a symbolic link owned by another user (54321)") == true
    )
    #expect(
      PluginFile(name: "grails", path: folder.path + "/" + place, kind: .library, owners: [54_321]).problem() == nil)
  }
}
