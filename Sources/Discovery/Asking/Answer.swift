import BackendKit

/// A response of the service that was read.
struct Answer {
  let method: String
  let target: Target
  let status: Int
  private let response: HTTPResponse
  let body: [UInt8]
  /// Whether its end was not read, for its length or for how long it took.
  let isCut: Bool
  /// What it says, where that is JSON.
  let document: Value?

  init(method: String, target: Target, response: HTTPResponse, body: [UInt8], isCut: Bool) {
    self.method = method
    self.target = target
    self.response = response
    self.body = body
    self.isCut = isCut
    status = response.status
    document = isCut ? nil : try? JSONReader.read(body)
  }

  var isSuccess: Bool { response.isSuccess }
  var isPage: Bool { response.isPage }
  var contentType: String { header("Content-Type")?.lowercased() ?? "" }

  func header(_ name: String) -> String? { response.header(name) }

  /// The address with a relation in the header field Link.
  func link(_ relation: String) -> String? { response.link(relation) }

  /// What it shows, without any value: the method, the shape of its path, its status, and more.
  func evidence(_ more: String = "") -> String {
    "\(method) \(target.shown) → \(status)" + (more.isEmpty ? "" : ", \(more)")
  }
}
