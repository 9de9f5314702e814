import BackendKit
import ServiceDescription

/// A product whose preset names its resources, and what shows that a service is one.
struct Product: Sendable {
  let preset: String
  /// The end of the API's path below the address of the service, with `*` for any text at the end of a segment; empty if
  /// the path is.
  private let end: String
  /// The path of the API if the address has none; nil if it may be anywhere.
  private let usual: String?
  /// True if the response at the path of the API itself is the first sign. Otherwise it is not JSON, or not a success.
  private let isItself: Bool
  /// The signs, all of which have to be shown.
  let signs: [Sign]

  /// The products that `add` knows, each by what its releases show, in the order in which they are looked for.
  static let all = [
    "netbox", "nautobot", "gitlab", "grafana", "keycloak", "airflow", "prefect", "proxmox", "docker", "powerdns",
    "rabbitmq", "vault",
  ].flatMap { preset in
    let survey = Preset(named: preset)?.survey ?? Object()
    return (survey["at"]?.texts ?? []).map { Product(preset, at: $0, survey) }
  }

  private init(_ preset: String, at end: String, _ survey: Object) {
    (self.preset, self.end) = (preset, end)
    usual = survey["usual"]?.text ?? (end.contains("*") ? nil : end)
    isItself = survey["isItself"] == true
    signs = survey["signs"]?.array?.compactMap { Sign($0) } ?? []
  }

  /// The path of the API, if the address may lead to the product; nil if it cannot. `root` is what the address shows.
  func base(of path: String, _ root: ProbeResponse) -> String? {
    let isAPI = root.isSuccess && root.document.map { $0.object != nil || $0.array != nil } == true
    if isEnd(of: path), isAPI == isItself { return path }
    return path.isEmpty && !isAPI ? usual : nil
  }

  private func isEnd(of path: String) -> Bool {
    guard end.contains("*") else { return end.isEmpty ? path.isEmpty : path.hasSuffix(end) }
    let wanted = end.split(separator: "/")
    let found = path.split(separator: "/").suffix(wanted.count)
    return found.count == wanted.count
      && zip(wanted, found).allSatisfy { $0.hasSuffix("*") ? $1.hasPrefix($0.dropLast()) : $0 == $1 }
  }
}
