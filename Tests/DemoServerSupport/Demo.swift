import DemoService
import Foundation
import HTTPTypes
import Synchronization
public import TestSupport

/// The demo's servers for a test: in its own process, without a socket; as a program where `SWITCHBOARD_TEST_PROGRAMS` names a
/// folder of programs.
///
/// It has no connections that could be cut and no time of its own: whoever tests these starts a ``DemoProcess``.
public final class Demo: RunningDemo {
  private enum Form {
    case service(DemoService)
    case process(DemoProcess)
  }

  /// The demos of this process, by their ports. They stay to its end: a configuration names them by their addresses alone.
  private static let running = Mutex<[Int: Demo]>([:])
  /// Lower than the ports that a system gives to those who do not ask for one.
  private static let lastPort = Atomic<Int>(1_024)

  /// The port on 127.0.0.1; of a demo in the process of the test, a number that stands in addresses.
  public let port: Int
  private let form: Form

  /// Starts it with arguments of `switchboard-demo`.
  public static func start(_ arguments: [String]) async throws -> Demo {
    guard BuiltFolder.namesPrograms else { return try inProcess(arguments) }
    let process = try await DemoProcess.start(arguments)
    return Demo(process.port, .process(process))
  }

  /// Starts it in the process of the test; variables name the folder of its data.
  package static func inProcess(
    _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Demo {
    var data = DemoData(environment: environment)
    var switches: [String] = []
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--memory": data.isInMemory = true
      case "--reset": data.resets = true
      case "--seed": data.seed = rest.popFirst().flatMap { Int($0) }
      case "--data": data.file = rest.popFirst()
      case "--import": data.imported = rest.popFirst()
      case "--set": switches += rest.popFirst().map { [$0] } ?? []
      default: throw DemoProcess.Failure(description: "a demo in the process of the test has no \(option)")
      }
    }
    let port = lastPort.add(1, ordering: .relaxed).newValue
    let demo = Demo(port, .service(try DemoService(data, setting: switches)))
    running.withLock { $0[port] = demo }
    return demo
  }

  /// The demo of this process that an address belongs to; nil for any other server.
  package static func running(at address: String) -> Demo? {
    guard let port = URLComponents(string: address)?.port else { return nil }
    return running.withLock { $0[port] }
  }

  private init(_ port: Int, _ form: Form) {
    self.port = port
    self.form = form
  }

  /// Sends one request and returns the answer.
  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], bytes: [UInt8]?
  ) async throws -> RawAnswer {
    switch form {
    case .process(let process): return try await process.send(method, target, headers: headers, bytes: bytes)
    case .service(let service):
      var fields = HTTPFields()
      for (name, value) in headers where name.lowercased() != "host" {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      if let bytes, fields[.contentLength] == nil, fields[.transferEncoding] == nil {
        fields[.contentLength] = String(bytes.count)
      }
      let host = headers.first { $0.0.lowercased() == "host" }?.1 ?? "127.0.0.1:\(port)"
      let response = try await service.answer(method, target, host: host, headers: fields) { bytes ?? [] }
      return RawAnswer(response, toHead: method == "HEAD")
    }
  }
}

extension RawAnswer {
  /// A response as it comes off the wire.
  fileprivate init(_ response: DemoResponse, toHead isHead: Bool) {
    self.init()
    let hasBody = response.status != 204 && response.status != 304
    var length: Int?
    switch response.body {
    case .whole(let bytes):
      body = isHead || !hasBody ? [] : bytes
      isComplete = true
    case .pieces(let pieces, let given, _, let cut):
      if cut, pieces.isEmpty { return }
      body = isHead ? [] : pieces.flatMap { $0 }
      length = given
      isComplete = !cut
    }
    status = response.status
    reason = HTTPResponse.Status(code: status).reasonPhrase
    headers = response.fields.filter { hasBody || $0.name.lowercased() != "content-length" }
    if case .pieces = response.body {
      headers.append(length.map { ("Content-Length", String($0)) } ?? ("Transfer-Encoding", "chunked"))
    }
  }
}
