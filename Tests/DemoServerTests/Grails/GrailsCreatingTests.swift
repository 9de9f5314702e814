import DemoServerSupport
import TestSupport
import Testing

@Suite("Grails: creating")
struct GrailsCreatingTests {
  @Test("18 POST trims, answers with the record and a Location that leads nowhere")
  func create() async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.send("POST", "/announcement", #"{"title":"  A  ","body":"\n<p>x</p>\n"}"#)
    #expect(answer.status == 201)
    #expect(answer.header("Content-Type") == GrailsClient.jsonType)
    #expect(answer.text == #"{"id":7,"body":"<p>x</p>","title":"A"}"#)
    let location = try #require(answer.header("Location"))
    #expect(location == grails.demo.base("grails") + "/announcement/show/7")
    expectRouting404(try await grails.get("/announcement/show/7"))
    #expect(try await grails.get("/announcements/7").text == answer.text)
  }

  @Test(
    "19 POST without a usable title is refused",
    arguments: [
      #"{"body":"x"}"#, #"{"title":null}"#, #"{"title":""}"#, #"{"title":"  \t "}"#, "{}", #"["title"]"#, "",
      #"{"title":"#,
    ])
  func refused(json: String) async throws {
    let grails = try await GrailsClient.start()
    try expectRefused(try await grails.send("POST", "/announcement", json))
    #expect(try await grails.count() == 6)
  }

  @Test("20 a title holds 255 UTF-16 units after trimming")
  func length() async throws {
    let grails = try await GrailsClient.start()
    let full = String(repeating: "x", count: 255)
    #expect(try await grails.send("POST", "/announcement", #"{"title":"\#(full)"}"#).status == 201)
    #expect(
      try await grails.send("POST", "/announcement", #"{"title":"  \#(full)\n"}"#.replacing("\n", with: " ")).status
        == 201)
    let refused = try await grails.send("POST", "/announcement", #"{"title":"\#(full)y"}"#)
    try expectRefused(refused)
    #expect(refused.text.contains("[\(full)y]"))
    let emoji = String(repeating: "😀", count: 128)
    try expectRefused(try await grails.send("POST", "/announcement", #"{"title":"\#(emoji)"}"#))
    #expect(try await grails.send("POST", "/announcement", #"{"title":"\#(emoji.dropLast())"}"#).status == 201)
  }

  @Test("21 ids, versions and unknown keys in the body are ignored, numbers become text")
  func ignoredKeys() async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.send("POST", "/announcement", #"{"id":99,"version":5,"x":[1],"title":42}"#)
    #expect(answer.status == 201)
    #expect(answer.text == #"{"id":7,"title":"42"}"#)
  }

  @Test("22 no body, a null body and a blank body are all null", arguments: ["", #","body":null"#, #","body":"  ""#])
  func nullBody(part: String) async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.send("POST", "/announcement", #"{"title":"T"\#(part)}"#)
    #expect(answer.status == 201)
    #expect(answer.text == #"{"id":7,"title":"T"}"#)
  }

  @Test("31 forms and missing types are read, other types are not")
  func contentTypes() async throws {
    let grails = try await GrailsClient.start()
    let form = try await grails.demo.send(
      "POST", "/grails/announcement", headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: "title=T+%C3%A9&body=B")
    #expect(form.status == 201)
    #expect(form.text == #"{"id":7,"body":"B","title":"T é"}"#)
    let json = #"{"title":"A"}"#
    let text = try await grails.demo.send(
      "POST", "/grails/announcement", headers: [("Content-Type", "text/plain")], body: json)
    try expectRefused(text)
    #expect(try await grails.demo.send("POST", "/grails/announcement", body: json).status == 201)
    let charset = try await grails.demo.send(
      "POST", "/grails/announcement", headers: [("Content-Type", "application/json; charset=utf-8")], body: json)
    #expect(charset.status == 201)
  }

  @Test("35 messages follow Accept-Language")
  func languages() async throws {
    let grails = try await GrailsClient.start()
    var messages: Set<String> = []
    for language in ["en", "de", "es-ES,es;q=0.9"] {
      let answer = try await grails.send("POST", "/announcement", "{}", ("Accept-Language", language))
      try expectRefused(answer)
      messages.insert(try #require(try answer.object()["message"] as? String))
    }
    #expect(messages.count == 3)
  }

  @Test("A switch gives the shapes of a 422 that other applications have")
  func shapes() async throws {
    let grails = try await GrailsClient.start()
    let several = try await grails.send("POST", "/announcement", "{}", ("Demo-Set", "grails.errors=several"))
    #expect(several.status == 422)
    let object = try several.object()
    #expect(object["total"] as? Int == 2)
    #expect(((object["_embedded"] as? [String: Any])?["errors"] as? [Any])?.count == 2)
    let classic = try await grails.send("POST", "/announcement", "{}", ("Demo-Set", "grails.errors=classic"))
    #expect(classic.status == 422)
    let errors = try #require(try classic.object()["errors"] as? [[String: Any]])
    #expect(Set(errors[0].keys) == ["object", "field", "rejected-value", "message"])
  }
}
