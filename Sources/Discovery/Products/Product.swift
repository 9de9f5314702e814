import BackendKit
import ServiceDescription

/// A product whose preset describes its resources, with the signs by which `add` recognizes it.
struct Product: Sendable {
  let preset: String
  /// The end of the API's path, in which `*` stands for the end of a segment; empty if the path may be.
  private let end: String
  /// The path of the API if the address has none; nil if it may be anywhere.
  private let usual: String?
  /// True if the response at the API's own path is the first sign. Otherwise that is not JSON, or an error.
  private let isItself: Bool
  /// The signs; all are required.
  let signs: [Sign]

  /// The known products in the order in which they are tried.
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

  /// The path of the API; nil if the address cannot be that of the product. `root` is the response at the address.
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
