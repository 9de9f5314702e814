import BackendKit

/// Numbers in a response that may say how many records there are.
enum Totals {
  /// A place and the number there.
  struct Candidate {
    /// The keys of the description that lead to it.
    let location: Object
    let count: Int
    let rank: Int
  }

  private static let headers = [
    "X-Total-Count", "X-Total", "Total-Objects", "Total-Records", "X-WP-Total", "X-Pagination-Total-Count", "Total",
    "Total-Count",
  ]
  /// Header fields that hold a document.
  private static let documents = ["X-Pagination", "Pagination", "X-Paging"]
  /// Names in small letters, without what separates words; of two, the one of the filtered list counts.
  private static let names = [
    "filtercount", "filteredcount", "recordsfiltered", "total", "totalresults", "totalcount", "count", "totalitems",
    "totalelements", "totalrecords", "@odata.count", "items", "filteredtablerowscount", "results", "recordstotal",
    "totalsize",
  ]

  private static func plain(_ name: String) -> String {
    ListShape.plainName(name).filter { $0 != "_" && $0 != "-" }
  }

  /// The places, the most telling first.
  static func candidates(_ answer: Answer, _ rows: [String]) -> [Candidate] {
    var found: [Candidate] = []
    for (rank, name) in headers.enumerated() {
      if let count = answer.header(name).flatMap({ Int($0) }), count >= 0 {
        found.append(Candidate(location: Object([("header", .string(name))]), count: count, rank: rank))
      }
    }
    if let range = answer.header("Content-Range"), let count = range.split(separator: "/").last.flatMap({ Int($0) }) {
      found.append(Candidate(location: Object([("header", "Content-Range")]), count: count, rank: 0))
    }
    for header in documents {
      guard let text = answer.header(header), let members = (try? JSONReader.read(Array(text.utf8)))?.object else {
        continue
      }
      for (name, value) in members.members {
        guard let count = value.integer, count >= 0, let rank = names.firstIndex(of: plain(name)) else { continue }
        let location = Object([("header", .string(header)), ("member", .string(name))])
        found.append(Candidate(location: location, count: count, rank: rank + 10))
      }
    }
    for (members, value) in ListShape.siblings(of: rows, in: answer.document) {
      guard let count = value.integer, count >= 0, let last = members.last,
        let rank = names.firstIndex(of: plain(last))
      else { continue }
      let location = Object([("member", .string(members.joined(separator: ".")))])
      found.append(Candidate(location: location, count: count, rank: rank + 10))
    }
    return found.sorted { $0.rank < $1.rank }
  }
}
