import BackendKit

/// The rests of results that were longer than one answer, by cursor. The latest are kept.
struct AssistantPages {
  /// The rest of a result.
  struct Rest {
    /// Records that were read and not handed on yet, a line of JSON each.
    var lines: ArraySlice<Substring>
    /// The list with the position after these records; nil if none follow.
    var list: ListState?
    /// The number of records after these; nil if unknown.
    var after: Int?
  }

  /// The maximum size of the records of an answer, in bytes.
  static let size = 16 << 10
  private static let most = 16
  private var rests: [(cursor: String, rest: Rest)] = []

  /// The rest of a result; nil if it is not kept any more.
  func rest(_ cursor: String) -> Rest? { rests.last { $0.cursor == cursor }?.rest }

  /// Takes whole records from a result, and keeps what is left.
  mutating func answer(_ rest: Rest) -> Object {
    var rest = rest
    var (records, size) = ([Value](), 0)
    var answer = Object()
    while let line = rest.lines.first {
      let count = line.utf8.count
      if size + count > Self.size, !records.isEmpty { break }
      rest.lines.removeFirst()
      guard count <= Self.size, let record = try? JSONReader.read(String(line)) else {
        // It would take the place of everything else, and no cursor leads into a record.
        records.append(["tooLong": .int(count)])
        size += 20
        continue
      }
      size += count
      records.append(record)
    }
    answer["records"] = .array(records)
    guard !rest.lines.isEmpty || rest.list != nil else {
      if rest.after == nil { answer["left"] = "unknown" }
      return answer
    }
    answer["left"] = rest.after.map { .int($0 + rest.lines.count) } ?? "unknown"
    let cursor = RunID.make()
    rests.append((cursor, rest))
    if rests.count > Self.most { rests.removeFirst() }
    answer["cursor"] = .string(cursor)
    return answer
  }
}
