import BackendClient
import BackendKit

/// A service's OpenAPI 3 or Swagger 2 document. It is untrusted: no address in it is opened, and references are
/// followed only within it and the documents of the same origin that were read with it.
struct ServiceDocument {
  /// The parts of a document that describe one path.
  struct Path {
    /// The path below the origin's root, with variables in braces.
    let template: String
    let operations: [String: Operation]

    /// True if the last segment is a variable.
    let endsInVariable: Bool
    /// Without a slash at its end.
    let plain: Substring
    /// The variables in it.
    let variables: Int

    init(template: String, operations: [String: Operation]) {
      (self.template, self.operations) = (template, operations)
      let segments = template.split(separator: "/")
      endsInVariable = segments.last?.utf8.first == UInt8(ascii: "{")
      plain = template.dropLast(template.hasSuffix("/") ? 1 : 0)
      variables = segments.count { $0.utf8.first == UInt8(ascii: "{") }
    }
  }

  /// The operation of one method.
  struct Operation {
    /// The parameters of the query, and their schemas.
    let parameters: [(name: String, schema: Object)]
    /// The schema of the request body; nil if the document does not describe it.
    let request: Value?
    /// The schema of the response; nil if the document does not describe it.
    let response: Value?
    /// The parameter that holds an object, and what that may have; nil where there is none.
    let holder: (parameter: String, properties: Object)?
    /// The alternatives of authorization that it wants, each with the schemes that are needed together.
    let security: [[SecurityScheme]]
  }

  /// The most paths that are read.
  static let mostPaths = 2_000
  private static let methods = ["get", "post", "put", "patch", "delete"]

  let paths: [Path]
  let schemas: SchemaReader
  private let schemes: [SecurityScheme]
  /// The version of the service, as the document has it.
  let version: String?

  /// Returns whether a value is an OpenAPI 3 or Swagger 2 document.
  static func isOne(_ value: Value) -> Bool {
    value.object?["paths"]?.object != nil
      && (value.object?["openapi"]?.text?.hasPrefix("3.") == true || value.object?["swagger"]?.text == "2.0")
  }

  /// The document in a value; nil where it is none. `others` are those that it refers to; `base` is the path of the
  /// address, used where the document has none.
  init?(_ value: Value, others: [String: Value], base: String) {
    guard Self.isOne(value), let root = value.object, let paths = root["paths"]?.object else { return nil }
    schemas = SchemaReader(root, others: others)
    // Generators write an empty one where the service has none.
    let version = root["info"]?.object?["version"]?.text.map { SurveyText.cut($0) } ?? ""
    self.version = version.allSatisfy(\.isWhitespace) ? nil : version
    let prefix = Self.prefix(root, base: base)
    let security = SecurityReader(root, schemas, below: prefix)
    schemes = security.schemes
    var found: [Path] = []
    for (template, item) in paths.members.prefix(Self.mostPaths) {
      guard template.hasPrefix("/"), let item = schemas.object(item) else { continue }
      var operations: [String: Operation] = [:]
      for method in Self.methods {
        guard let operation = item[method]?.object else { continue }
        operations[method.uppercased()] = Self.operation(
          operation, sharing: item["parameters"], schemas, security)
      }
      guard !operations.isEmpty else { continue }
      found.append(Path(template: Self.bound(prefix + template, to: base), operations: operations))
    }
    self.paths = found
  }

  /// The path of the first server below the origin, or Swagger's base path. Which server it names does not matter: only
  /// the origin of the address is ever asked.
  private static func prefix(_ root: Object, base: String) -> String {
    var path: String
    if let server = root["servers"]?.array?.first?.object {
      guard var url = server["url"]?.text else { return "" }
      for (name, variable) in server["variables"]?.object?.members.map({ $0 }) ?? [] {
        url = url.replacing(text: "{\(name)}", with: variable.object?["default"]?.text ?? "")
      }
      path = Link.rootPath(url) ?? "/" + url
    } else {
      path = root["basePath"]?.text ?? ""
    }
    while path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Returns a path with the segments of an address in place of its variables: below `/servers/one`,
  /// `/servers/{server}/zones` becomes `/servers/one/zones`.
  private static func bound(_ template: String, to base: String) -> String {
    let (given, parts) = (base.split(separator: "/"), template.split(separator: "/"))
    guard !given.isEmpty, parts.count > given.count,
      zip(parts, given).allSatisfy({ $0 == $1 || $0.hasPrefix("{") && $0.hasSuffix("}") })
    else { return template }
    return "/" + (given + parts.dropFirst(given.count)).joined(separator: "/") + (template.hasSuffix("/") ? "/" : "")
  }

  /// The logins that it describes.
  var logins: [DocumentedLogin] { schemes.map(\.login) }

  /// The most alternatives that are shown to people.
  private static let mostWanted = 4

  /// The alternatives of authorization for a read of a path. Where none is named for it, those of other reads count, and
  /// then every scheme that is described.
  func wanted(at path: String) -> [[SecurityScheme]] {
    var wanted = paths.first { $0.plain == path }?.operations["GET"]?.security ?? []
    if wanted.isEmpty { wanted = paths.flatMap { $0.operations["GET"]?.security ?? [] } }
    if wanted.isEmpty { wanted = schemes.map { [$0] } }
    var seen: Set<[String]> = []
    return Array(wanted.filter { seen.insert($0.map(\.option)).inserted }.prefix(Self.mostWanted))
  }

  private static func operation(
    _ operation: Object, sharing shared: Value?, _ schemas: SchemaReader, _ security: SecurityReader
  ) -> Operation {
    var parameters: [(name: String, schema: Object)] = []
    var request: Value?
    var holder: (parameter: String, properties: Object)?
    for parameter in (shared?.array ?? []) + (operation["parameters"]?.array ?? []) {
      guard let parameter = schemas.object(parameter), let name = parameter["name"]?.text else { continue }
      if parameter["in"]?.text == "body" { request = parameter["schema"] }
      guard parameter["in"]?.text == "query" else { continue }
      parameters.removeAll { $0.name == name }
      if let content = parameter["content"], let properties = schemas.folded(json(content))?["properties"]?.object,
        !properties.isEmpty
      {
        holder = (name, properties)
        continue
      }
      parameters.append((name, schemas.object(parameter["schema"]) ?? parameter))
    }
    if let body = schemas.object(operation["requestBody"]) { request = json(body["content"]) }
    var response: Value?
    let responses = operation["responses"]?.object
    for status in ["200", "201", "2XX", "default"] where response == nil {
      guard let answer = schemas.object(responses?[status]) else { continue }
      response = answer["schema"] ?? json(answer["content"])
    }
    return Operation(
      parameters: parameters, request: request, response: response, holder: holder,
      security: security.wanted(by: operation))
  }

  private static func json(_ content: Value?) -> Value? {
    let types = content?.object?.members.map { $0 } ?? []
    let best = types.first { $0.0.contains(text: "json") } ?? types.first
    return best?.1.object?["schema"]
  }
}
