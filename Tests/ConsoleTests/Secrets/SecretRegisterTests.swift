import BackendKit
import Foundation
import Testing

@testable import Console
@testable import ConsoleSetup

@Suite("The register of secrets") struct SecretRegisterTests {
  private static let secrets = ["correct horse", "fürst €=%41", "hunter2", "a\nb=c d", "\\u0041b", "====", "naïve+1"]

  /// A text in hexadecimal and in quoted-printable, with a soft line break after each escape.
  private static func mailed(_ text: String) -> [String] {
    let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let quoted = text.utf8.map { byte -> String in
      if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "=") { return String(UnicodeScalar(byte)) }
      return "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) + "=\r\n"
    }
    return [digits.joined(), digits.joined().uppercased(), quoted.joined()].flatMap { spelling in
      [
        spelling, spelling.replacing("\r\n", with: "\n"),
        spelling.replacing("\\", with: "\\\\").replacing("\r\n", with: "\\r\\n"),
      ]
    }
  }

  @Test("knows its secrets in hexadecimal and in quoted-printable", arguments: secrets)
  func mail(secret: String) {
    let blanking = Blanking()
    blanking.keepSecret([secret])
    for spelling in Self.mailed(secret) {
      let blanked = blanking.text("<<\(spelling)>>")
      #expect(blanked.hasPrefix("<<[blanked]") && blanked.hasSuffix(">>"), "\(spelling)")
      // At most the line break at its end is left.
      #expect(blanked.utf8.count <= "<<[blanked]=\\r\\n>>".utf8.count, "\(blanked)")
    }
  }

  @Test(
    "knows a telling name in any spelling",
    arguments: [
      "api-key", "API_Key", "x.apiKey", "PassPhrase", "filter[pwd]", "to\u{212A}en", "--access-key", "тoken-token",
    ])
  func telling(name: String) { #expect(Blanking().isSecret(name)) }

  @Test(
    "knows no secret under other names, nor in the addresses of a login",
    arguments: [
      "title", "keynote", "tonek", "pass", "parsed", "ключ", "tokenURL", "token_endpoint", "authorizationUrl",
      "device_authorization_endpoint",
    ])
  func untelling(name: String) { #expect(!Blanking().isSecret(name)) }

  @Test(
    "knows them as languages of conditions write them",
    arguments: [
      "name eq 'it''s 5% of!'", "(name:'it!'s 5% of!!')", #"name LIKE 'it\'s 5\% of\!'"#, "it%27%27s%205%25%20of!",
      "(name:'it%21%27s+5%25+of%21%21')",
    ])
  func conditions(text: String) {
    let blanking = Blanking()
    blanking.keepSecret(["it's 5% of!"])
    let blanked = blanking.text(text)
    #expect(blanked.contains("[blanked]") && !blanked.contains("5"), "\(blanked)")
  }

  @Test("puts a text in the place of a number, so that JSON stays JSON") func number() {
    let blanking = Blanking()
    blanking.see(["4711471147"])
    let body = blanking.body(Array(#"{"a":4711471147,"b":[4711471147,1]}"#.utf8))
    #expect(String(decoding: body, as: UTF8.self) == #"{"a":"[blanked]","b":["[blanked]",1]}"#)
  }

  @Test(
    "knows them in the addresses of header fields, by the names of parameters",
    arguments: ["Link", "Location", "Content-Location", "Refresh"])
  func addresses(field: String) {
    let blanking = Blanking(names: ["pin"])
    let shown = blanking.header(field, #"<https://a.example/items?pin=123&page=2>; rel="next", <b?filter[pin]=x%20y>"#)
    #expect(
      shown == #"<https://a.example/items?pin=[blanked]&page=2>; rel="next", <b?filter[pin]=[blanked]>"#, "\(shown)")
  }

  @Test("knows them in base64 that was wrapped, wherever its lines end", arguments: ["\n", "\r\n", "\\n", "\\r\\n"])
  func wrapped(lineBreak: String) {
    let blanking = Blanking()
    blanking.keepSecret(["correct horse battery"])
    let plain = Data("ana:correct horse battery".utf8).base64EncodedString()
    for place in 8..<plain.count - 4 {
      let text = "Basic \(plain.prefix(place))\(lineBreak)\(plain.dropFirst(place))."
      let blanked = blanking.text(text)
      #expect(blanked.contains("[blanked]"), "\(text)")
      #expect(!blanked.contains(plain.dropFirst(place).prefix(8)), "\(blanked)")
    }
  }

  @Test("knows one that lost its end where a text was cut") func cut() {
    let blanking = Blanking()
    blanking.keepSecret(["correct horse"])
    #expect(blanking.text("not taken: correct ho…") == "not taken: [blanked]…")
    #expect(blanking.text("not taken: cor…") == "not taken: cor…")
  }

  @Test("looks for the values that were read last, in bounded memory") func seen() {
    let blanking = Blanking()
    blanking.see((0..<50_000).map { "value-\($0)-read" })
    #expect(blanking.text("value-49999-read value-46000-read") == "[blanked] [blanked]")
    #expect(blanking.text("value-1-read") == "value-1-read")
  }

  @Test(
    "knows a declared name in a parameter of a condition, too",
    arguments: [
      ("phrase", "abc"), ("filter[phrase]", "abc"), ("phrase__contains", "abc"), ("vault__phrase__gt", "abc"),
      ("phrase_gte", "abc"), ("$filter", "phrase eq 'abc'"), ("where", #"{"phrase":"abc"}"#),
      ("q", "title:x AND phrase:abc"), ("vault.phrase", "abc"),
    ])
  func parameters(name: String, value: String) throws {
    let blanking = Blanking()
    blanking.declare(["phrase"], of: "s")
    let query = [(name, value), ("phrases", "open")]
    let request = HTTPRequest("GET", try RequestPath("items"), query: query, effect: .read)
    let target = blanking.target(request)
    #expect(target.contains("[blanked]") && !target.contains("abc") && target.hasSuffix("phrases=open"), "\(target)")
    let pair = Array("\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))&phrases=open".utf8)
    let form = String(decoding: blanking.body(pair, isForm: true), as: UTF8.self)
    #expect(form.contains("[blanked]") && !form.contains("abc") && form.hasSuffix("phrases=open"), "\(form)")
  }

  @Test("finds values in JSON that arrives in pieces of whatever size", arguments: [1, 2, 7, 1_000])
  func pieces(size: Int) {
    let blanking = Blanking()
    blanking.declare(["phrase", "keys"], of: "s")
    let text = #"""
      [{"id": 1, "phrase": "f\u00fcrst one", "title": "plain text"}, {"phrase" : ["the second", {"a": "the third", "n": 4711471147}]},
       {"keys": {"b": "the four\"th"}, "phrase": null, "note": "phrase", "token": "not-a-secret"}, {"phrase": "abcdefg"}]
      """#
    var scan = SecretScan(blanking)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      scan.take(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    scan.take(nil)
    for secret in ["fürst one", "the second", "the third", "4711471147", "the four\"th"] {
      #expect(blanking.text("<\(secret)>") == "<[blanked]>", "\(secret)")
    }
    for plain in ["plain text", "not-a-secret", "abcdefg", "phrase", "null"] {
      #expect(blanking.text("<\(plain)>") == "<\(plain)>")
    }
  }

  @Test("blanks JSON in a message by its names, and leaves prose as it is") func prose() {
    let blanking = Blanking()
    blanking.declare(["pin"], of: "s")
    #expect(blanking.text(#"refused {"pin": 123, "a": 1}"#) == #"refused {"pin": "[blanked]", "a": 1}"#)
    let sentence = #"unknown field "pin": did you mean pins?"#
    #expect(blanking.text(sentence) == sentence)
  }

  @Test("takes the fields of a description, those within others and of actions included, and marks what is listed")
  func description() {
    let blanking = Blanking()
    var configuration = BackendConfiguration.adHoc("rest:http://127.0.0.1:1")
    configuration?.secretNames = ["Pin"]
    let vault = FieldDescription("vault", .object, fields: [FieldDescription("pin", .text)])
    let resource = ResourceDescription(
      name: "items", identifier: IdentifierRule(form: .text),
      fields: [FieldDescription("phrase", .text, isSecret: true), FieldDescription("title", .text), vault],
      capabilities: Capabilities(operations: [.get]),
      actions: [ActionDescription("seal", fields: [FieldDescription("seal", .text, isSecret: true)])])
    let agreed = configuration?.agreed(BackendDescription(resources: [resource]), blanking)
    #expect(agreed?.resources.first?.fields.map(\.holdsSecret) == [true, false, true])
    for name in ["phrase", "PIN", "vault.pin", "seal"] { #expect(blanking.names.contains(name), "\(name)") }
    #expect(!blanking.names.contains("title") && !blanking.names.contains("vault"))
  }
}
