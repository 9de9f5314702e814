import BackendKit
import ConsoleSystem
import Files
import Glibc

/// A private copy of a plan that its owner could change while it is applied. It has no name, and ends with the process.
enum PlanCopy {
  /// Copies a file whose SHA-256 is given. Throws if it has another one. Returns the descriptor of the copy.
  static func make(of file: Int32, _ path: String, _ sum: String, _ state: String?) throws(UsageError) -> Int32 {
    let copy: Int32
    do throws(FileFailure) {
      let made = try SpillFile.make(state: state, folder: "sorts")
      unlink(made.path)
      copy = made.descriptor
    } catch { throw UsageError("the plan \(path) cannot be copied: \(error.reason)") }
    do throws(UsageError) {
      let found = try read(file, path) { piece throws(UsageError) in
        do throws(FileFailure) { try OpenFile.write(piece, to: copy) } catch {
          throw UsageError("the plan \(path) cannot be copied: \(error.reason)")
        }
      }
      guard found == sum else {
        throw UsageError(
          "the plan \(path) is not used: its SHA-256 is \(found), not that of --digest",
          hint: "review it with plan show, and compare the digest with its author's")
      }
      lseek(copy, 0, SEEK_SET)
      return copy
    } catch {
      close(copy)
      throw error
    }
  }

  static func sum(of file: Int32, _ path: String) throws(UsageError) -> String { try read(file, path) { _ in } }

  /// Reads a file as long as it is now, however much is added meanwhile. Returns the SHA-256 of what was read.
  private static func read(
    _ file: Int32, _ path: String, take: ([UInt8]) throws(UsageError) -> Void
  ) throws(UsageError) -> String {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw UsageError("cannot read \(path): \(FileFailure.system.reason)") }
    var digest = SHA256()
    for place in stride(from: 0, to: status.st_size, by: 1 << 16) {
      let range = place..<min(status.st_size, place + (1 << 16))
      let piece: [UInt8]
      do throws(FileFailure) { piece = try OpenFile.bytes(range, of: file) } catch {
        throw UsageError("cannot read \(path): \(error.reason)")
      }
      guard piece.count == range.count else { throw UsageError("cannot read \(path): it was changed meanwhile") }
      digest.add(piece)
      try take(piece)
    }
    return digest.hex
  }
}
