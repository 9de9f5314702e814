/// The reason why a request fails, in OData's form.
struct ODataProblem: Error {
  let status: Int
  let code: String
  let message: String
  /// The property that it is about.
  var target: String?

  init(_ status: Int, _ code: String, _ message: String, target: String? = nil) {
    (self.status, self.code, self.message, self.target) = (status, code, message, target)
  }

  static func notFound(_ path: String) -> ODataProblem {
    ODataProblem(404, "NotFound", "Resource not found for the segment '\(path.drop { $0 == "/" })'.")
  }

  static func syntax(_ option: String, _ what: String) -> ODataProblem {
    ODataProblem(400, "BadRequest", "The query option \(option) is not valid: \(what).")
  }

  init(_ problem: TableProblem) {
    switch problem {
    case .unknownColumn(let name):
      self.init(400, "BadRequest", "Could not find a property named '\(name)'.", target: name)
    case .wrongKind(let column, let text):
      self.init(400, "BadRequest", "'\(text)' is not a value of '\(column.name)'.", target: column.name)
    case .missing(let column):
      self.init(400, "BadRequest", "The property '\(column.name)' must not be null.", target: column.name)
    case .keyTaken(let id): self.init(409, "Conflict", "An entity with the key \(id) exists already.")
    case .noTarget(let column, let id):
      self.init(400, "BadRequest", "\(column.name) \(id) names no entity.", target: column.name)
    case .isNamed(let table): self.init(409, "Conflict", "Entities of \(table) refer to this one.")
    case .malformed(let what): self.init(400, "BadRequest", "The body cannot be read: \(what).")
    case .zero: self.init(400, "BadRequest", "A text holds the character U+0000.")
    }
  }
}
