import BackendKit
@testable import Console

/// A recording: read or refused with a sentence; a run that asks for what it holds ends.
enum RecordingFuzz {
  private static let file = FuzzFile("recording")

  static func run(_ bytes: [UInt8]) {
    file.write(bytes)
    guard let replay = try? Replay(path: file.path, onCancelled: {}) else { return }
    _ = replay.complaint
    let request = RecordedExchange.Request(method: "GET", target: "todos", effect: .read)
    for backend in replay.backends { _ = try? replay.answer(request, to: backend) }
    _ = replay.complaint
  }
}
