import BackendKit
import ConsoleSetup
import Synchronization

/// An exchange that registers the values of secret fields before anything that repeats them is shown: by their names in
/// the bodies, and as the adapter decodes them. Reports of a response wait for the adapter. Backends without secret
/// fields are passed through.
struct SecretExchange: HTTPExchange {
  let exchange: any HTTPExchange
  let backend: String
  let blanking: Blanking

  var secrets: (any SecretRegister)? { blanking.hasSecretFields(backend) ? SeenFields(blanking: blanking) : nil }

  private struct SeenFields: SecretRegister {
    let blanking: Blanking

    func declares(_ field: String) -> Bool { blanking.reason(for: field) == .declared }
    func see(_ values: [String]) { blanking.see(values) }
  }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard blanking.hasSecretFields(backend) else { return try await exchange.send(request) }
    // Blanking registers all values under secret names.
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

/// Finds the values of secret members in JSON that arrives in pieces, in constant memory.
///
/// Other text can only yield values that are not secret, which are then needlessly searched for in displayed text.
struct SecretScan {
  /// The maximum length in bytes of a text that is searched for elsewhere; a longer one is only blanked under its name.
  static let longest = 8_192

  private let blanking: Blanking
  /// The names judged so far, as written.
  private var judged: [[UInt8]: Bool] = [:]
  private var text: [UInt8] = []
  private var isText = false
  private var isEscaped = false
  /// The last complete text: a name if a colon follows.
  private var last: [UInt8]?
  /// The number being read in a secret value.
  private var word: [UInt8] = []
  /// True within the value of a secret member.
  private var isInside = false
  /// The depth of lists and objects within that value.
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

  /// Registers a complete secret value.
  private mutating func endValue() {
    defer {
      last = nil
      word.removeAll(keepingCapacity: true)
    }
    guard isInside else { return }
    if let last, last.count <= Self.longest, let text = Self.plain(last) { found.append(text) }
    if !word.isEmpty { found.append(String(decoding: word, as: UTF8.self)) }
  }

  /// Returns whether a name is declared secret, rather than only resembling a secret.
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

private final class SharedScan: Sendable {
  private let scan: Mutex<SecretScan>

  init(_ blanking: Blanking) { scan = Mutex(SecretScan(blanking)) }

  func take(_ piece: [UInt8]?) { scan.withLock { $0.take(piece) } }
}
