import BackendKit
import ConsoleSystem
import Synchronization

/// The rows of a file that a statement reads as a table. Unless they are few, they are in an unlinked file, so that
/// memory does not grow with their number.
final class TableSpool: Sendable {
  private struct State {
    var file: SpillFile?
    /// The rows after those in the file, as lines of JSON.
    var rest: [UInt8] = []
    /// The bytes written to the file, and those read back.
    var size = 0
    var place = 0
  }

  /// The number of bytes written and read at once.
  private static let block = 256 << 10

  private let folder: String?
  private let state = Mutex(State())

  /// Creates an empty spool, with its file below the user's state folder.
  init(state folder: String?) { self.folder = folder }

  func add(_ row: Object) throws(CommandFailure) {
    let folder = folder
    try state.withLock { state throws(CommandFailure) in
      JSONWriter.write(.object(row), to: &state.rest)
      state.rest.append(0x0A)
      guard state.rest.count >= Self.block else { return }
      guard let file = state.file ?? SpillFile(state: folder) else {
        throw CommandFailure(.configuration, "the rows of a table cannot be kept in the state folder")
      }
      state.file = file
      do throws(BackendError) { try file.append(state.rest) } catch {
        throw CommandFailure(
          .failure, "the rows of a table cannot be kept in the state folder", hint: "free space there")
      }
      state.size += state.rest.count
      state.rest.removeAll(keepingCapacity: true)
    }
  }

  func next() throws(BackendError) -> [Object]? {
    try state.withLock { state throws(BackendError) in
      var lines: [UInt8] = []
      while let file = state.file, state.place < state.size {
        let bytes = try file.read(min(Self.block, state.size - state.place), at: state.place)
        // The row truncated by the end of the block is read again with the next one.
        let whole = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        lines += bytes[..<whole]
        state.place += whole
        if lines.last == 0x0A { return try Self.rows(lines) }
      }
      lines = state.rest
      state.rest = []
      return lines.isEmpty ? nil : try Self.rows(lines)
    }
  }

  private static func rows(_ lines: [UInt8]) throws(BackendError) -> [Object] {
    var rows: [Object] = []
    for line in lines.split(separator: 0x0A) {
      guard let row = (try? JSONReader.read(line))?.object else {
        throw BackendError(.badResponse, "the rows of a table can no longer be read", effect: .notSent)
      }
      rows.append(row)
    }
    return rows
  }
}
