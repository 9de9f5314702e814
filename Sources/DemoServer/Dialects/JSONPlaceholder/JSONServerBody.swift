import Foundation
import HTTPTypes

/// What a request's body says, by its type.
enum JSONServerBody {
  /// Why a body was not read.
  struct Refusal: Error {
    var status: Int
    var title: String
    var reason: String
  }

  /// The members of the body. A type that the server does not know is passed over: the body then says nothing.
  static func members(of request: DemoRequest) throws(Refusal) -> [DemoJSON.Member] {
    let type = request.headers.first { $0.name == .contentType }?.value.lowercased() ?? ""
    let media = type.prefix { $0 != ";" }.filter { $0 != " " }
    if media == "application/x-www-form-urlencoded" {
      return Form(String(decoding: request.body, as: UTF8.self)).pairs.map {
        .init(key: $0.name, value: .string($0.value))
      }
    }
    guard media == "application/json", !request.body.isEmpty else { return [] }
    if let charset = charset(of: type), !charset.hasPrefix("utf-") {
      throw Refusal(
        status: 415, title: "Unsupported Media Type",
        reason: "UnsupportedMediaTypeError: unsupported charset \"\(charset.uppercased())\"")
    }
    let text = String(decoding: request.body, as: UTF8.self)
    let isStrict = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }.map { $0 == "{" || $0 == "[" } ?? true
    guard isStrict, let json = try? DemoJSON(parsing: Array(text.utf8)) else {
      throw Refusal(status: 400, title: "Bad Request", reason: "SyntaxError: Unexpected token in JSON")
    }
    if let elements = json.elements {
      return elements.enumerated().map { .init(key: String($0.offset), value: $0.element) }
    }
    return json.members ?? []
  }

  private static func charset(of type: String) -> String? {
    guard let start = type.range(of: "charset=")?.upperBound else { return nil }
    return type[start...].prefix { $0 != ";" && $0 != " " }.filter { $0 != "\"" }
  }
}
