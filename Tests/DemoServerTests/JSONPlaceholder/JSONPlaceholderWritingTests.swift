import DemoServerSupport
import TestSupport
import Testing

@Suite("JSONPlaceholder: writing")
struct JSONPlaceholderWritingTests {
  @Test("13 a kept record can be read afterwards, a faked one cannot")
  func create() async throws {
    let real = try await JSONPlaceholderClient.real()
    let made = try await real.send("POST", "/todos", #"{"title":"食","completed":0}"#)
    #expect(made.status == 201)
    #expect(made.text == "{\n  \"title\": \"食\",\n  \"completed\": 0,\n  \"id\": 201\n}")
    #expect(made.header("Location") == real.demo.base("jsonplaceholder") + "/todos/201")
    #expect(made.header("Access-Control-Expose-Headers") == "Location")
    #expect(try await real.get("/todos/201").text == made.text)
    #expect(try await real.send("POST", "/todos", "{}").object()["id"] as? Int == 202)
    let fake = try await JSONPlaceholderClient.fake()
    for _ in 0..<2 {
      #expect(try await fake.send("POST", "/todos", #"{"title":"x"}"#).object()["id"] as? Int == 201)
    }
    expectNothing(try await fake.get("/todos/201"))
    let nested = try await real.send("POST", "/users/1/todos?x=1", #"{"title":"n","userId":5}"#)
    #expect(try nested.object()["userId"] as? String == "1")
    #expect(nested.header("Location")?.hasSuffix("/users/1/todos?x=1/203") == true)
  }

  @Test("13 a new id is one more than the highest there is, of whatever kind")
  func nextIDs() async throws {
    let real = try await JSONPlaceholderClient.real(
      #"{"numbers":[{"id":7},{"id":12},{"id":9}],"texts":[{"id":"a"},{"id":"12"}],"parts":[{"id":1.5},{"id":1}]}"#)
    func made(_ collection: String) async throws -> Any? {
      try await real.send("POST", "/\(collection)", "{}").object()["id"]
    }
    #expect(try await made("numbers") as? Int == 13)
    #expect(try await real.send("DELETE", "/numbers/13").status == 200)
    #expect(try await real.send("DELETE", "/numbers/12").status == 200)
    #expect(try await made("numbers") as? Int == 10)
    #expect((try await made("texts") as? String)?.count == 7)
    #expect(try await made("parts") as? Double == 2.5)
    #expect(try await real.send("POST", "/numbers", #"{"id":"b"}"#).status == 201)
    #expect(try await made("numbers") as? Int == 11)
    // Between records of another collection, and behind some that are gone, a page holds the same places.
    #expect(try await real.ids("/numbers?_start=2&_end=4") == [10])
    #expect(try await real.ids("/numbers?_page=2&_limit=2") == [10])
    #expect(try await real.get("/numbers?_limit=1").header("X-Total-Count") == "5")
  }

  @Test("14 an id of the client's is kept if it is free")
  func ownIDs() async throws {
    let real = try await JSONPlaceholderClient.real()
    expectFailure(try await real.send("POST", "/todos", #"{"id":5}"#))
    expectFailure(try await real.send("POST", "/todos", #"{"id":"5"}"#))
    #expect(try await real.send("POST", "/todos", #"{"id":300,"title":"x"}"#).text.hasPrefix("{\n  \"id\": 300,"))
    for none in ["null", #""""#, "0", "false"] {
      #expect(try await real.send("POST", "/todos", #"{"id":\#(none)}"#).object()["id"] as? Int ?? 0 > 300, "\(none)")
    }
    #expect(try await real.send("POST", "/todos", #"{"id":"a b"}"#).status == 201)
    #expect(try await real.get("/todos/a%20b").object()["id"] as? String == "a b")
    let fake = try await JSONPlaceholderClient.fake()
    for id in ["5", "300", #""x""#] {
      let answer = try await fake.send("POST", "/todos", #"{"id":\#(id)}"#)
      #expect(answer.status == 201)
      #expect(try answer.object()["id"] as? Int == 201)
    }
  }

  @Test("14 where the highest id is text, the next one is text too; one beyond all bounds stops nothing")
  func textIDs() async throws {
    let texts = try await JSONPlaceholderClient.real(#"{"a":[{"id":"x"},{"id":7}],"b":[{"id":7},{"id":"x"}],"c":[]}"#)
    #expect((try await texts.send("POST", "/a", "{}").object()["id"] as? String)?.count == 7)
    #expect(try await texts.send("POST", "/b", "{}").object()["id"] as? Int == 8)
    #expect(try await texts.send("POST", "/c", "{}").object()["id"] as? Int == 1)
    #expect(try await texts.send("POST", "/c", #"{"id":1e300}"#).status == 201)
    #expect(try await texts.send("POST", "/c", #"{"title":"x"}"#).status != 0)
    #expect(try await texts.get("/c/1").status == 200)
  }

  @Test("15 a body of another type is passed over, a form is texts")
  func types() async throws {
    for server in [try await JSONPlaceholderClient.real(), try await JSONPlaceholderClient.fake()] {
      for type in ["text/plain", "application/vnd.api+json", "application/merge-patch+json", nil] {
        let made = try await server.send("POST", "/todos", #"{"title":"x"}"#, type: type)
        #expect(made.status == 201)
        #expect(try made.object().keys.sorted() == ["id"])
      }
      let put = try await server.send("PUT", "/todos/3", #"{"title":"x"}"#, type: "text/plain")
      #expect(put.text == "{\n  \"id\": 3\n}")
      let form = try await server.send(
        "POST", "/todos", "completed=true&a=1&a=2&t=x+%2B", type: "application/x-www-form-urlencoded")
      let object = try form.object()
      #expect(object["completed"] as? String == "true" && object["a"] as? [String] == ["1", "2"])
      #expect(object["t"] as? String == "x +")
    }
  }

  @Test("16 a body that cannot be read")
  func malformed() async throws {
    let real = try await JSONPlaceholderClient.real(), fake = try await JSONPlaceholderClient.fake()
    for body in [#"{"title":"#, #""x""#, "5", "null", "  ", "{} x"] {
      for (method, path) in [("POST", "/todos"), ("PUT", "/todos/3"), ("PATCH", "/todos/3"), ("POST", "/nope")] {
        expectFailure(try await real.send(method, path, body), 400)
        expectFailure(try await fake.send(method, path, body), 500)
      }
    }
    expectFailure(try await real.send("POST", "/todos", "{}", type: "application/json; charset=latin1"), 415)
    #expect(try await real.get("/todos?_limit=1").header("X-Total-Count") == "200")
  }

  @Test("16 numbers are read as JavaScript does, lists are taken for what they are")
  func oddBodies() async throws {
    let real = try await JSONPlaceholderClient.real(), fake = try await JSONPlaceholderClient.fake()
    let numbers =
      #"{"a":9007199254740993,"b":1.50,"c":123456789012345678901,"d":0.0000012,"e":1e-7,"f":1e21,"#
      + #""g":-9223372036854775808}"#
    let text = try await fake.send("POST", "/todos", numbers).text
    for number in [
      "9007199254740992,", "1.5,", "123456789012345680000,", "0.0000012,", "1e-7,", "1e+21,",
      "-9223372036854776000,",
    ] { #expect(text.contains(": \(number)"), "\(number)") }
    let list = #"[{"a":1},2]"#
    let faked = try await fake.send("POST", "/todos", list).object()
    #expect(faked.keys.sorted() == ["0", "1", "id"])
    let kept = try await real.send("POST", "/todos", list)
    #expect(kept.status == 201 && kept.header("Location")?.hasSuffix("/todos/201") == true)
    #expect((try kept.json() as? [Any])?.count == 2)
    #expect((try await real.get("/todos/201").json() as? [Any])?.count == 2)
    #expect(try await real.send("POST", "/todos", "{}").object()["id"] as? Int == 202)
    #expect(try await real.send("PATCH", "/todos/3", list).object()["1"] as? Int == 2)
  }

  @Test("17 PUT replaces")
  func put() async throws {
    for server in [try await JSONPlaceholderClient.real(), try await JSONPlaceholderClient.fake()] {
      let answer = try await server.send("PUT", "/todos/6", #"{"title":"x","id":6666}"#)
      #expect(answer.status == 200)
      let object = try answer.object()
      #expect(object.keys.sorted() == ["id", "title"] && object["id"] as? Int == 6)
    }
    let real = try await JSONPlaceholderClient.real()
    expectNothing(try await real.send("PUT", "/todos/999", "{}"))
    #expect(try await real.send("PUT", "/todos/6", #"{"title":"x"}"#).status == 200)
    #expect(try await real.ids("/todos?_start=5&_limit=1") == [6])
    expectFailure(try await JSONPlaceholderClient.fake().send("PUT", "/todos/999", "{}"))
  }

  @Test("18 PATCH merges, and null stays null")
  func patch() async throws {
    let real = try await JSONPlaceholderClient.real(), fake = try await JSONPlaceholderClient.fake()
    for (server, id) in [(real, 6), (fake, 6666)] {
      let object = try await server.send("PATCH", "/todos/6", #"{"title":null,"extra":{"a":[1]},"id":6666}"#).object()
      #expect(object.keys.sorted() == ["completed", "extra", "id", "title", "userId"])
      #expect(object["id"] as? Int == id)
    }
    #expect(try await real.get("/todos/6").text.contains(#""title": null"#))
    #expect(try await fake.get("/todos/6").object()["title"] is String)
    expectNothing(try await real.send("PATCH", "/todos/999", #"{"title":"x"}"#))
    #expect(try await fake.send("PATCH", "/todos/999", #"{"title":"x"}"#).text == "{\n  \"title\": \"x\"\n}")
    let override = try await real.send("POST", "/todos/7", #"{"title":"o"}"#, ("X-HTTP-Method-Override", "patch"))
    #expect(override.status == 200)
    #expect(try await real.get("/todos/7").object()["title"] as? String == "o")
  }

  @Test("19 DELETE takes away, or says so")
  func delete() async throws {
    let real = try await JSONPlaceholderClient.real(), fake = try await JSONPlaceholderClient.fake()
    for server in [real, fake] {
      let answer = try await server.send("DELETE", "/todos/7")
      #expect(answer.status == 200 && answer.text == "{}")
    }
    expectNothing(try await real.send("DELETE", "/todos/7"))
    expectNothing(try await real.get("/todos/7"))
    #expect(try await fake.send("DELETE", "/todos/999").status == 200)
    #expect(try await fake.get("/todos/7").status == 200)
  }

  @Test("20 the highest id is given again, and concurrent creations get ids of their own")
  func concurrent() async throws {
    let real = try await JSONPlaceholderClient.real()
    _ = try await real.send("DELETE", "/todos/200")
    #expect(try await real.send("POST", "/todos", "{}").object()["id"] as? Int == 200)
    let ids = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask { try await real.send("POST", "/todos", "{}").object()["id"] as? Int ?? 0 }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(ids == Set(201...220))
  }

  @Test("21 a deletion takes along whatever refers to nothing")
  func cascade() async throws {
    let real = try await JSONPlaceholderClient.real(
      #"""
      {"users":[{"id":1},{"id":2}],"people":[],"empties":[],
       "todos":[{"id":1,"userId":1},{"id":2,"userId":2},{"id":3,"userId":99},{"id":4,"userId":"2"},{"id":5,"listId":null},
       {"id":6}]}
      """#)
    #expect(try await real.send("DELETE", "/users/1").status == 200)
    #expect(try await real.ids("/todos") == [2, 4, 5, 6])
    _ = try await real.send("POST", "/todos", #"{"id":7,"personId":3}"#)
    expectNothing(try await real.send("DELETE", "/todos/999"))
    #expect(try await real.ids("/todos") == [2, 4, 5, 6])
    _ = try await real.send("PATCH", "/todos/4", #"{"userId":null}"#)
    expectFailure(try await real.send("DELETE", "/todos/2"))
    #expect(try await real.ids("/todos") == [4, 5, 6])
    expectFailure(try await real.send("DELETE", "/todos/2"))
  }

  @Test("6 an identifier that counts for nothing keeps its place in the record")
  func placeOfID() async throws {
    let server = try await JSONPlaceholderClient.real(#"{"todos":[{"id":1}]}"#)
    let made = try await server.send("POST", "/todos", #"{"id":null,"title":"x"}"#)
    #expect(made.text == "{\n  \"id\": 2,\n  \"title\": \"x\"\n}")
    let put = try await server.send("PUT", "/todos/2", #"{"a":1,"id":7,"b":2}"#)
    #expect(put.text == "{\n  \"a\": 1,\n  \"id\": 2,\n  \"b\": 2\n}")
  }

  @Test("6 the address of a new record is encoded")
  func encodedLocation() async throws {
    let server = try await JSONPlaceholderClient.real(#"{"todos":[]}"#)
    let made = try await server.send("POST", "/todos?a=%20", #"{"id":"é <b>%25"}"#)
    #expect(made.header("Location")?.hasSuffix("/todos?a=%20/%C3%A9%20%3Cb%3E%25") == true)
  }

  @Test("3 the first of several methods in a header is taken")
  func overrides() async throws {
    let server = try await JSONPlaceholderClient.real()
    let changed = try await server.send(
      "POST", "/todos/2", #"{"title":"o"}"#, ("X-HTTP-Method-Override", "PATCH, PUT"))
    #expect(changed.status == 200)
    #expect(try await server.get("/todos/2").object()["completed"] != nil)
  }

  @Test("6 a charset that nobody knows is refused also where nothing follows")
  func charsets() async throws {
    let server = try await JSONPlaceholderClient.real()
    for (type, status) in [("application/json; charset=latin1", 415), ("application/json; charset=utf-16", 400)] {
      expectFailure(try await server.send("PUT", "/todos/2", "{}", type: type), status)
    }
    expectFailure(try await server.send("DELETE", "/todos/2", "", type: "application/json; charset=latin1"), 415)
    #expect(try await server.get("/todos/2").status == 200)
  }

  @Test("4 a list of an empty collection forgets every parameter")
  func emptyCollection() async throws {
    let server = try await JSONPlaceholderClient.real(#"{"todos":[]}"#)
    let answer = try await server.get("/todos?callback=f&_like=[")
    #expect(answer.header("Content-Type") == JSONPlaceholderClient.jsonType && answer.text == "[]")
  }
}
