extension KituraDialect {
  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws {
    for number in 0..<(count ?? 8) {
      var fields = TodoFields()
      fields.title = SeedText.title(number)
      fields.user = SeedText.person(number)
      fields.order = number + 1
      fields.completed = number % 3 == 2
      let todo = Todo(id: Int(try store.advance("todo")) - 1, fields: fields)
      try store.insert(in: Self.collection, id: String(todo.id), json: todo.stored)
    }
  }

  /// Takes `{"todos": [{"title", "user", "order", "completed", "id"}, …]}`; without an `id` the next free one is
  /// assigned.
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {
    guard let records = data["todos"]?.elements else {
      throw ImportError(description: "\"kitura\" needs an array \"todos\"")
    }
    for record in records {
      guard let fields = try? TodoFields(json: Array(record.compact().utf8)) else {
        throw ImportError(description: "a todo has a field of the wrong kind: \(record.compact())")
      }
      let next = Int(try store.counter("todo"))
      let id = record["id"]?.numberText.flatMap { Int($0) } ?? next
      try store.setCounter("todo", to: Int64(max(next, id + 1)))
      try store.insert(in: Self.collection, id: String(id), json: Todo(id: id, fields: fields).stored)
    }
  }
}
