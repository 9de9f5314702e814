import Testing

@testable import Console

@Suite("Lines with secrets") struct SecretLineTests {
  @Test(
    "A value under a telling name, a password after login, credentials in a header or an address are secrets",
    arguments: [
      "update users/3 password=hunter2", "create users Password:='\"x\"'", "set baasic.apiKey 123",
      "set baasic.accessToken 'a b'", "login ana hunter2 extra", "login baasic ana hunter2",
      "use http://ana:hunter2@localhost:8080", "list --token abc", "list --token=abc",
      "create hooks header='Authorization: Bearer abc'", "!curl -H 'X-Api-Key: abc' http://localhost",
      "!curl -H Authorization: abc", "create hooks meta:={\"password\": \"x\"}", "create hooks password='open",
      "list\nset intranet.secret x",
    ])
  func secret(line: String) { #expect(SecretLine.carriesSecret(line)) }

  @Test(
    "The name of a field or file, and what only looks like one of these, is none",
    arguments: [
      "", "list", "list --fields password,token", "describe users", "show baasic.token", "login baasic ana",
      "login ana --password-file secret.txt", "login baasic ana --password-file=secret.txt",
      "create users password=@file",
      "list --sort -tokenCount", "use http://localhost:8080/@x", "create title='a: b'", "get 3 # password=x",
      "use grails:http://localhost", "create basic=true", "set output json", "update 3 done:=true",
    ])
  func plain(line: String) { #expect(!SecretLine.carriesSecret(line)) }
}
