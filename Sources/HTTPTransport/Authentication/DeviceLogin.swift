import BackendKit
import BackendTransport

/// A login with a code that a person types on any device (RFC 8628).
struct DeviceLogin {
  let oauth2: LoginScheme.OAuth2
  let endpoints: OAuth2Endpoints
  /// The credentials of the client.
  let values: [LoginScheme.Credential: String]
  let keepSecret: @Sendable ([String]) -> Void
  /// Waits a number of seconds.
  var pause: @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

  /// Returns the response of the token endpoint after the person has logged in.
  func answer(_ show: @Sendable (SignIn.Step) -> Void) async throws(BackendError) -> HTTPResponse {
    let device = try await endpoints.required(.device)
    let token = try await endpoints.required(.token)
    let place = "\(device.sender.base.origin)"
    // Servers may take the client from the form alone, even if a header field proves it (RFC 8628, section 3.1).
    let isInHeader = oauth2.clientAuthentication == .header && values[.clientSecret] != nil
    let client = isInHeader ? values[.clientID].map { [("client_id", $0)] } ?? [] : []
    let (first, given) = try await Self.read(device.deliver(oauth2.beginning + client, values))
    guard first.isSuccess, let code = given["device_code"]?.text, let typed = given["user_code"]?.text,
      let address = (given["verification_uri"] ?? given["verification_url"])?.text, typed.utf8.count <= 100,
      WebAddress.shown(address) != nil
    else {
      let words = (given["error_description"] ?? given["error"])?.text ?? "status \(first.status)"
      throw BackendError(
        first.isSuccess ? .badResponse : .unauthorized,
        "\(place) gives no code for a login on another device: \(BackendError.quoted(words) ?? "no reason")",
        effect: .rejected,
        hint: "check client ID and scope, and \"deviceURL\" of the login")
    }
    keepSecret([code])
    let lifetime = Self.seconds(given["expires_in"], 10...3600, default: 900)
    var interval = Self.seconds(given["interval"], 1...60, default: 5)
    let direct = given["verification_uri_complete"]?.text.flatMap { WebAddress.shown($0) == nil ? nil : $0 }
    show(.device(address: address, code: typed, direct: direct, lifetime: lifetime))
    var waited = 0
    while waited + interval <= lifetime {
      do { try await pause(interval) } catch { throw BackendError(.cancelled, "login cancelled", effect: .notSent) }
      waited += interval
      let (answer, object) = try await Self.read(
        token.deliver([("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)], values))
      switch object["error"]?.text {
      case "authorization_pending": continue
      case "slow_down": interval += 5
      case "access_denied":
        throw BackendError(.unauthorized, "the login was denied at \(place)", effect: .rejected, hint: "log in again")
      case "expired_token": throw expired(place)
      case nil where answer.status == 429 || answer.status >= 500: interval += 5
      default: return answer
      }
    }
    throw expired(place)
  }

  private func expired(_ place: String) -> BackendError {
    BackendError(
      .unauthorized, "the code of \(place) was not used in time, and is no longer valid", effect: .rejected,
      hint: "log in again, for another code")
  }

  /// The response with its body in memory, and the object in it.
  private static func read(_ answer: HTTPResponse) async throws(BackendError) -> (HTTPResponse, Object) {
    let bytes = try await answer.body.collect(limit: 1 << 20)
    return (answer.with(HTTPBody(whole: bytes)), (try? JSONReader.read(bytes))?.object ?? Object())
  }

  private static func seconds(_ value: Value?, _ range: ClosedRange<Int>, default usual: Int) -> Int {
    let given = value?.integer ?? value?.text.flatMap { Int($0) } ?? usual
    return min(max(given, range.lowerBound), range.upperBound)
  }
}
