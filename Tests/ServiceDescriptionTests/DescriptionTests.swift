import BackendKit
import Testing

@testable import ServiceDescription

@Suite struct DescriptionTests {
  private func service(_ text: String) throws -> Service {
    try Description(reading: Array(text.utf8), file: "api.yaml").service()
  }

  @Test func `a resource takes the name for its path unless another one is given`() throws {
    let service = try service(
      """
      paths: {collection: "api/{resource}"}
      resources:
        todos: {}
        users: {paths: {collection: people}}
        root: {paths: {collection: /}}
      others: {}
      """)
    #expect(service.resources.map(\.path.description) == ["api/todos", "people", ""])
    #expect(service.others?.path.description == "api")
  }

  @Test func `what is said for all resources counts for each, unless it says otherwise`() throws {
    let service = try service(
      """
      page: {style: number, parameter: page, first: 0}
      size: {parameter: size, default: 20}
      update: {clear: "null"}
      resources:
        todos: {size: {default: 50}}
        users: {page: {style: offset, parameter: offset}}
        logs: {update: null, page: {first: 1}}
      """)
    let paging = service.resources.map(\.paging)
    #expect(paging.map(\.defaultSize) == [50, 20, 20])
    #expect(paging.map(\.size) == ["size", "size", "size"])
    #expect(paging[0].number?.first == 0 && paging[1].number == nil && paging[1].offset == "offset")
    #expect(paging[2].number?.first == 1)
    #expect(service.resources.map { $0.updating != nil } == [true, true, false])
  }
}
