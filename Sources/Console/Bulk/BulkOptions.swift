import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension SharedOptions {
  /// The options for processing several records, including the file of rejected rows.
  static let jobs = [
    OptionSyntax("jobs", value: BulkOptions.jobsValue, help: "concurrent records; see help bulk", short: "j"),
    OptionSyntax("retry", value: .count(from: 0), help: "retries per record, for failures where nothing was changed"),
    OptionSyntax("max-failures", value: .count(from: 1), help: "stop after this many failures"),
    OptionSyntax(
      "rejects", value: .file(.written), help: "write the rows that were not done to a file, as input for --from"),
    OptionSyntax("quiet", help: "report failures and the totals only", short: "q"),
    OptionSyntax("allow-empty", help: "do not fail if --from has no records"),
  ]
  /// The same without that file: the journal has what was not done.
  static let attempts = jobs.filter { !["rejects", "allow-empty"].contains($0.name) }
  /// The same for writes that end at the first failure.
  static let ordered = attempts.filter { $0.name != "max-failures" }
  static let ignoreNotFound = OptionSyntax("ignore-not-found", help: "count a missing record as deleted")
}

struct BulkOptions: Sendable {
  /// Returns the default number of concurrent records. Creation is sequential, since services number and list records
  /// in order of arrival, and the order of the input would be lost. A plan ends at its first failure.
  static func defaultJobs(_ verb: String?, isProduction: Bool) -> Int {
    ["create", "apply", "edit"].contains(verb) || isProduction ? 1 : 4
  }
  static let jobsValue = WordKind.count(from: 1, to: ConsoleSetting.mostJobs)

  var jobs: Int
  /// The number of retries of a record if certainly nothing was done.
  let retries: Int
  /// The number of failures after which no more records are begun; nil for no limit.
  let maxFailures: Int?
  let isQuiet: Bool
  /// The file for rows that were not done.
  let rejects: String?
  /// Rows left undecided by an earlier run, which go to that file, too.
  var undecided: [RejectedRow] = []

  init(_ invocation: Invocation, _ target: Target, _ verb: String? = nil) throws(UsageError) {
    jobs =
      try invocation.count(of: "jobs")
      ?? Self.defaultJobs(verb, isProduction: target.backend.configuration.isProduction)
    retries = try invocation.count(of: "retry") ?? 0
    // A plan or an edit is carried out in order, and not beyond a failure.
    maxFailures = try ["apply", "edit"].contains(verb) ? 1 : invocation.count(of: "max-failures")
    isQuiet = invocation.has("quiet")
    rejects = invocation.value(of: "rejects")
  }

  /// The retries of a single write; nil if its failure is reported immediately.
  func patience(with target: Target) -> RowRetryPolicy? {
    retries > 0 ? RowRetryPolicy(target.backend.connection, retries: retries) : nil
  }
}
