import DemoServerSupport
import TestSupport
import Testing

@Suite("Grails: negotiation and format")
struct GrailsFormatTests {
  @Test("33 JSON is served for JSON and anything, and nothing for XML")
  func accept() async throws {
    let grails = try await GrailsClient.start()
    for accept in ["application/json", "*/*", "application/xml, */*;q=0.1"] {
      let answer = try await grails.get("/announcements/2", ("Accept", accept))
      #expect(answer.status == 200 && answer.header("Content-Type") == GrailsClient.jsonType, "\(accept)")
    }
    #expect(try await grails.get("/announcements/2").header("Content-Type") == GrailsClient.jsonType)
    for answer in [
      try await grails.get("/announcements", ("Accept", "application/xml")),
      try await grails.get("/announcements/2?format=xml"), try await grails.get("/announcements/2.xml"),
    ] {
      #expect(answer.status == 406)
      #expect(answer.header("Content-Length") == "0" && answer.body.isEmpty)
    }
    let browser = try await grails.get("/announcements", ("Accept", "text/xml"), ("User-Agent", "Mozilla/5.0 Gecko/1"))
    #expect(browser.status == 200 && browser.header("Content-Type") == GrailsClient.jsonType)
    let unknown = try await grails.get("/announcements", ("Accept", "text/html"))
    #expect(unknown.status == 200 && unknown.header("Content-Type") == "text/html;charset=UTF-8")
    #expect(try unknown.rows().count == 6)
  }

  @Test("34 the text is compact, in raw UTF-8 and with plain slashes")
  func text() async throws {
    let grails = try await GrailsClient.start()
    let json = #"{"title":"食堂 👩‍💻 \"a\\b\" \u00e9/\u0001\t!","body":"<p>x</p>"}"#
    let answer = try await grails.send("POST", "/announcement", json)
    #expect(answer.text == #"{"id":7,"body":"<p>x</p>","title":"食堂 👩‍💻 \"a\\b\" é/\u0001\t!"}"#)
    #expect(try await grails.get("/announcements/7").text == answer.text)
    #expect(
      try await grails.get("/announcements?offset=6").text == #"[{"id":7,"title":"食堂 👩‍💻 \"a\\b\" é/\u0001\t!"}]"#)
  }

  @Test("36 the root tells what runs", arguments: ["", "/"])
  func health(path: String) async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.get(path)
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == GrailsClient.jsonType)
    let object = try answer.object()
    #expect(object["grailsversion"] as? String == "3.3.0")
    #expect(object["message"] is String && object["environment"] is String && object["controllers"] is [Any])
  }

  @Test("37 a restart in memory restores the seeds and the ids")
  func restart() async throws {
    let grails = try await GrailsClient.start()
    let before = try await grails.get("/announcements", version: "1.0").text
    _ = try await grails.send("DELETE", "/announcement/2")
    _ = try await grails.send("POST", "/announcement", #"{"title":"N"}"#)
    grails.demo.stop()
    let again = try await GrailsClient.start()
    #expect(try await again.get("/announcements", version: "1.0").text == before)
    #expect(try await again.send("POST", "/announcement", #"{"title":"N"}"#).object()["id"] as? Int == 7)
  }
}
