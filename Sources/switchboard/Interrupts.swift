import Console
import Glibc
import Synchronization

/// SIGINT as a flag, and as a byte in the pipes of those who wait.
enum Interrupts {
  private static let pending = Atomic<Bool>(false)
  // Two numbers instead of a list: a signal handler may read an atomic and nothing that can be half written.
  private static let mainLoop = Atomic<Int32>(-1)
  private static let input = Atomic<Int32>(-1)

  /// Whether this process was started to ignore it, as in the background of a script. To be asked before `watch`.
  static var areIgnored: Bool {
    var action = sigaction()
    sigaction(SIGINT, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// A pipe that neither end waits for, or nil where the system refuses one.
  static func pipe() -> (reading: Int32, writing: Int32)? {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return pipe
  }

  /// Notes every SIGINT from now on, and tells whoever waits for the main loop's pipe or for input.
  static func watch(mainLoop: Int32, input: Int32) {
    self.mainLoop.store(mainLoop, ordering: .sequentiallyConsistent)
    self.input.store(input, ordering: .sequentiallyConsistent)
    var action = sigaction()
    // No SA_RESTART: a wait in the kernel has to end, too.
    action.__sigaction_handler.sa_sigaction = { _, information, _ in
      // The kernel's own codes are positive: the terminal's signal comes from the kernel.
      Interrupts.note(information.map { $0.pointee.si_code > 0 } ?? true ? .terminal : .process)
    }
    action.sa_flags = SA_SIGINFO
    sigaction(SIGINT, &action, nil)
  }

  /// Whether there was one since the last call.
  static func take() -> Bool { pending.exchange(false, ordering: .sequentiallyConsistent) }

  // Called in a signal handler: atomic loads and stores and writes, all allowed there.
  private static func note(_ sender: Interruption.Sender) {
    pending.store(true, ordering: .sequentiallyConsistent)
    var byte = sender.rawValue
    _ = write(mainLoop.load(ordering: .sequentiallyConsistent), &byte, 1)
    _ = write(input.load(ordering: .sequentiallyConsistent), &byte, 1)
  }
}
