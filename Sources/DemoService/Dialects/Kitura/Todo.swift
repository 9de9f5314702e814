/// A todo. Every field except the id may be missing.
struct Todo {
  var id: Int
  var fields: TodoFields

  /// The present fields; the address is added when it is sent.
  var members: [DemoJSON.Member] {
    var members = [DemoJSON.Member(key: "id", value: .number(String(id)))]
    if let title = fields.title { members.append(.init(key: "title", value: .string(title))) }
    if let user = fields.user { members.append(.init(key: "user", value: .string(user))) }
    if let order = fields.order { members.append(.init(key: "order", value: .number(String(order)))) }
    if let completed = fields.completed { members.append(.init(key: "completed", value: .bool(completed))) }
    return members
  }

  /// The text that is stored.
  var stored: String { DemoJSON.object(members).compact() }
}

extension Todo {
  /// A todo as it is stored.
  init(stored text: String) throws {
    let json = try DemoJSON(parsing: text)
    self.init(id: json["id"]?.numberText.flatMap { Int($0) } ?? 0, fields: TodoFields())
    (fields.title, fields.user) = (json["title"]?.text, json["user"]?.text)
    fields.order = json["order"]?.numberText.flatMap { Int($0) }
    if case .bool(let value)? = json["completed"] { fields.completed = value }
  }
}
