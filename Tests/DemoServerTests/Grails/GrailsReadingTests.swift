import DemoServerSupport
import TestSupport
import Testing

@Suite("Grails: reading")
struct GrailsReadingTests {
  @Test("01 version 1.0 lists whole announcements")
  func versionOne() async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.get("/announcements", version: "1.0")
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == GrailsClient.jsonType)
    let rows = try answer.rows()
    #expect(rows.compactMap { $0["id"] as? Int } == [1, 2, 3, 4, 5, 6])
    for row in rows {
      #expect(Set(row.keys) == ["id", "title", "body"])
      let title = try #require(row["title"] as? String), body = try #require(row["body"] as? String)
      #expect((31...51).contains(title.count), "\(title)")
      #expect((700...1800).contains(body.count), "\(title)")
    }
    let bodies = answer.text
    #expect(bodies.contains("“") && bodies.contains("&nbsp;") && bodies.contains("&amp;"))
    #expect(bodies.contains(#"src=\"//"#) && bodies.contains(#"href=\"intranet."#))
  }

  @Test("02 and 03 version 2.0 and no version list ids and titles alone", arguments: ["2.0", nil])
  func versionTwo(version: String?) async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.get("/announcements", version: version)
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == GrailsClient.jsonType)
    let rows = try answer.rows()
    #expect(rows.count == 6)
    for row in rows { #expect(Set(row.keys) == ["id", "title"]) }
  }

  @Test("04 an unknown version is a routing 404", arguments: ["3.0", "1", "v1", "1.0.0"])
  func unknownVersion(version: String) async throws {
    let grails = try await GrailsClient.start()
    expectRouting404(try await grails.get("/announcements", version: version))
  }

  @Test("04 the version may stand in Accept, where the header is missing")
  func versionInAccept() async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.get("/announcements", ("Accept", "application/json;v=1.0"))
    #expect(try answer.rows().first?["body"] is String)
    expectRouting404(try await grails.get("/announcements", version: "3.0", ("Accept", "application/json;v=1.0")))
  }

  @Test("05 one trailing slash changes nothing")
  func trailingSlash() async throws {
    let grails = try await GrailsClient.start()
    let plain = try await grails.get("/announcements", version: "1.0")
    #expect(try await grails.get("/announcements/", version: "1.0").text == plain.text)
    expectRouting404(try await grails.get("/announcements//", version: "1.0"))
  }

  @Test("06 and 07 one announcement is the same in all versions, with and without .json")
  func show() async throws {
    let grails = try await GrailsClient.start()
    let answer = try await grails.get("/announcements/2", version: "1.0")
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == GrailsClient.jsonType)
    #expect(try Set(answer.object().keys) == ["id", "title", "body"])
    for path in ["/announcements/2", "/announcements/2.json", "/announcements/2/"] {
      for version in ["1.0", "2.0", nil] {
        #expect(try await grails.get(path, version: version).text == answer.text)
      }
    }
    expectRouting404(try await grails.get("/announcements.json"))
  }

  @Test("08 a record that is not there is an empty 404", arguments: ["999", "abc", "-1"])
  func missing(id: String) async throws {
    let grails = try await GrailsClient.start()
    for version in ["1.0", "2.0", nil] {
      expectMissing(try await grails.get("/announcements/\(id)", version: version))
    }
  }

  @Test("09 a known record with an unknown version is a routing 404")
  func knownRecordUnknownVersion() async throws {
    let grails = try await GrailsClient.start()
    expectRouting404(try await grails.get("/announcements/2", version: "9.9"))
  }

  @Test("10 the singular list is of one version, whatever is asked for", arguments: ["v1", "v2"])
  func singular(fixed: String) async throws {
    let grails = try await GrailsClient.start("--set", "grails.singular=\(fixed)")
    for version in ["1.0", "2.0", "9.9", nil] {
      let rows = try await grails.get("/announcement", version: version).rows()
      #expect(rows.count == 6)
      #expect((rows.first?["body"] != nil) == (fixed == "v1"))
    }
    #expect(try await grails.get("/announcement/2", version: "9.9").text == grails.get("/announcements/2").text)
  }

  @Test("10 left to chance the singular list stays as it was at start")
  func singularByChance() async throws {
    let grails = try await GrailsClient.start()
    let first = try await grails.get("/announcement").text
    for _ in 0..<5 { #expect(try await grails.get("/announcement").text == first) }
  }

  @Test("11 a null body has no key")
  func nullBody() async throws {
    let grails = try await GrailsClient.start("--set", "grails.nullbody=yes")
    let rows = try await grails.get("/announcements", version: "1.0").rows()
    #expect(rows.map { $0["body"] != nil } == [true, true, true, true, true, false])
    #expect(try Set(await grails.get("/announcements/6").object().keys) == ["id", "title"])
  }

  @Test("12 no answer carries a total, a link, a tag or a version")
  func noTotal() async throws {
    let grails = try await GrailsClient.start("--seed", "25")
    for path in ["/announcements", "/announcements/2", "/announcement?max=3"] {
      let answer = try await grails.get(path, version: "2.0")
      #expect(Set(answer.headers.map(\.name)) == ["Content-Type", "Content-Length", "Date"])
      #expect(!answer.text.contains(#""version""#) && !answer.text.contains(#""total""#))
    }
  }
}
