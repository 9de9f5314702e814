/// The replacements that the Tab key offers for the text before the cursor.
public struct CommandCompletion: Sendable, Hashable {
  /// A possible continuation.
  public struct Candidate: Sendable, Hashable {
    /// The replacement of the part being completed.
    public var text: String
    /// The text inserted after it if it is the only candidate.
    public var suffix: String
    /// A one-line explanation; nil if the text is clear.
    public var note: String?
    /// The whole word that results, without quotes: shells add their own.
    var word = ""
  }

  /// The start of the completed part, which ends at the cursor, in Unicode scalars from the start of the line.
  public var start: Int
  /// The candidates in display order.
  public var candidates: [Candidate]
  /// True if there may be more candidates, so that nothing may be inserted.
  public var isPartial = false
  /// True if a running request will reveal more.
  public var isPending = false

  init(start: Int, candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }
}
