internal import Files
internal import Glibc
internal import Synchronization

final class EditorThread: Sendable {
  private struct Start: Sendable {
    var setup: TerminalSession.Setup
    var mailbox: Mailbox
    var reply: Reply<LineEditorError?>
  }

  private final class Box: Sendable {
    let start: Start

    init(_ start: Start) { self.start = start }
  }

  private let thread: Mutex<pthread_t?>

  /// Starts it and waits until libedit is initialized.
  init(setup: TerminalSession.Setup, mailbox: Mailbox) throws(LineEditorError) {
    let start = Start(setup: setup, mailbox: mailbox, reply: Reply())
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(start))
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { EditorThread.main(Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().start) }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw .unavailable("cannot create a thread (error \(code))")
    }
    self.thread = Mutex(thread)
    if let error = start.reply.wait() {
      _ = join()
      throw error
    }
  }

  /// Waits for its end; false if that was done before, or on this thread itself.
  func join() -> Bool {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let thread else { return false }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
      return false
    }
    return pthread_join(thread, nil) == 0
  }

  private static func main(_ start: Start) {
    do throws(LineEditorError) {
      let session = try TerminalSession(setup: start.setup, mailbox: start.mailbox)
      start.reply.give(nil)
      session.run()
    } catch {
      start.reply.give(error)
    }
  }
}
