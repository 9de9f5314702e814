/// Readers of text from outside, with the properties that hold for any bytes.
enum FuzzTarget: String, CaseIterable {
  /// Scripts: lines, words, statements, expressions.
  case language
  /// JSON in one piece and in two, and what is written of it.
  case json
  /// HTML to lines of text.
  case html
  /// A configuration file.
  case configuration
  /// A recording that is replayed.
  case recording

  /// Runs the target on one input.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .language: LanguageFuzz.run(bytes)
    case .json: JSONFuzz.run(bytes)
    case .html: HTMLFuzz.run(bytes)
    case .configuration: ConfigurationFuzz.run(bytes)
    case .recording: RecordingFuzz.run(bytes)
    }
  }
}
