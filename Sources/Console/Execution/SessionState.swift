import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

/// The state of a session that lasts from one command to the next.
struct SessionState {
  var lastList: ListState?
  var lastResult: LastResult?
  var shownList: ShownList?
  var lastWords: [Word] = []
  /// The interface versions of backends, for the prompt.
  var apiVersions: [String: String] = [:]
  /// The last look at the plans of assistants.
  var inbox = InboxLook()
  /// The pages for the browser, deleted with the session.
  var pages: [PrivatePage] = []
}

/// The last look of a session at the plans of assistants.
struct InboxLook {
  /// The time of the inbox's last change, in seconds and nanoseconds.
  var changed: [Int]?
  /// The identifiers of the plans that the user was told of: one may be finished after one with a higher number.
  var told: Set<String> = []
}

/// The position in a list, for `next`, `prev`, `first` and `page`.
struct ListState: Sendable {
  var backend: String
  var request: ListRequest
  var perPage: Int
  var format: OutputFormat?
  var header: Bool
  /// True if long cells are wrapped; nil defers to the settings.
  var wraps: Bool?
  var isRaw = false
  /// The shown fields; nil for those that the records have.
  var columns: [FieldPath]?
  var relations: Relations?
  /// The positions of the pages shown so far, the current one last.
  var pages: [ListPosition?]
  /// The outcome of the current page.
  var shown: ListSummary
}
