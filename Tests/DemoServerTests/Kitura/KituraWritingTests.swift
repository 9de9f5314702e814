import DemoServerSupport
import TestSupport
import Testing

@Suite("Kitura: writing")
struct KituraWritingTests {
  @Test("2, 3 and 5 new todos are numbered from 0, and no number is given twice")
  func create() async throws {
    let kitura = try await KituraClient.start()
    let answer = try await kitura.send("POST", "/", #"{"title":"walk the dog"}"#)
    #expect(answer.status == 201 && answer.header("Location") == nil)
    let object = try answer.object()
    #expect(Set(object.keys) == ["id", "title", "completed", "url"])
    #expect(object["id"] as? Int == 0 && object["completed"] as? Bool == false)
    #expect(object["url"] as? String == "http://localhost:8080/0")
    #expect(try await kitura.send("POST", "/", "{}").object()["id"] as? Int == 1)
    #expect(try await kitura.send("DELETE", "/").status == 204)
    #expect(try await kitura.send("POST", "/", "{}").object()["id"] as? Int == 2)
  }

  @Test("4 id and url are the server's, nulls are nothing, and unknown keys are dropped", arguments: ["3.0", "2.0"])
  func overwritten(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    let sent = #"{"id":77,"url":"http://evil/9","title":"x","user":null,"completed":true,"nope":{"a":[1]}}"#
    let object = try await kitura.send("POST", "/", sent).object()
    #expect(Set(object.keys) == ["id", "title", "completed", "url"])
    #expect(object["id"] as? Int == 0 && object["url"] as? String == "http://localhost:8080/0")
    #expect(object["completed"] as? Bool == true)
    let nulls = #"{"title":null,"user":null,"order":null,"completed":null}"#
    #expect(Set(try await kitura.send("POST", "/", nulls).object().keys) == ["id", "completed", "url"])
  }

  @Test("9 PATCH merges and cannot clear", arguments: ["3.0", "2.0"])
  func patch(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    _ = try await kitura.send("POST", "/", #"{"title":"a","user":"u","order":1}"#)
    let merged = try await kitura.send("PATCH", "/0", #"{"title":"b","completed":true,"order":null}"#)
    #expect(merged.status == 200)
    let object = try merged.object()
    #expect(object["title"] as? String == "b" && object["user"] as? String == "u" && object["order"] as? Int == 1)
    #expect(object["completed"] as? Bool == true && object["url"] is String && object["id"] as? Int == 0)
    for nothing in ["{}", #"{"title":null,"completed":null}"#, #"{"id":9,"url":"http://x/9"}"#] {
      let same = try await kitura.send("PATCH", "/0", nothing)
      #expect(same.status == 200)
      #expect(try same.object()["title"] as? String == "b")
      #expect(try same.object()["id"] as? Int == 0)
    }
    #expect(try await kitura.send("PATCH", "/0", #"{"title":""}"#).object()["title"] as? String == "")
  }

  @Test("10 PUT replaces and clears what it leaves out", arguments: ["3.0", "2.0"])
  func put(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    _ = try await kitura.send("POST", "/", #"{"title":"a","user":"u","order":1,"completed":true}"#)
    let answer = try await kitura.send("PUT", "/0", #"{"id":5,"url":"x","title":"b","order":null}"#)
    #expect(answer.status == 200)
    let object = try answer.object()
    #expect(Set(object.keys) == ["id", "title", "url"])
    #expect(object["id"] as? Int == 0 && object["url"] as? String == "http://localhost:8080/0")
    #expect(Set(try await kitura.get("/0").object().keys) == ["id", "title", "url"])
  }

  @Test("11 unknown and unreadable identifiers", arguments: ["PATCH", "PUT", "DELETE"])
  func missing(method: String) async throws {
    for profile in ["3.0", "2.0"] {
      let kitura = try await KituraClient.start(profile)
      let body = method == "DELETE" ? nil : #"{"title":"x"}"#
      for path in ["/9", "/-1"] { expectBare(try await kitura.send(method, path, body), 404) }
      for path in ["/abc", "/1.5"] { expectBare(try await kitura.send(method, path, body), 422) }
      #expect(try await kitura.get("/").text == "[]")
    }
  }

  @Test("12 deleting one, deleting all, and both again")
  func delete() async throws {
    for (profile, status) in [("3.0", 204), ("2.0", 200)] {
      let kitura = try await KituraClient.start(profile)
      try await kitura.make("a", "b", "c")
      expectBare(try await kitura.send("DELETE", "/1"), status)
      expectBare(try await kitura.send("DELETE", "/1"), 404)
      #expect(try await kitura.ids() == [0, 2])
      expectBare(try await kitura.send("DELETE", "/"), status)
      expectBare(try await kitura.send("DELETE", "/"), status)
      #expect(try await kitura.ids() == [])
    }
  }

  @Test("15 there is nothing to post to an identifier")
  func postToItem() async throws {
    let kitura = try await KituraClient.start()
    try await kitura.make("a")
    expectText(try await kitura.send("POST", "/1", "{}"), 404, "Cannot POST /1.")
    expectText(try await kitura.send("POST", "/1/2", "{}"), 404, "Cannot POST /1/2.")
  }

  @Test("16 a body that is not a todo is refused and uses no number up")
  func refused() async throws {
    let newer = try await KituraClient.start(), older = try await KituraClient.start("2.0")
    for body in [
      #"{"title":"#, "", #"{"title":"a"} x"#, #"{"title":"\ud800"}"#, "[]", "null", #""x""#, "5", #"{"title":1}"#,
      #"{"user":[]}"#, #"{"id":"x"}"#, #"{"url":1}"#, #"{"completed":"true"}"#, #"{title:"a"}"#, #"{"title":"a\u00"}"#,
    ] {
      let answer = try await newer.send("POST", "/", body)
      #expect(answer.status == 422 && answer.header("Content-Type") == nil, "\(body)")
      #expect(answer.text.hasPrefix("Could not decode received data: "))
      expectBare(try await older.send("POST", "/", body), 422)
    }
    #expect(try await newer.send("POST", "/", "{}").object()["id"] as? Int == 0)
    #expect(try await older.send("POST", "/", "{}").object()["id"] as? Int == 0)
  }

  @Test("16 invalid UTF-8 is refused; what the real decoder lets pass, passes")
  func decoder() async throws {
    let kitura = try await KituraClient.start()
    let type = ("Content-Type", "application/json")
    let broken = Array(#"{"title":""#.utf8) + [0xE9] + Array(#""}"#.utf8)
    let answer = try await kitura.demo.send("POST", "/kitura/", headers: [type], bytes: broken)
    #expect(answer.status == 422 && answer.text == KituraClient.malformed)
    let twice = try await kitura.send("POST", "/", #"{"title":"first","title":"second"}"#)
    #expect(try twice.object()["title"] as? String == "first")
    #expect(try await kitura.send("POST", "/", "\u{FEFF}{\"title\":\"a\",}").status == 201)
  }

  @Test("17 whole numbers may be written with a point or an exponent")
  func numbers() async throws {
    let kitura = try await KituraClient.start()
    for (text, value) in [
      ("1.0", 1), ("1e3", 1000), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("-5", -5),
    ] {
      let answer = try await kitura.send("POST", "/", #"{"order":\#(text)}"#)
      #expect(try answer.object()["order"] as? Int == value, "\(text)")
    }
    for text in ["1.5", "9223372036854775808", "true", #""5""#, "1e400"] {
      #expect(try await kitura.send("POST", "/", #"{"order":\#(text)}"#).status == 422, "\(text)")
    }
    for text in ["1", #""true""#] {
      #expect(try await kitura.send("POST", "/", #"{"completed":\#(text)}"#).status == 422, "\(text)")
    }
  }

  @Test("18 only the right type is read, by each release in its own way")
  func types() async throws {
    let kitura = try await KituraClient.start()
    for (profile, type, status) in [
      ("3.0", "application/json", 201), ("3.0", "application/json; charset=utf-8", 201),
      ("3.0", "APPLICATION/JSON", 201), ("3.0", "application/jsonx", 415), ("3.0", "text/plain", 415),
      ("3.0", "application/merge-patch+json", 415), ("2.0", "application/json", 201),
      ("2.0", "application/json; charset=utf-8", 201), ("2.0", "APPLICATION/JSON", 415),
      ("2.0", "application/jsonx", 201), ("2.0", "text/plain", 415), ("2.0.0", "application/json", 201),
      ("2.0.0", "application/json; charset=utf-8", 415),
    ] {
      let release = ("Demo-Set", "kitura.profile=\(profile)")
      let answer = try await kitura.send("POST", "/", "{}", type: type, release)
      #expect(answer.status == status, "\(profile) \(type)")
      if status == 415 { expectBare(answer, 415) }
    }
    for (method, path) in [("POST", "/"), ("PATCH", "/0"), ("PUT", "/0")] {
      expectBare(try await kitura.send(method, path, "{}", type: nil), 415)
    }
    let first = try await kitura.send("POST", "/", "{}", type: "text/plain", ("Content-Type", "application/json"))
    #expect(first.status == 415)
  }

  @Test("18 the newer release reads forms")
  func forms() async throws {
    let type = "application/x-www-form-urlencoded"
    let newer = try await KituraClient.start()
    let form = try await newer.send("POST", "/", "title=a+b&order=3&completed=true", type: type)
    #expect(form.status == 201)
    let object = try form.object()
    #expect(object["title"] as? String == "a b" && object["order"] as? Int == 3 && object["completed"] as? Bool == true)
    #expect(try await newer.send("PATCH", "/0", "title=c", type: type).status == 200)
    let older = try await KituraClient.start("2.0")
    expectBare(try await older.send("POST", "/", "title=a", type: type), 415)
  }

  @Test("19 identifier, type, body and existence are looked at in the release's order")
  func order() async throws {
    for (profile, status) in [("3.0", 422), ("2.0", 415)] {
      let kitura = try await KituraClient.start(profile)
      #expect(try await kitura.send("PATCH", "/abc", "{}", type: "text/plain").status == status)
      #expect(try await kitura.send("PATCH", "/9", "{", type: "text/plain").status == 415)
      #expect(try await kitura.send("PATCH", "/9", "{").status == 422)
      #expect(try await kitura.send("PUT", "/9", "[]").status == 422)
      expectBare(try await kitura.send("PATCH", "/abc", "{"), 422)
    }
  }

  @Test("22 todos stay where they were made")
  func insertionOrder() async throws {
    let kitura = try await KituraClient.start()
    try await kitura.make("a", "b", "c")
    _ = try await kitura.send("PATCH", "/2", #"{"order":-5}"#)
    _ = try await kitura.send("PUT", "/0", #"{"order":99}"#)
    #expect(try await kitura.ids() == [0, 1, 2])
  }

  @Test("28 what the variants of the server do differently")
  func variants() async throws {
    let kitura = try await KituraClient.start()
    try await kitura.make("a", "b")
    func with(_ value: String) -> (String, String) { ("Demo-Set", "kitura.\(value)") }
    let echo = try await kitura.send("PATCH", "/0", #"{"title":"c"}"#, with("patch=echo"))
    #expect(echo.text == #"{"title":"c"}"#)
    let nobody = try await kitura.send("PATCH", "/4711", #"{"title":"c"}"#, with("patch=echo"))
    #expect(nobody.status == 200 && nobody.text == #"{"title":"c"}"#)
    #expect(try await kitura.get("/0").object()["title"] as? String == "c")
    #expect(try await kitura.send("DELETE", "/77", nil, with("delete=lenient")).status == 204)
    expectBare(try await kitura.send("POST", "/", #"{"title":"x"}"#, with("incomplete=unavailable")), 503)
    let incomplete = #"{"title":"x","user":"u","order":1}"#
    expectBare(try await kitura.send("PUT", "/0", incomplete, with("incomplete=unavailable")), 503)
    expectText(try await kitura.send("PUT", "/0", "{}", with("put=absent")), 404, "Cannot PUT /0.")
    _ = try await kitura.send("DELETE", "/0")
    #expect(try await kitura.send("POST", "/", "{}", with("ids=count")).object()["id"] as? Int == 1)
    #expect(try await kitura.send("POST", "/", "{}", with("ids=repeated")).object()["id"] as? Int == 1)
    #expect(try await kitura.ids() == [1, 1, 1])
    #expect(try await kitura.get("/1").object()["title"] as? String == "b")
    // In memory the first record with an identifier is meant, with a database all are.
    _ = try await kitura.send("PATCH", "/1", #"{"title":"d"}"#)
    #expect(try await kitura.get("/").rows().map { $0["title"] as? String } == ["d", nil, nil])
    #expect(try await kitura.send("DELETE", "/1").status == 204)
    #expect(try await kitura.ids() == [1, 1])
    #expect(try await kitura.send("DELETE", "/1", nil, with("delete=lenient")).status == 204)
    #expect(try await kitura.ids() == [])
  }
}
