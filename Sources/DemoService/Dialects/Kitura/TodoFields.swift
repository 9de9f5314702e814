import Foundation

struct TodoFields {
  var title: String?
  var user: String?
  var order: Int?
  var completed: Bool?

  struct Complaint: Error {
    /// The message of the newer server.
    let text: String

    static let malformed = Complaint(text: "The JSON appears to be malformed.")
  }

  init() {}

  /// Reads a JSON body with the decoder of the real server, including its leniencies: null is absent, unknown keys are
  /// ignored.
  init(json bytes: [UInt8]) throws(Complaint) {
    let body: Body
    do {
      body = try JSONDecoder().decode(Body.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Complaint(error)
    } catch {
      throw .malformed
    }
    title = body.title
    user = body.user
    order = body.order
    completed = body.completed
  }

  init(form: Form) throws(Complaint) {
    title = form["title"]
    user = form["user"]
    if let text = form["order"] {
      guard let number = Int(text) else { throw .malformed }
      order = number
    }
    completed = form["completed"].map { $0 == "true" }
  }

  /// The sample's model; `id` and `url` are read only to check their types.
  private struct Body: Decodable {
    var id: Int?
    var title: String?
    var user: String?
    var order: Int?
    var completed: Bool?
    var url: String?
  }
}

extension TodoFields.Complaint {
  fileprivate init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context):
      self.init(text: "Key '\(Self.key(context))' has the wrong type. \(context.debugDescription)")
    case .valueNotFound(_, let context):
      self.init(text: "Key '\(Self.key(context))' has the wrong type or was not found. \(context.debugDescription)")
    default: self = .malformed
    }
  }

  private static func key(_ context: DecodingError.Context) -> String { context.codingPath.last?.stringValue ?? "" }
}
