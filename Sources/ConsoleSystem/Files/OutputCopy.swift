import Files
import Glibc

/// A file that gets a copy of the output, without the colors.
package struct OutputCopy: Sendable {
  package let path: String
  private let descriptor: Int32
  /// The reason why writing ended.
  package private(set) var complaint: String?

  /// A copy that is appended to a file.
  package init(addingTo path: String) throws(UsageError) {
    try Restriction.current.check(file: path)
    self.path = path
    do { descriptor = try AddedFile.open(path, .named) } catch {
      throw UsageError("cannot write \(path): \(error.reason)")
    }
  }

  /// Appends text. The first failure ends the copy.
  package mutating func write(_ text: String) {
    guard complaint == nil else { return }
    do throws(FileFailure) { try OpenFile.write(Array(Self.plain(text).utf8), to: descriptor) } catch {
      complaint = "stopped writing to \(path): \(error.reason)"
    }
  }

  package func end() { close(descriptor) }

  /// A text without the sequences that set colors.
  package static func plain(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var result: [UInt8] = []
    var isSequence = false
    for byte in text.utf8 {
      if isSequence {
        isSequence = !(0x40...0x7E).contains(byte) || byte == UInt8(ascii: "[")
      } else if byte == 0x1B {
        isSequence = true
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
