import AdapterSupport
import BackendKit
import Foundation
import Testing

/// The parts of a record that a write sends back.
@Suite struct SentBackTests {
  private func body(
    of record: String, _ changes: [Change], _ change: (inout Service.Resource) -> Void
  ) async throws -> Value? {
    let server = try SocketServer(answering: { request in
      request.hasPrefix("GET") ? SocketServer.json(200, record) : SocketServer.answer(204)
    })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .text))
    resource.updating = Service.Updating(nil, clearing: .replacing("PUT"), mayAnswerNothing: true)
    change(&resource)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(server))
    _ = try await backend.update(record.contains("site") ? "a/1" : "1", in: things, changes: changes, revision: nil)
    let sent = try #require(server.texts.last { !$0.hasPrefix("GET") })
    return try JSONReader.read(Array(sent.components(separatedBy: "\r\n\r\n").dropFirst().joined().utf8))
  }

  @Test("members beside the fields survive an update", arguments: [nil, ["properties"]] as [[String]?])
  func siblings(wrapping: [String]?) async throws {
    let record =
      #"{"type":"Feature","id":"1","geometry":{"type":"Point"},"bbox":[1],"properties":{"name":"a","n":1},"links":[{"href":"/x","rel":"self"}]}"#
    let sent = try await body(of: record, [.set("name", "b")]) {
      $0.naming = .member(["id"])
      $0.addressing.item = .template("things/{id}")
      $0.wrapping = Service.Wrapping(["properties"], keeping: ["geometry"])
      $0.updating?.wrapping = wrapping
    }
    #expect(
      sent
        == [
          "type": "Feature", "id": "1", "geometry": ["type": "Point"], "bbox": [1],
          "properties": ["name": "b", "n": 1],
        ])
  }

  @Test func `a change within a member sends the other fields of the member, too`() async throws {
    let sent = try await body(of: #"{"id":"1","type":"Feature","properties":{"name":"a","n":1}}"#, [.set("n", 2)]) {
      $0.naming = .member(["id"])
      $0.addressing.item = .template("things/{id}")
      $0.wrapping = Service.Wrapping(["properties"])
      $0.updating = Service.Updating("PATCH", clearing: .null, mayAnswerNothing: true)
    }
    #expect(sent == ["properties": ["name": "a", "n": 2]])
  }

  @Test func `links that the service adds are not sent back, and no identifier is made up`() async throws {
    let record =
      #"{"site":"a","n":"1","name":"x","links":[{"href":"/x","rel":"self"}],"_links":{"self":{"href":"/x"}},"urls":["/x"]}"#
    let sent = try await body(of: record, [.set("name", "b")]) {
      $0.identifier = IdentifierRule(field: "id", form: .text)
      ($0.identifier.parts, $0.identifier.separator) = (["site", "n"], "/")
      $0.addressing.item = .template("things/{site}/{n}")
    }
    #expect(sent == ["site": "a", "n": "1", "name": "b", "urls": ["/x"]])
  }
}
