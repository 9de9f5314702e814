internal import Glibc

/// The use of a file by programs, as the system reports it: nothing is missed, however short it was.
public final class FileWatch: Sendable {
  /// The kind of use.
  public enum Use: Sendable { case opened, closed }

  private let descriptor: Int32

  /// Begins to watch a file that is there.
  public init(_ path: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE)) >= 0 else {
      throw Spawn.Failure("\(path) cannot be watched: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Waits until somebody has opened or closed it since the watch began.
  public func wait(for use: Use, timeout: Duration = .seconds(180)) async throws {
    try await blocking { [descriptor] in
      let wanted = UInt32(use == .opened ? IN_OPEN : IN_CLOSE)
      var events = [UInt8](repeating: 0, count: 4096)
      while true {
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&place, 1, Int32(timeout.components.seconds) * 1000) == 1 else {
          throw Spawn.Failure("the file was not \(use) in \(timeout)")
        }
        let count = read(descriptor, &events, events.count)
        // A single file's events have no names: all are of one size.
        let size = MemoryLayout<inotify_event>.size
        for start in stride(from: 0, to: count, by: size) {
          let mask = events[start..<start + size].withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
          }
          if mask & wanted != 0 { return }
        }
      }
    }
  }
}
