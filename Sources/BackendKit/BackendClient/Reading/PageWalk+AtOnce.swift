import BackendKit

extension PageWalk {
  private struct Page: Sendable {
    var records: [Record]
    var end: PageEnd
  }

  /// Returns whether the places of the pages after one can be computed: it is full, and the total is known.
  func isComputable(behind end: PageEnd) -> Bool {
    jobs > 1 && request.limit == nil && cursor != nil && passedOver == 0 && end.pageSize == nil && end.total != nil
  }

  /// Reads the pages behind so many records, several at once, into a channel in their order. Returns whether the list
  /// continues in sequence: behind the last of them, or behind one that is not where it was expected.
  func fillAtOnce(_ channel: PageChannel, behind first: Int, of total: Int) async throws(BackendError) -> Bool {
    guard let size = query.pageSize, size > 0, first < total else { return true }
    let count = (total - first - 1) / size + 1
    let (backend, query, jobs) = (backend, query, jobs)
    return try await withTaskGroup(of: (Int, Result<Page, BackendError>).self) { group -> Result<Bool, BackendError> in
      defer { group.cancelAll() }
      var (begun, reported) = (0, 0)
      var waiting: [Int: Result<Page, BackendError>] = [:]
      while reported < count {
        while begun < count, begun - reported < jobs {
          let place = begun
          group.addTask { (place, await Self.page(query, behind: first + place * size, of: backend)) }
          begun += 1
        }
        guard let result = waiting.removeValue(forKey: reported) else {
          guard let (place, result) = await group.next() else { return .success(true) }
          waiting[place] = result
          continue
        }
        switch result {
        case .failure(let error): return .failure(error)
        case .success(let page):
          guard await tell(page, to: channel) else { return .success(false) }
          if page.records.count != size || page.end.pageSize != nil { return .success(true) }
        }
        reported += 1
      }
      return .success(true)
    }.get()
  }

  private nonisolated static func page(
    _ query: ListQuery, behind count: Int, of backend: any Backend
  ) async -> Result<Page, BackendError> {
    var query = query
    query.skip = count
    let page = BufferedPage()
    do throws(BackendError) {
      let end = try await backend.list(query, at: nil, to: page.sink)
      return .success(Page(records: await page.records, end: end))
    } catch { return .failure(error) }
  }

  /// Passes a page on; returns whether the list continues behind it.
  private func tell(_ page: Page, to channel: PageChannel) async -> Bool {
    _ = await channel.put(.beginning(Beginning(cursor: cursor, size: query.pageSize)))
    var rest = page.records[...]
    while !rest.isEmpty, await channel.put(.records(Array(rest.prefix(500)))) { rest = rest.dropFirst(500) }
    count(page.records)
    let ending = ending(page.end)
    cursor = page.end.next
    return await channel.put(.ending(ending)) && cursor != nil && !ending.isCircle
  }
}
