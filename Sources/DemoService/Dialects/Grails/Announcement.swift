/// The only domain class of the application.
struct Announcement {
  var id: Int64
  var title: String
  var body: String?

  /// As sent: the views omit nulls and write the id first, then fields by name.
  var json: String {
    var members = [DemoJSON.Member(key: "id", value: .number(String(id)))]
    if let body { members.append(.init(key: "body", value: .string(body))) }
    members.append(.init(key: "title", value: .string(title)))
    return DemoJSON.object(members).compact()
  }
}

extension Announcement {
  /// Parses the result of ``json``.
  init(id: Int64, json: String) throws {
    let value = try DemoJSON(parsing: json)
    self.init(id: id, title: value["title"]?.text ?? "", body: value["body"]?.text)
  }
}
