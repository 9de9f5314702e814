import AdapterSupport
import BackendKit
import Testing

/// Tests of field descriptions made from the properties of a schema.
@Suite struct BaasicSchemaTests {
  private func fields(isEnforced: Bool) async throws -> [FieldDescription] {
    let properties = #"""
      {"code":{"type":"string","minLength":2,"maxLength":4,"pattern":"^[A-Z]+$","title":"Code","default":"AB"},
      "age":{"type":"integer","minimum":0,"maximum":150,"exclusiveMaximum":true},
      "share":{"type":"number","exclusiveMinimum":0,"maximum":1.5},
      "level":{"type":"string","enum":["low","high"],"description":"how much"},"note":{"type":"string","hidden":true}}
      """#
    let schema = SocketServer.json(
      200,
      #"""
      {"item":[{"id":"s1","name":"person","enforceSchemaValidation":\#(isEnforced),"schema":{"properties":\#(properties),
      "required":["code"]}}],"page":1,"recordsPerPage":100,"totalRecords":1}
      """#)
    let backend = try PluginLibrary("baasic").backend(ServerExchange(SocketServer(schema)))
    let description = try await backend.describe(.live)
    return try #require(description.resource(named: "person")).fields
  }

  @Test func `What an enforced schema allows is known of each field`() async throws {
    let fields = try await fields(isEnforced: true)
    #expect(
      fields.dropFirst() == [
        FieldDescription(
          "code", .text, isRequired: true, maximumLength: 4, minimumLength: 2, lengthUnit: .codePoints,
          pattern: "^[A-Z]+$", default: "AB", title: "Code"),
        FieldDescription(
          "age", .integer, lengthUnit: .codePoints, minimum: NumberBound(Number(0)),
          maximum: NumberBound(Number(150), isExcluded: true)),
        FieldDescription(
          "share", .number, lengthUnit: .codePoints, minimum: NumberBound(Number(0), isExcluded: true),
          maximum: try NumberBound(#require(Number("1.5")))),
        FieldDescription(
          "level", .text, lengthUnit: .codePoints, values: ["low", "high"], note: "how much"),
        FieldDescription("note", .text, lengthUnit: .codePoints, isHidden: true),
      ])
  }

  @Test func `What a schema says that nobody is held to is reported, and refuses nothing`() async throws {
    let fields = try await fields(isEnforced: false)
    #expect(fields.allSatisfy { $0.complaint(about: "zzzzzzzz") == nil && $0.complaint(about: -1) == nil })
    #expect(
      fields.map(\.note) == [
        "chosen by the server", "not enforced: required, at least 2 characters, at most 4 characters, matches ^[A-Z]+$",
        "not enforced: at least 0 and less than 150", "not enforced: more than 0 and at most 1.5",
        "how much; not enforced: one of low, high", nil,
      ])
    #expect(fields.map(\.defaultValue) == [nil, "AB", nil, nil, nil, nil])
  }
}
