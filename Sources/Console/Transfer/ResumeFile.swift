import BackendKit
import ConsoleSystem
import Files
import Synchronization

/// The rows that a transfer has sent, with their outcomes: if it is killed or cut short, the same command resumes it.
///
/// The file is in the user's state folder. It has digests of the rows, the identifiers of their records, and the
/// numbers of their journal entries. Each row belongs to the input it was read from, identified by a digest, since a
/// command may have begun with several.
final class ResumeFile: WriteMarks {
  private let lines: AppendOnlyStateFile
  let input: String
  /// The name of the work, which changes when a run starts over.
  private let work: String
  private let hasOthers: Bool
  /// True if identifiers of records are secret, and therefore not in the file.
  private let hidesIdentifiers: Bool
  /// Keys of rows that were sent for another input, by their marks.
  private let keys = Mutex<[String: String]>([:])
  /// Rows of other inputs that match rows of this one, and whether their outcome was unknown.
  private let matched = Mutex<[(row: Past.Row, isOpen: Bool)]>([])

  var path: String { lines.path }

  fileprivate init(
    _ lines: AppendOnlyStateFile, input: String, work: String, hasOthers: Bool, hidesIdentifiers: Bool
  ) {
    self.lines = lines
    self.input = input
    self.work = work
    self.hasOthers = hasOthers
    self.hidesIdentifiers = hidesIdentifiers
  }

  /// Finds the file of a command, for this run alone. `identity` is what makes two commands the same; `input` is the
  /// digest of the input, empty if the source is not a file. `restarts` discards its rows.
  static func find(
    state: String?, identity: [String], input: String, restarts: Bool
  ) throws(CommandFailure) -> Found {
    let found: Found
    do throws(FileFailure) {
      guard let state else { throw FileFailure.noStateFolder }
      let path = path(in: state, identity)
      // Concurrent runs of one command would take each other's rows for those of their own past.
      let lines = try AppendOnlyStateFile(path, isAlone: true)
      found = Found(
        lines: lines, input: input, past: Past(lines: try AppendOnlyStateFile.read(path), ended: lines.changed))
    } catch { throw failure(error) }
    return try restarts || found.past.isOver ? found.cleared() : found.settled()
  }

  /// Reads the rows in the file of a command without changing it; none if there is no file.
  static func past(state: String?, identity: [String]) throws(CommandFailure) -> Past {
    guard let state else { return Past() }
    let path = path(in: state, identity)
    do throws(FileFailure) {
      return Past(lines: try AppendOnlyStateFile.read(path), ended: 0).unfinished
    } catch { throw failure(error) }
  }

  private static func path(in state: String, _ identity: [String]) -> String {
    let text = JSONWriter.compact(.array(identity.map { .string($0) }))
    return "\(state)/transfers/resume-\(SHA256.hex(Array(text.utf8)).prefix(32)).tsv"
  }

  fileprivate static func failure(_ error: FileFailure) -> CommandFailure {
    CommandFailure(.configuration, "cannot keep the state of the transfer: \(error.reason); nothing was sent")
  }

  /// The mark of a row by its content, independent of the order of members. If the service recognizes creations by a
  /// key, the marks of equal rows differ. Fields that differ in each run are ignored.
  static func mark(of step: TransferStore.Step, without passing: Set<String>, isKeyed: Bool) -> String {
    let fields = passing.isEmpty ? step.fields : Object(step.fields.members.filter { !passing.contains($0.0) })
    return mark(fields.ordered(by: fields.names.sorted()), step.row, isKeyed: isKeyed)
  }

  /// The marks that a row may have in a file: the present one, and those of versions that depended on the order of
  /// fields in the input or the description.
  static func marks(
    of step: TransferStore.Step, without passing: Set<String>, isKeyed: Bool, described names: [String]
  ) -> [String] {
    [mark(of: step, without: passing, isKeyed: isKeyed)]
      + [step.fields, step.fields.ordered(by: names)].map { mark($0, step.row, isKeyed: isKeyed) }
  }

  private static func mark(_ fields: Object, _ row: Int64, isKeyed: Bool) -> String {
    let digest = SHA256.hex(Array(JSONWriter.compact(.object(fields)).utf8)).prefix(32)
    return isKeyed ? "\(digest)-\(row)" : String(digest)
  }

