import BackendKit
import CCurl
import Glibc

/// Waits at a free port of 127.0.0.1 for the browser that comes back from a login (RFC 8252): one connection at a time,
/// until one request belongs to the login.
final class RedirectListener: Sendable {
  /// The longest head of a request, in bytes.
  private static let longest = 8 << 10

  let port: Int
  private let descriptor: Int32
  /// The time for one connection, and for the login.
  private let (patience, lifetime): (Duration, Duration)

  /// Listens; throws if no port can be used.
  init(patience: Duration = .seconds(10), lifetime: Duration = .seconds(300)) throws(BackendError) {
    (self.patience, self.lifetime) = (patience, lifetime)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    port = isBound && listen(descriptor, 8) == 0 ? Int(cc_local_port(descriptor)) : 0
    guard port > 0 else {
      let reason = String(cString: strerror(errno))
      throw BackendError(
        .unavailable, "cannot listen at 127.0.0.1 for the end of the login: \(reason)", effect: .notSent)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the parameters with which the browser comes back. Throws after the time for the login.
  func answer(state: String) async throws(BackendError) -> [String: String] {
    // No later connection is taken.
    defer { shutdown(descriptor, Int32(SHUT_RDWR)) }
    let end = ContinuousClock.now + lifetime
    while ContinuousClock.now < end {
      let peer = accept(descriptor, nil, nil)
      guard peer >= 0 else {
        try await Self.pause()
        continue
      }
      defer { close(peer) }
      _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
      guard let verdict = try await verdict(on: peer, until: min(end, .now + patience), state) else { continue }
      let page = RedirectRequest.page(verdict)
      _ = send(peer, page, page.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      if case .taken(let query) = verdict { return query }
    }
    throw BackendError(
      .unauthorized, "no login in the browser within \(lifetime.components.seconds / 60) minutes",
      effect: .notSent)
  }

  /// The verdict on a connection's request; nil if the connection ends, or takes too long.
  private func verdict(
    on peer: Int32, until end: ContinuousClock.Instant, _ state: String
  ) async throws(BackendError) -> RedirectRequest.Verdict? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.longest)
    repeat {
      let count = recv(peer, &piece, Self.longest - bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        bytes += piece[..<count]
        if let head = bytes.firstHead { return RedirectRequest.judged(head, port: port, state: state) }
        if bytes.count == Self.longest { return .refused(status: "431 Request Header Fields Too Large") }
      } else if count == 0 || errno != EAGAIN && errno != EINTR {
        return nil
      } else {
        try await Self.pause()
      }
    } while ContinuousClock.now < end
    return nil
  }

  /// A moment, which no person notices. Throws if the login is cancelled.
  private static func pause() async throws(BackendError) {
    do { try await Task.sleep(for: .milliseconds(20)) } catch {
      throw BackendError(.cancelled, "login cancelled", effect: .notSent)
    }
  }
}

extension [UInt8] {
  /// The bytes before the first empty line; nil if there is none yet.
  fileprivate var firstHead: ArraySlice<UInt8>? {
    let end = Array("\r\n\r\n".utf8)
    return indices.dropLast(end.count - 1).first { self[$0...].starts(with: end) }.map { self[..<$0] }
  }
}
