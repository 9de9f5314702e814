import BackendClient
import BackendKit
import Synchronization

struct ProbeResponse {
  let method: String
  let target: ProbeTarget
  let status: Int
  private let response: HTTPResponse
  /// The path and query after redirects; nil without any.
  let redirectedTo: String?
  let body: [UInt8]
  /// True if the body is incomplete, because it was too long or too slow.
  let isCut: Bool
  /// The body as JSON; nil if it is not JSON.
  let document: Value?

  /// Creates a response. `cutsNames` omits members with names that are too long.
  init(method: String, target: ProbeTarget, response: HTTPResponse, body: [UInt8], isCut: Bool, cutsNames: Bool) {
    self.method = method
    self.target = target
    // Without its body, whose end delays reports.
    self.response = HTTPResponse(
      status: response.status, headers: response.headers, body: HTTPBody { () throws(BackendError) in nil })
    redirectedTo = response.redirectedTo
    self.body = body
    self.isCut = isCut
    status = response.status
    let document: Value? = isCut ? nil : try? JSONReader.read(body)
    self.document = cutsNames ? document.map(Self.withoutLongNames) : document
  }

  private static func withoutLongNames(_ value: Value) -> Value {
    guard hasLongNames(value) else { return value }
    switch value {
    case .object(let object):
      let members = object.members.filter { $0.0.utf8.count <= SurveyText.name }
      return .object(Object(members.map { ($0.0, withoutLongNames($0.1)) }))
    case .array(let elements): return .array(elements.map(withoutLongNames))
    default: return value
    }
  }

  private static func hasLongNames(_ value: Value) -> Bool {
    switch value {
    case .object(let object): object.members.contains { $0.0.utf8.count > SurveyText.name || hasLongNames($0.1) }
    case .array(let elements): elements.contains(where: hasLongNames)
    default: false
    }
  }

  var isSuccess: Bool { response.isSuccess }
  var headerNames: [String] { response.headers.map(\.0) }

  /// The response for the engine, with a body that can be read again.
  var again: HTTPResponse {
    let rest = Mutex(body)
    let body = HTTPBody { () throws(BackendError) in
      rest.withLock { rest in
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
      }
    }
    return HTTPResponse(status: status, headers: response.headers, body: body)
  }

  /// True if redirects only added a slash to the path.
  var isSlashed: Bool {
    guard let path = redirectedTo?.prefix(while: { $0 != "?" }) else { return false }
    return path == (Link.rootPath(target.address) ?? target.address).prefix { $0 != "?" } + "/"
  }

  var isPage: Bool { response.isPage }

  /// The title of an HTML page; empty if there is none.
  var title: String {
    let text = String(decoding: body.prefix(1 << 14), as: UTF8.self)
    guard let begin = text.firstRange(ofText: "<title") else { return "" }
    let words = text[begin.upperBound...].drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }.split { $0.isWhitespace }
    return SurveyText.cut(words.joined(separator: " "))
  }
  var contentType: String { header("Content-Type")?.lowercased() ?? "" }

  func header(_ name: String) -> String? { response.header(name) }

  func link(_ relation: String) -> String? { response.link(relation) }

  /// Describes the response as evidence without values: the method, the shape of the path, the status, and `more`.
  func evidence(_ more: String = "") -> String {
    "\(method) \(target.shown) → \(status)" + (more.isEmpty ? "" : ", \(more)")
  }
}
