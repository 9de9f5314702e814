import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Surveys a service once the user has agreed to the planned requests.
struct SurveyRun: CommandPart {
  let context: CommandContext

  /// Shows every list that will be requested, and the links that will not be followed: on one screen, unless `isWhole`.
  private func showPlan(_ plan: [PlannedRequests], isWhole: Bool) {
    let requests = plan.filter { $0.notRead == nil }
    if isWhole || requests.count <= Self.mostLines {
      for requests in requests { tell("at most \(requests.count) × \(requests.shape)") }
    } else {
      for group in PlannedGroup.groups(of: requests) { tell("at most \(group.text)") }
    }
    var reasons: [String] = []
    for reason in plan.compactMap(\.notRead) where !reasons.contains(reason) { reasons.append(reason) }
    for reason in reasons {
      let links = plan.filter { $0.notRead == reason }.map(\.shape)
      let most = isWhole || requests.count <= Self.mostLines ? 20 : 8
      let more = links.count > most ? " and \(links.count - most) more" : ""
      note("not read (\(reason)): \(links.prefix(most).joined(separator: ", "))\(more)")
    }
  }

  /// The most lines that show requests one by one.
  private static let mostLines = 12

  func survey(
    _ order: SurveyOrder, at origin: Origin, _ invocation: Invocation, refused: String
  ) async throws -> ServiceSurvey? {
    var order = order
    order.origin = origin
    if let most = try invocation.count(of: "max-requests") { order.requests = most }
    order.triesWrites = invocation.has("try-writes")
    order.date = ClockTime.today
    func secret(_ exchange: any HTTPExchange) -> SecretExchange {
      SecretExchange(exchange: exchange, backend: origin.description, blanking: reporter.blanking)
    }
    order.exchange = secret(order.exchange)
    order.bareExchange = order.bareExchange.map(secret)
    order.onSecretFields = { [blanking = reporter.blanking] in blanking.declare($0, of: origin.description) }
    order.isSecret = { [blanking = reporter.blanking] in blanking.isSecret($0) }
    let progress = reporter.progress
    order.onProgress = { what in progress?.begin("\(what)") }
    defer { progress?.end() }
    var isAgreed = false
    do {
      return try await run.console.surveyor().survey(order) { plan in
        progress?.end()
        showPlan(plan.requests, isWhole: invocation.has("evidence"))
        if invocation.has("yes") { return true }
        let reads = min(plan.requests.filter { !$0.isWrite }.reduce(0) { $0 + $1.count }, plan.left)
        let writes = plan.requests.filter(\.isWrite).reduce(0) { $0 + $1.count }
        let what = "up to \(counted(reads, "read"))" + (writes > 0 ? " and \(counted(writes, "write"))" : "")
        guard Questions(context).canAsk else {
          throw UsageError(
            "sending \(what) to \(origin) needs --yes", hint: "only the address and its document were read")
        }
        let warning: EscapedText =
          writes == 0
          ? ""
          : " This creates and deletes up to 5 test records per resource. Side effects of a create (mail, webhooks, audit entries) happen and cannot be undone."
        defer { isAgreed = true }
        guard
          await Questions(context).isYes("Send \(what) to \(origin.description) (\(plan.sent) sent so far)?" + warning)
            == true
        else {
          // If only a further root is refused, earlier findings stay.
          if isAgreed { return false }
          throw CommandFailure(.failure, refused)
        }
        return true
      }
    } catch var error as BackendError where error.hint?.contains(text: "as `pin` under `tls`") == true {
      // The hint of a configured backend names a section that does not exist yet.
      error.hint = "--ca FILE names its authority's certificate, --pin=DIGEST its key; --pin=ask shows the certificate"
      throw error
    } catch let error as BackendError where error.code == .cancelled {
      // The fate of the record of a trial matters more than the interruption.
      guard let hint = error.hint else { throw error }
      throw CommandFailure(error.effect == .rejected ? .interrupted : .failure, "stopped; \(hint)")
    }
  }

  /// Throws if writes cannot be tried at a backend: it is read-only or a production system.
  func checkTrial(on backend: BackendConfiguration) throws(UsageError) {
    try Restriction.current.checkSending()
    let reason = backend.isReadOnly ? "is read only" : backend.isProduction ? "is labeled production" : nil
    guard let reason else { return }
    throw UsageError(
      "\(backend.name) \(reason): writes are not tried there", hint: "leave out --try-writes")
  }

  /// The same for a service that is not a backend yet; backends at the same origin count.
  func checkTrial(at origin: Origin) throws(UsageError) {
    try Restriction.current.checkSending()
    for backend in targets.configuration.backends where (try? WebAddress(backend.url))?.origin == origin {
      try checkTrial(on: backend)
    }
  }
}

/// Planned requests of one kind, for several resources.
private struct PlannedGroup {
  private let first: PlannedRequests
  private let method: Substring
  private var paths: [Substring]

  /// Groups requests by method and number, in the order of the first of each.
  static func groups(of requests: [PlannedRequests]) -> [PlannedGroup] {
    var groups: [PlannedGroup] = []
    for requests in requests {
      let method = requests.shape.prefix { $0 != "/" }
      let path = requests.shape[method.endIndex...]
      let known = groups.firstIndex {
        $0.method == method && $0.first.count == requests.count && $0.endsInRecord == path.hasSuffix("}")
      }
      if let known {
        groups[known].paths.append(path)
      } else {
        groups.append(PlannedGroup(first: requests, method: method, paths: [path]))
      }
    }
    return groups
  }

  private var endsInRecord: Bool { paths[0].hasSuffix("}") }

  /// The requests of the group. Every list is named, of records a few.
  var text: String {
    guard paths.count > 1 else { return "\(first.count) × \(first.shape)" }
    let most = endsInRecord || first.isWrite ? 3 : paths.count
    let named = paths[0].isEmpty ? "" : ": " + paths.prefix(most).joined(separator: ", ")
    let kind = method.last == " " ? method.dropLast() : method
    return "\(first.count) × \(kind) for each of \(paths.count)\(named)\(paths.count > most ? ", …" : "")"
  }
}
