import BackendKit
import ServiceDescription
import Synchronization

/// The exchange of the engine within a survey: requests pass the prober with its gate and budget.
final class SurveyExchange: HTTPExchange {
  private struct State {
    var asked: ProbeTarget?
    var first: ProbeResponse?
  }

  private let prober: Prober
  private let base: String
  private let list: ProbeTarget
  /// The path of a single record for display.
  private let item: String?
  /// The parameters whose values the survey has chosen. Others may contain values of records.
  private let shown: Set<String>
  /// The prefix of further parameters whose values may be shown.
  private let beginning: String?
  private let sends: Bool
  private let state = Mutex(State())

  /// `sends` is false to only determine the requests.
  init(_ survey: ResourceSurvey, _ claims: Claims, sends: Bool = true) {
    (prober, base, list, self.sends) = (survey.prober, survey.base, survey.target, sends)
    item = claims[.pathsItem]
    let isCounted = ["number", "offset"].contains(claims[.pageStyle])
    let keys: [Key<String>] =
      [.sizeParameter, .sortParameter, .sortDirectionParameter] + (isCounted ? [.pageParameter] : [])
    // A condition on a field may have the same name.
    let fields = survey.rows.first.map { survey.fields(of: $0).names } ?? []
    shown = Set(keys.compactMap { claims[$0] } + (claims[.total]?["parameters"]?.object?.names ?? [])).subtracting(
      fields)
    beginning =
      claims[.sortDirection] == "value" ? claims[.sortParameter]?.prefix { $0 != "{" }.description : nil
  }

  /// The exchange for a resource of a preset if only its path is known.
  init(_ prober: Prober, base: String, list path: String) {
    (self.prober, self.base, list, sends) = (prober, base, ProbeTarget(path), true)
    (item, shown, beginning) = (nil, [], nil)
  }

  var asked: ProbeTarget? { state.withLock { $0.asked } }
  var first: ProbeResponse? { state.withLock { $0.first } }

  var secrets: (any SecretRegister)? { prober.exchange.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard request.effect == .read, ["GET", "HEAD"].contains(request.method), request.body == nil else {
      throw BackendError(.unsupported, "a survey only reads", effect: .notSent)
    }
    let target = target(of: request)
    state.withLock { $0.asked = $0.asked ?? target }
    guard sends, let answer = try await prober.get(target, as: request) else {
      let reason = prober.isSpent ? prober.spentReason : prober.problem ?? "no response"
      throw BackendError(.unavailable, reason, effect: .notSent)
    }
    if request.method == "GET" { state.withLock { $0.first = $0.first ?? answer } }
    return answer.again
  }

  private func target(of request: HTTPRequest) -> ProbeTarget {
    if let link = request.link {
      let isWhole = link.hasPrefix("/") || link.contains(text: "://")
      return ProbeTarget(named: isWhole ? link : base + "/" + link, in: list.shape)
    }
    let path = base + (request.path.segments.isEmpty ? request.path.suffix : "/\(request.path)")
    let isList = path == list.address.prefix { $0 != "?" }
    let plain = ProbeTarget(path.isEmpty ? "/" : path, shownAs: isList ? list.shape : item ?? path)
    return request.query.reduce(plain) { target, pair in
      let isShown = shown.contains(pair.0) || beginning.map(pair.0.hasPrefix) == true
      return isShown ? target.with(pair.0, pair.1) : target.with(pair.0, data: pair.1)
    }
  }
}
