import AdapterSupport
import ConsoleSupport
import Foundation
import Synchronization
import Testing

/// Tokens that end while a list is read.
@Suite struct EndingTokenTests {
  @Test(arguments: [
    (401, #"[]"#), (403, #"["expired"]"#), (403, #"[{"status": 403, "member": "code", "text": "token_expired"}]"#),
    (400, #"[{"status": [400, 409], "member": "code"}]"#),
  ])
  func `A list goes on where it was, whatever status says that the token has ended`(
    _ status: Int, _ rejections: String
  ) async throws {
    let state = Mutex((logins: 0, uses: 0))
    let server = try SocketServer { request in
      if request.hasPrefix("POST /login") {
        let number = state.withLock { state in
          state = (state.logins + 1, 0)
          return state.logins
        }
        return SocketServer.json(200, #"{"access_token":"t\#(number)"}"#)
      }
      let isGood = state.withLock { state in
        state.uses += 1
        return request.contains("\r\nAuthorization: Bearer t\(state.logins)\r\n") && state.uses <= 2
      }
      guard isGood else {
        return SocketServer.json(status, #"{"code":"token_expired","message":"using an expired temporary token"}"#)
      }
      let page = request.firstMatch(of: /[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
      let items = page < 6 ? ((page - 1) * 10 + 1...page * 10).map { #"{"id":\#($0)}"# } : []
      return SocketServer.json(200, #"{"total":50,"items":[\#(items.joined(separator: ","))]}"#)
    }
    let home = try ConsoleRun.Home()
    try home.writeOwn(
      """
      records: {listPath: items}
      page: {style: number, parameter: page, first: 1}
      size: {parameter: size, default: 10, maximum: 10}
      total: {member: total}
      end: {when: [total]}
      errors: {message: message}
      resources: {items: {fields: {id: integer}}}
      """, to: "api.yaml")
    try home.writeOwn(
      #"{"switchboard": 1, "backends": {"s": {"plugin": "rest", "url": "\#(server.address)", "description": "api.yaml", "login": {"kind": "login", "request": {"path": "login", "json": {"u": "$username", "p": "$password"}}, "rejections": \#(rejections)}, "credentials": {"username": "ana", "password": {"env": "PW"}}}}}"#
    )
    let run = try await ConsoleRun.run(
      ["-c", "list s/items --all -o id"], in: home, variables: ["PW": "passw0rd-\(status)-\(rejections.count)"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").compactMap { Int($0) } == Array(1...50))
    #expect(state.withLock(\.logins) >= 3)
  }
}
