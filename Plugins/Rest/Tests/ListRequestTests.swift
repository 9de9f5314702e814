import BackendKit
import ServiceDescription
import Testing

/// Tests of the list requests in descriptions.
@Suite("Descriptions of lists by POST") struct DescribedListRequestTests {
  @Test func `a description says it, and a list by POST has to be trusted`() throws {
    let text = "resources:\n  runs:\n    listRequest: {method: POST, path: filter, in: body, members: {kind: x}}\n"
    let error = #expect(throws: Mistakes.self) {
      try Description(reading: Array(text.utf8), file: "d.yaml").service()
    }
    #expect(error?.description.contains("counts as a read only in a trusted configuration") == true, "\(error as Any)")
    var source = DescriptionSource(backend: "b", file: .init(name: "d.yaml", bytes: Array(text.utf8)), changes: nil) {
      _, _ throws(BackendError) in throw .misconfigured("no hooks")
    }
    source.isTrusted = true
    let listing = try Description(source).service().resources.first?.listing
    #expect(listing?.method == "POST" && listing?.carrier == .body && listing?.path == ["filter"])
  }
}
