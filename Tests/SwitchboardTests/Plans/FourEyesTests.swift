import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Plans that one person makes and another applies.
@Suite("Plans for four eyes") struct FourEyesTests {
  let console: JournalConsole
  let plan: String

  init() async throws {
    console = try await JournalConsole()
    plan = console.home.folder.path + "/a.plan"
    let run = try await console.run("plan --to \(plan) update json/todos 1 2 title=new\n")
    #expect(run.status == 0, "\(run.errors)")
  }

  private func edit(_ text: String, _ other: String) throws {
    let content = try String(contentsOfFile: plan, encoding: .utf8)
    try #require(content.contains(text))
    _ = try console.home.write(content.replacingOccurrences(of: text, with: other), to: "a.plan")
  }

  private func digest() throws -> String { String(try Program.run("sha256sum", plan).prefix(64)) }

  private func isUnsent() async throws -> Bool { try await WrittenPlan.sent(to: console).isEmpty }

  @Test("with its digest a plan is applied that was made as another user, once") func another() async throws {
    try edit("\"command\"", "\"user\":\"ana\",\"command\"")
    let refused = try await console.run("apply \(plan) --yes\n")
    #expect(refused.status == 2 && refused.errors.contains("it was made as ana"), "\(refused.errors)")
    let shown = try await console.run("plan show \(plan)\n")
    #expect(shown.errors.contains("SHA-256 \(try digest())\n"), "\(shown.errors)")
    let run = try await console.run("apply \(plan) --yes --digest \(digest().uppercased())\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await WrittenPlan.sent(to: console).count == 2)
    let again = try await console.run("apply \(plan) --yes --digest \(digest())\n")
    #expect((again.status, again.output) == (0, "0 applied, 2 done before\n"), "\(again.errors)")
    #expect(try await WrittenPlan.sent(to: console).count == 2)
  }

  @Test("another user's file is shown and applied with its digest only", .enabled(if: geteuid() == 0))
  func foreign() async throws {
    let nobody: [FileAttributeKey: Any] = [.ownerAccountID: 65_534, .groupOwnerAccountID: 65_534]
    try FileManager.default.setAttributes(nobody, ofItemAtPath: plan)
    let other = String(repeating: "0", count: 64)
    for words in ["", "--digest \(other)"] {
      for command in ["plan show \(plan) \(words)", "apply \(plan) --yes \(words)"] {
        let run = try await console.run("\(command)\n")
        #expect(run.status == 2 && run.errors.contains("the plan \(plan) is not used"), "\(run.errors)")
      }
    }
    #expect(try await isUnsent())
    #expect(try await console.run("plan show \(plan) --digest \(digest())\n").status == 0)
    // A link of another user could lead to another file by then.
    let link = console.home.folder.path + "/link.plan"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: plan)
    try #require(lchown(link, 65_534, 65_534) == 0)
    let linked = try await console.run("apply \(link) --yes --digest \(digest())\n")
    #expect(
      linked.status == 2 && linked.errors.contains("is a symbolic link owned by another user"), "\(linked.errors)")
    #expect(try await isUnsent())
    #expect(try await console.run("apply \(plan) --yes --digest \(digest())\n").status == 0)
    #expect(try await WrittenPlan.sent(to: console).count == 2)
  }

  /// A change of a plan, and whether the digest is that of the changed file.
  struct Attack: Sendable, CustomTestStringConvertible {
    let text: String
    let other: String
    var isHashedAfter = true
    let says: String

    var testDescription: String { "\(text) to \(other)" }
  }

  @Test(
    "a changed plan is refused, and nothing is sent",
    arguments: [
      Attack(text: "\"title\":\"new\"", other: "\"title\":\"bad\"", isHashedAfter: false, says: "its SHA-256 is "),
      Attack(text: "{\"writes\":2}", other: "{\"writes\":2} ", isHashedAfter: false, says: "its SHA-256 is "),
      Attack(text: "127.0.0.1", other: "127.0.0.2", says: "it was made for http://127.0.0.2"),
      Attack(text: "\"prefix\":\"/json", other: "\"prefix\":\"/x/json", says: "it was made for http"),
      Attack(text: "\"backend\":\"json\"", other: "\"backend\":\"todo\"", says: "it was made for http"),
      Attack(text: "\"expires\":", other: "\"expires\":86400000,\"was\":", says: "it expired 1970-01-02"),
      Attack(text: "\"expires\":", other: "\"expires\":\"never\",\"was\":", says: "\"expires\" is not a time"),
      Attack(text: "\"time\":", other: "\"time\":-1,\"was\":", says: "\"time\" is not a time"),
      Attack(text: "{\"writes\":2}\n", other: "", says: "is incomplete"),
      Attack(text: "\"set\":{\"title\"", other: "\"set\":{\"password\"", says: "is secret, and a plan has no secrets"),
    ])
  func attacked(_ attack: Attack) async throws {
    let before = try digest()
    try edit(attack.text, attack.other)
    let sum = attack.isHashedAfter ? try digest() : before
    let run = try await console.run("apply \(plan) --yes --digest \(sum)\n")
    #expect((run.status, try await isUnsent()) == (2, true), "\(run.output)\(run.errors)")
    #expect(run.errors.contains(attack.says), "\(run.errors)")
  }

  @Test("a digest has 64 digits, and a lifetime an end") func words() async throws {
    for (line, says) in [
      ("apply \(plan) --digest 12", "--digest takes the 64 digits"),
      ("plan --to \(plan) --expires never update json/todos 1 title=x", "--expires takes a time"),
      ("plan --to \(plan) --expires 400d update json/todos 1 title=x", "--expires takes at most 366d"),
    ] {
      let run = try await console.run("\(line)\n")
      #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
    }
    let made = try await console.run("plan --to \(plan) --expires 3d update json/todos 1 title=x\nplan show \(plan)\n")
    #expect(made.errors.contains(" (valid for 3d) by: "), "\(made.errors)")
  }

  @Test("an expired plan that was begun is gone on with") func begun() async throws {
    try await console.runElsewhere("update json/todos 2 completed=!\n")
    #expect(try await console.run("apply \(plan) --yes\n").status == 5)
    try edit("\"expires\":", "\"expires\":86400000,\"was\":")
    try await console.runElsewhere("update json/todos 2 completed=!\n")
    let rest = try await console.run("apply \(plan) --yes\n")
    #expect((rest.status, rest.output.hasSuffix("1 applied, 1 done before\n")) == (0, true), "\(rest.errors)")
  }
}
