import Foundation

/// The fields of the sample's model, all of which may be missing.
struct TodoFields: Decodable {
  /// Read only for its type, as ``url`` is; the first wrong type is reported.
  private var id: Int?
  var title: String?
  var user: String?
  var order: Int?
  var completed: Bool?
  private var url: String?

  struct Complaint: Error {
    /// The message of the newer server.
    let text: String

    static let malformed = Complaint(text: "The JSON appears to be malformed.")
  }

  init() {}

  /// Reads a JSON body with the decoder of the real server, including its leniencies: null is absent, unknown keys are
  /// ignored.
  init(json bytes: [UInt8]) throws(Complaint) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Complaint(error)
    } catch {
      throw .malformed
    }
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

  /// These fields, and those of an older todo that are missing here.
  func over(_ old: TodoFields) -> TodoFields {
    var fields = self
    (fields.title, fields.user) = (title ?? old.title, user ?? old.user)
    (fields.order, fields.completed) = (order ?? old.order, completed ?? old.completed)
    return fields
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
