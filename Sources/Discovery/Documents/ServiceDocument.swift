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

    /// A path whatever its variables are called.
    static func shape(_ path: some StringProtocol) -> String {
      path.split(separator: "/").map { $0.contains("{") ? "{}" : String($0) }.joined(separator: "/")
    }

    init(template: String, operations: [String: Operation]) {
      (self.template, self.operations) = (template, operations)
      let segments = template.split(separator: "/")
      endsInVariable = segments.last?.utf8.first == UInt8(ascii: "{")
      plain = template.dropLast(template.hasSuffix("/") ? 1 : 0)
      variables = segments.count { $0.utf8.first == UInt8(ascii: "{") }
    }
  }

  struct Operation {
    let parameters: [(name: String, schema: Object, isRequired: Bool)]
    /// The schema of the request body; nil if it is not described.
    let request: Value?
    /// The schema of the response; nil if it is not described.
    let response: Value?
    /// The media type of that body; nil if it has none.
    let requestType: String?
    /// The names of the response's header fields.
    let headers: [String]
    /// The first of its tags.
    let tag: String?
    /// The parameter that contains an object, and the object's properties; nil if there is none.
    let holder: (parameter: String, properties: Object)?
    /// The alternatives of authorization that it wants, each with the schemes that are needed together.
    let security: [[SecurityScheme]]

    /// True if the names of lists are repeated in a form.
    let repeatsNames: Bool

    /// The form of its body, as a description names it; nil if others are accepted.
    var form: String? {
      let isForm = requestType.map { $0.hasPrefix(MediaTypes.form) || $0.hasPrefix("multipart/form-data") } ?? false
      return isForm ? repeatsNames ? "repeatingForm" : "form" : nil
    }

    /// The form of a patch, as a description names it; nil if its body is plain.
    var patchFormat: String? {
      if requestType?.hasPrefix(MediaTypes.mergePatch) == true { return "mergePatch" }
      return requestType?.hasPrefix(MediaTypes.jsonPatch) == true ? "jsonPatch" : nil
    }
  }

  private enum MediaTypes {
    static let form = "application/x-www-form-urlencoded"
    static let mergePatch = "application/merge-patch+json"
    static let jsonPatch = "application/json-patch+json"
  }

  static let mostOperations = 5_000
  private static let methods = ["get", "post", "put", "patch", "delete"]

  let paths: [Path]
  let schemas: SchemaReader
  private let schemes: [SecurityScheme]
  /// The version of the service, as the document has it.
  let version: String?
  /// The path that its resources are below: that of the address, or else of its server.
  let base: String
  /// The path of its server, if the address is not below that.
  let unusedServer: String?
  /// The number of its operations, whether they were read or not.
  let operations: Int
  /// The lists that it describes.
  private(set) var lists: [DocumentedResource] = []

  static func isOne(_ value: Value) -> Bool {
    guard let root = value.object, root["paths"]?.object != nil else { return false }
    guard let version = root["openapi"] ?? root["swagger"] else { return false }
    // In YAML it may be a number.
    let text = RecordID(version)?.text ?? ""
    return ["2", "3"].contains { text == $0 || text.hasPrefix($0 + ".") }
  }

  /// Reads a document; nil if the value is not one. `others` are the documents it refers to. `address` is that of the
  /// survey, nil if it is the document's; `isBase` is true if it may be that of the API.
  init?(_ value: Value, others: [String: Value], address: String?, isBase: Bool = true) {
    guard Self.isOne(value), let root = value.object, let paths = root["paths"]?.object else { return nil }
    schemas = SchemaReader(root, others: others)
    // Generators write an empty text for services without a version.
    let version = root["info"]?.object?["version"]?.text.map { SurveyText.cut($0) } ?? ""
    self.version = version.allSatisfy(\.isWhitespace) ? nil : version
    let servers = ServerPaths(root, templates: paths.names, address: address, isBase: isBase)
    (base, unusedServer) = (servers.base, servers.unused)
    let security = SecurityReader(root, schemas, below: servers.prefix)
    schemes = security.schemes
    var found: [Path] = []
    var places: [String: Int] = [:]
    var count = 0
    let keys = security.keys
    for (template, item) in paths.members {
      guard template.hasPrefix("/"), let item = schemas.object(item) else { continue }
      for method in Self.methods {
        guard let operation = item[method]?.object else { continue }
        count += 1
        guard count <= Self.mostOperations else { continue }
        let full = servers.path(of: template, servers: operation["servers"] ?? item["servers"])
        let read = [
          method.uppercased(): Self.operation(operation, item["parameters"], besides: keys, schemas, security)
        ]
        // Generators name the variables of one path otherwise for each method.
        let shape = Path.shape(full)
        guard let known = places[shape] else {
          places[shape] = found.count
          found.append(Path(template: full, operations: read))
          continue
        }
        let all = found[known].operations.merging(read) { first, _ in first }
        found[known] = Path(template: found[known].template, operations: all)
      }
    }
    (self.paths, operations) = (found, count)
    lists = DocumentedResource.all(in: self)
  }

  /// The logins that it describes: those first that its reads name, in their order.
  var logins: [DocumentedLogin] {
    let named = paths.flatMap { $0.operations["GET"]?.security ?? [] }.filter { $0.count == 1 }.joined()
    return (named + schemes).map(\.login).unique
  }

  /// The most alternatives that are shown to people.
  private static let mostWanted = 4

  /// The alternatives of authorization for a read of a path. Where none is named for it, those of other reads count, and
  /// then every scheme that is described.
  func wanted(at path: String) -> [[SecurityScheme]] {
    var wanted = paths.first { $0.plain == path }?.operations["GET"]?.security ?? []
    if wanted.isEmpty { wanted = paths.flatMap { $0.operations["GET"]?.security ?? [] } }
    if wanted.isEmpty { wanted = schemes.map { [$0] } }
    return Array(wanted.unique { $0.map(\.option) }.prefix(Self.mostWanted))
  }

  /// Reads an operation, which has parameters of its path, too. `keys` are parameters of logins.
  private static func operation(
    _ operation: Object, _ shared: Value?, besides keys: Set<String>, _ schemas: SchemaReader,
    _ security: SecurityReader
  ) -> Operation {
    var parameters: [(name: String, schema: Object, isRequired: Bool)] = []
    var request: Value?
    var form = Object()
    var holder: (parameter: String, properties: Object)?
    for parameter in (shared?.array ?? []) + (operation["parameters"]?.array ?? []) {
      guard let parameter = schemas.object(parameter), let name = parameter["name"]?.text else { continue }
      if parameter["in"]?.text == "body" { request = parameter["schema"] }
      if parameter["in"]?.text == "formData" { form[name] = .object(parameter) }
      guard parameter["in"]?.text == "query", !keys.contains(name) else { continue }
      parameters.removeAll { $0.name == name }
      if let content = parameter["content"], let properties = schemas.folded(json(content))?["properties"]?.object,
        !properties.isEmpty
      {
        holder = (name, properties)
        continue
      }
      parameters.append((name, schemas.object(parameter["schema"]) ?? parameter, parameter["required"]?.bool == true))
    }
    var requestType = request == nil ? nil : "application/json"
    var repeatsNames = false
    if let body = schemas.object(operation["requestBody"]) {
      let content = best(body["content"])
      (request, requestType) = (json(body["content"]), content?.0)
      if content?.0.contains(text: "form") == true {
        repeatsNames = schemas.repeatsNames(in: request, encoded: content?.1.object?["encoding"]?.object)
      }
    } else if !form.isEmpty, request == nil {
      let required = form.members.filter { $0.1.object?["required"]?.bool == true }.map(\.0)
      let schema = Object([("properties", .object(form)), ("required", .array(required.map { .string($0) }))])
      (request, requestType) = (.object(schema), MediaTypes.form)
      repeatsNames = form.members.contains { $0.1.object?["collectionFormat"] == "multi" }
    }
    var response: Value?
    var headers: [String] = []
    let responses = operation["responses"]?.object
    for status in ["200", "201", "2XX", "default"] where response == nil {
      guard let answer = schemas.object(responses?[status]) else { continue }
      response = answer["schema"] ?? json(answer["content"])
      if headers.isEmpty { headers = answer["headers"]?.object?.names ?? [] }
    }
    return Operation(
      parameters: parameters, request: request, response: response, requestType: requestType,
      headers: headers, tag: operation["tags"]?.array?.first?.text, holder: holder,
      security: security.wanted(by: operation), repeatsNames: repeatsNames)
  }

  private static func json(_ content: Value?) -> Value? { best(content)?.1.object?["schema"] }

  /// The content of JSON, of a patch only if there is no other; otherwise a form, or the first.
  private static func best(_ content: Value?) -> (String, Value)? {
    func rank(_ type: String) -> Int {
      if type.hasPrefix(MediaTypes.mergePatch) { return 1 }
      if type.hasPrefix(MediaTypes.jsonPatch) { return 3 }
      if type.prefix(while: { $0 != ";" }) == "application/json" { return 0 }
      return type.contains(text: "json") ? 2 : type.hasPrefix(MediaTypes.form) ? 4 : 5
    }
    return content?.object?.members.map { $0 }.min { rank($0.0) < rank($1.0) }
  }
}
