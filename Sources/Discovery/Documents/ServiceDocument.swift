import BackendClient
import BackendKit

/// An OpenAPI 3 or Swagger 2 document. It is untrusted: no address in it is opened, and references lead only to
/// documents of the same origin that were read with it.
struct ServiceDocument {
  struct Path {
    /// The path below the origin's root, with variables in braces.
    let template: String
    let operations: [String: Operation]

    let endsInVariable: Bool
    /// The path without a final slash.
    let plain: Substring
    let variables: Int

    init(template: String, operations: [String: Operation]) {
      (self.template, self.operations) = (template, operations)
      let segments = template.split(separator: "/")
      endsInVariable = segments.last?.utf8.first == UInt8(ascii: "{")
      plain = template.dropLast(template.hasSuffix("/") ? 1 : 0)
      variables = segments.count { $0.utf8.first == UInt8(ascii: "{") }
    }
  }

  struct Operation {
    let parameters: [(name: String, schema: Object)]
    /// The schema of the request body; nil if it is not described.
    let request: Value?
    /// The schema of the response; nil if it is not described.
    let response: Value?
    /// The media type of that body; nil if it has none.
    let requestType: String?
    /// The first of its tags.
    let tag: String?
    /// The parameter that contains an object, and the object's properties; nil if there is none.
    let holder: (parameter: String, properties: Object)?
    /// The alternatives of authorization that it wants, each with the schemes that are needed together.
    let security: [[SecurityScheme]]
  }

  static let mostPaths = 5_000
  private static let methods = ["get", "post", "put", "patch", "delete"]

  let paths: [Path]
  let schemas: SchemaReader
  private let schemes: [SecurityScheme]
  /// The version of the service, as the document has it.
  let version: String?

  static func isOne(_ value: Value) -> Bool {
    value.object?["paths"]?.object != nil
      && (value.object?["openapi"]?.text?.hasPrefix("3.") == true || value.object?["swagger"]?.text == "2.0")
  }

  /// Reads a document; nil if the value is not one. `others` are the documents it refers to; `base` is the path of the
  /// address, for documents without one.
  init?(_ value: Value, others: [String: Value], base: String) {
    guard Self.isOne(value), let root = value.object, let paths = root["paths"]?.object else { return nil }
    schemas = SchemaReader(root, others: others)
    // Generators write an empty text for services without a version.
    let version = root["info"]?.object?["version"]?.text.map { SurveyText.cut($0) } ?? ""
    self.version = version.allSatisfy(\.isWhitespace) ? nil : version
    let prefix = Self.prefix(root, base: base)
    let security = SecurityReader(root, schemas, below: prefix)
    schemes = security.schemes
    var found: [Path] = []
    var places: [String: Int] = [:]
    for (template, item) in paths.members.prefix(Self.mostPaths) {
      guard template.hasPrefix("/"), let item = schemas.object(item) else { continue }
      var operations: [String: Operation] = [:]
      for method in Self.methods {
        guard let operation = item[method]?.object else { continue }
        operations[method.uppercased()] = Self.operation(
          operation, sharing: item["parameters"], schemas, security)
      }
      guard !operations.isEmpty else { continue }
      let path = Path(template: Self.bound(prefix + template, to: base), operations: operations)
      // Generators name the variables of one path otherwise for each method.
      let shape = path.template.split(separator: "/").map { $0.hasPrefix("{") ? "{" : $0 }.joined(separator: "/")
      guard let known = places[shape] else {
        places[shape] = found.count
        found.append(path)
        continue
      }
      found[known] = Path(
        template: found[known].template, operations: found[known].operations.merging(operations) { first, _ in first })
    }
    self.paths = found
  }

  /// The path of the first server, or Swagger's base path. The server is ignored: only the survey's origin is read.
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

  /// A path with its variables replaced by the segments of an address: below `/servers/one`, `/servers/{server}/zones`
  /// becomes `/servers/one/zones`.
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
    var form = Object()
    var holder: (parameter: String, properties: Object)?
    for parameter in (shared?.array ?? []) + (operation["parameters"]?.array ?? []) {
      guard let parameter = schemas.object(parameter), let name = parameter["name"]?.text else { continue }
      if parameter["in"]?.text == "body" { request = parameter["schema"] }
      if parameter["in"]?.text == "formData" { form[name] = .object(parameter) }
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
    var requestType = request == nil ? nil : "application/json"
    if let body = schemas.object(operation["requestBody"]) {
      (request, requestType) = (json(body["content"]), best(body["content"])?.0)
    } else if !form.isEmpty, request == nil {
      (request, requestType) = (.object(Object([("properties", .object(form))])), "application/x-www-form-urlencoded")
    }
    var response: Value?
    let responses = operation["responses"]?.object
    for status in ["200", "201", "2XX", "default"] where response == nil {
      guard let answer = schemas.object(responses?[status]) else { continue }
      response = answer["schema"] ?? json(answer["content"])
    }
    return Operation(
      parameters: parameters, request: request, response: response, requestType: requestType,
      tag: operation["tags"]?.array?.first?.text, holder: holder, security: security.wanted(by: operation))
  }

  private static func json(_ content: Value?) -> Value? { best(content)?.1.object?["schema"] }

  /// The content of JSON, otherwise the first.
  private static func best(_ content: Value?) -> (String, Value)? {
    let types = content?.object?.members.map { $0 } ?? []
    return types.first { $0.0.contains(text: "json") } ?? types.first
  }
}
