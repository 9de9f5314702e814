import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension SharedOptions {
  /// The options for processing several records, with input for another run.
  static let jobs = [
    OptionSyntax("jobs", value: BulkOptions.jobsValue, help: "records to work on at once; see help bulk", short: "j"),
    OptionSyntax("retry", value: .count(from: 0), help: "retries per record, for failures where nothing was changed"),
    OptionSyntax("max-failures", value: .count(from: 1), help: "stop after this many failures"),
    OptionSyntax(
      "rejects", value: .file(.written), help: "write the rows that did not succeed to a file, as input for --from"),
    OptionSyntax("quiet", help: "report failures and the totals only", short: "q"),
    OptionSyntax("allow-empty", help: "do not fail if --from has no records"),
  ]
  /// The same without such an input: what was not done is in the journal.
  static let attempts = jobs.filter { !["rejects", "allow-empty"].contains($0.name) }
  /// The same for writes that end at the first failure.
  static let ordered = attempts.filter { $0.name != "max-failures" }
  static let ignoreNotFound = OptionSyntax("ignore-not-found", help: "count a missing record as deleted")
}

/// The options for processing several records.
struct BulkOptions: Sendable {
  /// Returns the default number of concurrent records. Records are created one by one: services number them, and lists
  /// show them, in order of arrival, so the order of the input would be lost. A plan ends at the first failure.
  static func defaultJobs(_ verb: String?, isProduction: Bool) -> Int {
    ["create", "apply", "edit"].contains(verb) || isProduction ? 1 : 4
  }
  static let jobsValue = WordKind.count(from: 1, to: ConsoleSetting.mostJobs)

  /// The number of concurrent records.
  var jobs: Int
  /// The number of retries of a record for which certainly nothing was done.
  let retries: Int
  /// The number of failures after which nothing more is begun; nil for no end.
  let maxFailures: Int?
  /// True if only failures and the totals are reported.
  let isQuiet: Bool
  /// The destination of rows that were not done.
  let rejects: String?
  /// Rows that an earlier run left undecided: they go there, too.
  var undecided: [RejectedRow] = []

  init(_ invocation: Invocation, _ target: Target, _ verb: String? = nil) throws(UsageError) {
    jobs =
      try invocation.count(of: "jobs")
      ?? Self.defaultJobs(verb, isProduction: target.backend.configuration.isProduction)
    retries = try invocation.count(of: "retry") ?? 0
    // A plan, and what was edited, is carried out as it is, or not further.
    maxFailures = try ["apply", "edit"].contains(verb) ? 1 : invocation.count(of: "max-failures")
    isQuiet = invocation.has("quiet")
    rejects = invocation.value(of: "rejects")
  }

  /// The patience of a single write, whose failure is told at once unless it is to be tried again.
  func patience(with target: Target) -> RowRetryPolicy? {
    retries > 0 ? RowRetryPolicy(target.backend.connection, retries: retries) : nil
  }

  /// Returns the number of pages of a list requested concurrently: one, unless the command sets it.
  static func pagesAtOnce(_ invocation: Invocation, _ target: Target) throws(UsageError) -> Int {
    try invocation.has("jobs") ? BulkOptions(invocation, target).jobs : 1
  }
}
