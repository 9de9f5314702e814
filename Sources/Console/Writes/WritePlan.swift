import BackendClient
import BackendKit

/// All writes of a command, which are confirmed together.
struct WritePlan {
  struct Part {
    let place: WritePlace
    let counts: [(verb: String, count: Int)]
    /// Facts that only the source knows, for example `5 unchanged`.
    var remarks: [String] = []
    /// The sentence about the records that the server also deletes.
    var others: String?
    var isRechecked = false
    /// True if the records come from a list, and may have changed since.
    var isListed = false
    /// The write with an index, from 0.
    var write: (Int) throws -> PlannedWrite

    var count: Int { counts.reduce(0) { $0 + $1.count } }
    var deletes: Bool { counts.contains { $0.verb == "delete" } }
    var target: Target { place.target }

    init(
      _ place: WritePlace, counts: [(verb: String, count: Int)], write: @escaping (Int) throws -> PlannedWrite
    ) {
      self.place = place
      self.counts = counts.filter { $0.count > 0 }
      self.write = write
    }

    init(_ place: WritePlace, _ writes: [PlannedWrite]) {
      let counts = writes.reduce(into: [:]) { $0[$1.write.verb, default: 0] += 1 }
      self.init(place, counts: Self.ordered(counts)) { writes[$0] }
    }

    /// The number of writes by verb, in display order.
    static func ordered(_ counts: [String: Int]) -> [(verb: String, count: Int)] {
      let rest = counts.filter { !verbs.contains($0.key) }.reduce(0) { $0 + $1.value }
      return verbs.map { ($0, counts[$0] ?? 0) } + [("call", rest)]
    }

    private static let verbs = ["create", "update", "delete"]

    func writes() throws -> [PlannedWrite] { try (0..<count).map(write) }
  }

  /// The occasions to show the plan without a question or a dry run.
  enum Showing {
    case never
    case atTerminal
    case always
  }

  static let usuallyShown = 5

  var parts: [Part]
  var question: WriteQuestion
  /// The sentence about the origin of the writes, if the target does not say it all.
  var headline: String?
  var showing = Showing.never
  /// The number of writes shown of a part; nil for all.
  var shown: Int? = usuallyShown
  /// True if a dry run reads the records as the run would, and compares them with the plan.
  var comparesRecords = false

  var count: Int { parts.reduce(0) { $0 + $1.count } }
  var targets: [Target] { parts.map(\.target) }
  /// True if one of the writes deletes an unknown number of records.
  var deletesAll: Bool {
    get throws {
      try parts.contains { part in
        guard part.count == 1, part.deletes, case .delete(_, .all, _) = try part.write(0).write else { return false }
        return true
      }
    }
  }

  init(_ parts: [Part], _ question: WriteQuestion) {
    self.parts = parts
    self.question = question
  }
}

struct WriteQuestion {
  /// The question without its end, for example `Update 12 records of js/todos`.
  let text: String
  /// True if the command's words name the written records: in production yes is then enough, otherwise the answer is
  /// the number of writes.
  var isOfWords = true
  /// True if it is asked outside of production, too.
  var isAlways = false
  /// True if the answer is the number of writes outside of production, too.
  var takesNumber = false
  var refused = "nothing was changed"
  /// True if it names all records that the server also deletes, or there are none; otherwise the plan does.
  var namesOthers = false
  /// The number of records if one request writes several; nil if each write is of one record.
  var records: Int?
  var hasRead = false
  var offer: Offer?

  /// Something to do before answering, after which the question is repeated.
  struct Offer {
    /// The answer that accepts it; its first letter is enough.
    let name: String
    let take: () async throws -> Void
  }

  init(_ text: String) { self.text = text }

  static func always(_ text: String, refused: String) -> WriteQuestion {
    var question = WriteQuestion(text)
    (question.isAlways, question.refused) = (true, refused)
    return question
  }

  /// A question about writes that the command has found, rather than named.
  static func found(_ text: String, isAlways: Bool = true, refused: String = "nothing was changed") -> WriteQuestion {
    var question = WriteQuestion(text)
    (question.isOfWords, question.isAlways, question.refused, question.hasRead) = (false, isAlways, refused, true)
    return question
  }
}
