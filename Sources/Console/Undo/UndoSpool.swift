import BackendClient
import BackendKit
import ConsoleSystem
import Synchronization

/// The requests and reports of an undo's steps, in an unlinked file instead of memory.
final class UndoSpool: Sendable {
  struct Line: Sendable {
    fileprivate var offset = 0
    fileprivate var length = 0
  }

  struct Stored {
    var write: Write?
    var record: Record?
    var expected = Object()
    var remarks: [String] = []
  }

  private let file: SpillFile
  private let end = Mutex(0)

  init(state: String?) throws(CommandFailure) {
    guard let file = SpillFile(state: state) else {
      throw CommandFailure(.configuration, "the undo plan cannot be stored; nothing was sent")
    }
    self.file = file
  }

  func add(_ step: UndoStep, images: JournalImages?) throws(CommandFailure) -> Line {
    let image = step.record.flatMap { images?.image($0) } ?? JournalImage(Object())
    let write = step.write.map { Value.object(PlanEntry($0, before: image).line) }
    let object = Object(facts: [
      ("write", write), ("record", step.record == nil ? nil : image.object),
      ("expected", step.expected.isEmpty ? nil : step.expected), ("remarks", step.remarks),
    ])
    var bytes: [UInt8] = []
    JSONWriter.write(.object(object), to: &bytes)
    do throws(BackendError) { try file.append(bytes) } catch { throw CommandFailure(any: error) }
    let begin = end.withLock { end in
      defer { end += bytes.count }
      return end
    }
    return Line(offset: begin, length: bytes.count)
  }

  func stored(at line: Line) throws(CommandFailure) -> Stored {
    let bytes: [UInt8]
    do throws(BackendError) { bytes = try file.read(line.length, at: line.offset) } catch {
      throw CommandFailure(any: error)
    }
    guard let object = (try? JSONReader.read(input: bytes[...]))?.object else {
      throw CommandFailure(.failure, "the undo plan can no longer be read")
    }
    var stored = Stored()
    stored.expected = object["expected"]?.object ?? Object()
    stored.remarks = (object["remarks"]?.array ?? []).compactMap(\.text)
    if let line = object["write"]?.object {
      do throws(PlanMistake) { stored.write = try PlanEntry(line).write } catch {
        throw CommandFailure(.failure, "the undo plan cannot be read: \(error.reason)")
      }
    }
    if let image = object["record"]?.object.map({ JournalImage($0) }) {
      var record = Record(id: stored.write?.id, fields: image.fields)
      record.unloaded = image.gaps + image.unloaded
      stored.record = record
    }
    return stored
  }
}
