import BackendClient
import BackendKit

/// All that a command does to a backend's records, agreed to at once.
struct WritePlan {
  /// The writes of one resource.
  struct Part {
    let place: WritePlace
    /// How many there are of each verb.
    let counts: [(verb: String, count: Int)]
    /// Facts that only their source knows, for example `5 unchanged`.
    var remarks: [String] = []
    /// Whether each record is read again before it is written.
    var isRechecked = false
    /// Whether a list has shown the records, which others may have changed since.
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
      let counts = Self.verbs.map { verb in (verb, writes.count { $0.write.verb == verb }) }
      let rest = writes.count - counts.reduce(0) { $0 + $1.1 }
      self.init(place, counts: counts + [("call", rest)]) { writes[$0] }
    }

    private static let verbs = ["create", "update", "delete"]

    /// All of them.
    func writes() throws -> [PlannedWrite] { try (0..<count).map(write) }
  }

  /// When the plan is shown although it is neither asked about nor a dry run.
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
  /// How many writes of a part are shown; nil for all.
  var shown: Int? = usuallyShown
  /// Whether a dry run looks at the records as the run would.
  var looksFirst = false

  var count: Int { parts.reduce(0) { $0 + $1.count } }
  var targets: [Target] { parts.map(\.target) }
  /// Whether one of the writes deletes records whose number is not known.
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

/// What is asked before writes are sent.
struct WriteQuestion {
  /// The question without its end, for example `Update 12 records of js/todos`.
  let text: String
  /// Whether the words of the command name what is written: in production a plain yes is enough then, otherwise the number of writes is
  /// the answer.
  var isOfWords = true
  /// Whether it is asked in any case, and not only in production.
  var isAlways = false
  /// What is said if the answer is no.
  var refused = "nothing was changed"
  /// Whether it names all records that the server deletes with those of the plan, or there are none.
  var namesOthers = false
  /// How many records are written where one request writes several; nil if each write is of one record.
  var records: Int?
  /// Whether requests were sent for the question.
  var hasRead = false
  /// What may be done before it is answered; nil for nothing.
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
