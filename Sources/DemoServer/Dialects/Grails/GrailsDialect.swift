/// A Grails 3.3 application "announcements" with the REST profile: versioned reads on `/announcements`, everything
/// else on `/announcement`.
struct GrailsDialect: Dialect {
  let name = "grails"
  let switches = GrailsSwitches.all

  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws {}
  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {}

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    DemoResponse(status: 404)
  }
}
