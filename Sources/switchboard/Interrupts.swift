import Console
import ConsoleSystem
import Glibc
import LineEditor
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a flag, and as a byte in the pipes of waiting threads.
enum Interrupts {
  private static let pending = Atomic<Bool>(false)
  // Two numbers instead of a list: a signal handler may only read atomics.
  private static let mainLoop = Atomic<Int32>(-1)
  private static let input = Atomic<Int32>(-1)

  /// A non-blocking pipe, or nil if the system refuses.
  static func pipe() -> (reading: Int32, writing: Int32)? {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return pipe
  }

  /// Handles these signals from now on, and wakes those that wait on the main loop's pipe or for input. A signal that
  /// this process was started to ignore, as SIGINT in the background of a script or SIGHUP by nohup, stays ignored.
  static func watch(mainLoop: Int32, input: Int32) {
    self.mainLoop.store(mainLoop, ordering: .sequentiallyConsistent)
    self.input.store(input, ordering: .sequentiallyConsistent)
    pending.store(false, ordering: .sequentiallyConsistent)
    Interruption.prepare()
    var action = sigaction()
    // No SA_RESTART: a wait in the kernel has to end, too.
    action.__sigaction_handler.sa_sigaction = { signal, information, _ in
      let error = errno
      Interrupts.note(signal, Interrupts.sender(of: signal, information))
      errno = error
    }
    action.sa_flags = SA_SIGINFO
    // The first use may allocate memory, which a handler must not do.
    var none = siginfo_t()
    _ = sender(of: SIGINT, &none)
    _ = Interruption.note(SIGINT)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) { sigaction(signal, &action, nil) }
  }

  /// Returns whether there was a signal since the last call.
  static func take() -> Bool { pending.exchange(false, ordering: .sequentiallyConsistent) }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  // Called in a signal handler, like the one below.
  private static func sender(
    of signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?
  ) -> Interruption.Sender {
    // When a terminal is closed, the kernel signals only the session leader.
    guard signal != SIGHUP, let information else { return signal == SIGHUP ? .process : .terminal }
    // Positive codes are the kernel's own: the terminal's signal comes from the kernel.
    return information.pointee.si_code > 0 ? .terminal : .process
  }

  // Called in a signal handler: atomic loads and stores and writes, all allowed there.
  private static func note(_ signal: Int32, _ sender: Interruption.Sender) {
    guard Interruption.note(signal) else {
      LineEditor.restoreTerminal()
      // Blocked while the handler runs: it ends the process as soon as that returns.
      Glibc.signal(signal, SIG_DFL)
      raise(signal)
      return
    }
    pending.store(true, ordering: .sequentiallyConsistent)
    var byte = sender.rawValue
    _ = write(mainLoop.load(ordering: .sequentiallyConsistent), &byte, 1)
    _ = write(input.load(ordering: .sequentiallyConsistent), &byte, 1)
  }
}
