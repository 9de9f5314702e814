import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("Permissions") struct PermissionsTests {
  private static let users: [(name: String, id: Int, group: Int)] = {
    let text = (try? String(contentsOfFile: "/etc/passwd", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count > 3, let id = Int(parts[2]), let group = Int(parts[3]) else { return nil }
      return (String(parts[0]), id, group)
    }
  }()

  // Only root can give files away.
  @Test(
    "a group is private where it has no member but the owner and is the primary group of nobody else",
    .enabled(if: geteuid() == 0 && users.contains { $0.id == 1 && $0.group == 1 }))
  func groups() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "f", mode: 0o660)
    func isOpen(_ owner: Int, _ group: Int) throws -> Bool {
      try folder.setOwner(owner, group: group, of: "f")
      try folder.setMode(0o660, of: "f")
      return try #require(Permissions(path: file)).isWritableByOthers
    }
    #expect(try !isOpen(1, 1), "the group of the owner alone")
    #expect(try isOpen(0, 1), "the primary group of another user")
    #expect(try isOpen(0, 54_321), "a group that nobody knows")
    for user in Self.users where Self.users.contains(where: { $0.group == user.group && $0.id != user.id }) {
      #expect(try isOpen(user.id, user.group), "\(user.name) shares its primary group")
    }
  }

  @Test("the user, root and the owner of the program are trusted") func owners() throws {
    #expect(Permissions.trustedOwners.isSuperset(of: [0, geteuid()]))
    #expect(!Permissions.trustedOwners.contains(54_321))
  }
}
