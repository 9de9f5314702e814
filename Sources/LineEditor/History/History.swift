internal import Synchronization

/// The lines entered so far, shared by the threads that add and the one that recalls.
///
/// Each line occurs once, at its newest place, and keeps its number while it stays there.
final class History: Sendable {
  struct Entry: Equatable {
    var number: Int
    var text: String
  }

  private struct Contents {
    var entries: [Entry] = []
    var texts: [String] = []
    var next = 1
    var file: HistoryFile?
    var warning: String?

    mutating func append(_ text: String) {
      if let old = texts.lastIndex(of: text) {
        entries.remove(at: old)
        texts.remove(at: old)
      }
      entries.append(Entry(number: next, text: text))
      texts.append(text)
      next += 1
    }

    /// Reported once, since later lines would fail in the same way.
    mutating func giveUp(_ failure: HistoryFile.Failure) {
      file = nil
      warning = failure.sentence
    }
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  /// Loads the file, if one is named; one that cannot be used leaves a warning.
  init(path: String?, limit: Int) {
    self.limit = max(0, limit)
    guard limit > 0, let file = path.map(HistoryFile.init(path:)) else { return }
    contents.withLock { contents in
      contents.file = file
      do throws(HistoryFile.Failure) {
        for text in try file.load(limit: limit) {
          contents.entries.append(Entry(number: contents.next, text: text))
          contents.texts.append(text)
          contents.next += 1
        }
      } catch {
        contents.giveUp(error)
      }
    }
  }

  var warning: String? { contents.withLock { $0.warning } }
  var entries: [String] { contents.withLock { $0.texts } }
  var numbered: [Entry] { contents.withLock { $0.entries } }

  /// Adds a line; false for one that is empty, begins with a space or repeats the previous one.
  @discardableResult
  func add(_ line: String) -> Bool {
    contents.withLock { contents in
      guard limit > 0, !line.isEmpty, line.first != " ", line != contents.texts.last else { return false }
      contents.append(line)
      let excess = contents.entries.count - limit
      if excess > 0 {
        contents.entries.removeFirst(excess)
        contents.texts.removeFirst(excess)
      }
      do throws(HistoryFile.Failure) { try contents.file?.append(line) } catch { contents.giveUp(error) }
      return true
    }
  }

  /// Deletes all lines, also from the file. Throws a sentence if the file keeps them.
  func clear() throws(HistoryFile.Failure) {
    let failure: HistoryFile.Failure? = contents.withLock { contents in
      contents.entries = []
      contents.texts = []
      do throws(HistoryFile.Failure) { try contents.file?.clear() } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }
}
