import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: what an enforced schema allows")
struct BaasicRulesTests {
  @Test(
    "11 a value that breaks a rule of its property is refused with its name",
    arguments: [
      (#"{"minLength":2}"#, #""ab""#, #""é""#), (#"{"maxLength":2}"#, #""éé""#, #""abc""#),
      (#"{"pattern":"^[A-Z]+$"}"#, #""AB""#, #""aB""#), (#"{"enum":["a",1,null]}"#, "1.0", "2"),
      (#"{"minimum":1,"maximum":9}"#, "9", "0"), (#"{"minimum":1,"maximum":9}"#, "1", "9.5"),
      (#"{"minimum":1,"exclusiveMinimum":true}"#, "1.1", "1"), (#"{"exclusiveMaximum":9}"#, "8", "9"),
      (#"{"type":"string","minimum":5}"#, #""1""#, "6"),
      (#"{"type":"string","format":"date-time"}"#, #""2017-10-03T14:00:00.5+02:00""#, #""2017-10-03 14:00:00""#),
      (#"{"type":"string","format":"date-time"}"#, #""2017-10-03T14:00:00Z""#, #""2017-02-30T14:00:00Z""#),
      (#"{"type":"string","format":"date"}"#, #""2017-10-03""#, #""2017-10-03T14:00:00Z""#),
    ])
  func rules(property: String, good: String, bad: String) async throws {
    let baasic = try await BaasicClient.start()
    let schema = #"{"name":"ruled","enforceSchemaValidation":true,"schema":{"properties":{"x":\#(property)}}}"#
    #expect(try await baasic.send("POST", "/schemas", schema).status == 200)
    let made = try await baasic.send("POST", "/resources/ruled", #"{"x":\#(good)}"#)
    #expect(made.status == 200, "\(made.text)")
    try expectProblem(try await baasic.send("POST", "/resources/ruled", #"{"x":\#(bad)}"#), 400, naming: "x")
    let id = try #require(try made.object()["id"] as? String)
    try expectProblem(try await baasic.send("PATCH", "/resources/ruled/\(id)", #"{"x":\#(bad)}"#), 400, naming: "x")
  }
}
