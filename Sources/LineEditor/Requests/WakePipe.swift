internal import CLibedit
internal import Glibc

/// A pipe that ends a wait from any thread or signal handler.
final class WakePipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws(LineEditorError) {
    var ends: [Int32] = [-1, -1]
    guard le_pipe(&ends) else { throw .unavailable("cannot create a pipe (error \(errno))") }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    _ = Glibc.close(readEnd)
    _ = Glibc.close(writeEnd)
  }

  func wake() {
    // A full pipe wakes as well.
    var byte: UInt8 = 0
    _ = Glibc.write(writeEnd, &byte, 1)
  }

  /// Consumes all wake-ups so far.
  func drain() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while Glibc.read(readEnd, &bytes, bytes.count) > 0 {}
  }
}
