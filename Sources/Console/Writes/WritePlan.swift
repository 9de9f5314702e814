import BackendClient
import BackendKit

/// All that a command does to a backend's records, agreed to at once.
struct WritePlan {
  /// The writes of one resource.
  struct Part {
    let place: WritePlace
    /// The number of writes of each verb.
    let counts: [(verb: String, count: Int)]
    /// Facts that only their source knows, for example `5 unchanged`.
    var remarks: [String] = []
    /// The sentence about the records that the server deletes with those of the part.
    var others: String?
    /// True if each record is read again before it is written.
    var isRechecked = false
    /// True if the records come from a list, and others may have changed them since.
    var isListed = false
    /// The write with a number, from 0.
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

    /// Writes that are in memory.
    init(_ place: WritePlace, _ writes: [PlannedWrite]) {
      let counts = writes.reduce(into: [:]) { $0[$1.write.verb, default: 0] += 1 }
      self.init(place, counts: Self.ordered(counts)) { writes[$0] }
    }

    /// The number of writes of each verb in the order in which they are told.
    static func ordered(_ counts: [String: Int]) -> [(verb: String, count: Int)] {
      let rest = counts.filter { !verbs.contains($0.key) }.reduce(0) { $0 + $1.value }
      return verbs.map { ($0, counts[$0] ?? 0) } + [("call", rest)]
    }

    private static let verbs = ["create", "update", "delete"]

    /// All of them.
    func writes() throws -> [PlannedWrite] { try (0..<count).map(write) }
  }

  /// The setting for showing the plan without a question or a dry run.
  enum Showing {
    case never
    /// At a terminal.
    case atTerminal
    case always
  }

  static let usuallyShown = 5

  var parts: [Part]
  var question: WriteQuestion
  /// The sentence about where the writes come from, if there is more to say than their target.
  var headline: String?
  var showing = Showing.never
  /// The number of writes of a part that are shown; nil for all.
  var shown: Int? = usuallyShown
  /// True if a dry run reads the records as the run would.
  var looksFirst = false

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

/// A question before writes are sent.
struct WriteQuestion {
  /// The question without its end, for example `Update 12 records of js/todos`.
  let text: String
  /// True if the words of the command name the written records: in production a plain yes is enough then, otherwise the
  /// number of writes is the answer.
  var isOfWords = true
  /// True if it is always asked, and not only in production.
  var isAlways = false
  /// The message if the answer is no.
  var refused = "nothing was changed"
  /// True if it names all records that the server deletes with those of the plan, or there are none; otherwise the plan does.
  var namesOthers = false
  /// The number of records if one request writes several; nil if each write is of one record.
  var records: Int?
  /// True if requests were sent for the question.
  var hasRead = false
  /// The offer to do something before answering; nil for none.
  var offer: Offer?

  /// Something that a person may do before the answer: the question is asked again after it.
  struct Offer {
    /// The answer that takes it, of which the first letter is enough.
    let name: String
    let take: () async throws -> Void
  }

  init(_ text: String) { self.text = text }

  /// A question that is asked in any case.
  static func always(_ text: String, refused: String) -> WriteQuestion {
    var question = WriteQuestion(text)
    (question.isAlways, question.refused) = (true, refused)
    return question
  }

  /// A question about writes that the command found, and does not name.
  static func found(_ text: String, isAlways: Bool = true, refused: String = "nothing was changed") -> WriteQuestion {
    var question = WriteQuestion(text)
    (question.isOfWords, question.isAlways, question.refused, question.hasRead) = (false, isAlways, refused, true)
    return question
  }
}
