import Glibc

extension ChildProcess {
  /// The time for a child to end that may have been interrupted together with the console, in milliseconds.
  private static let patience: Int32 = 300

  /// Waits for the end, and passes on interruptions that only the console received.
  ///
  /// Ctrl-C at a terminal reaches the child by itself. A signal from another process may have been meant for all of
  /// them, or only for the console: a child that has not ended after a while gets it from here, with all its
  /// descendants.
  package func wait(_ interruption: Interruption) -> Ending {
    guard let end = watchEnd() else { return wait() }
    defer { close(end) }
    while interruption.isSent(before: end) {
      var state = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      if poll(&state, 1, Self.patience) == 0 {
        ProcessFamily(of: process).send(Interruption.endingSignal ?? SIGINT)
      }
    }
    return wait()
  }

  /// A descriptor that becomes readable once the child has ended; nil without free descriptors.
  private func watchEnd() -> Int32? {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    let box = Unmanaged.passRetained(EndWatch(process: process, descriptor: pipe.writing))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<EndWatch>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      close(pipe.reading)
      close(pipe.writing)
      return nil
    }
    pthread_detach(thread)
    return pipe.reading
  }
}

/// Waits for a process on a separate thread, without reaping it.
private final class EndWatch: Sendable {
  private let process: pid_t
  private let descriptor: Int32

  init(process: pid_t, descriptor: Int32) {
    self.process = process
    self.descriptor = descriptor
  }

  func run() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    close(descriptor)
  }
}
