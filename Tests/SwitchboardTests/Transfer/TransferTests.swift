import ConsoleSupport
import Foundation
import Testing

/// export, import, copy, diff and sync, between real servers.
@Suite("Transfers") struct TransferTests {
  let servers: TransferServers

  init() async throws { servers = try await TransferServers() }

  private func run(_ commands: String...) async throws -> ConsoleRun { try await servers.run(commands) }

  @Test("what was exported is imported as it is, in every format", arguments: ["csv", "tsv", "json", "ndjson", "yaml"])
  func roundTrip(format: String) async throws {
    let odd = #"create title="a, \"b\"\nc\td" user="" order=7 completed=true"#
    let file = servers.home.folder.path + "/t.\(format)"
    let exported = try await run(odd, "delete kempty --all --yes", "export k --to \(file)").succeeded()
    #expect(exported.errors.contains("exported 21 records of k/todos"))
    let imported = try await run("import kempty \(file)", "diff k kempty --key title -o ndjson").succeeded()
    #expect(imported.output == "21 created\n", "\(imported.output)")
  }

  @Test("with a key a file is imported once, and updates only what differs") func keyed() async throws {
    let file = try servers.home.write("title,order,completed\nnew,1,true\nother,2,\n", to: "rows.csv")
    let first = try await run(
      "import kempty \(file) --key title user=ana", "list kempty user=ana --fields title,order,completed -o ndjson"
    ).succeeded()
    #expect(
      first.output == """
        2 created
        {"title":"new","order":1,"completed":true}
        {"title":"other","order":2,"completed":false}

        """)
    let again = try await run("import kempty \(file) --key title user=ana")
    #expect(
      again.output == "kempty/todos: 2 unchanged, 1 empty cell ignored (--empty-clears clears it)\n",
      "\(again.output)")
    let changed = try servers.home.write("title,order\nnew,5\nthird,3\n", to: "changed.csv")
    let second = try await run("import kempty \(changed) --key title user=ana -o ndjson")
    #expect(second.output.contains(#""action":"update""#) && second.output.contains(#""action":"create""#))
    let skipped = try await run("import kempty \(file) --key title --on-conflict skip")
    #expect(skipped.output == "kempty/todos: 2 skipped (the key already exists)\n")
    try await run("import kempty \(file) --key title --on-conflict fail").failed(saying: "already has the key new")
  }

  @Test(
    "a file that cannot be imported whole is not imported at all",
    arguments: [
      ("title,order\na,1\nb,x\n", "bad.csv:3, column 2: order is an integer"),
      ("title,title\na,1\n", "bad.csv:1: the column \"title\" appears twice"),
      ("title,order\na\n", "bad.csv:2: the row has 1 cell and the header 2"),
      ("title,\na,1\n", "bad.csv:1: column 2 has no name"),
      ("title\n\"a\n\n", "bad.csv:2: the quote that begins here is not closed"),
      ("title\n\"a\"b\n", "bad.csv:2: a cell continues after its closing quote"),
      (
        "title,order\n\"a,1\n\"b\",2\n",
        "bad.csv:3: a cell continues after its closing quote, which closes the one of line 2"
      ),
      ("title\na\"b\n", "bad.csv:2: a quote appears in an unquoted cell\nhint: a cell with a quote is in quotes"),
      ("title\na\0b\n", "bad.csv:2: a cell contains a NUL character"),
      ("title\na\rb\n", "bad.csv:2: a carriage return is not followed"),
      ("titel\na\n", "bad.csv:2: unknown field \"titel\" in todos\nhint: did you mean title?"),
      ("", "bad.csv contains no record"),
    ])
  func refused(text: String, says: String) async throws {
    let file = try servers.home.write(text, to: "bad.csv")
    let before = try await run("count kempty")
    try await run("import kempty \(file) user=ana").failed(2, saying: says)
    #expect(try await run("count kempty").output == before.output)
  }

  @Test("cells are values: nothing in them is an option, a file or a variable") func cells() async throws {
    let file = try servers.home.write("title,order\n--all,1\n@/etc/passwd,2\n$HOME,3\n:=true,4\n", to: "cells.csv")
    let run = try await run(
      "import kempty \(file) user=eve", "list kempty user=eve --fields title -o csv --no-header",
      "export kempty user=eve --fields title --sort order -o csv --csv-safe --no-header"
    ).succeeded()
    #expect(
      run.output == "4 created\n--all\n@/etc/passwd\n$HOME\n:=true\n'--all\n'@/etc/passwd\n$HOME\n:=true\n",
      "\(run.output)")
  }

  /// Returns options for the values that a target needs and a source does not have, and for fields with other names.
  private static func fields(from source: String, to target: String) -> String {
    let own = [
      "k": "user=, order=", "g": "body=", "js": "userId=", "d": "userId=", "b": "description=, scheduledDate=",
    ]
    let done = ["k": "completed", "js": "completed", "d": "completed", "b": "isComplete"]
    var map = [own[source]].compactMap(\.self)
    if let to = done[target], let from = done[source], to != from { map.append("\(to)=\(from)") }
    if done[target] == nil, let from = done[source] { map.append("\(from)=") }
    let constants = ["k": " user=ana order=1", "g": " body=none", "js": " userId=1", "d": " userId=1", "b": ""]
    return "--map \"\(map.joined(separator: ", "))\"\(constants[target] ?? "")"
  }

  @Test("sync makes the target equal and does nothing the second time, between all backends and a described service")
  func pairs() async throws {
    // Each pair has something to do: the one before it left the target otherwise.
    let names = ["k", "g", "js", "b", "d"]
    for source in names {
      for target in names where target != source {
        let change = "\(source) title=\"from \(source) to \(target)\""
        let needs =
          ["k": " user=ana order=1", "g": " body=x", "js": " userId=1", "d": " userId=1", "b": ""][source] ?? ""
        let fields = Self.fields(from: source, to: target)
        let sync = "sync \(source) \(target) --key title \(fields)"
        let run = try await run(
          "create \(change)\(needs)", "\(sync) --delete --max-delete 100% --yes", "\(sync) --delete -o ndjson",
          "diff \(source) \(target) --key title \(fields) -o ndjson", "count \(source)", "count \(target)")
        #expect(run.status == 0, "\(sync): \(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count >= 4 && lines.contains { $0.contains("created") }, "\(sync): \(run.output)")
        // Neither the second run nor the comparison has anything to tell.
        #expect(lines.suffix(2).first == lines.last && !run.output.contains("{"), "\(sync): \(run.output)")
      }
    }
  }

  @Test("nothing is deleted by an empty source, beyond --max-delete, or without --delete") func deletions() async throws
  {
    let before = try await run("count k2").output
    let empty = try await run(
      "delete kempty --all --yes", "sync kempty k2 --key title --delete --yes --max-delete 100%")
    #expect(empty.status == 1 && empty.errors.contains("has no record, and --delete would empty k2/todos"))
    let many = try await run("sync k k2 --key title --where order<3 --delete --yes")
    #expect(many.status == 1 && many.errors.contains("more than --max-delete 10%"), "\(many.errors)")
    #expect(try await run("count k2").output == before)
    let unasked = try await run("sync k k2 --key title --where order<3 --delete --max-delete 100%")
    #expect(unasked.errors.contains("needs --yes"), "\(unasked.errors)")
    #expect(try await run("count k2").output == before)
    let done = try await run("sync k k2 --key title --where order<3 --delete --max-delete 100% --yes", "count k2")
    #expect(done.status == 0 && done.output.hasSuffix("\n2\n"), "\(done.output) \(done.errors)")
  }

  @Test(
    "an unknown field in an expression is an error",
    arguments: [
      ("update k order:=(order*2) --where order=2 --yes", 2, "unknown field \"order*2\" in k/todos"),
      ("update js userId:=(rank*2) --where id=2 --yes", 1, "there is no field \"rank*2\""),
      ("update k order:=(orde + 1) --where order=2 --yes", 2, "unknown field \"orde\" in k/todos"),
      ("copy k k2 --map title=titel", 1, "no record of k/todos has a field \"titel\", which --map reads"),
      ("diff k k2 --key title --map user=lower(usr)", 1, "has a field \"usr\""),
      ("import k2 rows.csv --map order=order*2", 2, "there is no field \"order*2\""),
      ("import k2 rows.csv --map 'user=ownr, owner='", 2, "no record of rows.csv has a field \"ownr\""),
    ])
  func unknown(command: String, status: Int32, message: String) async throws {
    _ = try servers.home.write("title,order,owner\nnew,1,\n", to: "rows.csv")
    let before = try await run("list k -o ndjson", "list k2 -o ndjson").output
    let refused = try await run(command)
    #expect(refused.errors.contains(message), "\(refused.errors)")
    #expect(refused.status == status, "\(refused.status) \(refused.errors)")
    #expect(try await run("list k -o ndjson", "list k2 -o ndjson").output == before)
  }

  @Test("a missing field with a fallback is accepted") func optional() async throws {
    _ = try servers.home.write("title,order,owner\nnew,1,\n", to: "rows.csv")
    let run = try await run(
      "delete kempty --all --yes", "import kempty rows.csv --map \"user=ownr ?? 'ana', order=order * 2, owner=\"",
      "list kempty --fields title,order,user -o ndjson",
      "import kempty rows.csv --map \"user=first(ownr, owner, 'bo')\""
    ).succeeded()
    #expect(run.output.contains(#"{"title":"new","order":2,"user":"ana"}"#), "\(run.output)")
  }

  @Test("a record of the target without a key is not deleted") func keyless() async throws {
    let sync = "sync k js --key title --map 'user=, order=' userId:=1"
    let made = try await run("delete js --where id>0 --yes", sync, "create js completed=true userId:=1", "count js")
      .succeeded()
    try await run("\(sync) --delete --max-delete 100% --yes").failed(1, saying: "the key is missing (title)")
    #expect(try await self.run("count js").output == made.output.split(separator: "\n").last.map { "\($0)\n" })
    #expect(try await self.run(sync).status == 0)
  }

  @Test("a key that names two records changes nothing") func ambiguous() async throws {
    let run = try await run(
      "create k2 title=x order=1 user=a", "create k2 title=x order=2 user=b", "sync k k2 --key title")
    #expect(run.status != 0 && run.errors.contains("have the same key, x"), "\(run.errors)")
    let empty = try await self.run("create k2 title='' user=c", "create k2 title='' user=d", "sync k2 k --key title")
    #expect(empty.errors.contains("have the same key, \"\""), "\(empty.errors)")
    try await self.run("sync k k2 --key user").failed(saying: "have the same key")
  }

  @Test("the dry run shows what is then sent") func dryRun() async throws {
    let dry = try await run("copy k kempty --key title --dry-run")
    #expect(dry.status == 0 && dry.errors.contains("20 to create; 20 requests"), "\(dry.errors)")
    #expect(try await run("count kempty").output == "0\n")
    _ = try await run("copy k kempty --key title")
    let bodies = dry.output.split(separator: "\n").map { $0.drop { $0 != "{" } }
    let there = try await run("list kempty --all --fields title,user,order,completed -o ndjson")
    #expect(Set(bodies.map(servers.canonical)) == Set(there.output.split(separator: "\n").map(servers.canonical)))
  }

  @Test("a field that the command sets and the target lacks is a mistake, often a condition meant as one")
  func unknownConstant() async throws {
    for command in [
      "copy js kempty userId=1", "sync js kempty userId=1 --key title", "copy js kempty --map owner=userId",
    ] {
      let run = try await run(command).failed(2, saying: "unknown field \"")
      #expect(command.contains("--map") || run.errors.contains("--where selects records"), "\(run.errors)")
    }
    #expect(try await run("count kempty").output == "0\n")
  }

  @Test("a transfer can be planned, and the plan is what is then done") func planned() async throws {
    let plan = servers.home.folder.path + "/sync.plan"
    try await run("copy k2 kempty", "plan --to \(plan) sync k kempty --key title --delete --max-delete 100%")
      .succeeded()
    #expect(try await run("count kempty").output == "12\n")
    let applied = try await run("apply \(plan) --yes", "diff k kempty --key title -o ndjson")
    #expect(applied.status == 0 && !applied.output.contains("{"), "\(applied.output) \(applied.errors)")
  }

  @Test("undo takes a transfer back") func undone() async throws {
    try await run(
      "copy k2 kempty", "update kempty 0 order=99", "export kempty --to \(servers.home.folder.path)/before.ndjson",
      "update k2 1 user=zoe", "sync k2 kempty --key title", "undo --writes 2 --yes"
    ).succeeded()
    let after = try await self.run("diff kempty kempty/todos --key title")
    #expect(after.status == 2)
    let there = try await self.run("get kempty 0 --fields order -o ndjson", "get kempty 1 --fields user -o ndjson")
    #expect(there.output.contains("99") && !there.output.contains("zoe"), "\(there.output)")
  }

  @Test("diff names what only one side has and each field that differs") func differences() async throws {
    try await run(
      "copy k kempty", "update kempty 0 order=99", "delete kempty 1 --yes", "create kempty title=extra order=1 user=ana"
    ).succeeded()
    let diff = try await run("diff k kempty --key title -o ndjson")
    #expect(diff.status == 0)
    let lines = diff.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].contains(#""field":"order","k/todos":1,"kempty/todos":99"#), "\(diff.output)")
    try await run("diff k kempty --key title --exit-code -o ndjson").failed(1, saying: "diff: 3 differences")
    let script = try await run("if (diff k kempty --key title)\n  count k\nend")
    #expect(script.output == "20\n", "\(script.errors)")
  }

  @Test("a mapping gives other names, makes values, and has a name in the configuration") func mapping() async throws {
    let map = "title=upper(title) + '!', order=first(rank, order), user='x'"
    let file = try servers.home.write(#"{"title":"a","rank":4}"# + "\n" + #"{"title":"b","order":5}"#, to: "m.ndjson")
    let plain = try servers.home.write(#"[{"title":"a"}]"#, to: "m.json")
    let run = try await run(
      "import kempty \(file) --map \"\(map)\"", "list kempty --fields title,order,user -o csv --no-header",
      "import kempty \(plain) --map capitals --dry-run")
    #expect(run.output.hasPrefix("2 created\nA!,4,x\nB!,5,x\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains(#""title":"A""#))
  }
}

/// Tables that the commands for several records take.
@Suite("Tables as input of --from") struct TableInputTests {
  @Test("create, update, get and delete take csv and tsv") func commands() async throws {
    let servers = try await TransferServers()
    let created = try servers.home.write("title,user,order,completed\n12,ana,1,true\nb,bo,2,\n", to: "new.csv")
    let updated = try servers.home.write("id\torder\n0\t7\n1\t8\n", to: "update.tsv")
    let run = try await servers.run([
      "create kempty --from \(created) --quiet", "list kempty --fields title,order,completed -o ndjson",
      "update kempty --from \(updated) --quiet", "get kempty --from \(updated) --fields order -o ndjson",
      "delete kempty --from \(updated) --yes --quiet", "count kempty",
    ]).succeeded()
    #expect(
      run.output == """
        2 created
        {"title":"12","order":1,"completed":true}
        {"title":"b","order":2,"completed":false}
        2 updated
        {"order":7}
        {"order":8}
        2 deleted
        0

        """, "\(run.output)")
    let wrong = try servers.home.write("title,order\na,1\nb,x\n", to: "wrong.csv")
    try await servers.run(["create kempty --from \(wrong)"]).failed(2, saying: "wrong.csv:3: order is an integer")
  }
}
