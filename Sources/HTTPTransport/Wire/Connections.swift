import BackendKit
import BackendTransport
import CCurl

/// The requests in progress and the kept connections. Used only on the loop's thread.
final class Connections {
  /// The time after which an idle connection is closed: less than the time-outs of common servers (4 to 5 s), so that a
  /// request never meets a connection that is being closed.
  static let idle = Duration.seconds(3)
  private static let mostIdle = 256
  /// The time within which a kept connection is still expected to be open.
  private static let surelyKept = Duration.seconds(1)

  private let pipe: Int32
  private let bell: Int32
  private var requests: OpaquePointer?
  private var attempts: [ObjectIdentifier: Attempt] = [:]
  private var servers: [Server.Name: Server] = [:]
  /// The sockets of connections by their local ports.
  private var sockets: [Int32: Int32] = [:]
  /// Tasks that wait for a head, resumed when all data that has arrived is read.
  private var heads: [@Sendable () -> Void] = []
  private var lanes: [ObjectIdentifier: Lane] = [:]
  /// True if a connection may be open.
  private var isUsed = false
  private var lastUse = ContinuousClock.now

  /// No connections; waits also end when one of two descriptors is readable.
  init(pipe: Int32, bell: Int32) { (self.pipe, self.bell) = (pipe, bell) }

  // MARK: Requests

  /// Begins a request, or queues it behind others to the same server.
  func start(_ request: WireRequest, _ stream: ResponseStream) {
    let attempt = Attempt(request, stream, lane(of: request.way), self)
    if stream.isCancelled { return attempt.end(.cancelled) }
    attempts[ObjectIdentifier(stream)] = attempt
    let server = attempt.lane.server
    if server.running < request.way.maxConcurrent { begin(attempt) } else { server.waiting.append(attempt) }
  }

  private func begin(_ attempt: Attempt) {
    let server = attempt.lane.server
    if attempt.request.mayWrite, server.isClosing { attempt.request.isFresh = true }
    if !attempt.request.isFresh, server.idle > 0, server.lastKept + Self.surelyKept > .now {
      server.idle -= 1
      attempt.expectsKept = true
    }
    guard let requests = opened(), let handle = attempt.prepare() else {
      return end(attempt, .unsendable("the request cannot be sent"))
    }
    server.running += 1
    attempt.isRunning = true
    isUsed = true
    if !cc_add(requests, handle) { end(attempt, .other("the request cannot be added")) }
  }

  private func lane(of way: Way) -> Lane {
    if let lane = lanes[ObjectIdentifier(way)] { return lane }
    let name = Server.Name(origin: way.origin, proxy: way.proxy)
    let server = servers[name] ?? Server()
    servers[name] = server
    let lane = Lane(way, to: server)
    lanes[ObjectIdentifier(way)] = lane
    return lane
  }

  /// Ends a request that is no longer needed.
  func cancel(_ stream: ResponseStream) {
    if let attempt = attempts[ObjectIdentifier(stream)] { end(attempt, .cancelled) }
  }

  func release(_ stream: ResponseStream) {
    attempts[ObjectIdentifier(stream)]?.release()
  }

  /// Ends a request if no part of its body arrives in time.
  func expectPart(of stream: ResponseStream) { attempts[ObjectIdentifier(stream)]?.expectPart() }

  /// Takes a piece of a request's body, nil at its end.
  func feed(_ stream: ResponseStream, _ piece: Result<[UInt8]?, BackendError>) {
    guard let attempt = attempts[ObjectIdentifier(stream)] else { return }
    switch piece {
    case .success(let piece): attempt.feed(piece)
    case .failure(let error): end(attempt, .other("the body cannot be read"), source: error)
    }
  }

  private func end(_ attempt: Attempt, _ reason: FailureReason?, source: BackendError? = nil) {
    guard attempts.removeValue(forKey: ObjectIdentifier(attempt.stream)) != nil else { return }
    let server = attempt.lane.server
    if let handle = attempt.handle, let requests { cc_remove(requests, handle) }
    flush()
    if reason == nil { attempt.giveUpHandle() }
    attempt.end(reason, source: source)
    lastUse = .now
    if reason == nil, attempt.keepsConnection { (server.idle, server.lastKept) = (server.idle + 1, lastUse) }
    if attempt.foundClosed { (server.idle, server.isClosing) = (0, true) }
    guard attempt.isRunning else { return server.waiting.removeAll { $0 === attempt } }
    server.running -= 1
    if !server.waiting.isEmpty { begin(server.waiting.removeFirst()) }
  }

  // MARK: Reports of an attempt

  /// Adds a task that waits for a head.
  func add(_ told: @escaping @Sendable () -> Void) { heads.append(told) }

  /// The socket with a local port; those opened for the request are tried first.
  func socket(_ port: Int32, opened: [Int32]) -> Int32? {
    if let own = opened.count == 1 ? opened.first : opened.first(where: { cc_local_port($0) == port }) {
      sockets[port] = own
    }
    return sockets[port]
  }

  /// True if a request was sent over the connection with a local port, so that its certificate was accepted.
  func isKnown(_ port: Int32) -> Bool { sockets[port] != nil }

  // MARK: The loop

  private func opened() -> OpaquePointer? {
    if requests == nil { requests = cc_open(Self.mostIdle, pipe, bell) }
    return requests
  }

  /// Does the work that is due, and reports finished requests.
  func perform() {
    guard let requests else { return }
    cc_perform(requests)
    var code = CURLE_OK
    while let context = cc_finished(requests, &code) {
      let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
      end(attempt, attempt.reason(of: code))
      cc_perform(requests)
    }
    flush()
  }

  private func flush() {
    let told = heads
    heads = []
    for tell in told { tell() }
  }

  func wait() -> (pipe: Bool, bell: Bool) {
    let now = ContinuousClock.now
    let due = attempts.values.lazy.compactMap(\.limit?.moment).min()
    var rest = due.map { now.duration(to: $0) }
    if attempts.isEmpty, isUsed { rest = now.duration(to: lastUse + Self.idle) }
    guard let requests = opened() else { return (true, true) }
    let ready = cc_wait(requests, Int32(clamping: min(rest?.milliseconds ?? 600_000, 600_000)))
    let later = ContinuousClock.now
    if let due, due <= later {
      for attempt in Array(attempts.values) {
        if let limit = attempt.limit, limit.moment <= later { end(attempt, limit.reason) }
      }
    }
    if attempts.isEmpty, isUsed, later >= lastUse + Self.idle { close() }
    return (ready & 1 != 0, ready & 2 != 0)
  }

  private func close() {
    lanes = [:]
    for server in servers.values { server.idle = 0 }
    if let requests { cc_close(requests) }
    (requests, isUsed, sockets) = (nil, false, [:])
  }
}
