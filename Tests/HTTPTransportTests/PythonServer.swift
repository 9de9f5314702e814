import Foundation
import TestSupport
import Testing

/// A service of `Server` as a process of its own.
final class PythonServer: Sendable {
  let address: String
  private let program: RunningProgram

  init(_ name: String) async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Server/\(name).py")
    program = try RunningProgram(["python3", file.path])
    let line = try await program.expect("\n")
    address = try #require(line.split(separator: " ").last).trimmingCharacters(in: .newlines)
  }
}
