import BackendKit
import ConsoleSetup
import Synchronization

/// An exchange on which the register of secrets sees the values of secret fields, before anything that repeats them is shown: by their
/// names as they pass, and as the adapter has them. Reports of a response wait for the adapter. The exchanges of a backend without such
/// fields pass untouched.
struct SecretExchange: HTTPExchange {
  let exchange: any HTTPExchange
  let backend: String
  let blanking: Blanking

  var secrets: (any SecretRegister)? { blanking.hasSecretFields(backend) ? SeenFields(blanking: blanking) : nil }

  /// The register, for an adapter.
  private struct SeenFields: SecretRegister {
    let blanking: Blanking

    func declares(_ field: String) -> Bool { blanking.reason(for: field) == .declared }
    func see(_ values: [String]) { blanking.see(values) }
  }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard blanking.hasSecretFields(backend) else { return try await exchange.send(request) }
    // Whatever it has under a secret name is seen when it is blanked.
    _ = blanking.request(request)
    var request = request
    request.reports = HeldReports()
    let response = try await exchange.send(request)
    let scan = SharedScan(blanking)
    let body = HTTPBody { () throws(BackendError) in
      let piece = try await response.body.next()
      scan.take(piece)
      return piece
    }
    var read = response.with(body)
    read.reports = request.reports
    return read
  }
}

/// Finds the values of secret members in JSON that arrives in pieces, in memory that does not grow with it.
///
/// Other text can only produce values that are not secrets: they are merely searched for in displayed text.
struct SecretScan {
  /// The longest text, in bytes, that is looked for elsewhere; a longer one is blanked by its name alone.
  static let longest = 8_192

  private let blanking: Blanking
  /// The names that were judged, as they were written.
  private var judged: [[UInt8]: Bool] = [:]
  private var text: [UInt8] = []
  private var isText = false
  private var isEscaped = false
  /// A text that ended: a name if a colon follows.
  private var last: [UInt8]?
  /// A number that is being read in a secret value.
  private var word: [UInt8] = []
  /// True while the value of a secret member is being read.
  private var isInside = false
  /// The depth of nested lists and objects within that value.
  private var depth = 0
  private var found: [String] = []

  init(_ blanking: Blanking) { self.blanking = blanking }

  /// Reads a piece; nil is the end.
  mutating func take(_ piece: [UInt8]?) {
    for byte in piece ?? [UInt8(ascii: ",")] { read(byte) }
    blanking.see(found)
    found = []
  }

  private mutating func read(_ byte: UInt8) {
    if isText { return readText(byte) }
    switch byte {
    case UInt8(ascii: "\""):
      endValue()
      text.removeAll(keepingCapacity: true)
      isText = true
    case UInt8(ascii: ":"):
      if let name = last, !isInside { isInside = isDeclared(name) }
      last = nil
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if isInside { depth += 1 }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      endValue()
      depth = max(0, depth - 1)
      if depth == 0 { isInside = false }
    case UInt8(ascii: ","):
      endValue()
      if depth == 0 { isInside = false }
    case 0x20, 0x0A, 0x0D, 0x09: break
    default:
      if isInside, word.count < Self.longest { word.append(byte) }
    }
  }

  private mutating func readText(_ byte: UInt8) {
    if !isEscaped, byte == UInt8(ascii: "\"") {
      isText = false
      last = text
      return
    }
    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    if text.count <= Self.longest { text.append(byte) }
  }

  /// Takes down what was read where a secret value is.
  private mutating func endValue() {
    defer {
      last = nil
      word.removeAll(keepingCapacity: true)
    }
    guard isInside else { return }
    if let last, last.count <= Self.longest, let text = Self.plain(last) { found.append(text) }
    if !word.isEmpty { found.append(String(decoding: word, as: UTF8.self)) }
  }

  /// Returns whether a name was declared secret, not merely looks like it.
  private mutating func isDeclared(_ name: [UInt8]) -> Bool {
    if let known = judged[name] { return known }
    let isDeclared = Self.plain(name).map { blanking.reason(for: $0) == .declared } ?? false
    if judged.count >= 1_000 { judged = [:] }
    if name.count <= 100 { judged[name] = isDeclared }
    return isDeclared
  }

  private static func plain(_ text: [UInt8]) -> String? {
    let quote = UInt8(ascii: "\"")
    return (try? JSONReader.read([quote] + text + [quote]))?.text
  }
}

/// A scan that several pieces are handed to.
private final class SharedScan: Sendable {
  private let scan: Mutex<SecretScan>

  init(_ blanking: Blanking) { scan = Mutex(SecretScan(blanking)) }

  func take(_ piece: [UInt8]?) { scan.withLock { $0.take(piece) } }
}