  /// The key by which the service recognizes a repeated creation.
  func key(of mark: String) -> String {
    keys.withLock { $0[mark] } ?? Self.key(of: mark, in: work)
  }

  /// Makes a row use the key of an equal row that was sent for another input.
  func reuse(_ work: String?, _ other: String, for mark: String) {
    guard let work else { return }
    keys.withLock { $0[mark] = Self.key(of: other, in: work) }
  }

  private static func key(of mark: String, in work: String) -> String {
    String(SHA256.hex(Array("\(work)\n\(mark)".utf8)).prefix(32))
  }

  // MARK: Writing

  private final class Sending: WriteMark {
    private let file: ResumeFile
    private let mark: String
    /// The number of its journal entry, once the row is about to be sent; the inner value is nil without an entry.
    private let entry = Mutex<Int64??>(nil)

    fileprivate init(_ file: ResumeFile, _ mark: String) {
      self.file = file
      self.mark = mark
    }

    /// Records that the row is about to be sent, with the number of its journal entry.
    func leave(_ number: Int64?) throws(BackendError) {
      let text = "sent\t\(mark)\t\(ResumeFile.text(number))"
      do { try file.lines.add(text) } catch {
        throw .misconfigured("\(file.path) cannot be written: \(error.reason)")
      }
      entry.withLock { $0 = .some(number) }
    }

    func wasDone() { file.created(mark, nil, nil) }

    /// Records the outcome, unless it is unknown or the row was not sent.
    func end(_ result: Result<WriteReceipt, BackendError>) {
      guard let number = entry.withLock({ $0 }) else { return }
      switch result {
      case .success(let receipt): file.created(mark, receipt.id?.text, number)
      case .failure(let error): file.note(mark, error, number)
      }
    }
  }

  /// Discards all rows, also of other inputs, for a run that starts over.
  func restarted(run: String) throws(CommandFailure) -> ResumeFile {
    let found = Found(lines: lines, input: input, past: Past())
    return try found.cleared().begin(continuing: false, hidesIdentifiers: hidesIdentifiers, run: run).file
  }

  func row(_ name: String) -> any WriteMark { Sending(self, name) }

  /// Records that a row was created. If that fails, the next run searches for its record.
  func created(_ mark: String, _ id: String?, _ entry: Int64?) {
    let id = hidesIdentifiers ? nil : id
    try? lines.add("done\t\(mark)\t\(id.map(\.lineField) ?? "")\t\(Self.text(entry))")
  }

  func failed(_ mark: String, _ entry: Int64?) { try? lines.add("failed\t\(mark)\t\t\(Self.text(entry))") }

  /// Records what an error proves about a row. An unknown outcome proves nothing, but starts the time to wait for late
  /// requests.
  private func note(_ mark: String, _ error: BackendError, _ entry: Int64?) {
    switch error.effect {
    case .notSent, .rejected: failed(mark, entry)
    case .applied: created(mark, nil, entry)
    case .unknown: try? lines.add("\(error.isDeferred ? "accepted" : "unknown")\t\(mark)")
    }
  }

  /// The line with which this process finishes inputs; none stands for all.
  fileprivate static func finishedLine(_ inputs: [String]) -> String {
    (["finished", JournalProcess.own] + inputs).joined(separator: "\t")
  }

  fileprivate static func text(_ entry: Int64?) -> String { entry.map { String($0) } ?? "" }

  /// Notes that a row of an earlier run is one of this input.
  func match(_ row: Past.Row, isOpen: Bool) {
    if row.input != input { matched.withLock { $0.append((row, isOpen)) } }
  }

