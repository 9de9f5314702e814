import BackendKit
import Testing

@Suite("Texts that are the same by their bytes alone") struct ExactTextTests {
  private let one = "\u{E9}"
  private let two = "e\u{301}"

  @Test("two spellings of a character are two keys")
  func keys() {
    #expect(one == two)
    #expect(Set([one, two, one].map { ExactText($0) }).count == 2)
    #expect(Set([one, two, one].map { FieldPath($0) }).count == 2)
    #expect(Set([one, two, one].map { ResourcePath(name: $0) }).count == 2)
    #expect(Set([one, two, one].map { Operand.word($0) }).count == 2)
    #expect(Operand.word(one) != .value(.string(one)))
  }
}
