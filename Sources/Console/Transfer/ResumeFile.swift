import BackendKit
import Files
import Glibc
import Synchronization

/// What a transfer has created so far, row by row: where it is killed, the same command goes on from there.
///
/// It is in the user's state folder, for its owner alone, and holds digests of the rows and the identifiers that they got. It
/// survives the end of the process, not that of the machine.
final class ResumeFile: Sendable {
  /// What an earlier run has left.
  struct Past {
    /// How many rows of a content were created.
    var done: [String: Int] = [:]
    /// The identifiers of what was created.
    var ids: Set<String> = []
    /// How many rows of a content were sent, and nobody knows what became of them.
    var open: [String: Int] = [:]
    /// When the run last wrote, in seconds of the clock on the wall.
    var ended = 0

    var isEmpty: Bool { done.isEmpty && open.isEmpty }
  }

  let path: String
  private let descriptor: Mutex<Int32>

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = Mutex(descriptor)
  }

  deinit { descriptor.withLock { _ = close($0) } }

  /// The file of a command, and what it holds already. `identity` is all that makes two commands the same.
  static func open(
    state: String?, identity: [String], restarts: Bool
  ) throws(CommandFailure) -> (file: ResumeFile, past: Past) {
    do throws(FileFailure) {
      guard let state else { throw FileFailure.noStateFolder }
      let text = JSONWriter.compact(.array(identity.map { .string($0) }))
      let path = "\(state)/transfers/resume-\(SHA256.hex(Array(text.utf8)).prefix(32)).tsv"
      try OwnedFile.makeFolder(of: path)
      let descriptor = try AddedFile.open(path, .regular)
      // Two runs of one command at a time would each take the other's rows for its own past.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw FileFailure("another run of the same command is writing it")
      }
      if restarts { _ = ftruncate(descriptor, 0) }
      return (ResumeFile(path, descriptor), past(path, descriptor))
    } catch {
      throw CommandFailure(
        .configuration, "what a transfer has done cannot be kept: \(error.reason)", hint: "nothing was sent")
    }
  }

  private static func past(_ path: String, _ descriptor: Int32) -> Past {
    var past = Past()
    guard case .success(let file)? = OwnedFile.read(path, limit: 1 << 30) else { return past }
    for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count >= 2 else { continue }
      let row = parts[1]
      switch parts[0] {
      case "sent": past.open[row, default: 0] += 1
      case "done", "failed":
        past.open[row] = past.open[row].flatMap { $0 > 1 ? $0 - 1 : nil }
        guard parts[0] == "done" else { break }
        past.done[row, default: 0] += 1
        if parts.count == 3 { past.ids.insert(parts[2]) }
      default: break
      }
    }
    var status = stat()
    if fstat(descriptor, &status) == 0 { past.ended = status.st_mtim.tv_sec }
    return past
  }

  /// The content of a row as the file has it.
  static func digest(_ fields: Object) -> String {
    String(SHA256.hex(Array(JSONWriter.compact(.object(fields)).utf8)).prefix(32))
  }

  /// Writes that a row is about to be sent.
  func sending(_ row: String) throws(BackendError) {
    do { try add("sent\t\(row)") } catch {
      throw .misconfigured("\(path) cannot be written: \(error.reason)", hint: "nothing was sent")
    }
  }

  /// Writes that a row was created; a line that cannot be written leaves it to be looked for.
  func created(_ row: String, _ id: String?) { try? add("done\t\(row)\t\(id ?? "")") }

  /// Writes what is certain of a row that ended with an error; nothing where nobody knows.
  func note(_ row: String, _ effect: BackendError.Effect) {
    switch effect {
    case .notSent, .rejected: try? add("failed\t\(row)")
    case .applied: created(row, nil)
    case .unknown: break
    }
  }

  /// Takes the file away, once there is nothing left to go on with.
  func remove() { unlink(path) }

  private func add(_ line: String) throws(FileFailure) {
    let bytes = Array("\(line)\n".utf8)
    try descriptor.withLock { descriptor throws(FileFailure) in
      guard write(descriptor, bytes, bytes.count) == bytes.count else { throw .system }
    }
  }
}
