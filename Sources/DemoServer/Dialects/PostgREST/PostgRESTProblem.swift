/// The reason why a request fails, in PostgREST's form: its own codes, and those of PostgreSQL.
struct PostgRESTProblem: Error {
  let status: Int
  let code: String
  let message: String
  var details: String?

  init(_ status: Int, _ code: String, _ message: String, details: String? = nil) {
    (self.status, self.code, self.message, self.details) = (status, code, message, details)
  }

  static let unreadable = PostgRESTProblem(400, "PGRST102", "Empty or invalid json")

  static func filter(_ text: String) -> PostgRESTProblem {
    PostgRESTProblem(400, "PGRST100", "\"failed to parse filter (\(text))\"")
  }

  init(_ problem: TableProblem, _ table: String) {
    switch problem {
    case .unknownColumn(let name): self.init(400, "42703", "column \(table).\(name) does not exist")
    case .wrongKind(let column, let text):
      self.init(400, "22P02", "invalid input syntax for type \(column.kind.rawValue): \"\(text)\"")
    case .missing(let column):
      self.init(
        400, "23502",
        "null value in column \"\(column.name)\" of relation \"\(table)\" violates not-null constraint")
    case .keyTaken(let id):
      self.init(
        409, "23505", "duplicate key value violates unique constraint \"\(table)_pkey\"",
        details: "Key (id)=(\(id)) already exists.")
    case .noTarget(let column, let id):
      self.init(
        409, "23503", "insert or update on table \"\(table)\" violates foreign key constraint",
        details: "Key (\(column.name))=(\(id)) is not present in table \"\(column.target ?? "")\".")
    case .isNamed(let other):
      self.init(
        409, "23503", "update or delete on table \"\(table)\" violates foreign key constraint on table \"\(other)\"")
    case .malformed: self = .unreadable
    case .zero: self.init(400, "22P05", "unsupported Unicode escape sequence")
    }
  }
}
