/// Performs changes of announcements.
struct GrailsWriter {
  let request: DemoRequest
  let answer: GrailsAnswer

  func save(in store: DemoStore) throws -> DemoResponse {
    let binding = GrailsBinding(request)
    guard case .text(let title) = binding.title else { return refused(.missingTitle) }
    guard Self.fits(title) else { return refused(.titleTooLong(title)) }
    let body: String? = if case .text(let text) = binding.body { text } else { nil }
    let announcement = try store.write("grails") { store in
      let announcement = Announcement(id: try store.advance(GrailsDialect.idCounter), title: title, body: body)
      try store.insert(in: GrailsDialect.collection, id: String(announcement.id), json: announcement.json)
      return announcement
    }
    return answer.json(announcement.json, status: 201, headers: [location(announcement.id)])
  }

  func update(_ id: String, in store: DemoStore) throws -> DemoResponse {
    let binding = GrailsBinding(request)
    return try store.write("grails") { store in
      guard let id = Int64(id), let stored = try store.document(in: GrailsDialect.collection, id: String(id)) else {
        return GrailsAnswer.missing
      }
      let isOld = request.settings["grails.release"] == "3.3.0"
      if binding.isMalformed, isOld { return refused(.unreadable, headers: [location(id)]) }
      var announcement = try Announcement(id: id, json: stored.json)
      if let problem = Self.apply(binding, to: &announcement) {
        return refused(problem, headers: isOld ? [location(id)] : [])
      }
      try store.replace(in: GrailsDialect.collection, id: String(id), json: announcement.json)
      return answer.json(announcement.json, headers: [location(id)])
    }
  }

  private static func apply(_ binding: GrailsBinding, to announcement: inout Announcement) -> GrailsProblem? {
    switch binding.title {
    case .absent: break
    case .null: return .missingTitle
    case .text(let title):
      guard fits(title) else { return .titleTooLong(title) }
      announcement.title = title
    }
    switch binding.body {
    case .absent: break
    case .null: announcement.body = nil
    case .text(let body): announcement.body = body
    }
    return nil
  }

  /// The size is counted in UTF-16 code units.
  private static func fits(_ title: String) -> Bool { title.utf16.count <= 255 }

  /// The address of the record as the application writes it, although it has no such route.
  private func location(_ id: Int64) -> (name: String, value: String) {
    ("Location", "\(request.baseAddress)/announcement/show/\(id)")
  }

  private func refused(
    _ problem: GrailsProblem, headers: [(name: String, value: String)] = []
  ) -> DemoResponse {
    let path = request.method == "POST" ? "\(request.base)/announcement/index" : ""
    let json = problem.json(
      path: path, address: path.isEmpty ? "" : "\(request.baseAddress)/announcement/index",
      shape: request.settings["grails.errors"], language: request.header("accept-language"))
    return answer.json(json.compact(), status: 422, headers: headers)
  }
}
