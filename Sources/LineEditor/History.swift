internal import Synchronization

/// The lines entered so far, shared by the threads that add and the one that recalls.
final class History: Sendable {
  private struct Contents {
    var entries: [String]
    var file: HistoryFile?
    var warning: String?
  }

  private let limit: Int
  private let contents: Mutex<Contents>

  /// Loads the file, if one is named; one that cannot be used leaves a warning.
  init(path: String?, limit: Int) {
    self.limit = max(0, limit)
    let file = limit > 0 ? path.map(HistoryFile.init(path:)) : nil
    do throws(HistoryFile.Failure) {
      contents = Mutex(Contents(entries: try file?.load(limit: limit) ?? [], file: file))
    } catch {
      contents = Mutex(Contents(entries: [], warning: error.sentence))
    }
  }

  var warning: String? { contents.withLock { $0.warning } }
  var entries: [String] { contents.withLock { $0.entries } }

  /// Keeps a line; false for one that is empty, begins with a space or repeats the one before.
  @discardableResult
  func add(_ line: String) -> Bool {
    contents.withLock { contents in
      guard limit > 0, !line.isEmpty, line.first != " ", line != contents.entries.last else { return false }
      contents.entries.append(line)
      if contents.entries.count > limit { contents.entries.removeFirst(contents.entries.count - limit) }
      do throws(HistoryFile.Failure) {
        try contents.file?.append(line)
      } catch {
        // Said once; trying again at every line would say the same.
        contents.file = nil
        contents.warning = error.sentence
      }
      return true
    }
  }
}
