import BackendKit

/// A backend that gives pages as they were written down, also such as no good server gives.
struct PagesBackend: Backend {
  struct Page {
    var ids: [String]
    var next: String?
    var total: Int?
  }

  /// The pages by their marks; "" is the mark of the first.
  let pages: [String: Page]
  let resources: [ResourceDescription]
  /// Resources that only a document describes.
  var outlined: OutlinedResources<ResourceDescription>?
  /// The accuracy with which it says that it checks conditions, which it ignores.
  var claimed = Fidelity.not

  init(
    pages: [String: Page], paging: Capabilities.Paging = .cursor, resources: [ResourceDescription]? = nil
  ) {
    self.pages = pages
    self.resources =
      resources
      ?? [
        ResourceDescription(
          name: "notes", identifier: IdentifierRule(form: .text),
          capabilities: Capabilities(operations: [.list], paging: paging))
      ]
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    var description = BackendDescription(resources: resources)
    description.outlined = outlined
    return description
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    QueryPlan(
      filters: query.filters.map { _ in claimed }, sort: query.sort.isEmpty ? .exact : .not,
      skip: query.skip == 0 ? .exact : .not, request: "LIST")
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    guard let page = pages[cursor?.text ?? ""] else {
      throw BackendError(.invalid, "there is no such page", effect: .rejected)
    }
    for (place, id) in page.ids.enumerated() {
      // The place tells two records of one identifier apart.
      let record = Record(id: RecordID(id), fields: Object([("id", .string(id)), ("place", .int(place))]))
      if try await sink.send([record]) == .enough { break }
    }
    return PageEnd(next: page.next.map { Cursor($0) }, total: page.total)
  }

  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    throw .unsupported("only lists")
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    throw .unsupported("only lists")
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    throw .unsupported("only lists")
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    throw .unsupported("only lists")
  }
}
