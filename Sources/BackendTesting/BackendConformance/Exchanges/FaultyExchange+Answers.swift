import BackendKit

extension FaultyExchange.Fault {
  static let page = """
    <!DOCTYPE html><html><head><title>Sign in</title></head><body><form method="post"></form></body></html>
    """
  static let html = Self.answer(status: 200, type: "text/html", body: page)

  static func json(_ body: String, status: Int = 200) -> Self {
    .answer(status: status, type: "application/json", body: body)
  }

  var body: String? { if case .answer(_, _, let body, _) = self { body } else { nil } }

  func changed(status: Int? = nil, body: String? = nil) -> Self {
    guard case .answer(let own, let type, let text, let headers) = self else { return self }
    return .answer(status: status ?? own, type: type, body: body ?? text, headers: headers)
  }

  var words: String {
    switch self {
    case .answer(let status, _, _, _): "status \(status) was returned"
    case .error(let error): "the transport failed with \"\(error.code.rawValue)\""
    default: "something went wrong"
    }
  }
}
