/// A refusal of a request, with its reason.
struct BaasicProblem: Error {
  /// The problem with the token of a call.
  enum TokenFault: String {
    case missing = "invalid_request"
    case invalid = "invalid_token"
  }

  var status: Int
  var message: String
  var details: String?
  /// For 401 only.
  var token: TokenFault?

  init(_ status: Int, _ message: String, details: String? = nil, token: TokenFault? = nil) {
    self.status = status
    self.message = message
    self.details = details ?? token?.rawValue
    self.token = token
  }

  static let noApplication = BaasicProblem(404, "There is no application with that identifier.")
  static let noRoute = BaasicProblem(404, "There is no such resource.")
  static let noMethod = BaasicProblem(405, "The resource does not support this method.")
  static let forbidden = BaasicProblem(403, "You have no permission for this operation.")
  static func conflict(_ method: String) -> BaasicProblem {
    BaasicProblem(
      409, method == "POST" ? "The record is in conflict with another." : "The record was changed by somebody else.")
  }
  static let broken = BaasicProblem(500, "An unexpected error occurred.")

  static func noSchema(_ name: String) -> BaasicProblem {
    BaasicProblem(404, "There is no schema named '\(name)'.")
  }

  static func noRecord(_ id: String) -> BaasicProblem {
    BaasicProblem(404, "There is no record with the id '\(id)'.")
  }

  static func noField(_ name: String) -> BaasicProblem {
    BaasicProblem(400, "There is no property named '\(name)'.")
  }

  static func unauthorized(_ fault: TokenFault) -> BaasicProblem {
    BaasicProblem(401, "Missing or invalid session", token: fault)
  }

  /// The object, also used for each failure in a batch.
  func json(statusAsText: Bool = false) -> DemoJSON {
    [
      "message": .string(message), "details": details.map { .string($0) } ?? .null, "error": .null,
      "errorCode": .number(String(status)), "response": .null,
      "statusCode": statusAsText ? .string(String(status)) : .number(String(status)),
    ]
  }
}
