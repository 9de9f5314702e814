import BackendKit
import ServiceDescription

extension TrialRecord {
  /// Finds the marked record in the list, by a condition if one works. If it is not found, it may still exist.
  func search() async throws(BackendError) -> Object? {
    guard let marked = made?.mark ?? sought else { return nil }
    open = marked
    let row = try await row(with: marked)
    open = nil
    return row
  }

  private func row(with marked: (name: String, text: String)) async throws(BackendError) -> Object? {
    prober.forget()
    for (list, query, pages) in lists(marked) {
      hasSeenAll = false
      var cursor: Cursor?
      for _ in 0..<pages {
        guard let page = try await list.page(query, at: cursor), let rows = page.rows else { break }
        if let row = rows.first(where: { isMarked(survey.fields(of: $0)) }) {
          guard let identifier = survey.identifier, let id = RecordID(identifier.value(of: row)) else {
            leftover = "a record of \(survey.name) with \(marked.name)=\(marked.text)"
            return nil
          }
          take(id, identifier, survey.fields(of: row))
          made?.sight()
          leftover = nil
          return row
        }
        guard let next = page.end?.next else {
          hasSeenAll = survey.claims[.pageStyle] != nil
          break
        }
        cursor = next
      }
    }
    leftover = "possibly a record of \(survey.name) with \(marked.name)=\(marked.text), which was not found in the list"
    return nil
  }

  /// The lists to search with their number of pages: filtered by the marker, newest first, last page, all.
  private func lists(_ marked: (name: String, text: String)) -> [(ProposedBackend, ListQuery, pages: Int)] {
    let list = survey.proposing([])
    let size = survey.claims[.sizeMaximum] ?? survey.claims[.sizeDefault]
    let all = ListQuery(survey.path, pageSize: size)
    var lists: [(ProposedBackend, ListQuery, pages: Int)] = []
    if let filter = survey.equality {
      let query = ListQuery(survey.path, filters: [filter.condition(marked.name, .string(marked.text))])
      lists.append((survey.proposing([filter.facts([marked.name])]), query, 1))
    }
    if let field = survey.identifier?.field, !field.isEmpty, survey.claims[.sortParameter] != nil {
      var newest = all
      (newest.sort, newest.serverOrder) = ([SortKey(FieldPath(field), isDescending: true)], true)
      lists.append((list, newest, 1))
    }
    if let total = survey.total, let size {
      var last = all
      last.skip = total / size * size
      lists.append((list, last, 1))
    }
    return lists + [(list, all, 5)]
  }

  /// The field and text by which to recognize the record that was last sent.
  var sought: (name: String, text: String)? { mark(in: latest) }

  /// The field with the marker, and what was sent there: the marked field, the record's name, or any other.
  func mark(in fields: Object) -> (name: String, text: String)? {
    let first = [marked?.name].compactMap(\.self) + named.names.reversed() + (survey.identifier?.fields ?? [])
    for name in first + fields.names {
      if let value = fields[name], let text = value.text, marker.isIn(value) { return (name, text) }
    }
    return nil
  }
}
