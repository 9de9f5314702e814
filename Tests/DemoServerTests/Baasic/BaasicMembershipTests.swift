import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("Baasic: users, roles and permissions")
struct BaasicMembershipTests {
  @Test("users are found by name and id, without passwords, and with roles if these are embedded")
  func users() async throws {
    let baasic = try await BaasicClient.start()
    let plain = try await baasic.items("/users")
    #expect(plain.compactMap { $0["userName"] as? String } == ["ana", "bo"])
    #expect(plain.allSatisfy { $0["password"] == nil && ($0["roles"] as? [String])?.isEmpty == true })
    let embedded = try await baasic.items("/users/?embed=roles")
    #expect(embedded.compactMap { $0["roles"] as? [String] } == [["Administrators"], ["Readers"]])
    let id = try #require(plain.first?["id"] as? String)
    #expect(try await baasic.get("/users/\(id)").object()["userName"] as? String == "ana")
    try expectProblem(try await baasic.get("/users/nobody"), 404, naming: "nobody")
  }

  @Test("a user is made, replaced, locked and deleted") func changes() async throws {
    let baasic = try await BaasicClient.start()
    let new = #"{"userName":"cy","email":"c@e","password":"p","confirmPassword":"p","roles":["Readers"]}"#
    #expect(try await baasic.send("POST", "/users", new).status == 201)
    try expectProblem(try await baasic.send("POST", "/users", new), 409, naming: "cy")
    try expectProblem(try await baasic.send("POST", "/users", #"{"userName":"d"}"#), 400, naming: "email")
    #expect(try await baasic.login(form: "grant_type=password&username=cy&password=p").status == 201)
    #expect(try await baasic.send("PUT", "/users/cy/lock", "").status == 204)
    try expectProblem(try await baasic.login(form: "grant_type=password&username=cy&password=p"), 400, naming: "locked")
    #expect(try await baasic.send("PUT", "/users/cy/unlock", "").status == 204)
    #expect(try await baasic.send("PUT", "/users/cy/change-password", #"{"newPassword":"q"}"#).status == 204)
    #expect(try await baasic.login(form: "grant_type=password&username=cy&password=q").status == 201)
    #expect(try await baasic.send("PUT", "/users/cy", #"{"userName":"cy","email":"x@e"}"#).status == 204)
    let replaced = try await baasic.get("/users/cy?embed=roles").object()
    #expect(replaced["email"] as? String == "x@e" && (replaced["roles"] as? [String])?.isEmpty == true)
    try expectProblem(
      try await baasic.send("PUT", "/users/cy", #"{"email":"x@e","roles":["Nobodies"]}"#), 400, naming: "Nobodies")
    #expect(try await baasic.send("DELETE", "/users/cy", "").status == 204)
    try expectProblem(try await baasic.send("DELETE", "/users/cy", ""), 404, naming: "cy")
  }

  @Test("roles are at both addresses", arguments: ["/lookups/roles", "/roles"]) func roles(path: String) async throws {
    let baasic = try await BaasicClient.start()
    #expect(
      try await baasic.items(path).compactMap { $0["name"] as? String } == ["Administrators", "Readers", "Anonymous"])
    let made = try await baasic.send("POST", path, #"{"name":"Editors"}"#)
    #expect(made.status == 201)
    let id = try #require(try made.object()["id"] as? String)
    try expectProblem(try await baasic.send("POST", path, #"{"name":"Editors"}"#), 409)
    #expect(try await baasic.send("PUT", "\(path)/\(id)", #"{"name":"Authors"}"#).status == 204)
    #expect(try await baasic.get("\(path)/\(id)").object()["name"] as? String == "Authors")
    #expect(try await baasic.send("DELETE", "\(path)/\(id)", "").status == 204)
    try expectProblem(try await baasic.get("\(path)/\(id)"), 404)
  }

  @Test("what Anonymous is granted in the section of a schema is done without a login") func permissions() async throws
  {
    let baasic = try await BaasicClient.start("--set", "baasic.anonymous=403")
    let bearer = ("Authorization", "bearer \(try await baasic.token())")
    try expectProblem(try await baasic.get("/resources/todo"), 403)
    let grant = #"{"section":"todo","role":"Anonymous","actions":[{"abrv":"Read"},{"abrv":"Create"}]}"#
    try expectProblem(try await baasic.send("POST", "/permissions", grant), 403)
    #expect(try await baasic.send("POST", "/permissions/", grant, bearer).status == 201)
    let policies = try await baasic.items("/permissions/sections/todo/", bearer)
    #expect(policies.count == 1 && policies.first?["role"] as? String == "Anonymous")
    #expect(try await baasic.get("/resources/todo").status == 200)
    #expect(try await baasic.send("POST", "/resources/todo", #"{"title":"x"}"#).status == 200)
    try expectProblem(try await baasic.send("DELETE", "/resources/todo/x", ""), 403)
    let gone = "/permissions/sections/todo/actions/Read/roles/Anonymous/"
    #expect(try await baasic.send("DELETE", gone, nil, bearer).status == 204)
    try expectProblem(try await baasic.send("DELETE", gone, nil, bearer), 404)
    try expectProblem(try await baasic.get("/resources/todo"), 403)
    let sections = try await baasic.items("/permissions/sections", bearer).compactMap { $0["abrv"] as? String }
    #expect(sections.contains("todo") && sections.contains("ResourceSchema"))
  }
}
