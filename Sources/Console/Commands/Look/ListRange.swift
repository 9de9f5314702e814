import BackendClient
import BackendKit
import ConsoleSystem

/// The part of a list to read.
///
/// `--limit`, `--page` and `--per-page` limit a list wherever its records go; together with `--all` or `--limit`,
/// `--per-page` is the page size of the requests. Without any of them, a list that is shown is its first page, and one
/// that is used (by `for`, `capture`, `expect`, `--to`, `--append` or `|`) is complete.
struct ListRange {
  let perPage: Int
  let page: Int
  let limit: Int?
  let isWhole: Bool
  let isChosen: Bool

  /// The range that a command requests. `isUsed` is true if its result is used rather than shown; nil takes that from
  /// the context.
  init(_ invocation: Invocation, _ ports: CommandContext, isUsed: Bool? = nil) throws(UsageError) {
    let isUsed = isUsed ?? ports.results.isUsed
    let size = try invocation.count(of: "per-page")
    perPage = size ?? ports.run.settings.perPage
    let page = try invocation.count(of: "page")
    let limit = try invocation.count(of: "limit")
    if page != nil && (invocation.has("all") || limit != nil) {
      throw UsageError("--page cannot be combined with --all or --limit", hint: "--page N --per-page M shows one page")
    }
    self.page = page ?? 1
    isChosen = invocation.has("all") || limit != nil || page != nil || size != nil
    isWhole = invocation.has("all") || limit != nil || (isUsed && !isChosen)
    self.limit = isWhole ? limit : perPage
  }

  func request(_ options: ListOptions, _ invocation: Invocation) async throws -> ListRequest {
    var query = options.query
    query.pageSize = isWhole && invocation.value(of: "per-page") == nil ? nil : perPage
    var request = options.request(query, limit: limit)
    request.isPage = !isWhole
    request.jobs = try BulkOptions.pagesAtOnce(invocation, options.target)
    if page > 1 { request.start = try await options.target.client.position((page - 1) * perPage, of: query) }
    return request
  }
}
