/// A replacement for the text before the cursor that the Tab key offers.
public struct CommandCompletion: Sendable, Hashable {
  /// One possible continuation.
  public struct Candidate: Sendable, Hashable {
    /// The text that replaces the part being completed.
    public var text: String
    /// The text that follows it if it is the only candidate.
    public var suffix: String
    /// Its meaning, in one line; nil if the text is clear.
    public var note: String?
    /// The whole word that it makes of the one at the cursor, as it is meant and not as it is written: for a shell, which has
    /// quotes of its own.
    var word = ""
  }

  /// The start of the part being completed, in Unicode scalars from the start of the line; it ends at the cursor.
  public var start: Int
  /// The possible continuations, in the order in which they are to be listed.
  public var candidates: [Candidate]
  /// True if more candidates may exist than are known, so that nothing is to be inserted.
  public var isPartial = false
  /// True if more will be known in a moment: a request to a server is running.
  public var isPending = false

  init(start: Int, candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }
}
