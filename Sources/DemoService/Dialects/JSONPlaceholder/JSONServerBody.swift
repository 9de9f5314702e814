import Foundation
import HTTPTypes

/// The content of a request's body, by its type.
struct JSONServerBody {
  struct Refusal: Error {
    var status: Int
    var title: String
    var reason: String
  }

  /// The members of the body; elements of a list are members named by index.
  let members: [DemoJSON.Member]
  /// The body if it is a list.
  let list: DemoJSON?

  private static let limit = 10 << 20

  /// Reads the body. An unknown type is ignored: the body then counts as empty.
  init(_ request: DemoRequest) throws(Refusal) {
    let type = request.headers.first { $0.name == .contentType }?.value.lowercased() ?? ""
    let media = type.mediaType
    let isForm = media == "application/x-www-form-urlencoded"
    let hasBody = !request.body.isEmpty || request.header("content-length") != nil
    guard isForm || media == "application/json", hasBody else {
      (members, list) = ([], nil)
      return
    }
    if let charset = Self.charset(of: type), isForm ? charset != "utf-8" : !charset.hasPrefix("utf-") {
      throw Refusal(
        status: 415, title: "Unsupported Media Type",
        reason: "UnsupportedMediaTypeError: unsupported charset \"\(charset.uppercased())\"")
    }
    guard !request.body.isEmpty else {
      (members, list) = ([], nil)
      return
    }
    if request.body.count > Self.limit {
      throw Refusal(
        status: 413, title: "Payload Too Large", reason: "PayloadTooLargeError: request entity too large")
    }
    let text = String(decoding: request.body, as: UTF8.self)
    if isForm {
      (members, list) = (Self.members(of: Form(text)), nil)
      return
    }
    let isStrict = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }.map { $0 == "{" || $0 == "[" } ?? false
    // A body declared as UTF-16 is read as such, and then is not JSON.
    let isUTF8 = Self.charset(of: type).map { $0 == "utf-8" } ?? true
    guard isStrict, isUTF8, let read = try? DemoJSON(parsing: Array(text.utf8)) else {
      throw Refusal(status: 400, title: "Bad Request", reason: "SyntaxError: Unexpected token in JSON")
    }
    let json = JSONServerNumber.normalised(read)
    list = json.elements.map { .array($0) }
    members =
      json.members ?? (json.elements ?? []).enumerated().map { .init(key: String($0.offset), value: $0.element) }
  }

  /// A repeated name has a list of its values.
  private static func members(of form: Form) -> [DemoJSON.Member] {
    var body = DemoJSON.object([])
    for pair in form.pairs {
      switch body[pair.name] {
      case nil: body[pair.name] = .string(pair.value)
      case .array(let elements)?: body[pair.name] = .array(elements + [.string(pair.value)])
      case let first?: body[pair.name] = .array([first, .string(pair.value)])
      }
    }
    return body.members ?? []
  }

  private static func charset(of type: String) -> String? {
    guard let start = type.range(of: "charset=")?.upperBound else { return nil }
    return type[start...].prefix { $0 != ";" && $0 != " " }.filter { $0 != "\"" }
  }
}
