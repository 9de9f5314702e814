import BackendConformance
import BackendKit
import Testing

@Suite("The reference keeps every law") struct ReferenceTests {
  @Test("with every operation and nothing paged", arguments: ConformanceSuite.laws)
  func plain(_ law: Law) async throws {
    try await ConformanceSuite(Reference(.all).subject()).check(law)
  }
}
