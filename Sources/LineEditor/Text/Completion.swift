/// A replacement for the text before the cursor that the Tab key offers.
public struct Completion: Sendable, Equatable {
  /// One possible continuation.
  public struct Candidate: Sendable, Equatable {
    /// The text that replaces the part being completed.
    public var text: String
    /// The text that follows if this is the only candidate, usually a space.
    public var suffix: String
    /// A note shown next to the text when the candidates are listed.
    public var note: String?

    /// Makes a candidate.
    public init(_ text: String, suffix: String = " ", note: String? = nil) {
      self.text = text
      self.suffix = suffix
      self.note = note
    }
  }

  /// The start of the part being completed, in Unicode scalars from the start of the line; it ends at the cursor.
  public var start: Int
  /// The possible continuations, in the order in which they are listed.
  public var candidates: [Candidate]
  /// True if there may be more candidates: the known ones are then listed, but none is inserted.
  public var isPartial: Bool
  /// True if the same request will have a better answer soon.
  public var isPending: Bool

  /// Makes a completion.
  public init(start: Int, candidates: [Candidate], isPartial: Bool = false, isPending: Bool = false) {
    self.start = start
    self.candidates = candidates
    self.isPartial = isPartial
    self.isPending = isPending
  }
}

/// Answers the Tab key: gets the line and the cursor, counted in Unicode scalars.
///
/// Runs on the editor's own thread, blocking further typing.
public typealias Completer = @Sendable (_ line: String, _ cursor: Int) -> Completion
