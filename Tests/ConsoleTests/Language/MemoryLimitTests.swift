import BackendKit
import CommandLanguage
import ConsoleSystem
import Testing

@Suite("Memory of a script's values") struct MemoryLimitTests {
  private static let large = Value.string(String(repeating: "x", count: 32 << 20))

  private static func scope(_ count: Int) throws -> Scope {
    var scope = Scope()
    for number in 1...count { try scope.assign("v\(number)", .value(large)) }
    return scope
  }

  @Test func `a value, all of them, and those in a command have a limit each`() throws {
    var scope = try Self.scope(7)
    #expect(throws: UsageError.self) { try scope.assign("w", .value(.array([Self.large, Self.large, Self.large]))) }
    #expect(throws: UsageError.self) { try scope.assign("w", .value(.array([Self.large]))) }
    try scope.assign("v1", .value(Self.large))
    try scope.assign("v1", .value(.null))
    try scope.assign("w", .value(Self.large))
    // A value that is restored after a loop counts again.
    let before = scope.binding(of: "w")
    try scope.assign("w", .value(.null))
    scope.restore("w", before)
    #expect(throws: UsageError.self) { try scope.assign("v1", .value(Self.large)) }
    scope.restore("w", nil)
    try scope.assign("v1", .value(Self.large))
  }

  @Test func `the values in a word and in a line are bounded, and other text is not`() throws {
    let scope = try Self.scope(1)
    let words = try LineLexer.words(in: "x \"$v1$v1\" \"$v1 y\"")
    #expect(try scope.resolved(words[0]).text == "x" && scope.resolved(words[2]).text.utf8.count == (32 << 20) + 2)
    #expect(try scope.resolved(words[1]).text.utf8.count == 64 << 20)
    let long = try LineLexer.words(in: "\" $v1$v1\"")
    #expect(throws: UsageError.self) { try scope.resolved(long[0]) }
    let many = try LineLexer.words(in: String(repeating: "\"$v1\" ", count: 9))
    #expect(throws: UsageError.self) { try scope.resolved(many) }
    #expect(try scope.resolved(Array(many.prefix(8))).count == 8)
  }
}
