import BackendKit
import Testing

@testable import HTTPTransport

@Suite("A token in a file") struct TokenTests {
  private static func token(_ member: String, _ number: String) -> Token? {
    let text = #"{"address": "https://a.example", "user": "ana", "token": "abc", "\#(member)": \#(number)}"#
    return (try? JSONReader.read(text)).flatMap { Token(stored: $0, for: "https://a.example") }
  }

  @Test(
    "with a number that none can have is none", arguments: ["expiry", "sliding", "margin"],
    ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308", "-1", "0.5", "\"1\"", "null"])
  func extremes(member: String, number: String) { #expect(Self.token(member, number) == nil) }

  @Test(
    "is used with numbers at the limits",
    arguments: [("expiry", "1099511627776"), ("sliding", "1000000000"), ("margin", "30")])
  func limits(member: String, number: String) throws {
    let token = try #require(Self.token(member, number))
    #expect(token.isValid(at: 1_800_000_000))
    #expect(token.extended(at: 1_800_000_000).isValid(at: 1_800_000_000))
  }
}
