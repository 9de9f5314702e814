import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: sessions")
struct BaasicSessionTests {
  @Test("14 a login by form gives a bearer token")
  func login() async throws {
    let baasic = try await BaasicClient.start()
    let answer = try await baasic.login()
    #expect(answer.status == 201)
    let object = try answer.object()
    #expect(object["token_type"] as? String == "bearer" && object["expires_in"] as? Int == 7200)
    #expect(object["sliding_window"] == nil)
    let token = try #require(object["access_token"] as? String)
    #expect(try await baasic.get("/login", ("Authorization", "Bearer \(token)")).status == 200)
    #expect(
      try await baasic.login(
        ("Demo-Set", "baasic.login=200"), form: "grant_type=password&username=bo&password=battery%20staple"
      ).status == 200)
    let odd = try await baasic.login(("Demo-Set", "baasic.login=error"), options: "?options=session")
    #expect(odd.status == 200)
    #expect(try odd.object()["error"] is String)
    #expect(try odd.object()["access_token"] == nil)
  }

  @Test(
    "14 a login with anything wrong is a 400",
    arguments: [
      "grant_type=password&username=ana&password=wrong", "grant_type=password&username=nobody&password=x",
      "username=ana&password=correct+horse", "grant_type=client_credentials&username=ana&password=correct+horse", "",
    ])
  func refusedLogin(form: String) async throws {
    let baasic = try await BaasicClient.start()
    try expectProblem(try await baasic.login(form: form), 400)
    let json = #"{"grant_type":"password","username":"ana","password":"correct horse"}"#
    try expectProblem(try await baasic.send("POST", "/login", json), 400)
  }

  @Test("14 a sliding token is good for a while from the last call on")
  func sliding() async throws {
    let baasic = try await BaasicClient.start("--set", "baasic.anonymous=401")
    let answer = try await baasic.login(options: "?options=session,sliding")
    let object = try answer.object()
    #expect(object["sliding_window"] as? Int == 7200 && object["expires_in"] == nil)
    let token = ("Authorization", "bearer \(try #require(object["access_token"] as? String))")
    #expect(try await baasic.get("/resources/todo", token).status == 200)
    // A call that fails moves nothing; one that succeeds moves the end, here to this very moment.
    let short = ("Demo-Set", "baasic.lifetime=0")
    #expect(try await baasic.get("/resources/todo/nope", token, short).status == 404)
    #expect(try await baasic.get("/resources/todo", token, short).status == 200)
    #expect(try await baasic.get("/resources/todo", token).status == 401)
    let fixed = ("Authorization", "bearer \(try await baasic.token())")
    #expect(try await baasic.get("/resources/todo", fixed, short).status == 200)
    #expect(try await baasic.get("/resources/todo", fixed).status == 200)
  }

  @Test("14 wrong passwords lock a user, even for another process")
  func lock() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--set", "baasic.lock=3"]
    let baasic = BaasicClient(demo: try await DemoProcess.start(arguments))
    let wrong = "grant_type=password&username=ana&password=no"
    for _ in 0..<2 { #expect(try await baasic.login(form: wrong).status == 400) }
    #expect(try await baasic.login().status == 201)
    for _ in 0..<3 { #expect(try await baasic.login(form: wrong).status == 400) }
    let other = BaasicClient(demo: try await DemoProcess.start(arguments))
    try expectProblem(try await other.login(), 400, naming: "locked")
    #expect(try await other.login(form: "grant_type=password&username=bo&password=battery+staple").status == 201)
    #expect(try await other.login(("Demo-Set", "baasic.lock=0")).status == 201)
  }

  @Test("15 the scheme has any case, and a token must be known and fresh")
  func tokens() async throws {
    let baasic = try await BaasicClient.start()
    let token = try await baasic.token()
    for scheme in ["bearer", "BEARER", "Bearer"] {
      #expect(try await baasic.get("/resources/todo", ("Authorization", "\(scheme) \(token)")).status == 200)
    }
    let expired = try await baasic.login(("Demo-Set", "baasic.lifetime=0")).object()["access_token"] as? String
    for wrong in ["bearer nope", "Basic \(token)", "bearer \(try #require(expired))", "bearer"] {
      let answer = try await baasic.get("/resources/todo", ("Authorization", wrong))
      try expectProblem(answer, 401, naming: "Missing or invalid session")
      #expect(try answer.object()["details"] as? String == "invalid_token")
    }
    let unknown = ("Authorization", "bearer nope")
    let header = try await baasic.get("/resources/todo", unknown, ("Demo-Set", "baasic.tokenerror=header"))
    #expect(header.status == 401)
    #expect(header.header("WWW-Authenticate")?.hasPrefix(#"Bearer error="invalid_token", error_description="#) == true)
    #expect(!header.text.contains("invalid_token"))
    let oauth = try await baasic.get("/resources/todo", unknown, ("Demo-Set", "baasic.tokenerror=oauth"))
    #expect(oauth.status == 401)
    #expect(Set(try oauth.object().keys) == ["error", "error_description"])
  }

  @Test("15 anonymous calls are let in or not", arguments: ["401", "403"])
  func anonymous(status: String) async throws {
    let open = try await BaasicClient.start()
    #expect(try await open.get("/resources/todo").status == 200)
    let baasic = try await BaasicClient.start("--set", "baasic.anonymous=\(status)")
    for path in ["/resources/todo", "/schemas"] {
      try expectProblem(try await baasic.get(path), Int(status) ?? 0)
    }
    let token = try await baasic.token()
    #expect(try await baasic.get("/resources/todo", ("Authorization", "bearer \(token)")).status == 200)
  }

  @Test("16 refresh, logout, and who somebody is")
  func lifecycle() async throws {
    let baasic = try await BaasicClient.start("--set", "baasic.anonymous=401")
    let first = try await baasic.token()
    let user = try await baasic.get("/login/", ("Authorization", "bearer \(first)")).object()
    #expect(user["userName"] as? String == "ana")
    #expect(user["displayName"] is String && user["email"] is String)
    #expect(user["roles"] is [String] && user["permissions"] is [String: Any])
    #expect(try await baasic.get("/login").status == 401)
    let refreshed = try await baasic.send("PUT", "/login", #"{"token":"\#(first)","type":"bearer"}"#)
    #expect(refreshed.status == 200)
    let second = try #require(try refreshed.object()["access_token"] as? String)
    #expect(second != first)
    #expect(try await baasic.get("/resources/todo", ("Authorization", "bearer \(first)")).status == 401)
    #expect(try await baasic.get("/resources/todo", ("Authorization", "bearer \(second)")).status == 200)
    try expectProblem(try await baasic.send("PUT", "/login", #"{"token":"\#(first)","type":"bearer"}"#), 400)
    let body = #"{"token":"\#(second)","type":"bearer"}"#
    let logout = try await baasic.send("DELETE", "/login", body)
    #expect(logout.status == 204 && logout.body.isEmpty)
    try expectProblem(try await baasic.send("DELETE", "/login", body), 404)
    #expect(try await baasic.get("/resources/todo", ("Authorization", "bearer \(second)")).status == 401)
  }

  @Test("17 a user who may only read changes nothing")
  func permissions() async throws {
    let baasic = try await BaasicClient.start()
    let reader = ("Authorization", "bearer \(try await baasic.token("bo"))")
    let id = try await baasic.firstID()
    #expect(try await baasic.get("/resources/todo/\(id)", reader).status == 200)
    for (method, path) in [
      ("POST", "/resources/todo"), ("PUT", "/resources/todo/\(id)"), ("PATCH", "/resources/todo/\(id)"),
      ("DELETE", "/resources/todo/\(id)"), ("POST", "/schemas"), ("DELETE", "/schemas/todo"),
    ] {
      try expectProblem(try await baasic.send(method, path, #"{"title":"x"}"#, reader), 403)
    }
    let writer = ("Authorization", "bearer \(try await baasic.token())")
    #expect(try await baasic.send("DELETE", "/resources/todo/\(id)", nil, writer).status == 204)
  }

  @Test("A token made by one process is good in another")
  func shared() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--data", folder.path + "/demo.sqlite", "--set", "baasic.anonymous=401"]
    let one = BaasicClient(demo: try await DemoProcess.start(arguments))
    let two = BaasicClient(demo: try await DemoProcess.start(arguments))
    let token = ("Authorization", "bearer \(try await one.token())")
    #expect(try await two.send("POST", "/resources/todo", #"{"title":"from two"}"#, token).status == 200)
    #expect(try await one.items("/resources/todo?page=2", token).last?["title"] as? String == "from two")
  }

  @Test(
    "Seeds are as many as asked for, and the same each time", arguments: [("0", 0, 0), ("3", 3, 5), ("250", 250, 5)])
  func seeds(count: String, todos: Int, books: Int) async throws {
    let baasic = try await BaasicClient.start("--seed", count)
    let answer = try await baasic.get("/resources/todo?rpp=1000")
    #expect(try answer.object()["totalRecords"] as? Int == todos)
    #expect(try await baasic.items("/resources/Book").count == books)
    let again = try await BaasicClient.start("--seed", count)
    #expect(try await again.get("/resources/todo?rpp=1000").text == answer.text)
  }
}
