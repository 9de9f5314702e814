import BackendKit
import Files

/// What a transfer has created so far, row by row: where it is killed, the same command goes on from there.
///
/// It is in the user's state folder and holds digests of the rows and the identifiers that they got.
final class ResumeFile: Sendable {
  /// What an earlier run has left.
  struct Past {
    /// How many rows with a mark were created.
    var done: [String: Int] = [:]
    /// The identifiers of what was created.
    var ids: Set<String> = []
    /// How many rows with a mark were sent, and nobody knows what became of them.
    var open: [String: Int] = [:]
    /// When the run last wrote, in seconds of the clock on the wall.
    var ended = 0

    var isEmpty: Bool { done.isEmpty && open.isEmpty }
  }

  private let lines: StateLines
  /// The name of the work that is gone on with: another each time that the command begins anew.
  private let work: String

  var path: String { lines.path }

  private init(_ lines: StateLines, _ work: String) {
    self.lines = lines
    self.work = work
  }

  /// The file of a command, and what it holds already. `identity` is all that makes two commands the same.
  static func open(
    state: String?, identity: [String], restarts: Bool
  ) throws(CommandFailure) -> (file: ResumeFile, past: Past) {
    do throws(FileFailure) {
      guard let state else { throw FileFailure.noStateFolder }
      let text = JSONWriter.compact(.array(identity.map { .string($0) }))
      let path = "\(state)/transfers/resume-\(SHA256.hex(Array(text.utf8)).prefix(32)).tsv"
      // Two runs of one command at a time would each take the other's rows for its own past.
      let lines = try StateLines(path, isAlone: true)
      if restarts { try lines.clear() }
      var (past, work) = (Past(), String?.none)
      past.ended = lines.changed
      for line in try StateLines.read(path) {
        let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if parts.count >= 2 { past.add(parts, &work) }
      }
      let name = work ?? RunID.make()
      if work == nil { try lines.add("work\t\(name)") }
      return (ResumeFile(lines, name), past)
    } catch {
      throw CommandFailure(
        .configuration, "what a transfer has done cannot be kept: \(error.reason)", hint: "nothing was sent")
    }
  }

  /// The mark of a row by its content. Where the service knows creations by a key, equal rows have to be told apart, too.
  static func mark(of step: TransferStore.Step, isKeyed: Bool) -> String {
    let digest = SHA256.hex(Array(JSONWriter.compact(.object(step.fields)).utf8)).prefix(32)
    return isKeyed ? "\(digest)-\(step.row)" : String(digest)
  }

  /// The key by which the service knows the creation of a row that is sent again.
  func key(of mark: String) -> String { String(SHA256.hex(Array("\(work)\n\(mark)".utf8)).prefix(32)) }

  /// Writes that a row is about to be sent.
  func sending(_ row: String) throws(BackendError) {
    do { try lines.add("sent\t\(row)") } catch {
      throw .misconfigured("\(path) cannot be written: \(error.reason)", hint: "nothing was sent")
    }
  }

  /// Writes that a row was created; a line that cannot be written leaves it to be looked for.
  func created(_ row: String, _ id: String?) { try? lines.add("done\t\(row)\t\(id ?? "")") }

  /// Writes what is certain of a row that ended with an error; nothing where nobody knows.
  func note(_ row: String, _ effect: BackendError.Effect) {
    switch effect {
    case .notSent, .rejected: try? lines.add("failed\t\(row)")
    case .applied: created(row, nil)
    case .unknown: break
    }
  }

  /// Takes the file away, once there is nothing left to go on with.
  func remove() { lines.remove() }
}

extension ResumeFile.Past {
  fileprivate mutating func add(_ parts: [String], _ work: inout String?) {
    let row = parts[1]
    switch parts[0] {
    case "work": work = row
    case "sent": open[row, default: 0] += 1
    case "done", "failed":
      open[row] = open[row].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard parts[0] == "done" else { break }
      done[row, default: 0] += 1
      if parts.count == 3 { ids.insert(parts[2]) }
    default: break
    }
  }
}
