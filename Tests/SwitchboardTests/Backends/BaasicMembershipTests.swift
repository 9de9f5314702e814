import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// Users, roles and permissions of a Baasic application, in whole programs.
@Suite("Baasic: users, roles and permissions") struct BaasicMembershipTests {
  let home: ConsoleRun.Home
  private let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory", "--seed", "3"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "b", "backends": {
          "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))/v1/demo", "resource": "todo"},
          "unlisted": {"plugin": "baasic", "url": "\(demo.base("baasic"))/v1/demo",
            "headers": {"Demo-Set": "baasic.schemas=403"}},
          "shut": {"plugin": "baasic", "url": "\(demo.base("baasic"))/v1/demo",
            "headers": {"Demo-Set": "baasic.anonymous=403"}},
          "closed": {"plugin": "baasic", "url": "\(demo.base("baasic"))/v1/demo", "resource": "todo",
            "options": {"resources": {"todo": null}}, "headers": {"Demo-Set": "baasic.anonymous=403"}}}}
        """)
    _ = try home.write("correct horse\n", to: "ana.txt")
    _ = try home.write("battery staple\n", to: "bo.txt")
  }

  private func run(_ script: String) async throws -> ConsoleRun {
    try await home.run(script, ["--on-error", "continue"])
  }

  @Test("users are shown with their roles, and an update of the roles keeps the rest") func roles() async throws {
    let shown = try await run(
      "list users --fields userName,email,roles -o ndjson\nget users bo --fields roles -o json\n")
    #expect(
      shown.output.contains(#"{"userName":"ana","email":"ana@example.org","roles":["Administrators"]}"#), "\(shown)")
    #expect(shown.output.contains(#""Readers""#))
    let assigned = try await run(
      """
      login b bo --password-file bo.txt
      create title=x
      logout b
      update users bo roles:=["Readers","Administrators"]
      get users bo -o json
      login b bo --password-file bo.txt
      create title=x -o id

      """)
    #expect(assigned.errors.contains("permission denied (403)"), "\(assigned.errors)")
    #expect(assigned.output.contains(#""email": "bo@example.org""#) && assigned.output.contains(#""name": "Bo""#))
    // The requests that were denied to a reader succeed for an administrator, but there is nothing to log in for.
    #expect(assigned.status == 1 && assigned.errors.components(separatedBy: "permission denied").count == 2)
    #expect(!assigned.errors.contains("log in:"), "\(assigned.errors)")
  }

  @Test("where resources cannot be listed, one is used by its name, or the message says to log in")
  func unlisted() async throws {
    let shown = try await run("describe unlisted\nlist unlisted/todo -n 1 --fields title -o csv\n").succeeded()
    #expect(shown.output.contains("resources cannot be listed: permission denied (403)"), "\(shown)")
    #expect(shown.output.contains("name one to use it, or log in"), "\(shown)")
    #expect(shown.output.contains("\ntitle\n"), "\(shown)")
    let refused = try await run("list shut/todo\n").failed(saying: "permission denied (403)", "log in: login shut USER")
    #expect(!refused.errors.contains("configuration"), "\(refused.errors)")
  }

  @Test("an update of another field does not take the roles away") func kept() async throws {
    let run = try await run("update users ana name=Anna\nget users ana --fields name,roles -o ndjson\n")
    #expect(run.output.hasSuffix(#"{"name":"Anna","roles":["Administrators"]}"# + "\n"), "\(run)")
  }

  @Test("users and roles are made and deleted") func made() async throws {
    let run = try await run(
      """
      create roles name=Editors description="may write"
      list roles --fields name,description -o csv
      create users userName=cy email=cy@example.org password=secret1 confirmPassword=secret1 roles:=["Editors"]
      create users userName=cy email=cy@example.org password=secret1 confirmPassword=secret1
      get users cy -o json
      call users lock cy
      get users cy --fields isLockedOut -o ndjson
      call users unlock cy
      call users disapprove cy
      get users cy --fields isLockedOut,isApproved -o ndjson
      delete users cy
      count users

      """)
    #expect(run.output.contains("Editors,may write\n"), "\(run)")
    #expect(run.output.contains(#""roles": ["Editors"]"#) || run.output.contains(#""Editors""#), "\(run)")
    #expect(!run.output.contains("secret1") && !run.errors.contains("secret1"), "\(run)")
    #expect(run.output.contains(#"{"isLockedOut":true}"#) && run.output.hasSuffix("\n2\n"), "\(run)")
    #expect(run.output.contains(#"{"isLockedOut":false,"isApproved":false}"#), "\(run)")
    #expect(run.errors.contains("already exists"), "\(run.errors)")
  }

  @Test("all is granted to Anonymous in the section of a schema, and withdrawn") func permissions() async throws {
    let run = try await run(
      """
      count closed/todo
      list permissions -o id
      call permissions grant section=todo role=Anonymous actions:='[{"abrv":"Read"},{"abrv":"Create"},{"abrv":"Update"},{"abrv":"Delete"}]'
      call permissions policies section=todo -o json
      count closed/todo
      create closed/todo title=x
      call permissions withdraw-role section=todo action=Read role=Anonymous --yes
      count closed/todo

      """)
    let denied =
      "permission denied (403): You have no permission for this operation. (http"
    #expect(run.errors.components(separatedBy: denied).count == 3, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "\nhint: log in: login closed USER").count == 3, "\(run.errors)")
    #expect(run.output.contains("todo\n") && run.output.contains("Anonymous"), "\(run.output)")
    #expect(run.output.contains("\n3\n") && run.output.contains("created todo/"), "\(run.output)")
  }
}
