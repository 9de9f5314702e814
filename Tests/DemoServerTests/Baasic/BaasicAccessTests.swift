import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("Baasic: access lists")
struct BaasicAccessTests {
  private func names(_ answer: RawAnswer) throws -> [String] {
    let list = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [[String: Any]])
    return list.map { policy in
      ["action", "role", "user"].compactMap { (policy[$0] as? [String: Any])?["name"] as? String }.joined(
        separator: " ")
    }
  }

  @Test("a list is read, added to and taken from, and goes with its record") func list() async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    let path = "/resources/todo/\(id)/acl"
    let usual = ["Create", "Delete", "Read", "Update"].map { "\($0) Administrators" }
    #expect(try names(try await baasic.get(path + "/")) == usual)
    let granted = try await baasic.send("PUT", path, #"[{"actionId":"Read","userId":"bo"}]"#)
    #expect(granted.status == 201)
    #expect(try names(granted) == ["Read bo"])
    #expect(try names(try await baasic.get(path)) == usual + ["Read bo"])
    let gone = try await baasic.send("DELETE", path + "/actions/Read/users/bo/", "")
    #expect(gone.status == 204 && gone.text.isEmpty)
    #expect(try await baasic.send("DELETE", path + "/actions/Delete/roles/Administrators", "").status == 204)
    #expect(try names(try await baasic.get(path)).count == 3)
    #expect(try await baasic.send("DELETE", "/resources/todo/\(id)", "").status == 204)
    try expectProblem(try await baasic.get(path), 404, naming: id)
  }

  @Test(
    "what is not a policy, and whom nobody knows, is refused",
    arguments: [
      ("PUT", "/acl", #"{"actionId":"Read","roleId":"Readers"}"#, 400), ("PUT", "/acl", "[]", 400),
      ("PUT", "/acl", #"[{"actionId":"Read"}]"#, 400), ("PUT", "/acl", #"[{"roleId":"Readers"}]"#, 400),
      ("PUT", "/acl", #"[{"actionId":"Fly","roleId":"Readers"}]"#, 400), ("POST", "/acl", "[]", 405),
      ("DELETE", "/acl/actions/Read/roles/Readers", "", 404), ("DELETE", "/acl/actions/Read/groups/x", "", 404),
      ("GET", "/acl/actions", "", 404),
    ])
  func refused(method: String, path: String, body: String, status: Int) async throws {
    let baasic = try await BaasicClient.start()
    let id = try await baasic.firstID()
    try expectProblem(try await baasic.send(method, "/resources/todo/\(id)\(path)", body), status)
  }
}
