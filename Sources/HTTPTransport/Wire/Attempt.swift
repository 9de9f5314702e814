import BackendKit
import CCurl

/// A request as the library performs it. Used only on the loop's thread.
final class Attempt {
  var request: WireRequest
  let stream: ResponseStream
  let lane: Lane
  /// Lives as long as the loop, and so longer than any attempt.
  private unowned let connections: Connections
  /// True once it runs, possibly after waiting for others.
  var isRunning = false
  /// True if a kept connection should be available.
  var expectsKept = false
  private(set) var handle: UnsafeMutableRawPointer?
  /// The time at which it ends unless something arrives, and the reason for that.
  private(set) var limit: (moment: ContinuousClock.Instant, reason: FailureReason)?

  private var lines: UnsafeMutablePointer<curl_slist>?
  private var body: UnsafeMutableBufferPointer<UInt8>?
  private var isSent = false
  private var reader = HeadReader()
  private var unpacker: Unpacker?
  private var sockets: [Int32] = []
  /// The connection's socket, once known.
  private var socket: Int32?
  /// The reason why it was ended here, which overrides the library's result.
  private var fault: FailureReason?
  private var upload = Upload()
  private var isHolding = false

  /// The pieces of a streamed body.
  private struct Upload {
    var piece: ArraySlice<UInt8> = []
    var isOver = false
    /// True if a piece was requested.
    var isWaiting = false
  }

  init(_ request: WireRequest, _ stream: ResponseStream, _ lane: Lane, _ connections: Connections) {
    (self.request, self.stream, self.lane, self.connections) = (request, stream, lane, connections)
    limit = (request.deadline, .totalTimedOut)
  }

  deinit {
    if let handle { cc_end(handle) }
    cc_free_lines(lines)
    body?.deallocate()
  }

  /// True unless the server says that it closes the connection.
  var keepsConnection: Bool { !request.isFresh && reader.keepsConnection }

  /// True if the expected connection was closed.
  var foundClosed: Bool { expectsKept && (!sockets.isEmpty || fault == nil && isSent && !reader.isOver) }

  // MARK: From outside