  /// Records that all rows of the input are written. Rows of other inputs stay, unless all of them match rows of this
  /// one. The rows are only deleted once the process has reported success and exits: otherwise the same command finds
  /// them.
  func finish() throws(CommandFailure) {
    do throws(FileFailure) {
      var news: [String] = []
      var over: [String] = []
      if hasOthers {
        let past = Past(lines: try AppendOnlyStateFile.read(path), ended: 0)
        let matched = matched.withLock { $0 }
        // All rows of this input exist now, and so do those of others with the same content.
        for (row, isOpen) in matched where isOpen {
          news += ["input\t\(row.input)", "done\t\(row.mark)\t\t\(Self.text(row.entry))"]
        }
        over = [input]
        for (other, facts) in past.inputs where facts.rows == matched.count(where: { $0.row.input == other }) {
          over.append(other)
        }
      }
      news.append(Self.finishedLine(over))
      try lines.add(news.joined(separator: "\n"))
    } catch {
      throw CommandFailure(.configuration, "all rows were written, but \(path) cannot be updated: \(error.reason)")
    }
    FinishedTransfers.add(path)
  }
}

extension ResumeFile {
  /// The open file of a command, before it is decided which of its rows count.
  struct Found {
    fileprivate let lines: AppendOnlyStateFile
    fileprivate let input: String
    let past: Past

    /// The rows of earlier runs with other inputs that this one does not continue yet; nil if there are none, or this
    /// input has rows, too.
    var others: Past? {
      guard past.inputs[input].map({ $0.rows == 0 && $0.continued.isEmpty }) ?? true else { return nil }
      let others = past.only { $0 != input }
      return others.isEmpty ? nil : others
    }

    /// Begins a run. Returns the file for it, and the rows of its past. `continuing` includes those of other inputs;
    /// `isSole` discards these at the end of the run.
    func begin(
      continuing: Bool, isSole: Bool = false, hidesIdentifiers: Bool, run: String
    ) throws(CommandFailure) -> (file: ResumeFile, past: Past) {
      let own = past.inputs[input]
      var continued = own?.continued ?? []
      if continuing { continued.formUnion(past.inputs.keys.filter { $0 != input }) }
      let work = own?.work ?? RunID.make()
      do throws(FileFailure) {
        let news = ["input\t\(input)", "work\t\(work)", "run\t\(run)"] + continued.sorted().map { "continues\t\($0)" }
        try lines.add(news.joined(separator: "\n"))
      } catch {
        throw ResumeFile.failure(error)
      }
      let hasOthers = !isSole && past.inputs.keys.contains { $0 != input }
      return (
        ResumeFile(
          lines, input: input, work: work, hasOthers: hasOthers, hidesIdentifiers: hidesIdentifiers),
        past.only { $0 == input || continued.contains($0) }
      )
    }

    /// Discards the rows of inputs finished by running processes.
    fileprivate func settled() throws(CommandFailure) -> Found {
      let over = past.over.sorted()
      guard !over.isEmpty else { return self }
      do throws(FileFailure) { try lines.add((["forgotten"] + over).joined(separator: "\t")) } catch {
        throw ResumeFile.failure(error)
      }
      return Found(lines: lines, input: input, past: past.unfinished)
    }

    func cleared() throws(CommandFailure) -> Found {
      do throws(FileFailure) { try lines.clear() } catch { throw ResumeFile.failure(error) }
      return Found(lines: lines, input: input, past: Past(lines: [], ended: 0))
    }
  }
}

/// The files of transfers finished by this process. They are deleted once it has reported success: at its exit, or at
/// the next prompt.
public enum FinishedTransfers {
  private static let paths = Mutex<Set<String>>([])

  fileprivate static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Keeps the rows, for a run that does not end in success: the same command then finds them written.
  static func keep() { paths.withLock { $0 = [] } }

  /// Deletes the rows, except in files that another run has begun to use. Call it when the exit status is decided.
  public static func forget() {
    let paths = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in paths {
      guard let file = try? AppendOnlyStateFile(path, isAlone: true), let lines = try? AppendOnlyStateFile.read(path)
      else { continue }
      // The usual end: all rows of the file are over, whatever they are.
      guard lines.last.map({ $0 != ResumeFile.finishedLine([]) }) ?? true else {
        file.remove()
        continue
      }
      let past = ResumeFile.Past(lines: lines, ended: 0)
      guard past.finishedBy == JournalProcess.own else { continue }
      let rest = past.unfinished
      if rest.isEmpty { file.remove() } else { try? file.replace(with: rest.lines) }
    }
  }
}
