import BackendKit
import Synchronization

/// Takes secrets out of what is kept of an exchange.
///
/// A secret is what stands under a name that says so, in a header, a query, a form or a JSON document, and every value that the
/// configuration or the environment gives as one, wherever it turns up.
final class Blanking: Sendable {
  /// What stands where a secret was.
  static let mark = "[blanked]"
  /// Names of header fields whose values are secrets whatever they are called.
  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
  ]

  private let names: Set<String>
  /// Each secret in the spellings in which it can turn up, the longest first.
  private let values = Mutex<[[UInt8]]>([])

  /// A blanking that also takes out what stands under these names.
  init(names: [String] = []) { self.names = Set(names.map { $0.lowercased() }) }

  /// Takes texts out from now on, wherever they stand. One of less than four bytes would be found where it is none.
  func keepSecret(_ texts: [String]) {
    let spellings = texts.filter { $0.utf8.count >= 4 }.flatMap { text in
      let json = JSONWriter.compact(.string(text)).dropFirst().dropLast()
      return [text, PercentEncoding.encode(text), String(json), Base64.encode(Array(text.utf8))]
    }
    guard !spellings.isEmpty else { return }
    values.withLock { values in
      for spelling in spellings where !values.contains(Array(spelling.utf8)) { values.append(Array(spelling.utf8)) }
      values.sort { $0.count > $1.count }
    }
  }

  /// Whether what stands under a name is a secret.
  func isSecret(_ name: String) -> Bool {
    names.contains(name.lowercased()) || SecretLine.isSecretName(name)
  }

  /// A header field's value.
  func header(_ name: String, _ value: String) -> String {
    let name = name.lowercased()
    // What a browser is told of credentials is none.
    if name.hasPrefix("access-control-") { return value }
    return Self.headers.contains(name) || isSecret(name) ? Self.mark : text(value)
  }

  /// Path and query as they are sent.
  func target(_ request: HTTPRequest) -> String {
    let query = request.query.map { name, value in (name, isSecret(name) ? nil : value) }
    let pairs = query.map { name, value in
      "\(PercentEncoding.encode(name))=\(value.map(PercentEncoding.encode) ?? Self.mark)"
    }
    return text(request.path.description + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")))
  }

  /// A text in which secrets may stand.
  func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let blanked = withoutValues(bytes)
    return blanked == bytes ? text : String(decoding: blanked, as: UTF8.self)
  }

  /// A body: JSON, also one that was cut, a form, or whatever else.
  func body(_ bytes: [UInt8], isForm: Bool) -> [UInt8] {
    withoutValues(isForm ? form(bytes) : BlankedJSON.text(bytes, isSecret: isSecret))
  }

  private func form(_ bytes: [UInt8]) -> [UInt8] {
    let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
        isSecret(String(decoding: pair[..<equals], as: UTF8.self))
      else { return Array(pair) }
      return pair[...equals] + Array(Self.mark.utf8)
    }
    return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
  }

  private func withoutValues(_ bytes: [UInt8]) -> [UInt8] {
    let values = values.withLock(\.self)
    var bytes = bytes
    for value in values { bytes = Self.replacing(value, in: bytes) }
    return bytes
  }

  private static func replacing(_ value: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let first = value.first, bytes.count >= value.count else { return bytes }
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place <= bytes.count - value.count {
      if bytes[place] == first, bytes[place..<place + value.count].elementsEqual(value) {
        result += bytes[copied..<place]
        result += Array(mark.utf8)
        place += value.count
        copied = place
      } else {
        place += 1
      }
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }
}
