import BackendClient
import BackendKit

/// The target of a request: a path from the root of the origin with its parameters, and a shape for display that
/// contains no values of the service's data.
struct ProbeTarget {
  struct Parameter {
    let name: String
    let value: String
    /// True if the value may be shown: a number, or a word that the survey has chosen.
    let isShown: Bool
  }

  /// The path, or an address that the service has named.
  var address: String
  /// The path for display.
  var shape: String
  var parameters: [Parameter] = []
  /// True if a response named the address as another one of the same list.
  private(set) var isNamed = false

  /// A path that names no record.
  init(_ path: String) {
    address = path
    shape = String(path.prefix { $0 != "?" })
  }

  /// A path that names a record, with a shape to show instead.
  init(_ path: String, shownAs shape: String) {
    address = path
    self.shape = shape
  }

  /// An address that the service has named. Only the names of its parameters are shown.
  init(named address: String, in shape: String) {
    self.address = address
    isNamed = true
    let names = Link.parameters(address).prefix(10).map { "\(SurveyText.cut($0))=…" }
    self.shape = shape + (names.isEmpty ? "" : "?\(names.joined(separator: "&"))")
  }

  /// Adds a parameter whose value is shown.
  func with(_ name: String, _ value: some CustomStringConvertible) -> ProbeTarget {
    adding(Parameter(name: name, value: value.description, isShown: true))
  }

  /// Adds a parameter whose value comes from a record.
  func with(_ name: String, data value: String) -> ProbeTarget {
    adding(Parameter(name: name, value: value, isShown: false))
  }

  func with(_ others: [ProbeTarget]) -> ProbeTarget { others.flatMap(\.parameters).reduce(self) { $0.adding($1) } }

  private func adding(_ parameter: Parameter) -> ProbeTarget {
    var target = self
    if parameters.contains(where: { $0.name == parameter.name && $0.value == parameter.value }) { return self }
    target.parameters.append(parameter)
    return target
  }

  /// The address to send.
  var sent: String {
    guard !parameters.isEmpty else { return address }
    let mark = address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return address + mark + PercentEncoding.form(parameters.map { ($0.name, $0.value) })
  }

  /// The address for display.
  var shown: String {
    guard !parameters.isEmpty else { return SurveyText.cut(shape, to: SurveyText.request) }
    let mark = shape.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    let shown = parameters.map { "\($0.name)=\($0.isShown ? $0.value : "…")" }.joined(separator: "&")
    return SurveyText.cut(shape + mark + shown, to: SurveyText.request)
  }

  /// True if the address has the shape that is shown: as many segments, which differ only in variables.
  var hasItsShape: Bool {
    func segments(_ address: String) -> [String] {
      (Link.rootPath(address) ?? address).prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map { segment in
        PercentEncoding.decoded(segment) ?? String(segment)
      }
    }
    let (wanted, sent) = (segments(shape), segments(address))
    return wanted.count == sent.count
      && zip(wanted, sent).allSatisfy { wanted, sent in
        guard let open = wanted.firstIndex(of: "{"), let close = wanted.lastIndex(of: "}") else {
          return wanted == sent
        }
        return sent.hasPrefix(wanted[..<open]) && sent.hasSuffix(wanted[wanted.index(after: close)...])
      }
  }
}
