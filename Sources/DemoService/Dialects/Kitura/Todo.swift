/// A todo. Every field except the id may be missing.
struct Todo {
  var id: Int
  var title: String?
  var user: String?
  var order: Int?
  var completed: Bool?

  init(id: Int, fields: TodoFields) {
    self.id = id
    title = fields.title
    user = fields.user
    order = fields.order
    completed = fields.completed
  }

  /// A todo as it is stored.
  init(stored text: String) throws {
    let json = try DemoJSON(parsing: text)
    id = json["id"]?.numberText.flatMap { Int($0) } ?? 0
    title = json["title"]?.text
    user = json["user"]?.text
    order = json["order"]?.numberText.flatMap { Int($0) }
    if case .bool(let value)? = json["completed"] { completed = value }
  }

  /// The present fields; the address is added when it is sent.
  var members: [DemoJSON.Member] {
    var members = [DemoJSON.Member(key: "id", value: .number(String(id)))]
    if let title { members.append(.init(key: "title", value: .string(title))) }
    if let user { members.append(.init(key: "user", value: .string(user))) }
    if let order { members.append(.init(key: "order", value: .number(String(order)))) }
    if let completed { members.append(.init(key: "completed", value: .bool(completed))) }
    return members
  }

  /// The text that is stored.
  var stored: String { DemoJSON.object(members).compact() }
}
