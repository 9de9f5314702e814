import Glibc
import Synchronization

/// SIGINT apart from what the main loop makes of it: as this process inherited it, and as a byte in a pipe.
enum InterruptSignal {
  private static let descriptor = Atomic<Int32>(-1)
  // Written once, before the handler that reads it is there.
  nonisolated(unsafe) private static var mainLoop: (@convention(c) (Int32) -> Void)?

  /// Whether this process was started to ignore it, as in the background of a script. To be asked before the main loop
  /// watches it.
  static var isIgnored: Bool {
    let handler = current().__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// A pipe that neither end waits for, or nil where the system refuses one.
  static func pipe() -> (reading: Int32, writing: Int32)? {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return pipe
  }

  /// Ignores it.
  static func ignore() { signal(SIGINT, SIG_IGN) }

  /// Has each one, from now on, write a byte to a descriptor, after the main loop was told.
  static func report(to writing: Int32) {
    var action = current()
    mainLoop = action.__sigaction_handler.sa_handler
    descriptor.store(writing, ordering: .sequentiallyConsistent)
    action.__sigaction_handler.sa_handler = { number in
      InterruptSignal.mainLoop?(number)
      var one: UInt8 = 1
      _ = Glibc.write(InterruptSignal.descriptor.load(ordering: .sequentiallyConsistent), &one, 1)
    }
    sigaction(SIGINT, &action, nil)
  }

  private static func current() -> sigaction {
    var action = sigaction()
    sigaction(SIGINT, nil, &action)
    return action
  }
}
