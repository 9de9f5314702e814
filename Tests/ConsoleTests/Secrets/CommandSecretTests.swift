import BackendKit
import Testing

@testable import Console
@testable import ConsoleSetup

@Suite("Secrets in commands") struct CommandSecretTests {
  private let blanking = Blanking(names: ["taxNumber"], backends: ["baasic"])

  @Test(
    "A value under a secret name, a password after login, credentials in a header field or an address are secrets",
    arguments: [
      "update users/3 password=hunter2", "create users Password:='\"x\"'", "set baasic.apiKey 123",
      "set baasic.accessToken 'a b'", "login ana hunter2 extra", "login baasic ana hunter2", "login ana hunter2",
      "login grails:http://localhost ana hunter2", "watch 2 login ana hunter2", "capture a = login ana hunter2",
      "use http://ana:hunter2@localhost:8080", "list --token abc",
      "list --token=abc", "create hooks header='Authorization: Bearer abc'",
      "!curl -H 'X-Api-Key: abc' http://localhost", "!curl -H Authorization: abc",
      "create hooks meta:={\"password\": \"x\"}", "create hooks password='open", "list\nset intranet.secret x",
      "list password~hunter2", "list user.token>abc", "list token<=abc", "list token!=abc", "count private_key~abc",
      "list --where \"token = 'X'\"", "list --where=\"a = 1 and api_key like 'X%'\"", "list --where 'token in (1, 2)'",
      "list --where \"not password not like 'a%'\"", "list --native \"access_token=X\"",
      "list --native 'limit=3&access%5Ftoken=X'", "list --native 'filter[password]=X'",
      "create a meta:={\"pass\\u0077ord\":\"x\"}", "create a taxNumber=12", "list --where 'taxNumber = 12'",
      "create a owner.taxNumber:=12", "set pwd x",
      "sql --yes INSERT INTO it.items (title, token) VALUES ('t', 'SEKX71');", "sql SELECT * FROM a WHERE 'x' = token",
      "sql SELECT * FROM a WHERE token IS NOT 'SEK'", "list --where \"matches(token, 'SEK')\"",
      "sql REPLACE INTO a SELECT title, 'SEK' AS \"token\" FROM b",
    ])
  func secret(line: String) { #expect(blanking.carriesSecret(line)) }

  @Test(arguments: Comparison.allCases.map(\.rawValue) + [":="])
  func `A value after any operator is a secret`(sign: String) {
    let alone = [
      "list password\(sign)hunter2", "list 'password'\(sign)hunter2", "list --where \"token\(sign)'hunter2'\"",
      "list --where 'token \(sign) hunter2'", "sql SELECT * FROM a WHERE token \(sign) 'hunter2'",
      "watch 2 list a=1 user.token\(sign)hunter2",
    ]
    // Only a comparison stands apart.
    for line in alone + (sign == ":=" ? [] : ["expect $last.password \(sign) hunter2"]) {
      #expect(blanking.carriesSecret(line), "\(line)")
      #expect(!blanking.line(line).contains("hunter2"), "\(line)")
    }
  }

  @Test(
    "The name of a field or file, and what only looks like one of these, is none",
    arguments: [
      "", "list", "list --fields password,token", "describe users", "show baasic.token", "login baasic ana",
      "login ana", "login ana -o json", "login grails:http://localhost ana", "login ana --password-file secret.txt",
      "login baasic ana --password-file=secret.txt", "create users password=@file", "list --sort -tokenCount",
      "use http://localhost:8080/@x", "create title='a: b'", "get 3 # password=x", "use grails:http://localhost",
      "create basic=true", "set output json", "update 3 done:=true", "list --where 'token is null'",
      "list --where 'token is not missing'", "list password=null", "list --fields taxNumber", "create title='a token'",
      "sql SELECT token FROM a", "sql SELECT 'a token' FROM a",
    ])
  func plain(line: String) { #expect(!blanking.carriesSecret(line)) }

  @Test("a value that is known to be a secret is one wherever it stands, however it is quoted")
  func known() {
    blanking.keepSecret(["Nü \"x\"\\y"])
    for line in [
      #"list --search "Nü \"x\"\\y""#, #"list --search 'Nü "x"\y'"#, #"get N%C3%BC%20%22x%22%5Cy"#,
      #"create title="N\u{FC} \"x\"\\y""#,
    ] {
      #expect(blanking.carriesSecret(line), "\(line)")
      #expect(blanking.line(line) == "\(line.prefix { $0 != " " }) [blanked]")
    }
    #expect(blanking.line("list --search Nü") == "list --search Nü")
  }

  @Test(
    "a message that quotes a command quotes none of its secrets",
    arguments: [
      ("\"password=hunter2\" is not an option", "list password=hunter2", "\"password=[blanked]\" is not an option"),
      ("\"a b\" is not JSON", "create x token:='a b'", "\"[blanked]\" is not JSON"),
      ("there is no field a near abc", "list --where \"token = 'a'\"", "there is no field [blanked] near abc"),
      ("\"x&y\" and y", "list --native \"token=x&y\"", "\"[blanked]\" and [blanked]"),
    ])
  func message(text: String, command: String, reported: String) {
    #expect(blanking.text(text, quoting: command) == reported)
  }

  @Test(
    "a line as long as a file gives no more than can be looked for",
    arguments: ["token=x", "password='a'", "token:", "password=a&b", "(pin)~[c]", "x token"])
  func long(part: String) {
    let blanking = Blanking(names: ["pin"])
    let line = "create x " + (1...20_000).map { "\(part)\($0)" }.joined(separator: " ")
    #expect(blanking.carriesSecret(line) == !part.hasPrefix("x"))
    let word = (1...20_000).map { "\(part)\($0)" }.joined(separator: " ")
    #expect(NamedSecrets.all(in: word, blanking.names).count <= 6_000)
  }
}
