import BackendKit
import BackendTransport
import CCurl

/// The requests in progress and the kept connections. Used only on the loop's thread.
final class Connections {
  /// A server, with what distinguishes kinds of connections to it.
  private struct Place: Hashable {
    let origin: Origin
    let proxy: ProxyServer?
  }

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
  private var byHandle: [UnsafeMutableRawPointer: Attempt] = [:]
  private var counts: [Place: Int] = [:]
  private var waiting: [Place: [Attempt]] = [:]
  /// The expected number of idle connections, and the time at which the last of them became idle.
  private var kept: [Place: (count: Int, time: ContinuousClock.Instant)] = [:]
  /// The servers that close connections without announcing it: a write could meet one that is being closed.
  private var closing: Set<Place> = []
  /// The sockets of connections by their local ports.
  private var sockets: [Int32: Int32] = [:]
  /// Tasks that wait for a head, resumed when all data that has arrived is read.
  private var heads: [@Sendable () -> Void] = []
  /// Finished handles with the settings shared by requests to their server. Its `Way` is retained, too: another one at
  /// the same address would get handles with its settings.
  private var spares: [ObjectIdentifier: (way: Way, handles: [UnsafeMutableRawPointer])] = [:]
  /// True if a connection may be open.
  private var isUsed = false
  private var lastUse = ContinuousClock.now

  /// No connections; waits also end when one of two descriptors is readable.
  init(pipe: Int32, bell: Int32) { (self.pipe, self.bell) = (pipe, bell) }

  // MARK: Requests

  /// Begins a request, or queues it behind others to the same server.
  func start(_ request: WireRequest, _ stream: ResponseStream) {
    let attempt = Attempt(request, stream, self)
    if stream.isCancelled { return attempt.fail(.cancelled) }
    attempts[ObjectIdentifier(stream)] = attempt
    let place = Place(origin: request.way.origin, proxy: request.way.proxy)
    if counts[place, default: 0] < request.way.maxConcurrent {
      begin(attempt, place)
    } else {
      waiting[place, default: []].append(attempt)
    }
  }

  private func begin(_ attempt: Attempt, _ place: Place) {
    if attempt.request.mayWrite, closing.contains(place) { attempt.request.isFresh = true }
    if !attempt.request.isFresh, let idle = kept[place], idle.count > 0, idle.time + Self.surelyKept > .now {
      kept[place] = (idle.count - 1, idle.time)
      attempt.expectsKept = true
    }
    let spare = spares[ObjectIdentifier(attempt.request.way)]?.handles.popLast()
    guard let requests = opened(), let handle = attempt.prepare(spare) else {
      return end(attempt, .unsendable("the request cannot be sent"))
    }
    counts[place, default: 0] += 1
    attempt.isRunning = true
    isUsed = true
    byHandle[handle] = attempt
    if !cc_add(requests, handle) { end(attempt, .other("the request cannot be added")) }
  }

  /// Ends a request that is no longer needed.
  func cancel(_ stream: ResponseStream) {
    if let attempt = attempts[ObjectIdentifier(stream)] { end(attempt, .cancelled) }
  }

  /// Resumes receiving a body.
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
    let place = Place(origin: attempt.request.way.origin, proxy: attempt.request.way.proxy)
    if let handle = attempt.handle {
      byHandle[handle] = nil
      if let requests { cc_remove(requests, handle) }
    }
    flush()
    if reason == nil, let handle = attempt.takeHandle() {
      let way = attempt.request.way
      spares[ObjectIdentifier(way), default: (way, [])].handles.append(handle)
    }
    attempt.end(reason, source: source)
    lastUse = .now
    if reason == nil, attempt.keepsConnection { kept[place] = ((kept[place]?.count ?? 0) + 1, lastUse) }
    if attempt.foundClosed { (kept[place], _) = (nil, closing.insert(place)) }
    guard attempt.isRunning else {
      waiting[place]?.removeAll { $0 === attempt }
      return
    }
    counts[place, default: 1] -= 1
    if let next = waiting[place]?.first {
      waiting[place]?.removeFirst()
      begin(next, place)
    } else if counts[place] == 0 {
      counts[place] = nil
    }
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
    while let handle = cc_finished(requests, &code) {
      if let attempt = byHandle[handle] { end(attempt, attempt.reason(of: code)) }
      cc_perform(requests)
    }
    flush()
  }

  private func flush() {
    let told = heads
    heads = []
    for tell in told { tell() }
  }

  /// Waits until there is work.
  func wait() -> (pipe: Bool, bell: Bool) {
    let now = ContinuousClock.now
    var rest = attempts.values.compactMap(\.limit?.moment).min().map { now.duration(to: $0) }
    if attempts.isEmpty, isUsed { rest = now.duration(to: lastUse + Self.idle) }
    guard let requests = opened() else { return (true, true) }
    let ready = cc_wait(requests, Int32(clamping: min(rest?.milliseconds ?? 600_000, 600_000)))
    let later = ContinuousClock.now
    for attempt in Array(attempts.values) {
      if let limit = attempt.limit, limit.moment <= later { end(attempt, limit.reason) }
    }
    if attempts.isEmpty, isUsed, later >= lastUse + Self.idle { close() }
    return (ready & 1 != 0, ready & 2 != 0)
  }

  /// Closes all connections.
  private func close() {
    for spare in spares.values { for handle in spare.handles { cc_end(handle) } }
    spares = [:]
    if let requests { cc_close(requests) }
    (requests, isUsed, sockets, kept) = (nil, false, [:], [:])
  }
}
