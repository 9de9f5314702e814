/// A todo. Every field but the id may be missing.
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

  /// The fields that are there; the address is added where it is sent.
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

/// What a request says of a todo.
struct TodoFields {
  var title: String?
  var user: String?
  var order: Int?
  var completed: Bool?

  /// Why a body is no todo.
  struct Complaint: Error {
    /// What the newer server says.
    let text: String

    static let malformed = Complaint(text: "The JSON appears to be malformed.")
  }

  init() {}

  /// Reads a JSON body as the sample's decoder does: null is absent, unknown keys are passed over.
  init(json bytes: [UInt8]) throws(Complaint) {
    let json: DemoJSON
    do { json = try DemoJSON(parsing: bytes, loneSurrogate: .refused) } catch { throw .malformed }
    guard let members = json.members else {
      throw Complaint(
        text: "Key '' has the wrong type. Expected to decode Dictionary<String, Any> but found \(Self.kind(json)) "
          + "instead. The request holds no object.")
    }
    for member in members where member.value != .null {
      switch (member.key, member.value) {
      case ("title", .string(let text)): title = text
      case ("user", .string(let text)): user = text
      case ("completed", .bool(let value)): completed = value
      case ("order", .number(let text)): order = try Self.integer(text)
      case ("title", _), ("user", _): throw Self.mismatch(member, "String")
      case ("completed", _): throw Self.mismatch(member, "Bool")
      case ("order", _): throw Self.mismatch(member, "Int")
      case ("id", .number(let text)): _ = try Self.integer(text)
      case ("id", _): throw Self.mismatch(member, "Int")
      case ("url", .string): break
      case ("url", _): throw Self.mismatch(member, "String")
      default: break
      }
    }
  }

  /// Reads a form body.
  init(form: Form) throws(Complaint) {
    title = form["title"]
    user = form["user"]
    if let text = form["order"] { order = try Self.integer(text) }
    completed = form["completed"].map { $0 == "true" }
  }

  /// `1.0` and `1e3` are whole numbers to the decoder; `1.5` and what needs over 64 bits are none.
  private static func integer(_ text: String) throws(Complaint) -> Int {
    if let plain = Int(text) { return plain }
    guard text.contains(where: { ".eE".contains($0) }), let value = Double(text), let whole = Int(exactly: value) else {
      throw .malformed
    }
    return whole
  }

  private static func mismatch(_ member: DemoJSON.Member, _ wanted: String) -> Complaint {
    Complaint(
      text: "Key '\(member.key)' has the wrong type. Expected to decode \(wanted) but found \(kind(member.value)) "
        + "instead. The field has another kind.")
  }

  private static func kind(_ value: DemoJSON) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .number: "number"
    case .string: "a string"
    case .array: "an array"
    case .object: "a dictionary"
    }
  }
}
