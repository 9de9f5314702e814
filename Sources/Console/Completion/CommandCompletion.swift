/// What the Tab key can put in place of the text before the cursor.
public struct CommandCompletion: Sendable, Hashable {
  /// One possible continuation.
  public struct Candidate: Sendable, Hashable {
    /// The text that replaces the part being completed.
    public var text: String
    /// What follows it once it is the only candidate.
    public var suffix: String
    /// What it means, in one line; nil where the text says it.
    public var note: String?
    /// The whole word that it makes of the one at the cursor, as it is meant and not as it is written: for a shell, which has
    /// quotes of its own.
    var word = ""
  }

  /// Where the part being completed starts, in Unicode scalars from the start of the line; it ends at the cursor.
  public var start: Int
  /// The possible continuations, in the order in which they are to be listed.
  public var candidates: [Candidate]
  /// Whether more may be possible than is known, so that nothing is to be inserted.
  public var isPartial = false
  /// Whether more will be known in a moment: a server is being asked.
  public var isPending = false

  init(start: Int, candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }
}
