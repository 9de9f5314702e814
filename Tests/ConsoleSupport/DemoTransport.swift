import BackendKit
import BackendTransport
import DemoServerSupport
import HTTPTransport
import TestSupport

/// The way to a demo in the process of the test. It sends each request once, as nobody, and without a trace: whoever tests what happens on
/// the way to a server starts a `DemoProcess`.
struct DemoTransport: Transport {
  var address: String { network.address }
  var loggedIn: Login? { network.loggedIn }
  private let base: WebAddress
  private let settings: TransportSettings
  private let demo: Demo
  /// Says what is wrong with a login; there is no server for it.
  private let network: any Transport

  /// The transports of a run: through this to the demos of this process, and over the network to any other server.
  static let library: TransportLibrary = {
    let network = TransportLibrary.take(transportEntry())
    return TransportLibrary(
      transport: { settings throws(BackendError) in
        guard let demo = Demo.running(at: settings.address) else { return try network.transport(settings) }
        return try DemoTransport(settings, demo, network.transport(settings))
      }, certificate: network.certificate, run: { _ in })
  }()

  private init(
    _ settings: TransportSettings, _ demo: Demo, _ network: any Transport
  ) throws(BackendError) {
    guard settings.login == nil || settings.credentials == nil else { throw Self.impossible("a login") }
    base = try WebAddress(configured: settings.address)
    self.settings = settings
    self.demo = demo
    self.network = network
  }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    if settings.trace?.isOn == true { throw Self.impossible("a trace") }
    if Task.isCancelled { throw BackendError(.cancelled, "cancelled", effect: .notSent) }
    let target = try base.address(of: request).dropFirst(base.origin.address.count)
    var headers = settings.headers
    for field in request.headers + [("Accept", "application/json"), ("User-Agent", settings.userAgent)]
    where !headers.contains(where: { $0.0.lowercased() == field.0.lowercased() }) {
      headers.append(field)
    }
    let body = if let content = request.content { try await content.open().collect() } else { request.body }
    let answer: RawAnswer
    do { answer = try await demo.send(request.method, String(target), headers: headers, bytes: body) } catch {
      throw Self.impossible("\(error)")
    }
    guard answer.isComplete else { throw Self.impossible("a response that is cut") }
    AttemptLog.current?.add(.answered(answer.status), of: request)
    let pieces = Pieces(answer.body)
    return HTTPResponse(
      status: answer.status, headers: answer.headers.map { ($0.name, $0.value) }, body: HTTPBody { pieces.take() })
  }

  func login(username: String, password: String, isForSession: Bool) async throws(BackendError) -> Login {
    try await network.login(username: username, password: password, isForSession: isForSession)
  }
  func signIn(_ order: SignIn) async throws(BackendError) -> Login { try await network.signIn(order) }
  func logout() async throws(BackendError) -> Bool { try await network.logout() }
  func identity() async throws(BackendError) -> Object { try await network.identity() }

  private static func impossible(_ what: String) -> BackendError {
    .misconfigured("\(what) is not for a demo in the process of the test: start a DemoProcess")
  }
}
