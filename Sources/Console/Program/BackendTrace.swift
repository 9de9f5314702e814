import BackendKit
import BackendTransport
import ConsoleSetup

/// The trace of a backend's requests, which can show them as commands of curl.
struct BackendTrace: AttemptTrace {
  let trace: Trace
  let backend: BackendConfiguration
  let login: LoginScheme?
  let blanking: Blanking

  var isOn: Bool { trace.isOn }

  func tell(_ event: TraceEvent) {
    guard trace.form == .curl, case .request(let method, let address, let headers, let body) = event.kind else {
      return trace.tell(event)
    }
    let command = CurlCommand(sent: method, to: address, headers, body, of: backend, login, blanking)
    trace.tell(event, command: command.text)
  }
}