  /// Sets up the library's handle, reusing a finished one of its lane; nil if the request cannot be sent.
  func prepare() -> UnsafeMutableRawPointer? {
    let spare = lane.handles.popLast()
    let context = Unmanaged.passUnretained(self).toOpaque()
    handle = spare ?? cc_request(Receiver.functions, context)
    guard let texts = request.lines, let handle else { return nil }
    for text in texts { lines = cc_add_line(lines, text) ?? lines }
    var isSet = true
    if spare == nil { isSet = request.way.prepare(handle) } else { cc_aim(handle, context) }
    func text(_ option: CURLoption, _ text: String) { isSet = cc_set_text(handle, option, text) && isSet }
    func number(_ option: CURLoption, _ number: Int) { isSet = cc_set_number(handle, option, Int64(number)) && isSet }
    text(CURLOPT_URL, request.libraryAddress)
    isSet = cc_set_lines(handle, CURLOPT_HTTPHEADER, lines) && isSet
    number(CURLOPT_FRESH_CONNECT, request.isFresh ? 1 : 0)
    number(CURLOPT_FORBID_REUSE, request.isFresh ? 1 : 0)
    // Resets a reused handle to a request without a body.
    number(CURLOPT_HTTPGET, 1)
    if let content = request.content {
      number(CURLOPT_UPLOAD, 1)
      number(CURLOPT_INFILESIZE_LARGE, content.length)
    } else if let bytes = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil) {
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 1))
      _ = copy.initialize(from: bytes)
      body = copy
      isSet = cc_set_bytes(handle, CURLOPT_POSTFIELDS, copy.baseAddress, bytes.count) && isSet
    } else if request.method == "HEAD" {
      number(CURLOPT_NOBODY, 1)
    }
    text(CURLOPT_CUSTOMREQUEST, request.method)
    return isSet ? handle : nil
  }

  /// Releases the handle for another request.
  func giveUpHandle() {
    if let handle { lane.handles.append(handle) }
    handle = nil
  }

  func release() { hold(false) }

  /// Ends it if no part of the body arrives within the time limit for a first byte.
  func expectPart() { limit = (.now + request.firstByte, .partTimedOut) }

  /// Takes a piece of the body to send, nil at its end.
  func feed(_ piece: [UInt8]?) {
    upload.isWaiting = false
    if let piece { upload.piece = piece[...] } else { upload.isOver = true }
    // The server has time to respond from the last byte on.
    if request.isLong, !reader.isOver { expectFirstByte() }
    hold(isHolding)
  }

  /// Ends the stream; nil for success.
  func end(_ reason: FailureReason?, source: BackendError? = nil) {
    guard let reason else { return stream.report(end: .success(())) }
    let hasHead = reader.isOver
    // A server that refuses the client's certificate has read no request.
    let isRefused = !hasHead && reason.isRefusedCertificate
    stream.report(
      end: .failure(
        ResponseStream.Failure(reason: reason, source: source, isSent: isSent && !isRefused, hasHead: hasHead)))
  }

  /// The reason for a result of the library; nil for success.
  func reason(of code: CURLcode) -> FailureReason? {
    if let fault { return fault }
    if code == CURLE_OK {
      if !reader.isOver { return .garbled("the response header is incomplete") }
      return unpacker?.isWhole == false ? .closed : nil
    }
    guard let handle else { return .other("no handle") }
    return FailureReason(
      code, String(cString: cc_message(handle)), isSent: isSent, hasHead: reader.isOver,
      system: Int32(truncatingIfNeeded: cc_number(handle, CURLINFO_OS_ERRNO)),
      proxyStatus: Int(cc_number(handle, CURLINFO_HTTP_CONNECTCODE)),
      fault: certificate.flatMap { LeafCertificate(der: $0) }.flatMap { request.way.tls.settings.fault($0) })
  }

  private func expectFirstByte() {
    let moment = ContinuousClock.now + request.firstByte
    limit = moment < request.deadline ? (moment, .firstByteTimedOut) : (request.deadline, .totalTimedOut)
  }

  private func end(by reason: FailureReason) -> Bool {
    fault = reason
    return false
  }

  // MARK: From the library

  func opened(_ socket: Int32) { sockets.append(socket) }

  /// The connection is ready; false if nothing should be sent over it.
  func isReady(_ port: Int32) -> Bool {
    // The library would retry over another connection if the server closed a kept one, but that is not its decision.
    if isSent { return end(by: .closed) }
    if request.isAsking { return end(by: .shown(certificate)) }
    let isJudged = sockets.isEmpty && connections.isKnown(port)
    if request.way.origin.isSecure, !isJudged, let reason = certificateFault { return end(by: reason) }
    socket = port > 0 ? connections.socket(port, opened: sockets) : nil
    isSent = true
    expectFirstByte()
    return true
  }

  /// The server did not process it, and it is being sent again.
  func refused() {
    isSent = false
    limit = (request.deadline, .totalTimedOut)
  }

  /// The certificate received over its own connection.
  private var certificate: [UInt8]? {
    guard let handle, let text = cc_certificate(handle) else { return nil }
    return PEM.blocks(Array(String(cString: text).utf8)).first?.der
  }

  /// The fault of the certificate of the connection; that of a kept one was checked before.
  private var certificateFault: FailureReason? {
    guard let leaf = certificate.flatMap({ LeafCertificate(der: $0) }) else {
      return .insecure("the server presents no certificate", hint: "check the address")
    }
    return request.way.tls.settings.fault(leaf).map { .insecure($0.reason, hint: $0.hint) }
  }

  func take(line: UnsafeBufferPointer<UInt8>) -> Bool {
    if !reader.isInside || line.count <= 2 { acknowledge() }
    switch reader.take(line) {
    case .more: return true
    case .fault(let reason): return end(by: reason)
    case .head(var head):
      head.isOverKept = sockets.isEmpty
      limit = (request.deadline, .totalTimedOut)
      if let packing = head.first("content-encoding").flatMap(Unpacker.Packing.init) {
        unpacker = Unpacker(packing, limit: request.way.decompressionRatio)
      }
      connections.add(stream.report(head))
      return true
    }
  }

  func take(body: UnsafeBufferPointer<UInt8>) -> Bool {
    acknowledge()
    if request.isLong { limit = nil }
    guard let unpacker else {
      if stream.report(body) { hold(true) }
      return true
    }
    var isHeld = false
    if let reason = unpacker.unpack(body, { isHeld = stream.report($0) || isHeld }) { return end(by: reason) }
    if isHeld { hold(true) }
    return true
  }

  private func hold(_ holds: Bool) {
    isHolding = holds
    if let handle { cc_hold(handle, holds, upload.isWaiting) }
  }

  /// Many servers send head and body separately, the body only after the head is acknowledged, and Linux delays the
  /// acknowledgment by 40 ms to combine it with a request. Called at the first and last line of a head and with each
  /// part of a body, since sending the next request resets it.
  private func acknowledge() { if let socket { cc_acknowledge(socket) } }

  /// Fills in a piece of the body: the number of bytes, 0 at its end, -1 if there is none yet.
  func give(_ room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if !upload.piece.isEmpty {
      let piece = upload.piece.prefix(room.count)
      _ = room.update(fromContentsOf: piece)
      upload.piece = upload.piece.dropFirst(piece.count)
      return piece.count
    }
    if upload.isOver { return 0 }
    if !upload.isWaiting, let content = request.content {
      upload.isWaiting = true
      let stream = stream
      Task {
        let piece: Result<[UInt8]?, BackendError>
        do throws(BackendError) { piece = .success(try await content.body.next()) } catch { piece = .failure(error) }
        NetworkLoop.shared.schedule { $0.feed(stream, piece) }
      }
    }
    return -1
  }
}

/// The callbacks of the library.
private enum Receiver {
  /// Never written to after initialization.
  nonisolated(unsafe) static let functions: UnsafePointer<cc_receiver> = {
    let functions = UnsafeMutablePointer<cc_receiver>.allocate(capacity: 1)
    functions.initialize(
      to: cc_receiver(
        header: { attempt(of: $0)?.take(line: bytes($1, $2)) ?? false },
        body: { attempt(of: $0)?.take(body: UnsafeBufferPointer(start: $1, count: $2)) ?? false },
        more: { attempt(of: $0)?.give(UnsafeMutableBufferPointer(start: $1, count: $2)) ?? -2 },
        ready: { attempt(of: $0)?.isReady($1) ?? false }, opened: { attempt(of: $0)?.opened($1) },
        refused: { attempt(of: $0)?.refused() }))
    return UnsafePointer(functions)
  }()

  private static func attempt(of context: UnsafeMutableRawPointer?) -> Attempt? {
    context.map { Unmanaged<Attempt>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }, count: count)
  }
}
