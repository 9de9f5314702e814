import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicFailureTests {
  private let todo = WrittenServer.todo

  @Test(arguments: [
    (400, BackendError.Code.invalid, BackendError.Effect.rejected), (401, .unauthorized, .rejected),
    (403, .forbidden, .rejected), (404, .notFound, .rejected), (409, .conflict, .rejected),
    (411, .invalid, .rejected), (429, .rateLimited, .rejected), (500, .badResponse, .unknown),
    (502, .unavailable, .unknown), (503, .unavailable, .unknown), (302, .badResponse, .unknown),
    (307, .misconfigured, .rejected), (408, .timedOut, .unknown), (425, .unavailable, .rejected),
  ])
  func `The status decides, whatever the body says`(
    status: Int, code: BackendError.Code, effect: BackendError.Effect
  ) async throws {
    for body in ["", "<html>secret</html>", #"{"errorCode":404,"statusCode":"200","details":"d"}"#] {
      let written = try WrittenServer([], FixtureServer.answer(status, [], body))
      let error = await failure { () throws(BackendError) in
        _ = try await written.backend.update("a", in: todo, changes: [.set("title", "x")], revision: nil)
      }
      #expect(error?.code == code && error?.effect == effect, "\(status)")
      #expect(error?.message.contains("secret") == false)
    }
  }

  @Test(arguments: [
    (#"{"message":"M","error_description":"D","error":"E"}"#, "M"),
    (#"{"error":"invalid_grant","error_description":"D"}"#, "D"), (#"{"error":"E","message":""}"#, "E"),
  ])
  func `The server's own words are passed on from where they stand`(body: String, words: String) async throws {
    let written = try WrittenServer([], FixtureServer.json(400, body))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.create(["a": 1], in: todo) }
    #expect(error?.message == "request rejected (400): \(words)")
  }

  @Test func `An error that is an object is no text`() async throws {
    let written = try WrittenServer([], FixtureServer.json(400, #"{"error":{"a":1}}"#))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.create(["a": 1], in: todo) }
    #expect(error?.message == "request rejected (400)")
  }

  @Test func `A name that is taken is there already, any other conflict is one`() async throws {
    let written = try WrittenServer([], FixtureServer.answer(409))
    let made = await failure { () throws(BackendError) in
      _ = try await written.backend.create(["name": "todo"], in: WrittenServer.schemas)
    }
    #expect(made?.code == .alreadyExists)
  }

  @Test func `Another record is not the one asked for`() async throws {
    let other = try WrittenServer([], FixtureServer.json(200, #"{"id":"b","title":"other"}"#))
    let read = await failure { () throws(BackendError) in _ = try await other.backend.get("a", from: todo) }
    #expect(read?.code == .badResponse && read?.effect == .rejected)
  }

  @Test func `A missing record and a missing resource are told apart by what was asked`() async throws {
    let written = try WrittenServer([], FixtureServer.json(404, #"{"message":"Resource not found"}"#))
    let record = await failure { () throws(BackendError) in _ = try await written.backend.get("a", from: todo) }
    #expect(record?.message == "not found (404): Resource not found")
    let list = await failure { () throws(BackendError) in _ = try await written.backend.page(ListQuery(todo)) }
    #expect(list?.code == .notFound && list?.message == "not found (404): Resource not found")
  }
}
