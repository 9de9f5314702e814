import BackendKit
import Testing

@testable import SQL

/// The values of conditions, as services are asked for them.
@Suite struct SQLArgumentTests {
  @Test(arguments: [SQLArgument.text("21"), .text("21.0"), .text("2.1e1"), .real(21), .integer(21)])
  func `a whole number is spelled without a fraction`(argument: SQLArgument) {
    #expect(argument.number(asInteger: false)?.text == "21")
  }

  @Test func `other numbers keep theirs, and what is no number has none`() {
    #expect(SQLArgument.text("2.50").number(asInteger: false)?.text == "2.5")
    #expect(SQLArgument.real(0.1).number(asInteger: false)?.text == "0.1")
    #expect(SQLArgument.text("x").number(asInteger: false) == nil)
    #expect(SQLArgument.real(9_007_199_254_740_992).number(asInteger: false) == nil)
  }
}
