import BackendKit
import Foundation
import Testing

@testable import Console
@testable import ConsoleSetup

@Suite("Spellings of secrets") struct SpellingTests {
  /// Secrets of all lengths with what one notation or another has to escape, the same in each run.
  private static let secrets: [String] = {
    let characters = Array("abcXYZ019 \"\\/%+&=<>'{}ö€😀\n\t-_.~u")
    var state: UInt64 = 0x5EC2_E75E_C2E7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let random = (0..<150).map { _ in String((0..<4 + next(20)).map { _ in characters[next(characters.count)] }) }
    return random + ["hunter2", "correct horse", "%41%42x", "\\u0041b", "\\\\\\\\", "%%%%", "a+b c", "nabc"]
  }()

  private static func json(_ text: String, _ escapes: (Unicode.Scalar) -> Bool, upper: Bool = false) -> String {
    text.unicodeScalars.map { scalar -> String in
      guard escapes(scalar) else { return String(scalar) }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: upper)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  private static func percent(_ text: String, upper: Bool, _ isPlain: (UInt8) -> Bool) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        result.append(byte)
      } else {
        result += Array(("%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: upper)).utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
  }

  /// A text as servers and clients write it.
  static func spellings(_ text: String) -> [String] {
    let compact = String(JSONWriter.compact(.string(text)).dropFirst().dropLast())
    let must: (Unicode.Scalar) -> Bool = { $0.value < 0x20 || $0 == "\"" || $0 == "\\" }
    let partly = percent(text, upper: false) { $0 != UInt8(ascii: "%") && $0 > 0x20 && $0 < 0x80 }
    let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    return [
      text, compact, compact.replacing("/", with: "\\/"), json(text) { !$0.isASCII || must($0) },
      json(text, { !$0.isASCII || must($0) }, upper: true), json(text) { _ in true },
      PercentEncoding.encode(text), percent(text, upper: false, isUnreserved),
      percent(text, upper: true) { _ in false },
      partly, percent(text, upper: true, isUnreserved).replacing("%20", with: "+"), html,
      String(JSONWriter.compact(.string(compact)).dropFirst().dropLast()),
      percent(compact, upper: false, isUnreserved), PercentEncoding.encode(PercentEncoding.encode(text)),
      json(percent(text, upper: true, isUnreserved)) { $0 == "%" },
    ]
  }

  /// Base64 of a secret, alone and beside other text, of both alphabets.
  static func encoded(_ secret: String) -> [String] {
    ["\(secret)", "a:\(secret)", "ana:\(secret)", "anna:\(secret)", "{\"p\":\"\(secret)\"}", "é\(secret)é"].flatMap {
      text in
      let plain = Data(text.utf8).base64EncodedString()
      let url = plain.replacing("+", with: "-").replacing("/", with: "_")
      return [
        plain, url, url.filter { $0 != "=" }, plain.replacing("/", with: "\\/"), PercentEncoding.encode(plain),
        percent(plain, upper: false, isUnreserved),
      ]
    }
  }

  @Test("no secret is left in text in any spelling, and what stands around it stays", arguments: secrets)
  func values(secret: String) {
    let blanking = Blanking()
    blanking.keepSecret([secret])
    for spelling in Self.spellings(secret) {
      let text = "<<\(spelling)>>"
      #expect(blanking.text(text) == "<<[blanked]>>", "\(spelling)")
      #expect(blanking.body(Array(text.utf8)) == Array("<<[blanked]>>".utf8))
      #expect(blanking.carriesSecret("list --search '\(spelling.replacing("'", with: ""))' \(spelling)"))
    }
    for spelling in Self.encoded(secret) {
      let blanked = blanking.text("Basic \(spelling).")
      #expect(!blanked.contains(spelling) && blanked.hasPrefix("Basic ") && blanked.hasSuffix("."), "\(spelling)")
      // Not even its beginning or end.
      #expect(!blanked.contains(spelling.prefix(6)) && !blanked.contains(spelling.suffix(6)), "\(spelling)")
    }
  }

  @Test("texts without the secret stay as they are") func untouched() {
    let blanking = Blanking()
    blanking.keepSecret(["hunter2", "Nü\\x", "abc"])
    for text in [
      "", "hunter", "hunter%32%20", "hunter3", "N\\u00fb\\\\x", "abc", "\\", "%", "%h", "\\u", "&#;", "aHVuZ2VyMg==",
    ] {
      let isChanged = text == "hunter%32%20"
      #expect((blanking.text(text) != text) == isChanged, "\(text)")
    }
  }

  @Test("many escapes without a secret among them are passed over in no more time than they need") func many() {
    let blanking = Blanking()
    blanking.keepSecret(["\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\x", "%25%25%25%25%25%25%25%25x"])
    let text = String(repeating: "\\", count: 300) + String(repeating: "%25", count: 300)
    #expect(blanking.text(text) == text)
  }

  @Test(
    "secrets with the same beginning are found, the longest first, however many there are", .timeLimit(.minutes(10)))
  func sameBeginning() {
    let beginning = "sk-live" + (0..<80).map { "/\($0)" }.joined() + "/"
    let blanking = Blanking()
    blanking.see((0..<4_000).map { "\(beginning)\(10_000 + $0)" } + [beginning])
    #expect(blanking.text("<\(beginning)12345>") == "<[blanked]>")
    #expect(blanking.text("<\(beginning)99999>") == "<[blanked]99999>")
    #expect(blanking.text("<\(PercentEncoding.encode(beginning))10001>") == "<[blanked]>")
    #expect(blanking.text("<\(beginning.dropLast())>") == "<\(beginning.dropLast())>")
    // Each secret is read once for each text, not once for each of the others.
    let text = String(repeating: "\(beginning.dropLast()) ", count: 20_000)
    #expect(blanking.text(text) == text)
  }

  @Test("what a request gives under a secret name is a secret in the response to it, too") func echoed() throws {
    let blanking = Blanking()
    let request = HTTPRequest(
      "POST", try RequestPath("todos"), headers: [("Authorization", "Bearer abcdefgh123")],
      body: Array(#"{"password":"Hünter/2345","n":1}"#.utf8), effect: .write)
    _ = blanking.request(request)
    #expect(blanking.text(#"H\u00fcnter\/2345"#) == "[blanked]")
    #expect(blanking.text("got abcdefgh123") == "got [blanked]")
    _ = blanking.header("Set-Cookie", "session=0123456789abcdef; Path=/; HttpOnly")
    #expect(blanking.text(#"{"id":"0123456789abcdef"}"#) == #"{"id":"[blanked]"}"#)
  }

  @Test("a secret in an address that a response has named is blanked by its name, and known from then on")
  func links() throws {
    let blanking = Blanking(names: ["api_key"])
    var request = HTTPRequest("GET", try RequestPath("things"), effect: .read)
    request.link = "http://h/things?api_key=s3cret%20key&page=2"
    #expect(blanking.target(request) == "http://h/things?api_key=[blanked]&page=2")
    #expect(blanking.text("the s3cret key") == "the [blanked]")
  }
}
