import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

/// The state of a session that lasts from one command to the next.
struct SessionState {
  var lastList: ListState?
  var lastResult: LastResult?
  /// The list that `@N` refers to.
  var shownList: ShownList?
  /// The words of the command before the current one.
  var lastWords: [Word] = []
  /// The interface versions of backends in use, for the prompt.
  var apiVersions: [String: String] = [:]
  /// The pages that were made for the browser, which go with the session.
  var pages: [PrivatePage] = []
}

/// The position in a list, for `next`, `prev`, `first` and `page`.
struct ListState: Sendable {
  var backend: String
  var request: ListRequest
  var perPage: Int
  var format: OutputFormat?
  var header: Bool
  /// True if long cells are wrapped; nil leaves it to the settings.
  var wraps: Bool?
  var isRaw = false
  /// The fields that are shown; nil shows what there is.
  var columns: [FieldPath]?
  /// The relations shown with each record.
  var relations: Relations?
  /// The positions of the pages shown so far, the current one last.
  var pages: [ListPosition?]
  /// The position of the page after the current one.
  var next: ListPosition?
  var first: Int
}
