import BackendKit

/// A message of a client, in JSON-RPC 2.0.
struct AssistantRequest: Sendable {
  /// The revision without a handshake, in which each request names its revision.
  static let modern = "2026-07-28"
  /// The revisions with one, the newest last.
  static let earlier = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

  /// A string or a number; nil of a notification.
  let id: Value?
  let method: String
  let parameters: Object
  /// The revision that the request names; nil before there were such names.
  let revision: String?
  /// The name that the client gives itself in the request; nil if in none.
  let client: String?

  /// Reads a message. Throws the error to answer with.
  init(_ bytes: [UInt8]) throws(AssistantError) {
    let message: Value
    do { message = try JSONReader.read(bytes) } catch { throw AssistantError(-32700, "not valid JSON: \(error)") }
    guard case .object(let object) = message else { throw AssistantError(-32600, "a message is one object") }
    let id = object["id"]
    switch id {
    case nil, .string?, .number?: break
    default: throw AssistantError(-32600, "the id of a request is a string or a number")
    }
    guard object["jsonrpc"]?.text == "2.0", let method = object["method"]?.text else {
      throw AssistantError(-32600, "a request has \"jsonrpc\": \"2.0\" and a method", id: id)
    }
    switch object["params"] {
    case nil: parameters = Object()
    case .object(let object)?: parameters = object
    default: throw AssistantError(-32602, "params is an object", id: id)
    }
    self.id = id
    self.method = method
    var meta = Object()
    if case .object(let given)? = parameters["_meta"] { meta = given }
    revision = meta["io.modelcontextprotocol/protocolVersion"]?.text
    client = meta["io.modelcontextprotocol/clientInfo"]?.object?["name"]?.text
    guard revision != nil, id != nil else { return }
    guard revision == Self.modern else {
      throw AssistantError(
        -32022, "unsupported protocol version", id: id,
        data: [
          "supported": .array(([Self.modern] + Self.earlier.reversed()).map { .string($0) }),
          "requested": revision.map { .string($0) } ?? .null,
        ])
    }
    guard case .object? = meta["io.modelcontextprotocol/clientCapabilities"] else {
      throw AssistantError(-32602, "_meta lacks io.modelcontextprotocol/clientCapabilities", id: id)
    }
  }

  /// The message with the result of the request.
  func answer(_ result: [(String, Value)]) -> Value {
    let type: [(String, Value)] = revision == nil ? [] : [("resultType", "complete")]
    return ["jsonrpc": "2.0", "id": id ?? .null, "result": .object(Object(result + type))]
  }
}

/// A failure of a message itself, and not of what it asks for.
struct AssistantError: Error {
  let code: Int
  let message: String
  var id: Value?
  var data: Value?

  init(_ code: Int, _ message: String, id: Value? = nil, data: Value? = nil) {
    (self.code, self.message, self.id, self.data) = (code, message, id, data)
  }

  /// The message that says so.
  var answer: Value {
    var error: Object = Object([("code", .int(code)), ("message", .string(message))])
    if let data { error["data"] = data }
    return ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)]
  }
}
