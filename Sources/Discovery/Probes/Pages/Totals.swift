import BackendClient
import BackendKit
import ServiceDescription

/// Numbers in a response that may be the total.
enum Totals {
  struct Candidate {
    /// The keys of a description for the place.
    let location: Object
    let count: Int
    let rank: Int
    /// True if its name suggests a count beyond the records of a page.
    let saysTotal: Bool

    fileprivate init(_ location: [(String, Value)], _ count: Int, rank: Int, name: String) {
      (self.location, self.count, self.rank) = (Object(location), count, rank)
      let name = Totals.plain(name)
      saysTotal = ["total", "filter", "@odata.count", "contentrange"].contains { name.contains(text: $0) }
    }
  }

  private static let headers = [
    "X-Total-Count", "X-Total", "Total-Objects", "Total-Records", "X-WP-Total", "X-Pagination-Total-Count", "Total",
    "Total-Count",
  ]
  /// Header fields that contain JSON.
  private static let documents = ["X-Pagination", "Pagination", "X-Paging"]
  /// Names in lowercase without separators. A count of the filtered list precedes that of all records.
  static let names = [
    "filtercount", "filteredcount", "recordsfiltered", "total", "totalresults", "totalcount", "count", "totalitems",
    "totalelements", "totalrecords", "@odata.count", "items", "filteredtablerowscount", "results", "recordstotal",
    "totalsize", "totalentries", "totalrows", "numbermatched", "nummatched", "matched", "found", "hits",
  ]
  /// Parts of names of numbers that count something else, or nothing.
  private static let others = [
    "page", "limit", "offset", "size", "start", "skip", "first", "last", "next", "prev", "return", "per", "time",
    "took", "version", "status", "code", "id",
  ]

  static func plain(_ name: String) -> String {
    ListShape.plainName(name).filter { $0 != "_" && $0 != "-" }
  }

  /// The candidates, the most telling first; with `withAny`, also numbers with any other name, which prove nothing by
  /// themselves.
  static func candidates(_ answer: ProbeResponse, _ rows: [String], withAny: Bool = false) -> [Candidate] {
    var found: [Candidate] = []
    for (rank, name) in headers.enumerated() {
      if let count = answer.header(name).flatMap({ Int($0) }), count >= 0 {
        found.append(Candidate([("header", .string(name))], count, rank: rank, name: name))
      }
    }
    if let range = answer.header("Content-Range"), let count = range.split(separator: "/").last.flatMap({ Int($0) }) {
      found.append(Candidate([("header", "Content-Range")], count, rank: 0, name: "Content-Range"))
    }
    for header in documents {
      guard let text = answer.header(header), let members = (try? JSONReader.read(Array(text.utf8)))?.object else {
        continue
      }
      for (name, value) in members.members {
        guard let count = value.integer, count >= 0, let rank = names.firstIndex(of: plain(name)) else { continue }
        let location: [(String, Value)] = [("header", .string(header)), ("member", .string(name))]
        found.append(Candidate(location, count, rank: rank + 10, name: name))
      }
    }
    for (members, value) in ListShape.siblings(of: rows, in: answer.document) {
      guard let count = value.integer, count >= 0, let last = members.last else { continue }
      let name = plain(last)
      let isOther = withAny && !others.contains { name.contains(text: $0) }
      guard let rank = names.firstIndex(of: name) ?? (isOther ? names.count : nil) else { continue }
      let location: [(String, Value)] = [("member", .string(members.joined(separator: ".")))]
      found.append(Candidate(location, count, rank: rank + 10, name: last))
    }
    return found.sorted { $0.rank < $1.rank }
  }
}

extension Totals {
  /// The number at a known place, however it is requested; nil if the response has none there.
  static func count(at location: Object, in answer: ProbeResponse, _ rows: [String]) -> Int? {
    let place = Object(location.members.filter { !["parameters", "head"].contains($0.0) })
    return candidates(answer, rows, withAny: true).first { $0.location == place }?.count
  }
}

extension ResourceSurvey {
  /// Compares the total of a short page of matching records with that of the whole list: if they are equal, the total
  /// ignores conditions.
  func compareTotal(_ rows: [Object], _ answer: ProbeResponse) {
    guard let location = claims[.total], location["head"] == nil, let first, let path = shape?.path,
      let all = self.rows(of: first), rows.count < all.count,
      let total = Totals.count(at: location, in: answer, path), total > rows.count,
      total == self.total ?? Totals.count(at: location, in: first, path)
    else { return }
    prove(
      .totalIgnoresConditions, true,
      answer.evidence("\(counted(rows.count, "record")), and the total of the whole list"))
  }

  /// The certainty that a number counts all records instead of those in its page: proved if a tested preset declares
  /// it, or it was seen above the number of records in a page; likely if its name suggests it, and it is not a usual
  /// page size.
  func grade(ofTotal candidate: Totals.Candidate, besides other: ProbeResponse? = nil) -> SurveyClaim.Grade? {
    let isDeclared = dialect.declaresTotal(at: candidate.location)
    if isDeclared, dialect.isRun { return .proved }
    let path = shape?.path ?? []
    let isAbove = [first, few, other].compactMap(\.self).contains { answer in
      guard let rows = self.rows(of: answer) else { return false }
      return Totals.candidates(answer, path, withAny: true).contains { found in
        found.location == candidate.location && found.count > rows.count
      }
    }
    if isAbove { return .proved }
    if isDeclared { return .likely }
    return candidate.saysTotal && !EndProof.isUsualPage(candidate.count) ? .likely : nil
  }
}
