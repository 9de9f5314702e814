import BackendKit
import TestSupport
import Testing

@testable import ConsoleSetup

@Suite struct OptionTests {
  private let plugin = TrustTests.plugin([
    OptionDescription(
      "apiVersion", .choice(["1.0", "2.0"]), default: "2.0", help: "", headerField: "Accept-Version"),
    OptionDescription("path", .text, default: "announcements", help: ""),
    OptionDescription("pageSize", .integer, help: ""),
    OptionDescription("strict", .boolean, help: ""),
    OptionDescription("extra", .object, help: ""),
    OptionDescription("token", .text, help: "", isSecret: true),
  ])

  private func check(_ options: String, environment: [String: String] = [:]) throws -> Object {
    try ConfigurationFixture().backend("\"options\": {\(options)}", environment: environment).checkedOptions(plugin)
  }

  private func complaint(_ options: String, environment: [String: String] = [:]) throws -> String? {
    #expect(throws: ConfigurationError.self) { try check(options, environment: environment) }?.description
  }

  @Test func `Standards are filled in, in the plugin's order`() throws {
    let options = try check("\"strict\": true, \"apiVersion\": \"1.0\"")
    #expect(
      JSONWriter.compact(.object(options)) == "{\"apiVersion\":\"1.0\",\"path\":\"announcements\",\"strict\":true}")
  }

  @Test(arguments: [
    ("\"headers\": {\"accept-version\": \"1.0\"}", "headers.accept-version"),
    (
      "\"headers\": {\"X\": \"y\", \"Accept-Version\": \"2.0\"}, \"options\": {\"apiVersion\": \"1.0\"}",
      "headers.Accept-Version"
    ),
    ("\"runHeader\": \"Accept-Version\"", "runHeader"),
  ])
  func `A header field that an option sets is set by nothing else`(_ members: String, _ place: String) throws {
    let backend = try ConfigurationFixture().backend(members)
    let error = #expect(throws: ConfigurationError.self) { try backend.checkedOptions(plugin) }
    #expect(error?.place.path == "backends.b.\(place)")
    #expect(error?.message == "the option apiVersion of the plugin p sets this header field")
  }

  @Test func `An unknown option is reported with its line and the nearest one`() throws {
    let text = try complaint("\n\n\"apiVerson\": \"1.0\"")
    #expect(
      text?.hasSuffix(
        ":5: backends.b.options.apiVerson: unknown option \"apiVerson\" of the plugin p; did you mean apiVersion?")
        == true)
  }

  @Test(arguments: [
    ("\"apiVersion\": 2.0", "expected text, found this number; put it in quotes"),
    ("\"apiVersion\": \"3.0\"", "\"3.0\" is not one of the choices; did you mean"),
    ("\"apiVersion\": \"latest\"", "\"latest\" is not one of the choices; choices: 1.0, 2.0"),
    ("\"path\": null", "expected text, found this null"),
    ("\"pageSize\": \"9\"", "expected a whole number, found this text"),
    ("\"pageSize\": 1.5", "expected a whole number"),
    ("\"strict\": \"yes\"", "expected true or false, found this text"),
    ("\"extra\": []", "expected an object, found this list"),
  ])
  func `A value of another kind is reported`(_ options: String, _ expected: String) throws {
    let text = try complaint(options)
    #expect(text?.contains(expected) == true, "\(text ?? "")")
  }

  @Test func `A secret option is read from a reference, an object option is passed on as it is`() throws {
    let options = try check(
      "\"token\": {\"env\": \"E\"}, \"extra\": {\"env\": \"E\"}", environment: ["E": "geheim"])
    #expect(options["token"] == "geheim" && options["extra"] == ["env": "E"])
  }

  @Test func `A secret of another kind is not repeated`() throws {
    let text = try complaint("\"token\": 4711")
    #expect(text?.contains("4711") == false && text?.contains("put it in quotes") == true)
  }

  @Test func `An address with its plugin is a backend without any configuration`() throws {
    let backend = try #require(BackendConfiguration.adHoc("grails:http://127.0.0.1:8080"))
    #expect(backend.name == "grails:http://127.0.0.1:8080")
    #expect(backend.plugin == "grails" && backend.url == "http://127.0.0.1:8080" && backend.isTrusted)
    #expect(BackendConfiguration.adHoc("kitura:demo:kitura")?.url == "demo:kitura")
    for other in ["http://127.0.0.1", "grails:", "grails:8", ":http://h", "Grails:http://h", "title=http://h", "a/b"] {
      #expect(BackendConfiguration.adHoc(other) == nil, "\(other)")
    }
  }

  @Test func `An address that cannot be one is refused at its use`() throws {
    let backend = try #require(BackendConfiguration.adHoc("grails:http://u:p@h"))
    let error = #expect(throws: ConfigurationError.self) { try backend.checkedOptions(plugin) }
    #expect(error?.message == "an address cannot contain a user name or password")
  }
}
