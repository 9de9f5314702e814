import BackendConformance
import BackendKit

/// A backend that hands on what another gives, in batches of at most so many records.
struct BatchedBackend: ForwardingBackend {
  let inner: any Backend
  let size: Int

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let size = size
    return try await inner.list(
      query, at: cursor,
      to: RecordSink { records throws(BackendError) in
        var rest = records[...]
        while !rest.isEmpty {
          if try await sink.send(Array(rest.prefix(size))) == .enough { return .enough }
          rest = rest.dropFirst(size)
        }
        return .more
      })
  }
}
