import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The use of a schema on a server, from `describe` to the record that is created.
@Suite("Schemas") struct SchemaTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "b", "backends": {
          "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"},
          "old": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "headers": {"Demo-Set": "baasic.patch=405"}},
          "busy": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "headers": {"Demo-Set": "baasic.conflict=yes"}}}}
        """)
  }

  private static let person = #"""
    create schemas name=person enforceSchemaValidation:=true schema:='{"properties": {"name": {"type": "string",
    """#.replacing("\n", with: " ")
      + #"""
       "minLength": 2, "pattern": "^[A-Z]", "title": "Full name"}, "age": {"type": "integer", "minimum": 0, "default": 30},
      """#.replacing("\n", with: " ") + #"""
       "level": {"enum": ["low", "high"], "default": "low"}, "x": {"hidden": true}}, "required": ["name", "level"]}'
      """# + "\ndescribe person --to described.txt\n"

  @Test("describe tells what a field may have, and what may not be is refused before anything is sent")
  func constraints() async throws {
    let made = try await home.run(Self.person + "describe person -o json\n")
    #expect(made.status == 0, "\(made.errors)")
    let described = try String(contentsOfFile: home.folder.path + "/described.txt", encoding: .utf8)
    #expect(described.contains(#"required   "Full name"; at least 2 characters; matches ^[A-Z]"#), "\(described)")
    #expect(described.contains("one of low, high; default low"))
    #expect(described.contains("hidden"))
    #expect(made.output.contains(#""default": 30"#) && made.output.contains(#""minimum": 0"#), "\(made.output)")
    let before = try await demo.send("GET", "/_demo/requests").text
    for (words, complaint) in [
      ("name=A", "name is 1 character long; the minimum is 2"), ("name=anna", "name must match ^[A-Z]"),
      ("name=Anna age=-1", "age must be at least 0"), ("name=Anna level=x", "level must be one of low, high"),
    ] {
      let refused = try await home.run("describe person --to described.txt\ncreate person \(words)\n")
      #expect(refused.status == 1)
      #expect(refused.errors.contains(complaint), "\(refused.errors)")
      #expect(refused.errors.contains("nothing was sent"))
    }
    #expect(!before.isEmpty)
    #expect(try await home.run("count person\n").output == "0\n")
  }

  @Test("a list is asked to embed by its command, and one that cannot be is refused") func embedding() async throws {
    let plan = try await home.run("explain list --embed user,owner --fields title\n")
    #expect(plan.output.contains("&embed=user%2Cowner"), "\(plan.output)")
    #expect(try await home.run("list --embed user -o id\n").status == 0)
    let refused = try await home.run("list schemas --embed user\n")
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("b embeds nothing in records of schemas"), "\(refused.errors)")
  }

  @Test("a record is asked to embed, too, beside its fields or whole") func embeddedRecord() async throws {
    let script =
      "for one in (list -n 1)\nget $one.id --embed user --fields title -o json\nget $one.id --embed user\nend\n"
    let run = try await home.run(script, ["--trace"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "embed=user").count > 2, "\(run.errors)")
    let refused = try await home.run("get schemas todo --embed user\n")
    #expect(refused.status == 2 && refused.errors.contains("b embeds nothing in records of schemas"), "\(refused)")
  }

  @Test("a server without PATCH is answered with the setting that does without") func patch() async throws {
    let script = "for one in (list -n 1)\nupdate old/todo $one.id title=x\nend\n"
    let run = try await home.run(script)
    #expect(run.errors.contains("set old.update put sends whole records"), "\(run.errors)")
    #expect(!run.errors.contains("check the backend's address"), "\(run.errors)")
    let replaced = try await home.run("set old.update put\n" + script)
    #expect(replaced.status == 0, "\(replaced.errors)")
  }

  @Test("a service without a configuration has that setting under its address") func addressed() async throws {
    let name = "baasic:http://127.0.0.1:9/v1/demo.update"
    try await home.run("set \(name) put\nshow \(name)\n").succeeded(printing: "put\n")
  }

  @Test("a conflict of a new record is none with somebody else's change") func conflict() async throws {
    let run = try await home.run("create busy/todo title=x\n")
    #expect(run.status == 1 && run.errors.contains("already exists"), "\(run.errors)")
    #expect(!run.errors.contains("somebody else") && !run.errors.contains("changed since"), "\(run.errors)")
  }

  @Test("dates are typed in words and local forms, and a bad one is refused by an enforced schema")
  func dates() async throws {
    let properties = #"{"at": {"type": "string", "format": "date-time"}, "on": {"type": "string", "format": "date"}}"#
    let run = try await home.run(
      """
      create schemas name=meeting enforceSchemaValidation:=true schema:='{"properties": \(properties)}'
      describe meeting --to d.txt
      on-error continue
      create meeting at="3.10.2017 14:30" on=3.10.2017
      create meeting at="tomorrow 8:00" on=today
      create meeting at=31.2.2017
      create meeting at=soon
      create meeting on=2017-10-03T10:00:00Z
      create meeting on:='"2017-13-03"'
      list meeting at=2017-10-03T14:30:00Z --fields at,on -o ndjson
      count meeting

      """)
    #expect(run.output.contains(#"{"at":"2017-10-03T14:30:00Z","on":"2017-10-03"}"#), "\(run)")
    #expect(run.errors.contains(#""31.2.2017" is not a valid date"#), "\(run.errors)")
    #expect(run.errors.contains("'at' must be a date-time of ISO 8601"), "\(run.errors)")
    #expect(run.errors.contains(#"on must be a day (YYYY-MM-DD), not "2017-13-03""#), "\(run.errors)")
    #expect(run.errors.contains(#"on is a day, and "2017-10-03T10:00:00Z" has a time"#), "\(run.errors)")
    #expect(run.output.hasSuffix("\n2\n"), "\(run.output)")
  }

  @Test("several sort keys are sent to the server") func sortKeys() async throws {
    let run = try await home.run("list --sort isComplete,-title --server-order --fields isComplete,title -o csv\n")
    #expect(run.status == 0)
    #expect(
      !run.errors.contains("sorted locally") && run.errors.contains("sorted by the server's rules"), "\(run.errors)")
    #expect(run.output.hasPrefix("isComplete,title\nfalse,"), "\(run.output)")
  }

  @Test("get shows the fields that are chosen, and asks for no others where it can") func fields() async throws {
    let script = "describe --to d.txt\nfor one in (list -n 1)\nget $one.id --fields title,isComplete -o json\nend\n"
    let run = try await home.run(script, ["--trace"])
    #expect(run.status == 0)
    #expect(run.output.contains(#"{"title": "#.dropLast(9)) && run.output.contains(#""isComplete": "#), "\(run.output)")
    #expect(!run.output.contains(#""id""#) && !run.output.contains("description"), "\(run.output)")
    #expect(run.errors.contains("?fields=id%2Ctitle%2CisComplete"), "\(run.errors)")
    let several = try await home.run("get schemas todo Book --fields name,description -o csv\n")
    #expect(
      several.output == "name,description\ntodo,What is to be done\nBook,What is to be read\n",
      "\(several.output)")
    let unknown = try await home.run("get schemas todo --fields nam\n")
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean name?"), "\(unknown.errors)")
  }

  @Test("who may do what with a record is shown, granted and withdrawn") func access() async throws {
    let run = try await home.run(
      """
      capture one = list -n 1 -o json
      call acl $one[0].id
      call grant $one[0].id actionId=Read roleId=Readers
      call acl $one[0].id -o json
      call withdraw-role $one[0].id action=Read role=Readers --yes
      call acl $one[0].id -o ndjson
      on-error continue
      call withdraw-role $one[0].id action=Fly role=Readers
      call grant $one[0].id actionId=Read

      """)
    #expect(run.output.contains("Administrators") && run.output.contains(#""name": "Readers""#), "\(run.output)")
    #expect(run.output.components(separatedBy: "\n").suffix(5).filter { $0.contains("Administrators") }.count == 4)
    #expect(run.errors.contains("action must be one of Create, Delete, Read, Update"), "\(run.errors)")
    #expect(run.errors.contains("A policy needs a role or a user."), "\(run.errors)")
  }

  @Test("a schema that was read, edited and given back keeps what nobody knows in it") func givenBack() async throws {
    let schema =
      #"{"properties": {"n": {"type": "number", "default": 1.50, "x-unit": {"a": [1, null]}}}, "$id": "urn:x", "x": 1e400}"#
    #expect(try await home.run("create schemas name=odd schema:='\(schema)'\n").status == 0)
    let file = home.folder.path + "/s.json"
    #expect(try await home.run("get schemas odd -o json --to s.json\n").status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing(#""description": null"#, with: #""description": "edited""#).replacing(
      #""type": "number""#, with: #""type": "number", "minimum": 0"#
    ).write(toFile: file, atomically: true, encoding: .utf8)
    let given = try await home.run("update schemas odd --from s.json\n".replacing(" odd", with: ""))
    #expect(given.status == 0, "\(given.errors)")
    let after = try await home.run("get schemas odd --fields description,schema -o ndjson\n").output
    #expect(
      after
        == #"{"description":"edited","schema":{"properties":{"n":{"type":"number","minimum":0,"default":1.50,"x-unit":{"a":[1,null]}}},"$id":"urn:x","x":1e400}}"#
        + "\n",
      "\(after)")
  }

  @Test("a field that is left out gets its default, and it is said") func defaults() async throws {
    let made = try await home.run(
      Self.person + "create person name=Anna -o json\ncreate person name=Bo age:=null level=high\n")
    #expect(made.output.contains(#""age": 30"#) && made.output.contains(#""level": "low""#), "\(made.output)")
    #expect(made.errors.contains("age is not given and gets its default, 30"), "\(made.errors)")
    // A null is a value that was given; this server wants a number.
    #expect(made.status == 1 && made.errors.contains("'age' must be of type integer"), "\(made.errors)")
  }
}
