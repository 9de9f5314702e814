import BackendConformance
import BackendKit
import Testing

@Suite("Facts that are only likely") struct LikelyFactsTests {
  /// Returns a law's report on a reference whose description is marked as likely or as certain.
  private func report(_ law: String, _ isLikely: Bool) async throws -> ConformanceReport {
    let subject = Reference(.all).subject { backend, _ in Guessed(inner: backend, isLikely: isLikely) }
    return await ConformanceSuite(subject).run([try #require(ConformanceSuite.law(named: law))])
  }

  @Test("demand no refusal, and those that are proved do", arguments: ["read-only fields", "maximum length"])
  func refusals(_ law: String) async throws {
    #expect(try await report(law, true).isPassed)
    #expect(try await !report(law, false).isPassed)
  }
}

/// A backend whose description wrongly says that `body` is read-only, and how long `title` may be.
private struct Guessed: ForwardingBackend {
  let inner: any Backend
  let isLikely: Bool

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    var description = try await inner.describe(depth)
    for place in description.resources.indices {
      for field in description.resources[place].fields.indices {
        guess(&description.resources[place].fields[field])
      }
    }
    return description
  }

  private func guess(_ field: inout FieldDescription) {
    switch field.name {
    case "body": field.isReadOnly = true
    case "title": field.maximumLength = 60
    default: return
    }
    field.likely = isLikely ? [.readOnly, .maximumLength] : []
  }
}
