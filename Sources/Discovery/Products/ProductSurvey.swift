import BackendClient
import BackendKit
import ServiceDescription

/// Proposes the preset of a product, and runs each of its resources once.
struct ProductSurvey {
  private let product: RecognizedProduct
  private let order: SurveyOrder
  private let prober: Prober
  private let service: Service
  private let tree: Object

  init(_ product: RecognizedProduct, _ order: SurveyOrder, _ prober: Prober) throws(BackendError) {
    (self.product, self.order, self.prober) = (product, order, prober)
    (tree, service) = try Self.read(Array("preset: \(product.preset)".utf8))
  }

  private static func read(_ bytes: [UInt8]) throws(BackendError) -> (Object, Service) {
    let file = DescriptionSource.File(name: "the description", bytes: bytes)
    do throws(Mistakes) {
      // The user's own configuration is trusted; even so, a survey sends no POST.
      let description = try Description(DescriptionSource(backend: "", file: file, isTrusted: true))
      var tree = description.tree.value.object ?? Object()
      let resources = tree["resources"]?.object?.members.filter { $0.1 != .null } ?? []
      tree["resources"] = .object(Object(resources))
      return (tree, try description.service())
    } catch { throw .misconfigured(error.description) }
  }

  /// Returns the survey; nil if the operator does not agree to the requests.
  func run(
    agree: (SurveyPlan) async throws -> Bool
  ) async throws -> ServiceSurvey? {
    prober.keepWhatIsFound()
    let names = tree["resources"]?.object?.names ?? []
    let tried = names.filter(isRead)
    let plan = SurveyPlan(requests: tried.map(plan), sent: prober.sent, left: prober.remaining)
    guard try await agree(plan) else { return nil }
    var claims = [
      SurveyClaim(
        resource: nil, fact: "preset", value: .string(product.preset), grade: .proved, evidence: product.evidence)
    ]
    var (notes, absent): ([String], [String]) = ([], [])
    for name in tried {
      guard prober.remaining >= ProposalRun.requests else {
        notes.append("\(name): not tried: \(prober.spentReason)")
        continue
      }
      prober.give("\(product.base)/\(collection(name))")
      prober.begin(limit: ProposalRun.requests)
      let exchange = SurveyExchange(prober, base: product.base, list: "\(product.base)/\(collection(name))")
      let run = PresetRun(
        name, Client(name: name, exchange: exchange, prepared: PreparedBackend(service)),
        size: section("size", of: name)?["parameter"] == nil ? nil : 5)
      let found = try await run.run()
      if found.isAbsent { absent.append(name) }
      claims += found.claims
      notes += found.notes
    }
    let others = names.filter { !tried.contains($0) }
    for (reason, names) in [
      ("left out, as the service does not have them", absent),
      ("not tried, as they have no list of their own that is read by GET", others),
    ] where !names.isEmpty { notes.append("\(reason): \(names.joined(separator: ", "))") }
    let description = description(without: absent)
    let file = Proposal.file(of: description)
    var survey = ServiceSurvey(
      base: product.base, description: try Self.read(Array(file.utf8)).0, file: file, claims: claims, differences: [],
      notes: notes + ["recognized as \(service.product); --no-preset examines the service itself"],
      requests: prober.sent)
    survey.bound()
    return survey
  }

  /// The preset without the resources that the service lacks. The login is part of the configuration.
  private func description(without absent: [String]) -> Object {
    let source = Evidence.source("probe", product.evidence, date: order.date, version: product.version)
    var description = Object([
      ("switchboard", 1), ("preset", .string(product.preset)), ("source", .object(source)), ("login", .null),
    ])
    if !absent.isEmpty { description["resources"] = .object(Object(absent.map { ($0, .null) })) }
    return description
  }

  // MARK: Requests

  private func section(_ name: String, of resource: String) -> Object? {
    (tree["resources"]?.object?[resource]?.object?[name] ?? tree[name])?.object
  }

  private func isRead(_ name: String) -> Bool {
    let below = tree["resources"]?.object?[name]?.object?["operationsBelow"]?.array
    let method = section("listRequest", of: name)?["method"]?.text ?? "GET"
    return method == "GET" && below?.contains("list") != true && !collection(name).contains("{")
      && section("identifier", of: name)?["type"] != "none"
  }

  private func collection(_ name: String) -> String {
    let path = section("paths", of: name)?["collection"]?.text ?? name
    return path.replacing(text: "{resource}", with: name) + (section("base", of: name)?["suffix"]?.text ?? "")
  }

  private func plan(_ name: String) -> PlannedRequests {
    PlannedRequests(
      shape: "GET \(product.base)/\(collection(name)) and one of its records", count: ProposalRun.requests)
  }
}
