import BackendKit
import CCurl
import Glibc

/// Waits at a free port of 127.0.0.1 for the browser that comes back from a login (RFC 8252): one connection at a time,
/// until one request belongs to the login.
///
/// It waits on a thread of its own, since the event loop may run on that of the commands.
final class RedirectListener: Sendable {
  /// The longest head of a request, in bytes.
  private static let longest = 8 << 10

  let port: Int
  private let descriptor: Int32
  /// Readable once the login was cancelled.
  private let bell: Int32
  /// The time for one connection, and for the login.
  private let (patience, lifetime): (Duration, Duration)

  /// Listens; throws if no port can be used.
  init(patience: Duration = .seconds(10), lifetime: Duration = .seconds(300)) throws(BackendError) {
    (self.patience, self.lifetime) = (patience, lifetime)
    let bell = cc_bell()
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard bell >= 0, isBound, listen(descriptor, 8) == 0, cc_local_port(descriptor) > 0 else {
      let reason = String(cString: strerror(errno))
      for open in [descriptor, bell] where open >= 0 { close(open) }
      throw BackendError(
        .unavailable, "cannot listen at 127.0.0.1 for the end of the login: \(reason)", effect: .notSent)
    }
    (self.bell, self.descriptor, port) = (bell, descriptor, Int(cc_local_port(descriptor)))
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  /// Returns the parameters with which the browser comes back. Throws after the time for the login.
  func answer(state: String) async throws(BackendError) -> [String: String] {
    let answer: Result<[String: String], BackendError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(returning: self.wait(state)) })
        var thread = pthread_t()
        let code = pthread_create(
          &thread, nil,
          { argument in
            if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
          }, work.toOpaque())
        guard code == 0 else {
          work.release()
          let reason = String(cString: strerror(code))
          continuation.resume(
            returning: .failure(BackendError(.unavailable, "cannot start a thread: \(reason)", effect: .notSent)))
          return
        }
        pthread_detach(thread)
      }
    } onCancel: {
      var one: UInt64 = 1
      _ = write(bell, &one, 8)
    }
    return try answer.get()
  }

  private func wait(_ state: String) -> Result<[String: String], BackendError> {
    let end = ContinuousClock.now + lifetime
    // No later connection is taken.
    defer { shutdown(descriptor, Int32(SHUT_RDWR)) }
    while let isCancelled = wait(for: descriptor, until: end) {
      if isCancelled { return .failure(BackendError(.cancelled, "login cancelled", effect: .notSent)) }
      let peer = accept(descriptor, nil, nil)
      guard peer >= 0 else {
        if [EAGAIN, EINTR, ECONNABORTED].contains(errno) { continue }
        let reason = String(cString: strerror(errno))
        return .failure(BackendError(.unavailable, "cannot wait for the browser: \(reason)", effect: .notSent))
      }
      defer { close(peer) }
      _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
      guard let verdict = verdict(on: peer, until: min(end, .now + patience), state) else { continue }
      let page = RedirectRequest.page(verdict)
      _ = send(peer, page, page.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      if case .taken(let query) = verdict { return .success(query) }
    }
    return .failure(
      BackendError(
        .unauthorized, "nobody logged in in the browser within \(lifetime.components.seconds / 60) minutes",
        effect: .notSent))
  }

  /// The verdict on a connection's request; nil if the connection ends, or takes too long.
  private func verdict(on peer: Int32, until end: ContinuousClock.Instant, _ state: String) -> RedirectRequest.Verdict? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = recv(peer, &piece, min(piece.count, Self.longest - bytes.count), Int32(MSG_DONTWAIT))
      if count > 0 {
        bytes += piece[..<count]
        if let head = bytes.firstHead { return RedirectRequest.judged(head, port: port, state: state) }
        if bytes.count == Self.longest { return .refused(status: "431 Request Header Fields Too Large") }
        continue
      }
      guard count < 0, errno == EAGAIN || errno == EINTR, wait(for: peer, until: end) == false else { return nil }
    }
  }

  /// Waits until a descriptor is readable; true if the login was cancelled, nil at the end of the time.
  private func wait(for input: Int32, until end: ContinuousClock.Instant) -> Bool? {
    while true {
      var places = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      ]
      let rest = ContinuousClock.now.duration(to: end)
      guard rest > .zero else { return nil }
      guard poll(&places, 2, Int32(clamping: Int64(rest / .milliseconds(1)) + 1)) > 0 else { continue }
      return places[1].revents != 0
    }
  }
}

/// Work for a thread.
private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

extension [UInt8] {
  /// The bytes before the first empty line; nil if there is none yet.
  fileprivate var firstHead: [UInt8]? {
    let end = Array("\r\n\r\n".utf8)
    guard count >= end.count else { return nil }
    return (0...count - end.count).first { self[$0..<$0 + end.count].elementsEqual(end) }.map { Array(self[..<$0]) }
  }
}
