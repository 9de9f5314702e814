import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: writing")
struct BaasicWritingTests {
  @Test("8 an insertion answers with the object and an id of its own", arguments: ["", #""id":"","#, #""id":"mine","#])
  func insert(id: String) async throws {
    let baasic = try await BaasicClient.start()
    let answer = try await baasic.send("POST", "/resources/todo", #"{\#(id)"title":"食堂 🎉","isComplete":false}"#)
    #expect(answer.status == 200 && answer.header("Location") == nil)
    let object = try answer.object()
    let made = try #require(object["id"] as? String)
    #expect(made != "mine" && (15...22).contains(made.count) && made.allSatisfy { $0.isASCII && !$0.isPunctuation })
    #expect(object["title"] as? String == "食堂 🎉" && object["isComplete"] as? Bool == false)
    #expect(try await baasic.get("/resources/todo/\(made)").text == answer.text)
    let created = try await baasic.send(
      "POST", "/resources/todo/", #"{"title":"y"}"#, ("Demo-Set", "baasic.insert=201"))
    #expect(created.status == 201)
    #expect(try await baasic.get("/resources/todo").object()["totalRecords"] as? Int == 14)
  }

  @Test("8 the same insertions give the same identifiers, unless chance is asked for")
  func identifiers() async throws {
    func inserted(_ switches: String) async throws -> [String] {
      let baasic = try await BaasicClient.start()
      var ids: [String] = []
      for _ in 0..<2 {
        let answer = try await baasic.send("POST", "/resources/todo", #"{"title":"x"}"#, ("Demo-Set", switches))
        ids.append(try #require(try answer.object()["id"] as? String))
      }
      return ids
    }
    let counted = try await inserted("baasic.ids=counted")
    #expect(Set(counted).count == 2)
    #expect(try await inserted("baasic.ids=counted") == counted)
    let random = try await inserted("baasic.ids=random")
    #expect(Set(random + counted).count == 4)
    #expect(Set(try await inserted("baasic.ids=random")).isDisjoint(with: random))
  }

  @Test("9 a record is found by its id, case and all")
  func get() async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    let answer = try await baasic.get("/resources/todo/\(id)/")
    #expect(answer.status == 200)
    #expect(try answer.object()["id"] as? String == id)
    try expectProblem(try await baasic.get("/resources/todo/\(id.lowercased())"), 404)
    try expectProblem(try await baasic.get("/resources/todo/nope"), 404, naming: "nope")
    try expectProblem(try await baasic.get("/resources/nope"), 404, naming: "nope")
    try expectProblem(try await baasic.get("/resources/nope/\(id)"), 404, naming: "nope")
    try expectProblem(try await baasic.get("/elsewhere"), 404)
  }

  @Test("10 PUT replaces, PATCH changes, DELETE takes away")
  func change() async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    let path = "/resources/todo/\(id)"
    let put = try await baasic.send("PUT", path, #"{"id":"other","title":"new"}"#)
    #expect(put.status == 204 && put.body.isEmpty && put.header("Content-Type") == nil)
    #expect(try await baasic.get(path).text == #"{"id":"\#(id)","title":"new"}"#)
    let patch = try await baasic.send("PATCH", path, #"{"isComplete":true,"extra":{"a":[1.50]}}"#)
    #expect(patch.status == 204 && patch.body.isEmpty && patch.header("Content-Type") == nil)
    let after = #"{"id":"\#(id)","title":"new","isComplete":true,"extra":{"a":[1.50]}}"#
    #expect(try await baasic.get(path).text == after)
    let shown = try await baasic.send("PATCH", path, "{}", ("Demo-Set", "baasic.patch=200"))
    #expect(shown.status == 200 && shown.text == after)
    let refused = try await baasic.send("PATCH", path, #"{"title":"no"}"#, ("Demo-Set", "baasic.patch=405"))
    try expectProblem(refused, 405)
    #expect(try await baasic.get(path).text == after)
    let delete = try await baasic.send("DELETE", path)
    #expect(delete.status == 204 && delete.body.isEmpty)
    try expectProblem(try await baasic.send("DELETE", path), 404)
    try expectProblem(try await baasic.send("PUT", path, #"{"title":"x"}"#), 404)
    try expectProblem(try await baasic.send("PATCH", path, "{}"), 404)
    try expectProblem(try await baasic.send("POST", path, "{}"), 405)
  }

  @Test("11 records are held to a schema that says so")
  func validation() async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    let before = try await baasic.get("/resources/todo/\(id)").text
    for (body, property) in [
      (#"{"title":5}"#, "title"), (#"{"title":"x","isComplete":"yes"}"#, "isComplete"),
      (#"{"isComplete":true}"#, "title"), (#"{"title":null}"#, "title"),
    ] {
      try expectProblem(try await baasic.send("POST", "/resources/todo", body), 400, naming: property)
      try expectProblem(try await baasic.send("PUT", "/resources/todo/\(id)", body), 400, naming: property)
    }
    try expectProblem(try await baasic.send("PATCH", "/resources/todo/\(id)", #"{"isComplete":1}"#), 400)
    #expect(try await baasic.get("/resources/todo/\(id)").text == before)
    let odd = #"{"title":5,"pages":"many","new":null}"#
    let free = try await baasic.send("POST", "/resources/Book", odd)
    #expect(free.status == 200 && free.text.hasSuffix(#""title":5,"pages":"many","new":null}"#))
  }

  @Test("11 the third draft of schemas, and one that allows nothing else")
  func drafts() async throws {
    let schema = #"""
      {"name":"todo","enforceSchemaValidation":true,"schema":{"additionalProperties":false,
       "properties":{"title":{"type":"string","required":true},"count":{"type":"integer"},"any":{"type":"any"}}}}
      """#
    let baasic = try await BaasicClient.start(todos: "[]", schema: schema)
    for good in [#"{"title":"x","count":2.0}"#, #"{"title":"x","any":[{}]}"#] {
      #expect(try await baasic.send("POST", "/resources/todo", good).status == 200)
    }
    for bad in [#"{}"#, #"{"title":"x","count":1.5}"#, #"{"title":"x","more":1}"#] {
      #expect(try await baasic.send("POST", "/resources/todo", bad).status == 400)
    }
  }

  @Test("12 a body must be a whole JSON object", arguments: ["{", "", "[]", "null", "\"x\"", #"{"title":"x"} y"#])
  func bodies(body: String) async throws {
    let baasic = try await BaasicClient.start()
    try expectProblem(try await baasic.send("POST", "/resources/todo", body), 400)
    let id = try await baasic.firstID()
    try expectProblem(try await baasic.send("PATCH", "/resources/todo/\(id)", body), 400)
  }

  @Test("12 a chunked body is refused", arguments: ["411", "400"])
  func chunked(status: String) async throws {
    let baasic = try await BaasicClient.start("--set", "baasic.chunked=\(status)")
    let body = "d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n"
    let answer = try await baasic.send("POST", "/resources/todo", body, ("Transfer-Encoding", "chunked"))
    try expectProblem(answer, Int(status) ?? 0)
    #expect(try await baasic.get("/resources/todo").object()["totalRecords"] as? Int == 12)
  }

  @Test("17 a conflict, a failure and the failures of gateways")
  func failures() async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    let conflict = ("Demo-Set", "baasic.conflict=yes")
    try expectProblem(try await baasic.send("POST", "/resources/todo", #"{"title":"x"}"#, conflict), 409)
    for method in ["PUT", "PATCH"] {
      try expectProblem(try await baasic.send(method, "/resources/todo/\(id)", #"{"title":"x"}"#, conflict), 409)
    }
    #expect(try await baasic.get("/resources/todo/\(id)", conflict).status == 200)
    try expectProblem(try await baasic.get("/resources/todo", ("Demo-Set", "baasic.failure=yes")), 500)
    for status in [403, 404] {
      let refused = ("Demo-Set", "baasic.schemas=\(status)")
      for path in ["/schemas", "/schemas/todo"] { try expectProblem(try await baasic.get(path, refused), status) }
      #expect(try await baasic.get("/resources/todo", refused).status == 200)
    }
    for (fault, status) in [("badgateway", 502), ("unavailable", 503)] {
      let answer = try await baasic.get("/resources/todo", ("Demo-Set", "fault=\(fault)"))
      #expect(answer.status == status && answer.header("Content-Type") == "text/html")
    }
    let cut = try await baasic.get("/resources/todo", ("Demo-Set", "fault=truncate"))
    #expect(throws: (any Error).self) { try cut.json() }
    let slow = try await baasic.get("/resources/todo", ("Demo-Set", "fault=slow, fault.delay=1"))
    #expect(slow.isComplete && slow.status == 200)
  }

  @Test("18 schemas are listed, made, replaced and deleted with their records")
  func schemas() async throws {
    let baasic = try await BaasicClient.start()
    let names = try await baasic.items("/schemas/?sort=name").compactMap { $0["name"] as? String }
    #expect(names == ["Book", "todo"])
    let todo = try await baasic.get("/schemas/ToDo").object()
    #expect(todo["enforceSchemaValidation"] as? Bool == true)
    #expect((todo["schema"] as? [String: Any])?["properties"] is [String: Any])
    let note = #"{"name":"Note","schema":{"properties":{"text":{"type":"string"}}}}"#
    let made = try await baasic.send("POST", "/schemas", note)
    #expect(made.status == 200)
    #expect(try made.object()["id"] is String)
    try expectProblem(try await baasic.send("POST", "/schemas", note), 409)
    try expectProblem(try await baasic.send("POST", "/schemas", #"{"name":"NOTE","schema":{}}"#), 409)
    try expectProblem(try await baasic.send("POST", "/schemas", #"{"name":"x"}"#), 400)
    #expect(try await baasic.send("POST", "/resources/note", #"{"text":5}"#).status == 200)
    let strict = #"{"name":"Note","enforceSchemaValidation":true,"schema":{"properties":{"text":{"type":"string"}}}}"#
    let put = try await baasic.send("PUT", "/schemas/note", strict)
    #expect(put.status == 204 && put.body.isEmpty)
    try expectProblem(try await baasic.send("POST", "/resources/note", #"{"text":5}"#), 400)
    #expect(try await baasic.send("DELETE", "/schemas/Note/").status == 204)
    try expectProblem(try await baasic.get("/schemas/Note"), 404)
    try expectProblem(try await baasic.get("/resources/note"), 404)
    #expect(try await baasic.send("POST", "/schemas", note).status == 200)
    #expect(try await baasic.items("/resources/note").isEmpty)
  }

  @Test("19 purge and batch are refused unless they are enabled")
  func bulk() async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    for (method, path, body) in [
      ("DELETE", "/purge", nil), ("DELETE", "/batch", #"["\#(id)"]"#), ("POST", "/batch", "[]"),
      ("PUT", "/batch", "[]"),
      ("PATCH", "/batch", "[]"), ("DELETE", "/\(id)?query=where+title+%3D+'x'", nil),
    ] {
      try expectProblem(try await baasic.send(method, "/resources/todo\(path)", body), 403)
    }
    #expect(try await baasic.get("/resources/todo").object()["totalRecords"] as? Int == 12)
    let enabled = ("Demo-Set", "baasic.bulk=enabled")
    let posted = try await baasic.send("POST", "/resources/todo/batch", #"[{"title":"a"},{"title":5}]"#, enabled)
    #expect(posted.status == 200)
    #expect(try posted.rows().map { $0["statusCode"] as? Int } == [200, 400])
    let deleted = try await baasic.send("DELETE", "/resources/todo/batch", #"["\#(id)","nope"]"#, enabled)
    #expect(try deleted.rows().map { $0["statusCode"] as? Int } == [200, 404])
    #expect(try await baasic.send("DELETE", "/resources/todo/purge", nil, enabled).status == 204)
    #expect(try await baasic.items("/resources/todo").isEmpty)
    #expect(try await baasic.items("/resources/Book").count == 5)
  }

  @Test("21 stamps are stored with the record, and a PUT that forgets them loses them")
  func stamps() async throws {
    let baasic = try await BaasicClient.start("--set", "baasic.stamps=yes")
    let id = try await baasic.firstID()
    let path = "/resources/todo/\(id)"
    let before = try await baasic.get(path).object()
    let created = try #require(before["dateCreated"] as? String)
    #expect(before["dateUpdated"] as? String == created)
    #expect(try await baasic.send("PUT", path, #"{"title":"x","dateCreated":"\#(created)"}"#).status == 204)
    let kept = try await baasic.get(path).object()
    #expect(kept["dateCreated"] as? String == created)
    #expect(kept["dateUpdated"] as? String != created)
    #expect(try await baasic.send("PUT", path, #"{"title":"x"}"#).status == 204)
    #expect(try await baasic.get(path).object()["dateCreated"] == nil)
  }

  @Test("22 errors come in four layouts")
  func errors() async throws {
    let baasic = try await BaasicClient.start()
    func problem(_ form: String) async throws -> RawAnswer {
      try await baasic.get("/resources/todo/nope", ("Demo-Set", "baasic.errors=\(form)"))
    }
    try expectProblem(try await problem("json"), 404)
    #expect(try await problem("textstatus").object()["statusCode"] as? String == "404")
    let empty = try await problem("empty")
    #expect(empty.status == 404 && empty.body.isEmpty && empty.header("Content-Type") == nil)
    let page = try await problem("html")
    #expect(page.status == 404 && page.header("Content-Type") == "text/html" && page.text.contains("<h1>"))
  }
}
