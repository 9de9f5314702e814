import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct PluginFileTests {
  private let folder: TemporaryFolder
  private let stamp = BuiltLibraries.stamps[0]

  init() throws { folder = try TemporaryFolder() }

  private func catalog(_ paths: String...) -> PluginCatalog {
    PluginCatalog(searchPath: (paths.isEmpty ? [folder.path] : paths).map { PluginFolder($0, isNamed: true) })
  }

  /// The one line that loading fails with; `plugins` says the same.
  private func complaint(_ name: String) throws -> String? {
    let error = #expect(throws: PluginError.self) { try catalog().load(name) }
    if case .refused(let listed) = catalog().entries().first(where: { $0.name == name })?.state {
      #expect(listed == error)
    }
    return error?.description
  }

  @Test func `A text file is no shared library`() throws {
    let file = try folder.write(String(repeating: "text \(stamp)\n", count: 10), to: "libswitchboard-x.so")
    #expect(try complaint("x") == "\(file) is not a shared library for this machine")
    try folder.write("", to: "libswitchboard-y.so")
    #expect(try complaint("y")?.hasSuffix("is not a shared library") == true)
  }

  @Test func `A program is no shared library`() throws {
    let source = try folder.write("int main(void) { return 0; }", to: "main.c")
    try Program.run("cc", "-no-pie", "-o", folder.path + "/libswitchboard-x.so", source)
    try folder.setMode(0o700, of: "libswitchboard-x.so")
    #expect(try complaint("x")?.hasSuffix("is not a shared library for this machine") == true)
  }

  @Test func `A library without a stamp is no plugin and is not opened`() throws {
    let mark = folder.path + "/opened"
    _ = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [], leaves: mark), to: "libswitchboard-x.so", in: folder)
    #expect(try complaint("x")?.contains("is not a Switchboard plugin") == true)
    #expect(!folder.holds("opened"))
  }

  @Test func `A library with another stamp is refused and none of its code runs`() throws {
    let mark = folder.path + "/opened"
    let other = stamp.replacingOccurrences(of: "swift_", with: "swift_0.")
    let file = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [other], leaves: mark), to: "libswitchboard-x.so", in: folder)
    func shown(_ stamp: String) -> Substring { stamp.dropFirst(BuildStamp.prefix.count) }
    #expect(
      try complaint("x") == "\(file) was built against another console: its stamp is \"\(shown(other))\", "
        + "this console's \"\(shown(stamp))\"; rebuild it against this console")
    #expect(!folder.holds("opened"))
  }

  @Test func `The trap of these tests springs where a library is opened`() throws {
    let mark = folder.path + "/opened"
    _ = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [stamp], leaves: mark), to: "libswitchboard-x.so", in: folder)
    #expect(try complaint("x")?.hasSuffix("returned no plugin") == true)
    #expect(folder.holds("opened"))
  }

  @Test func `A second stamp that differs is enough to refuse a library`() throws {
    let mark = folder.path + "/opened"
    let names = [stamp, stamp.replacingOccurrences(of: "swift_", with: "swift_0.")]
    _ = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: names, leaves: mark), to: "libswitchboard-x.so", in: folder)
    #expect(try complaint("x")?.contains("was built against another console") == true)
    #expect(!folder.holds("opened"))
  }

  @Test func `A library without the entry is reported`() throws {
    let file = try BuiltLibraries.compile(
      BuiltLibraries.asks(for: [stamp]), to: "libswitchboard-x.so", in: folder)
    #expect(
      try complaint("x") == "\(file) has no entry switchboard_plugin; export one: @c(switchboard_plugin) that returns "
        + "plugin.export()")
  }

  @Test func `A library that cannot be linked is reported in the linker's words`() throws {
    _ = try BuiltLibraries.compile(
      BuiltLibraries.asks(for: [stamp]) + "extern int nowhere(void); int (*use)(void) = nowhere;",
      to: "libswitchboard-x.so", in: folder)
    let text = try complaint("x")
    #expect(text?.contains("cannot be opened: ") == true && text?.contains("nowhere") == true)
  }

  @Test func `A built plugin whose stamp was changed is refused`() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: BuiltFolder.ofTests.file("libswitchboard-grails.so")))
    let place = try #require(bytes.range(of: Data(stamp.utf8)))
    bytes[place.upperBound - 1] ^= 1
    let file = folder.path + "/libswitchboard-grails.so"
    try bytes.write(to: URL(fileURLWithPath: file))
    try folder.setMode(0o600, of: "libswitchboard-grails.so")
    #expect(try complaint("grails")?.contains("was built against another console") == true)
  }

  @Test func `A built plugin loads, once, and under its own name only`() throws {
    let built = try BuiltFolder.ofTests.file("libswitchboard-grails.so")
    try FileManager.default.copyItem(atPath: built, toPath: folder.path + "/libswitchboard-grails.so")
    try FileManager.default.copyItem(atPath: built, toPath: folder.path + "/libswitchboard-other.so")
    for name in ["grails", "other"] { try folder.setMode(0o600, of: "libswitchboard-\(name).so") }
    let catalog = catalog()
    #expect(try catalog.load("grails").name == "grails")
    try FileManager.default.removeItem(atPath: folder.path + "/libswitchboard-grails.so")
    #expect(try catalog.load("grails").name == "grails")
    let error = #expect(throws: PluginError.self) { try catalog.load("other") }
    #expect(error?.description.hasSuffix("has the name \"grails\"; name the file libswitchboard-grails.so") == true)
  }

  // MARK: Who may write

  @Test(arguments: [0o777, 0o1777, 0o757])
  func `A file that others may write to is not opened`(_ mode: Int) throws {
    let mark = folder.path + "/opened"
    let file = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [stamp], leaves: mark), to: "libswitchboard-x.so", in: folder)
    try folder.setMode(mode, of: "libswitchboard-x.so")
    let octal = (mode > 0o777 ? "" : "0") + String(mode, radix: 8)
    #expect(
      try complaint("x")
        == "\(file) is not safe to open: \(file) is writable by others (mode \(octal)); chmod go-w \(file)")
    #expect(!folder.holds("opened"))
  }

  // Only root can give files away.
  @Test(.enabled(if: geteuid() == 0))
  func `A file of another user is not opened, unless the console's own file is that user's`() throws {
    let mark = folder.path + "/opened"
    let file = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [stamp], leaves: mark), to: "libswitchboard-x.so", in: folder)
    try folder.setOwner(54_321, group: 54_321, of: "libswitchboard-x.so")
    #expect(
      try complaint("x") == "\(file) is not safe to open: \(file) belongs to another user (54321); "
        + "copy it to a folder of your own")
    #expect(!folder.holds("opened"))
    let owned = PluginCatalog(searchPath: [PluginFolder(folder.path)], owners: [54_321])
    #expect(owned.entries().map(\.state) == [.found])
  }

  @Test(.enabled(if: geteuid() == 0))
  func `A group that may write to a file is others, unless it is the owner's own`() throws {
    let mark = folder.path + "/opened"
    let file = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [stamp], leaves: mark), to: "libswitchboard-x.so", in: folder)
    try folder.setMode(0o770, of: "libswitchboard-x.so")
    try folder.setOwner(0, group: 54_321, of: "libswitchboard-x.so")
    #expect(
      try complaint("x")
        == "\(file) is not safe to open: \(file) is writable by others (mode 0770); chmod go-w \(file)")
    #expect(!folder.holds("opened"))
    try folder.setOwner(0, group: 0, of: "libswitchboard-x.so")
    #expect(PluginCatalog(searchPath: [PluginFolder(folder.path)]).entries().map(\.state) == [.found])
  }

  @Test(arguments: ["a", "a/b"])
  func `A file in a folder that others may write to is not opened`(_ open: String) throws {
    let mark = folder.path + "/opened"
    let inner = try folder.makeFolder("a/b")
    let file = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [stamp], leaves: mark), to: "a/b/libswitchboard-x.so", in: folder)
    try folder.setMode(0o777, of: open)
    let error = #expect(throws: PluginError.self) { try catalog(inner).load("x") }
    let place = folder.path + "/" + open
    #expect(
      error?.description == "\(file) is not safe to open: in its path, \(place) is writable by others (mode 0777); "
        + "chmod go-w \(place)")
    #expect(!folder.holds("opened"))
  }

  @Test func `A link to a plugin in a folder that others may write to is not followed`() throws {
    let mark = folder.path + "/opened"
    let inner = try folder.makeFolder("links", mode: 0o777)
    let file = try BuiltLibraries.compile(
      BuiltLibraries.trap(asking: [stamp], leaves: mark), to: "library.so", in: folder)
    try FileManager.default.createSymbolicLink(
      atPath: inner + "/libswitchboard-x.so", withDestinationPath: file)
    let error = #expect(throws: PluginError.self) { try catalog(inner).load("x") }
    #expect(error?.message.contains("\(inner) is writable by others (mode 0777)") == true)
    #expect(!folder.holds("opened"))
  }
}
