import BackendKit
import ConsoleSystem
import Files
import Synchronization

/// Rows that a transfer has sent, each with its outcome: a run that is killed or cut off is continued from it by the same command.
///
/// It is in the user's state folder and holds digests of the rows, the identifiers that they got and the numbers of their journal entries.
/// A row belongs to the input that it was read from, of which the file holds a digest: a command may have begun with several.
final class ResumeFile: WriteMarks {
  private let lines: AppendOnlyStateFile
  /// The digest of what the run reads.
  let input: String
  /// A name of the work; a run that begins anew chooses another.
  private let work: String
  /// True if rows of other inputs are in the file.
  private let hasOthers: Bool
  /// True if the identifiers of records are secrets, which the file does not hold.
  private let hidesIdentifiers: Bool
  /// Keys of rows that were sent for another input, by their marks.
  private let keys = Mutex<[String: String]>([:])
  /// Rows of other inputs that were matched with rows of this one, and whether their outcome was unknown.
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

  /// Finds the file of a command, and all that it holds; no other run of the command uses it at the same time. `identity` is what makes
  /// two commands the same, and `input` a digest of what this one reads, empty for a source that is not a file. With `restarts` it is
  /// emptied.
  static func find(
    state: String?, identity: [String], input: String, restarts: Bool
  ) throws(CommandFailure) -> Found {
    let found: Found
    do throws(FileFailure) {
      guard let state else { throw FileFailure.noStateFolder }
      let path = path(in: state, identity)
      // Two runs of one command at a time would each take the other's rows for those of its own past.
      let lines = try AppendOnlyStateFile(path, isAlone: true)
      found = Found(
        lines: lines, input: input, past: Past(lines: try AppendOnlyStateFile.read(path), ended: lines.changed))
    } catch { throw failure(error) }
    return try restarts || found.past.isOver ? found.cleared() : found.settled()
  }

  /// Every row that the file of a command holds; none if there is no file. The file stays as it is.
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

  /// The mark of a row by its content, in whatever order a service sends its members. If the service knows creations by
  /// a key, equal rows have to be told apart, too. Fields that are others in each run do not count.
  static func mark(of step: TransferStore.Step, without passing: Set<String>, isKeyed: Bool) -> String {
    let fields = passing.isEmpty ? step.fields : Object(step.fields.members.filter { !passing.contains($0.0) })
    return mark(fields.ordered(by: fields.names.sorted()), step.row, isKeyed: isKeyed)
  }

  /// The marks under which a file may have a row: its own, and those of versions in which the order of the fields counted, which
  /// was that of the input or of the description.
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

  /// The key by which the service knows the creation of a row that is sent again.
  func key(of mark: String) -> String {
    keys.withLock { $0[mark] } ?? Self.key(of: mark, in: work)
  }

  /// Has a row sent under the key that an equal row of another input was sent under.
  func reuse(_ work: String?, _ other: String, for mark: String) {
    guard let work else { return }
    keys.withLock { $0[mark] = Self.key(of: other, in: work) }
  }

  private static func key(of mark: String, in work: String) -> String {
    String(SHA256.hex(Array("\(work)\n\(mark)".utf8)).prefix(32))
  }

  // MARK: Writing

  /// A row that is being sent.
  private final class Sending: WriteMark {
    private let file: ResumeFile
    private let mark: String
    /// The number of its entry in the journal, once the row is about to leave; nil inside if it has none.
    private let entry = Mutex<Int64??>(nil)

    fileprivate init(_ file: ResumeFile, _ mark: String) {
      self.file = file
      self.mark = mark
    }

    /// Writes that the row is about to leave, with the number of its entry in the journal.
    func leave(_ number: Int64?) throws(BackendError) {
      let text = "sent\t\(mark)\t\(ResumeFile.text(number))"
      do { try file.lines.add(text) } catch {
        throw .misconfigured("\(file.path) cannot be written: \(error.reason)")
      }
      entry.withLock { $0 = .some(number) }
    }

    func wasDone() { file.created(mark, nil, nil) }

