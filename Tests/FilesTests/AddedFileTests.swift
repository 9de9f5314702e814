import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("Files that are added to") struct AddedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func failure(_ name: String, _ kind: AddedFile.Kind) -> String? {
    #expect(throws: FileFailure.self) { close(try AddedFile.open(path(name), kind)) }?.reason
  }

  @Test("a new one is for its owner alone, one that is there is added to") func regular() throws {
    close(try AddedFile.open(path("new"), .regular))
    #expect(try FileManager.default.attributesOfItem(atPath: path("new"))[.posixPermissions] as? Int == 0o600)
    try folder.write("one\n", to: "there")
    let descriptor = try AddedFile.open(path("there"), .regular)
    #expect(write(descriptor, "two\n", 4) == 4)
    close(descriptor)
    #expect(folder.text(of: "there") == "one\ntwo\n")
  }

  @Test("a pipe or device counts only where a user may have named it") func streams() throws {
    try Program.run("mkfifo", path("pipe"))
    #expect(failure("pipe", .regular) != nil)
    #expect(failure("../../dev/null", .regular) == "it is not a regular file")
    close(try AddedFile.open("/dev/null", .regularOrStream))
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    close(try AddedFile.open(path("pipe"), .regularOrStream))
    #expect(failure(".", .regularOrStream) != nil)
    #expect(failure("no/", .regularOrStream) == "it is a folder")
  }

  // Only root can give files away.
  @Test("one of another user is refused, and so is another user's link in an open folder", .enabled(if: geteuid() == 0))
  func foreign() throws {
    try folder.write("", to: "theirs", mode: 0o666)
    try folder.setOwner(65_534, group: 65_534, of: "theirs")
    #expect(failure("theirs", .regular) == "it belongs to another user (65534)")
    #expect(failure("theirs", .regularOrStream) == "it belongs to another user (65534)")
    try Program.run("mkfifo", "-m", "666", path("pipe"))
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try folder.setOwner(65_534, group: 65_534, of: "pipe")
    close(try #require(try NamedStream.open(path("pipe"))))
    try folder.setMode(0o1777, of: "")
    #expect(failure("pipe", .regularOrStream)?.contains("a pipe owned by another user (65534)") == true)
    try folder.setMode(0o700, of: "")
    try folder.write("mine", to: "home/precious")
    _ = try folder.makeFolder("open", mode: 0o1777)
    try FileManager.default.createSymbolicLink(atPath: path("open/log"), withDestinationPath: path("home/precious"))
    try #require(lchown(path("open/log"), 65_534, 65_534) == 0)
    for kind in [AddedFile.Kind.regularOrStream, .named] {
      #expect(failure("open/log", kind)?.contains("is a symbolic link owned by another user (65534)") == true)
    }
    close(try AddedFile.open(path("theirs"), .named))
  }
}
