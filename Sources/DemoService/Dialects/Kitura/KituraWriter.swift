import HTTPTypes

struct KituraWriter {
  let request: DemoRequest
  let answer: KituraAnswer

  private enum Kind { case json, form }

  func create(in store: DemoStore) throws -> DemoResponse {
    guard let kind = kind else { return DemoResponse(status: 415) }
    switch fields(kind) {
    case .failure(let complaint): return answer.refusal(complaint)
    case .success(var fields):
      if fails(fields) { return DemoResponse(status: 503) }
      fields.completed = fields.completed ?? false
      let todo = try store.write("kitura") { store in
        let todo = Todo(id: try nextID(store), fields: fields)
        try store.insert(in: KituraDialect.collection, id: String(todo.id), json: todo.stored)
        return todo
      }
      return answer.json(answer.representation(todo), status: 201)
    }
  }

  func update(_ text: String, in store: DemoStore) throws -> DemoResponse {
    if request.method == "PUT", request.settings["kitura.put"] == "absent" { return answer.cannot }
    // The two releases check identifier and type in different orders.
    let isNewer = request.settings["kitura.profile"] == "3.0"
    if isNewer, Int(text) == nil { return DemoResponse(status: 422) }
    guard let kind = kind else { return DemoResponse(status: 415) }
    guard let id = Int(text) else { return DemoResponse(status: 422) }
    switch fields(kind) {
    case .failure(let complaint): return answer.refusal(complaint)
    case .success(let fields):
      if request.method == "PUT", fails(fields) || failsIncomplete && fields.completed == nil {
        return DemoResponse(status: 503)
      }
      let todo = try store.write("kitura") { try change(id, fields, $0) }
      // That variant does not check if the record exists.
      if request.method == "PATCH", request.settings["kitura.patch"] == "echo" {
        let sent = Todo(id: id, fields: fields).members.filter { $0.key != "id" }
        return answer.json(.object(sent))
      }
      guard let todo else { return DemoResponse(status: 404) }
      return answer.json(answer.representation(todo))
    }
  }

  private var failsIncomplete: Bool { request.settings["kitura.incomplete"] == "unavailable" }

  /// Returns whether the server never responds, as the variant with a database does if one of these is missing.
  private func fails(_ fields: TodoFields) -> Bool {
    failsIncomplete && (fields.title == nil || fields.user == nil || fields.order == nil)
  }

  private func change(_ id: Int, _ fields: TodoFields, _ store: DialectStore) throws -> Todo? {
    guard let document = try store.document(in: KituraDialect.collection, id: String(id)) else { return nil }
    var todo = Todo(id: id, fields: fields)
    if request.method == "PATCH" {
      todo.fields = fields.over(try Todo(stored: document.json).fields)
    }
    try store.replace(document, json: todo.stored)
    return todo
  }

  private func nextID(_ store: DialectStore) throws -> Int {
    switch request.settings["kitura.ids"] {
    case "count": try store.count(in: KituraDialect.collection)
    case "repeated": max(0, Int(try store.counter("todo")) - 1)
    default: Int(try store.advance("todo")) - 1
    }
  }

  private func fields(_ kind: Kind) -> Result<TodoFields, TodoFields.Complaint> {
    do {
      switch kind {
      case .json: return .success(try TodoFields(json: request.body))
      case .form: return .success(try TodoFields(form: Form(String(decoding: request.body, as: UTF8.self))))
      }
    } catch { return .failure(error) }
  }

  /// The kind of the body by the first Content-Type, or nil if the release does not accept it.
  private var kind: Kind? {
    guard let type = request.headers.first(where: { $0.name == .contentType })?.value else { return nil }
    switch request.settings["kitura.profile"] {
    case "2.0.0": return type == "application/json" ? .json : nil
    case "2.0": return type.hasPrefix("application/json") ? .json : nil
    default:
      let media = type.mediaType
      return media == "application/json" ? .json : media == "application/x-www-form-urlencoded" ? .form : nil
    }
  }
}
