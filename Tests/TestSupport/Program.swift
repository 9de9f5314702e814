/// Another program, run to its end.
public enum Program {
  /// Runs a program found on the path and returns what it printed; throws where it did not end with status 0.
  @discardableResult
  public static func run(_ words: String..., in folder: String? = nil) throws -> String {
    try run(words, in: folder)
  }

  /// Runs a program found on the path and returns what it printed; throws where it did not end with status 0.
  ///
  /// The time allowed is that of a build.
  @discardableResult
  public static func run(
    _ words: [String], in folder: String? = nil, timeout: Duration = .seconds(1200)
  ) throws -> String {
    let ending = try RunningProgram(words, in: folder).waitForEnd(timeout: timeout)
    guard ending.status == 0 else {
      throw Spawn.Failure(
        "\(words.joined(separator: " ")) ended with \(ending.status)\n\(ending.output)\(ending.errors)")
    }
    return ending.output
  }
}
