import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("Drafts") struct DraftTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func write(_ text: String, to draft: Draft) {
    let bytes = Array(text.utf8)
    #expect(Glibc.write(draft.descriptor, bytes, bytes.count) == bytes.count)
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(lstat(path(name), &status) == 0)
    return status
  }

  @Test("two of the same file share nothing, and each replaces it as a whole") func two() throws {
    let one = try Draft(replacing: path("f"))
    let two = try Draft(replacing: path("f"))
    #expect(one.path != two.path)
    write("one one one", to: one)
    write("two", to: two)
    try one.finish()
    #expect(folder.text(of: "f") == "one one one")
    try two.finish()
    #expect(folder.text(of: "f") == "two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
  }

  @Test("one that is given up keeps what was written, and leaves nothing where nothing was") func abandoned() throws {
    try folder.write("old", to: "f")
    let empty = try Draft(replacing: path("f"))
    #expect(!empty.abandon())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
    let draft = try Draft(replacing: path("f"))
    write("new", to: draft)
    #expect(draft.abandon())
    #expect(try String(contentsOfFile: draft.path, encoding: .utf8) == "new")
    #expect(folder.text(of: "f") == "old")
  }

  @Test("a replaced file keeps its mode, a new one has what the umask leaves", arguments: [0o600, 0o640, 0o444, 0o755])
  func modes(_ mode: Int) throws {
    try folder.write("old", to: "f", mode: mode)
    let draft = try Draft(replacing: path("f"))
    write("new", to: draft)
    try draft.finish()
    #expect(try Int(status("f").st_mode & 0o7777) == mode)
    try folder.write("", to: "usual")
    _ = FileManager.default.createFile(atPath: path("made"), contents: nil)
    try Draft(replacing: path("g")).finish()
    #expect(try status("g").st_mode == status("made").st_mode)
    try Draft(replacing: path("h"), mode: 0o600).finish()
    #expect(try status("h").st_mode & 0o7777 == 0o600)
  }

  @Test("a link of one's own is followed, also to a file that is not there yet, and stays") func ownLink() throws {
    _ = try folder.makeFolder("real")
    for name in ["there", "missing"] {
      if name == "there" { try folder.write("old", to: "real/there") }
      try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: "real/../real/" + name)
      let draft = try Draft(replacing: path(name))
      #expect(draft.target == path("real/" + name))
      write("new", to: draft)
      try draft.finish()
      #expect(folder.text(of: "real/" + name) == "new")
      #expect(try status(name).st_mode & S_IFMT == S_IFLNK)
    }
  }

  @Test("links in a circle, a missing folder and a folder are reported") func impossible() throws {
    try FileManager.default.createSymbolicLink(atPath: path("a"), withDestinationPath: "b")
    try FileManager.default.createSymbolicLink(atPath: path("b"), withDestinationPath: "a")
    _ = try folder.makeFolder("d")
    for (name, reason) in [
      ("a", "Too many levels of symbolic links"), ("no/f", "No such file or directory"), ("d", "it is a folder"),
    ] {
      let failure = #expect(throws: FileFailure.self) { try Draft(replacing: path(name)) }
      #expect(failure?.reason == reason)
    }
  }

  // Only root can give files away.
  @Test("a current folder that was deleted is named as the reason") func deletedFolder() throws {
    let before = FileManager.default.currentDirectoryPath
    defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "gone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try #require(FileManager.default.changeCurrentDirectoryPath(folder.path))
    try FileManager.default.removeItem(at: folder)
    let error = #expect(throws: FileFailure.self) { try Draft(replacing: "a") }
    #expect(error?.reason == "the current folder no longer exists")
  }

  @Test("a link of another user in a folder that others may write to is not followed", .enabled(if: geteuid() == 0))
  func plantedLink() throws {
    try folder.write("mine", to: "home/precious")
    _ = try folder.makeFolder("open", mode: 0o1777)
    try FileManager.default.createSymbolicLink(
      atPath: path("open/result"), withDestinationPath: path("home/precious"))
    try #require(lchown(path("open/result"), 65_534, 65_534) == 0)
    let failure = #expect(throws: FileFailure.self) { try Draft(replacing: path("open/result")) }
    #expect(failure?.reason.contains("is a symbolic link owned by another user (65534)") == true)
    #expect(folder.text(of: "home/precious") == "mine")
    // The user's own link there, and a foreign one where only the user can put links, are followed.
    try #require(lchown(path("open/result"), 0, 0) == 0)
    try Draft(replacing: path("open/result")).discard()
    try FileManager.default.createSymbolicLink(atPath: path("home/link"), withDestinationPath: "precious")
    try #require(lchown(path("home/link"), 65_534, 65_534) == 0)
    try Draft(replacing: path("home/link")).discard()
  }

  @Test("a folder that is another user's link is not followed either", .enabled(if: geteuid() == 0))
  func plantedFolder() throws {
    _ = try folder.makeFolder("home")
    _ = try folder.makeFolder("theirs")
    try FileManager.default.createSymbolicLink(atPath: path("theirs/out"), withDestinationPath: path("home"))
    try folder.setOwner(65_534, group: 65_534, of: "theirs")
    try #require(lchown(path("theirs/out"), 65_534, 65_534) == 0)
    #expect(throws: FileFailure.self) { try Draft(replacing: path("theirs/out/f")) }
    #expect(throws: FileFailure.self) { try AddedFile.open(path("theirs/out/f"), .regularOrStream) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("home")).isEmpty)
  }

  @Test(
    "a file that others have put there gives the result neither its owner nor its mode", .enabled(if: geteuid() == 0))
  func plantedFile() throws {
    _ = try folder.makeFolder("open", mode: 0o1777)
    try folder.write("", to: "open/result", mode: 0o666)
    try folder.setOwner(65_534, group: 65_534, of: "open/result")
    try folder.write("", to: "usual")
    _ = FileManager.default.createFile(atPath: path("made"), contents: nil)
    try Draft(replacing: path("open/result")).finish()
    #expect(try status("open/result").st_uid == 0)
    #expect(try status("open/result").st_mode == status("made").st_mode)
  }

  @Test("a folder that is replaced by a link after it was looked at is not written to") func replacedFolder() throws {
    _ = try folder.makeFolder("theirs")
    _ = try folder.makeFolder("home")
    let resolved = try ResolvedPath(path("theirs/out"))
    close(try resolved.openFolder())
    try FileManager.default.removeItem(atPath: path("theirs"))
    try FileManager.default.createSymbolicLink(atPath: path("theirs"), withDestinationPath: "home")
    let failure = #expect(throws: FileFailure.self) { close(try resolved.openFolder()) }
    #expect(failure?.reason == "the folder \(path("theirs")) was replaced in the meantime")
  }

  @Test("a draft whose name was given to another file does not make that the result") func replacedDraft() throws {
    try folder.write("old", to: "f")
    let draft = try Draft(replacing: path("f"))
    write("new", to: draft)
    try #require(rename(try folder.write("planted", to: "p"), draft.path) == 0)
    #expect(!draft.isStillThere)
    #expect(throws: FileFailure.self) { try draft.finish() }
    #expect(folder.text(of: "f") == "old")
    let other = try Draft(replacing: path("f"))
    write("new", to: other)
    try #require(rename(try folder.write("planted", to: "p"), other.path) == 0)
    #expect(!other.abandon())
    #expect(try String(contentsOfFile: other.path, encoding: .utf8) == "planted")
  }

  @Test("root leaves a file in its owner's folder with its owner", .enabled(if: geteuid() == 0))
  func owner() throws {
    _ = try folder.makeFolder("ana")
    try folder.write("", to: "ana/f", mode: 0o640)
    for name in ["ana", "ana/f"] { try folder.setOwner(54_321, group: 54_322, of: name) }
    try Draft(replacing: path("ana/f")).finish()
    let status = try status("ana/f")
    #expect((status.st_uid, status.st_gid, status.st_mode & 0o777) == (54_321, 54_322, 0o640))
  }
}