    /// Writes the outcome; nothing if it is unknown, or if the row has not left.
    func end(_ result: Result<WriteReceipt, BackendError>) {
      guard let number = entry.withLock({ $0 }) else { return }
      switch result {
      case .success(let receipt): file.created(mark, receipt.id?.text, number)
      case .failure(let error): file.note(mark, error, number)
      }
    }
  }

  /// Forgets every row, also of other inputs, for a run that begins anew.
  func restarted(run: String) throws(CommandFailure) -> ResumeFile {
    let found = Found(lines: lines, input: input, past: Past())
    return try found.cleared().begin(continuing: false, hidesIdentifiers: hidesIdentifiers, run: run).file
  }

  func row(_ name: String) -> any WriteMark { Sending(self, name) }

  /// Writes that a row was created; a row whose line cannot be written is looked for by the next run.
  func created(_ mark: String, _ id: String?, _ entry: Int64?) {
    let id = hidesIdentifiers ? nil : id
    try? lines.add("done\t\(mark)\t\(id.map(\.lineField) ?? "")\t\(Self.text(entry))")
  }

  /// Writes that a row was not created.
  func failed(_ mark: String, _ entry: Int64?) { try? lines.add("failed\t\(mark)\t\t\(Self.text(entry))") }

  /// Writes what an error proves of a row. An unknown outcome proves nothing, but from then on a late request is waited for.
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

  /// Remembers that a row of an earlier run is one of this input.
  func match(_ row: Past.Row, isOpen: Bool) {
    if row.input != input { matched.withLock { $0.append((row, isOpen)) } }
  }

  /// Writes that all rows of the input are there. Those of another input stay, unless all of them were matched with rows of this one.
  /// The rows go only when the process ends and has said that it was done: after one that ended in another way, the same command finds
  /// them written.
  func finish() throws(CommandFailure) {
    do throws(FileFailure) {
      var news: [String] = []
      var over: [String] = []
      if hasOthers {
        let past = Past(lines: try AppendOnlyStateFile.read(path), ended: 0)
        let matched = matched.withLock { $0 }
        // Every row of this input is there now, so those of others with the same content are, too.
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
  /// A file of a command that is open, before it is decided which of its rows count.
  struct Found {
    fileprivate let lines: AppendOnlyStateFile
    fileprivate let input: String
    /// Every row of it.
    let past: Past

    /// The rows of earlier runs with other inputs, which this input does not continue yet; nil if there are none, or if rows of this
    /// input are there, too.
    var others: Past? {
      guard past.inputs[input].map({ $0.rows == 0 && $0.continued.isEmpty }) ?? true else { return nil }
      let others = past.only { $0 != input }
      return others.isEmpty ? nil : others
    }

    /// Begins a run: returns the file for it and the rows that count as its past. `continuing` takes those of other inputs for its own;
    /// with `isSole` the end of the run forgets them.
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

    /// Forgets the rows of inputs that this process, or another one that still runs, has finished.
    fileprivate func settled() throws(CommandFailure) -> Found {
      let over = past.over.sorted()
      guard !over.isEmpty else { return self }
      do throws(FileFailure) { try lines.add((["forgotten"] + over).joined(separator: "\t")) } catch {
        throw ResumeFile.failure(error)
      }
      return Found(lines: lines, input: input, past: past.unfinished)
    }

    /// Forgets every row.
    func cleared() throws(CommandFailure) -> Found {
      do throws(FileFailure) { try lines.clear() } catch { throw ResumeFile.failure(error) }
      return Found(lines: lines, input: input, past: Past(lines: [], ended: 0))
    }
  }
}

/// Files of transfers that this process has finished. They go once it has told so for good: when it ends with a status of its own, or at
/// the next prompt.
public enum FinishedTransfers {
  private static let paths = Mutex<Set<String>>([])

  fileprivate static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Keeps the rows, for a run that does not end as one that was done: the same command then finds them written.
  static func keep() { paths.withLock { $0 = [] } }

  /// Deletes the rows, but for those in files that another run has begun to use. To be called when the exit status is decided.
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
