import DemoServerSupport
import TestSupport
import Testing

@Suite("Grails: changing and deleting")
struct GrailsChangingTests {
  @Test("23 PUT and PATCH change what is named", arguments: ["PUT", "PATCH"])
  func update(method: String) async throws {
    let grails = try await GrailsClient.start()
    let body = try #require(try await grails.get("/announcements/2").object()["body"] as? String)
    let changed = try await grails.send(method, "/announcement/2", #"{"title":"B"}"#)
    #expect(changed.status == 200)
    #expect(changed.header("Content-Type") == GrailsClient.jsonType)
    #expect(changed.header("Location") == grails.demo.base("grails") + "/announcement/show/2")
    #expect(try changed.object()["title"] as? String == "B")
    #expect(try changed.object()["body"] as? String == body)
    for nothing in ["{}", ""] {
      let same = try await grails.send(method, "/announcement/2", nothing)
      #expect(same.status == 200)
      #expect(same.text == changed.text)
    }
    for empty in [#"{"body":null}"#, #"{"body":""}"#] {
      _ = try await grails.send(method, "/announcement/2", #"{"body":"x"}"#)
      let cleared = try await grails.send(method, "/announcement/2", empty)
      #expect(cleared.status == 200)
      #expect(cleared.text == #"{"id":2,"title":"B"}"#)
      #expect(try await grails.get("/announcements/2").text == cleared.text)
    }
  }

  @Test("24 an update that does not validate changes nothing", arguments: ["PUT", "PATCH"])
  func invalidUpdate(method: String) async throws {
    let grails = try await GrailsClient.start()
    let before = try await grails.get("/announcements/2").text
    let long = String(repeating: "x", count: 256)
    for json in [#"{"title":null,"body":"y"}"#, #"{"body":"y","title":"\#(long)"}"#, #"{"title":" "}"#] {
      try expectRefused(try await grails.send(method, "/announcement/2", json))
      #expect(try await grails.get("/announcements/2").text == before)
    }
  }

  @Test("25 an unreadable update is refused by 3.3.0 and swallowed by 3.3.9")
  func malformedUpdate() async throws {
    let grails = try await GrailsClient.start()
    let before = try await grails.get("/announcements/2").text
    try expectRefused(try await grails.send("PUT", "/announcement/2", #"{"title":"#))
    let later = try await grails.send("PUT", "/announcement/2", #"{"title":"#, ("Demo-Set", "grails.release=3.3.9"))
    #expect(later.status == 200)
    #expect(later.text == before)
    #expect(try await grails.get("/announcements/2").text == before)
  }

  @Test("26 writing to what is not there is an empty 404", arguments: ["PUT", "PATCH", "DELETE"])
  func missing(method: String) async throws {
    let grails = try await GrailsClient.start()
    for id in ["999", "abc"] {
      expectMissing(try await grails.send(method, "/announcement/\(id)", #"{"title":"x"}"#))
    }
  }

  @Test("27 DELETE is final and its id is not used again")
  func delete() async throws {
    let grails = try await GrailsClient.start()
    for id in [2, 6] {
      let answer = try await grails.send("DELETE", "/announcement/\(id)")
      #expect(answer.status == 204)
      #expect(answer.header("Content-Length") == nil && answer.header("Content-Type") == nil)
      expectMissing(try await grails.get("/announcements/\(id)"))
      expectMissing(try await grails.send("DELETE", "/announcement/\(id)"))
    }
    #expect(try await grails.send("POST", "/announcement", #"{"title":"N"}"#).object()["id"] as? Int == 7)
  }

  @Test("28 the plural path takes no writes", arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func pluralWrites(method: String) async throws {
    let grails = try await GrailsClient.start()
    let before = try await grails.get("/announcements", version: "1.0").text
    for path in ["/announcements", "/announcements/2"] {
      expectRouting404(try await grails.send(method, path, #"{"title":"x"}"#))
    }
    #expect(try await grails.get("/announcements", version: "1.0").text == before)
  }

  @Test("29 a wrong verb is a routing 404, never 405")
  func wrongVerbs() async throws {
    let grails = try await GrailsClient.start()
    for (method, path) in [("PUT", "/announcement"), ("POST", "/announcement/2"), ("DELETE", "/announcement")] {
      expectRouting404(try await grails.send(method, path, "{}"))
    }
    expectRouting404(try await grails.send("PROPFIND", "/announcement"))
    expectRouting404(try await grails.get("/nowhere"))
    let head = try await grails.send("HEAD", "/announcements")
    #expect(head.status == 404)
    #expect(head.isComplete)
  }

  @Test("30 a POST may act as another verb")
  func override() async throws {
    let grails = try await GrailsClient.start()
    #expect(
      try await grails.send("POST", "/announcement/2", nil, ("X-HTTP-Method-Override", "DELETE")).status == 204)
    expectMissing(try await grails.get("/announcements/2"))
    #expect(try await grails.send("POST", "/announcement/3?_method=patch", #"{"title":"P"}"#).status == 200)
    #expect(try await grails.get("/announcements/3").object()["title"] as? String == "P")
  }

  @Test("32 the later of two updates wins, and none is a conflict")
  func lastWriteWins() async throws {
    let grails = try await GrailsClient.start()
    for title in ["first", "second"] {
      let answer = try await grails.send("PUT", "/announcement/2", #"{"title":"\#(title)"}"#, ("If-Match", "\"0\""))
      #expect(answer.status == 200)
    }
    #expect(try await grails.get("/announcements/2").object()["title"] as? String == "second")
  }
}
