import BackendKit
import CommandLanguage
import ConsoleSystem
import Files
import Glibc
import Synchronization

/// Holds the records of a result that is used instead of shown.
///
/// The whole result is read before its first record is used: using one may move others between the pages of a list, and
/// a result that is cut short is not used at all. More than a thousand records, or 16 MiB, are in an unlinked file.
final class RowBuffer: Sendable {
  private struct State {
    var head: [Record] = []
    var headSize = 0
    var count = 0
    var file: Int32 = -1
    var pending: [UInt8] = []
    var complaint: String?
    /// The size of the records in the file, and of those being written, in bytes.
    var size = 0
    var isSingle = false
    var isUsed = false
  }

  private static let kept = 1000
  /// The maximum size of records in memory, in bytes.
  private static let keptBytes = 16 << 20
  private let state = Mutex(State())
  private let limit: Int
  private let folder: String

  /// Creates a buffer with a file in a folder. Its size is limited, since a list without an end would fill the disk.
  init(in folder: String, limit: Int = 1 << 30) { (self.folder, self.limit) = (folder, limit) }

  deinit {
    state.withLock { if $0.file >= 0 { close($0.file) } }
  }

  var count: Int { state.withLock { $0.count } }

  /// True if the result is a single record by nature.
  var isSingle: Bool { state.withLock { $0.isSingle } }

  /// True if a command has added records, or reported that there are none.
  var isUsed: Bool { state.withLock { $0.isUsed } }

  /// True if the limit is reached; later records are lost.
  var isFull: Bool { state.withLock { $0.complaint != nil } }

  func add(_ records: [Record], isSingle: Bool = false) {
    state.withLock { state in
      state.isUsed = true
      if isSingle { state.isSingle = true }
      state.count += records.count
      for record in records {
        // Records after the first in the file go there, too.
        if state.size == 0, state.head.count < Self.kept, state.headSize < Self.keptBytes {
          state.head.append(record)
          state.headSize += record.fields.roughSize
          continue
        }
        let line: Value = [
          "id": record.id.map { .string($0.text) } ?? .null, "fields": .object(record.fields),
          "revision": record.revision.map { .string($0) } ?? .null,
        ]
        let before = state.pending.count
        state.pending += JSONWriter.compact(line).utf8
        state.pending.append(0x0A)
        state.size += state.pending.count - before
        if state.size > limit {
          state.complaint = state.complaint ?? "the records take more than \(limit >> 20) MiB"
          state.pending = []
          return
        }
        if state.pending.count > 1 << 16 { drain(&state) }
      }
    }
  }

  /// The records as a result. Throws if they take more memory than a value may.
  func result() throws(CommandFailure) -> ScriptResult {
    guard state.withLock({ $0.size + $0.headSize }) <= MemoryLimit.one else {
      throw CommandFailure(
        .failure, "the result of \(counted(count, "record")) takes more than \(MemoryLimit.one >> 20) MiB",
        hint: "for NAME in (COMMAND) iterates over all; --limit asks for fewer")
    }
    var records: [Record] = []
    try forEach { record throws(CommandFailure) in
      records.append(record)
      return true
    }
    return .records(records, count: records.count, isSingle: isSingle)
  }

  /// Passes on the records in order until the body returns false.
  func forEach(_ body: (Record) throws(CommandFailure) -> Bool) throws(CommandFailure) {
    var reader = try Reader(self)
    while let record = try reader.next() {
      guard try body(record) else { return }
    }
  }

  struct Reader: ~Copyable {
    private let head: [Record]
    private let file: Int32
    private var at = 0
    private var offset: off_t = 0
    private var buffer: [UInt8] = []
    private var start = 0

    /// Creates a reader at the first record. Throws if records were lost.
    init(_ spool: RowBuffer) throws(CommandFailure) {
      let (head, file, complaint) = spool.state.withLock { state in
        spool.drain(&state)
        return (state.head, state.file, state.complaint)
      }
      if let complaint {
        throw CommandFailure(.failure, complaint, hint: "nothing was done with the records; --limit asks for fewer")
      }
      self.head = head
      self.file = file
    }

    mutating func next() throws(CommandFailure) -> Record? {
      if at < head.count {
        defer { at += 1 }
        return head[at]
      }
      guard file >= 0, let line = line() else { return nil }
      guard let value = try? JSONReader.read(line), case .object(let object) = value,
        case .object(let fields)? = object["fields"]
      else { throw CommandFailure(.failure, "a record stored in a temporary file cannot be read back") }
      return Record(
        id: object["id"]?.text.map { RecordID($0) }, fields: fields, revision: object["revision"]?.text)
    }

    private mutating func line() -> [UInt8]? {
      var searched = start
      while true {
        if let end = buffer[searched...].firstIndex(of: 0x0A) {
          defer { start = end + 1 }
          return Array(buffer[start..<end])
        }
        buffer.removeSubrange(..<start)
        start = 0
        searched = buffer.count
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(file, &piece, piece.count, offset)
        guard count > 0 else { return nil }
        offset += off_t(count)
        buffer += piece[..<count]
      }
    }
  }

  private func drain(_ state: inout State) {
    guard !state.pending.isEmpty, state.complaint == nil else { return }
    do throws(FileFailure) {
      if state.file < 0 {
        var path = Array((folder + "/switchboard-XXXXXX").utf8CString)
        state.file = mkstemp(&path)
        guard state.file >= 0 else { throw .system }
        unlink(path)
        _ = fcntl(state.file, F_SETFD, FD_CLOEXEC)
      }
      try OpenFile.write(state.pending, to: state.file)
    } catch {
      state.complaint = "the records of the list cannot be kept in a temporary file: \(error.reason)"
    }
    state.pending.removeAll(keepingCapacity: true)
  }
}
