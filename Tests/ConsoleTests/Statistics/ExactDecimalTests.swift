import BackendKit
import Testing

@testable import CommandLanguage

@Suite("Exact decimal")
struct ExactDecimalTests {
  private func sum(_ texts: [String]) -> ExactDecimal? {
    var sum = ExactDecimal()
    for text in texts {
      guard let number = Number(text), let decimal = ExactDecimal(number), sum.add(decimal) else { return nil }
    }
    return sum
  }

  @Test(
    "Sums are exact, or there is none",
    arguments: [
      (["0.1", "0.2"], "0.3"), (["1.10", "-0.1"], "1"), ([], "0"), (["-0"], "0"), (["1e2", "2.5E-1"], "100.25"),
      (["9007199254740993", "1"], "9007199254740994"), (["-0.05"], "-0.05"), (["12e-1"], "1.2"),
      (["99999999999999999999999999999999999999", "1"], "100000000000000000000000000000000000000"),
      (["170141183460469231731687303715884105727", "1"], nil), (["1e400"], nil), (["1e-400"], nil),
      (["1e37", "0.001"], nil),
    ] as [([String], String?)])
  func sums(texts: [String], expected: String?) {
    #expect(sum(texts)?.number.text == expected)
  }

  @Test(
    "Quotients have three digits more, the last one rounded",
    arguments: [("10", 4, "2.5"), ("2", 3, "0.667"), ("-2", 3, "-0.667"), ("1.00", 3, "0.33333"), ("0", 7, "0")])
  func quotients(text: String, count: Int, expected: String) {
    #expect(sum([text])?.divided(by: count)?.number.text == expected)
    #expect(sum([text])?.divided(by: 0) == nil)
  }
}
