extension GrailsDialect {
  static let idCounter = "announcement"

  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws {
    let seeds = GrailsSeeds.announcements(count: count)
    for (index, seed) in seeds.enumerated() {
      let isBare = index == seeds.count - 1 && settings["grails.nullbody"] == "yes"
      let announcement = Announcement(
        id: try store.advance(Self.idCounter), title: seed.title, body: isBare ? nil : seed.body)
      try store.insert(in: Self.collection, id: String(announcement.id), json: announcement.json)
    }
  }

  /// Takes `{"announcements": [{"title", "body", "id"}, …]}`; without an `id` the next free one is assigned.
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {
    guard let records = data["announcements"]?.elements else {
      throw ImportError(description: "\"grails\" needs an array \"announcements\"")
    }
    var seen: Set<Int64> = []
    for record in records {
      guard let title = record["title"]?.text else {
        throw ImportError(description: "an announcement needs a title that is text: \(record.compact())")
      }
      let highest = try store.counter(Self.idCounter)
      let id = record["id"]?.numberText.flatMap { Int64($0) } ?? highest + 1
      guard seen.insert(id).inserted else {
        throw ImportError(description: "two announcements have the id \(id)")
      }
      try store.setCounter(Self.idCounter, to: max(highest, id))
      let announcement = Announcement(id: id, title: title, body: record["body"]?.text)
      try store.insert(in: Self.collection, id: String(id), json: announcement.json)
    }
  }
}
