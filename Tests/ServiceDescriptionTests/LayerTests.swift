import BackendKit
import Testing

@testable import ServiceDescription

/// Refinements of presets and of what is said of all resources.
@Suite struct LayerTests {
  private func things(_ own: String) throws -> Service.Resource {
    let below = """
      filter:
        fields: [name, n]
        conditions: {"=": {template: "{field}", ignoresCase: true}, "~": "{field}__has", in: [{template: "{field}", fields: [n]}]}
      search: {parameter: q, source: document}

      """
    let text = below + "resources: {things: \(own)}"
    return try #require(try Description(reading: Array(text.utf8), file: "api.yaml").service().resources.first)
  }

  @Test func `a condition is put together key by key`() throws {
    let rows = try #require(things("{filter: {conditions: {'=': {accuracy: exact}}}}").filters?.rows)
    let equal = try #require(rows.first { $0.comparison == .equal })
    #expect(equal.template == "{field}" && equal.ignoresCase && equal.fidelity == .exact)
  }

  @Test func `a text that stands for a section is refined as the section`() throws {
    let rows = try #require(things("{filter: {conditions: {'~': {ignoresCase: true}}}}").filters?.rows)
    let contains = try #require(rows.first { $0.comparison == .contains })
    #expect(contains.template == "{field}__has" && contains.ignoresCase)
  }

  @Test func `a list of conditions and a text are replaced as a whole`() throws {
    let rows = try #require(things("{filter: {conditions: {in: {template: a}, '=': b}}}").filters?.rows)
    #expect(rows.first { $0.comparison == .among }?.fields == nil)
    let equal = try #require(rows.first { $0.comparison == .equal })
    #expect(equal.template == "b" && !equal.ignoresCase)
  }

  @Test func `a field that a preset names by its type alone keeps the type`() throws {
    let text = "preset: netbox\nresources: {sites: {fields: {facility: {maximumLength: 50}}}}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    let field = try #require(service.resources.first { $0.name == "sites" }?.fields.first { $0.name == "facility" })
    #expect(field.kind == .text && field.maximumLength == 50)
  }
}
