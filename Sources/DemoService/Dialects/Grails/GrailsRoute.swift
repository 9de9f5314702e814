/// The destination of a request in the application's URL mappings.
struct GrailsRoute {
  enum Path {
    case root
    case plural(String?)
    case singular(String?)
    case nowhere
  }

  /// The method after an override by header or parameter.
  let method: String
  /// Nowhere also for a version without a mapping.
  let path: Path
  let version: String?
  /// The extension after an id or `/announcement`, such as `json`.
  let format: String?
  /// The target's percent-encoding is broken; the container refuses it before the application sees it.
  let isBadTarget: Bool

  init(_ request: DemoRequest) {
    method = Self.method(request)
    version = Self.version(request)
    var segments = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    if segments.last?.isEmpty == true { segments.removeLast() }
    let decoded = segments.map { PercentEncoding.decoded($0) }
    isBadTarget = decoded.contains(nil)
    (path, format) = Self.path(decoded.compactMap(\.self), version: version)
  }

  private static func path(_ segments: [String], version: String?) -> (Path, format: String?) {
    guard let first = segments.first else { return (.root, nil) }
    guard segments.count <= 2, !segments.contains("") else { return (.nowhere, nil) }
    let id = segments.dropFirst().first.map(withoutExtension)
    if first == "announcements" {
      guard version == nil || version == "1.0" || version == "2.0" else { return (.nowhere, nil) }
      return (.plural(id?.name), id?.format)
    }
    if let id { return (first == "announcement" ? .singular(id.name) : .nowhere, id.format) }
    let name = withoutExtension(first)
    return (name.name == "announcement" ? .singular(nil) : .nowhere, name.format)
  }

  private static func withoutExtension(_ segment: String) -> (name: String, format: String?) {
    guard let dot = segment.lastIndex(of: "."), dot != segment.startIndex else { return (segment, nil) }
    return (String(segment[..<dot]), String(segment[segment.index(after: dot)...]))
  }

  /// The canonical id of a record; nil if it is not a number.
  static func recordID(_ text: String) -> String? {
    Int64(text).map { String($0) }
  }

  private static func method(_ request: DemoRequest) -> String {
    guard request.method == "POST" else { return request.method }
    if let override = request.header("x-http-method-override"), !override.isEmpty { return override.uppercased() }
    var parameters = Form(request.query)
    if GrailsBinding.mediaType(of: request) == GrailsBinding.formType {
      parameters = parameters + Form(String(decoding: request.body, as: UTF8.self))
    }
    return parameters["_method"]?.uppercased() ?? "POST"
  }

  /// The header takes precedence over the parameter `v` of a media type in `Accept`.
  private static func version(_ request: DemoRequest) -> String? {
    if let version = request.header("accept-version") { return version }
    guard let accept = request.header("accept") else { return nil }
    for parameter in accept.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let text = parameter.filter { $0 != " " }
      if text.hasPrefix("v=") { return String(text.dropFirst(2)) }
    }
    return nil
  }
}
