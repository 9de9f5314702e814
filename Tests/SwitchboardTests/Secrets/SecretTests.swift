import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Nothing that a run leaves behind or hands on holds a secret.
@Suite("Secrets of a run") struct SecretTests {
  let home: ConsoleRun.Home

  /// The runs that name no configuration have one with secrets.
  init() throws {
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "placeholder", "backends": {
          "placeholder": {"plugin": "jsonplaceholder", "url": "demo:jsonplaceholder", "resource": "posts",
            "headers": {"X-Team": {"file": "team"}, "X-Other": {"env": "OTHER"}}, "secrets": ["taxNumber"]}}}
        """)
    _ = try home.write(Self.secrets[1], to: "team")
  }

  /// Secrets with what each notation has to escape.
  private static let secrets = ["hünter2/x", #"pass"wo\rd%41"#, "correct horse+battery=1"]

  /// A secret as a word of a command, and as a server sends it back.
  private static func spellings(_ secret: String) -> [String] {
    let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return [
      secret, json, json.replacing("/", with: "\\/"), encoded, encoded.lowercased(),
      Data("ana:\(secret)".utf8).base64EncodedString(), Data(secret.utf8).base64EncodedString(),
      Data(secret.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"),
    ]
  }

  @Test(
    "no member of a report or of the log holds one, whatever it is about",
    arguments: [
      "get S", "get 1 S", "update S title=x", "delete S 2 --yes", "list placeholder/S", "list posts/S/comments",
    ])
  func members(command: String) async throws {
    let log = home.folder.path + "/run.log"
    // One that a name or an identifier may hold.
    let secret = "hunter2hunter2"
    let run = try await home.run(
      "", ["--log", log, "--errors", "json", "-c", command.replacing("S", with: secret)], variables: ["OTHER": secret])
    #expect(run.status != 0)
    for text in [run.errors, try String(contentsOfFile: log, encoding: .utf8)] {
      #expect(text.contains("[blanked]") && !text.contains(secret), "\(text)")
      for line in text.split(separator: "\n") {
        _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
      }
    }
  }

  @Test("recording, log and messages hold none of the configuration's in any spelling", arguments: secrets)
  func kept(secret: String) async throws {
    let quoted = secret.replacing("'", with: "")
    let script =
      Self.spellings(secret).map { "create title='\($0)' body='<p>\($0)</p>'\nlist --search '\($0)' --nope\n" }
      .joined() + "get '\(quoted)'\nlist '\(quoted)=1'\nlist taxNumber~123\n"
    let (log, recording) = (home.folder.path + "/run.log", home.folder.path + "/run.rec")
    let variables = ["OTHER": Self.secrets[2], "SWITCHBOARD_PASSWORD": Self.secrets[0]]
    let run = try await home.run(
      script, ["--log", log, "--record", recording, "--stream", "--on-error", "continue"], variables: variables)
    let checked = try await home.run(script, ["--check"], variables: variables)
    #expect(checked.status == 2)
    let json = try await home.run(script, ["--check", "--errors", "json", "--report", "tap"], variables: variables)
    let texts = [
      ("log", try String(contentsOfFile: log, encoding: .utf8)),
      ("recording", try String(contentsOfFile: recording, encoding: .utf8)), ("messages", run.errors),
      ("check", checked.errors), ("check in JSON", json.errors + json.output),
    ]
    for (name, text) in texts {
      #expect(text.contains("[blanked]"), "\(name): \(text)")
      for spelling in Self.spellings(secret) {
        let isThere = [spelling, spelling.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")].contains {
          text.contains($0)
        }
        #expect(!isThere, "\(name) holds \(spelling)")
      }
    }
  }

  @Test(
    "the check quotes no value that stands under a secret name",
    arguments: [
      "lst password=hunter2", "list password=hunter2 --nope", "create password:=hunter2",
      "list --where \"token = 'hunter2\"",
      "create nope=1 apiKey=hunter2", "login ana hunter2 more", "set hunter2.token hunter2",
    ])
  func check(command: String) async throws {
    for form in ["text", "json"] {
      for arguments in [["--check"], [], ["--stream"]] {
        let run = try await home.runShipped(["--errors", form] + arguments, input: "get 3 -o id\n\(command)\n")
        #expect(run.status != 0)
        #expect(!run.errors.isEmpty && !run.errors.contains("hunter2"), "\(run.errors)")
      }
    }
  }

  @Test("neither shell commands nor the demo inherit the variables that hold secrets") func children() async throws {
    let script = try home.write(
      """
      env
      for place in /proc/[0-9]*; do
        case "$(readlink "$place/exe")" in *switchboard-demo)
          grep -qz "^HOME=$HOME$" "$place/environ" && tr '\\0' '\\n' <"$place/environ" && echo DEMO ;;
        esac
      done
      true  # the last process may be another test's
      """, to: "variables.sh")
    let run = try await home.runProgram(
      "", ["--allow-shell", "-c", "list -n 1 -o id", "-c", "!sh '\(script)'"],
      variables: ["OTHER": "other-s3cret", "SWITCHBOARD_PASSWORD": "word-s3cret", "KEPT": "yes"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("DEMO"))
    #expect(run.output.components(separatedBy: "KEPT=yes").count == 3)
    #expect(!run.output.contains("s3cret") && !run.output.contains("SWITCHBOARD_PASSWORD"))
  }

  @Test("neither do pager, editor and browser; and no line with a secret is in the history") func atTerminal() throws {
    func program(_ name: String) throws -> String {
      let file = try home.write("#!/bin/sh\nenv >'\(home.folder.path)/\(name).env'\ncat >/dev/null\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
      return file
    }
    let terminal = try ConsoleTerminal.start(
      in: home,
      environment: [
        "SWITCHBOARD_PASSWORD": "word-s3cret", "KEPT": "yes", "PAGER": "cat >/dev/null; \(try program("pager"))",
        "BROWSER": try program("browser"), "VISUAL": "/bin/sh -c env>\(home.folder.path)/editor.env",
      ], rows: 12)
    let lines = [
      "list password~s3cret", "list --where \"token = 's3cret'\"", "list --native \"access_token=s3cret\"",
      "login ana s3cret", "create title=word-s3cret", "list placeholder/posts -n 30", "get 3 -o json", "open 1",
    ]
    for line in lines { try terminal.run(line) }
    terminal.send("\\e\r")
    for name in ["pager", "browser", "editor"] {
      let file = home.folder.path + "/\(name).env"
      // There before it holds anything.
      try terminal.wait("the environment of the \(name)") { _ in
        (try? String(contentsOfFile: file, encoding: .utf8))?.contains("KEPT=yes") == true
      }
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains("KEPT=yes"), "\(name)")
      #expect(!text.contains("SWITCHBOARD_PASSWORD") && !text.contains("s3cret"), "\(name)")
    }
    let history = try String(contentsOfFile: home.folder.path + "/state/switchboard/history", encoding: .utf8)
    #expect(history.contains("get 3 -o json"))
    #expect(!history.contains("s3cret"), "\(history)")
  }

  @Test("a pager that a script or a sourced file sets to a command needs --allow-shell") func pager() async throws {
    let file = try home.write("set pager 'touch \(home.folder.path)/ran'\nset pager off\n", to: "pager.sb")
    for arguments in [["-f", file], ["-c", "source '\(file)'"]] {
      let refused = try await home.runShipped(arguments)
      #expect(refused.status == 2)
      #expect(refused.errors.contains("--allow-shell"), "\(refused.errors)")
      let allowed = try await home.runShipped(["--allow-shell"] + arguments)
      #expect((allowed.status, allowed.errors) == (0, ""))
    }
    let off = try await home.runShipped("-c", "set pager off")
    #expect(off.status == 0)
    let terminal = try ConsoleTerminal.start(in: home)
    #expect(try terminal.run("source '\(file)'").joined().contains("--allow-shell"))
    #expect(try terminal.run("show pager").last == "on")
    try terminal.run("set pager 'cat -n'")
    #expect(try terminal.run("show pager").last == "cat -n")
  }
}
