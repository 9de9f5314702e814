import Foundation

/// Another program, run to its end.
public enum Program {
  /// What a program that failed had to say.
  public struct Failure: Error, CustomStringConvertible {
    /// The program's words and output.
    public let description: String
  }

  /// Runs a program found on the path and returns what it printed; throws where it did not end with status 0.
  @discardableResult
  public static func run(_ words: String..., in folder: String? = nil) throws -> String {
    try run(words, in: folder)
  }

  /// Runs a program found on the path and returns what it printed; throws where it did not end with status 0.
  @discardableResult
  public static func run(_ words: [String], in folder: String? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(description: words.joined(separator: " ") + "\n" + text)
    }
    return text
  }
}
