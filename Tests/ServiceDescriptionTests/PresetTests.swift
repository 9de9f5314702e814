import BackendKit
import Foundation
import Testing

@testable import ServiceDescription

@Suite struct PresetTests {
  @Test("each preset is a description without a mistake, and says where it is known from", arguments: Preset.names)
  func whole(_ name: String) throws {
    let text = "preset: \(name)\nresources: {things: {fields: {name: text}}}"
    let description: Description
    // Some ask for lists by POST, which only a trusted configuration may.
    var source = DescriptionSource(
      backend: "b", file: .init(name: "api.yaml", bytes: Array(text.utf8)), changes: nil
    ) { _, _ throws(BackendError) in throw .misconfigured("no hooks") }
    source.isTrusted = true
    do { description = try Description(source) } catch {
      Issue.record("\(error)")
      return
    }
    let service: Service
    do { service = try description.service() } catch {
      Issue.record("\(error)")
      return
    }
    let preset = try #require(Preset(named: name))
    let tree = try preset.tree()
    #expect(tree["source"] != nil)
    // One of a single product names its resources, and does not say what any other would be like.
    let own = tree.value.object?["resources"]?.object?.names ?? []
    guard own.isEmpty else {
      let there = Set(service.resources.map(\.name))
      #expect(own.filter { !there.contains($0) } == [])
      return
    }
    let things = try #require(service.resources.first { $0.name == "things" })
    let isToBeRead = name == "datasette"
    #expect((things.creating == nil) == isToBeRead)
    #expect((things.updating == nil) == isToBeRead)
    #expect((things.deleting == nil) == isToBeRead)
  }

  @Test func `every file of the folder is a preset, and the reference names each`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
      .standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Sources/ServiceDescription/Presets").path)
    #expect(Set(files) == Set(Preset.names.map { "\($0).yaml" }))
    let reference = try String(
      contentsOf: root.appendingPathComponent("docs/authors/describing-a-service.md"), encoding: .utf8)
    for name in Preset.names { #expect(reference.contains("| `\(name)` |"), "\(name)") }
  }

  @Test func `each deletion on a json-server takes orphans along, besides what a description names`() throws {
    let text = """
      preset: json-server
      resources: {users: {cascadeDeletes: [{resource: todos, field: userId}]}, todos: {}, logs: {delete: {orphanSuffix: null}}}
      """
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    #expect(
      service.resources.map(\.dependents) == [
        [Dependents(of: "todos", naming: "userId"), .orphans(suffix: "Id")], [.orphans(suffix: "Id")], [],
      ])
    #expect(service.others?.dependents == [.orphans(suffix: "Id")])
  }

  @Test func `a change or deletion of PostgREST names the key, and at most one row`() throws {
    let text = "preset: postgrest\nresources: {films: {fields: {id: integer}}}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    let films = try #require(service.resources.first)
    #expect(films.addressing.item == .filter(value: "eq.{value}"))
    for extras in [films.updating?.extras, films.deleting?.extras] {
      #expect(
        extras?.headers.contains { $0 == ("Prefer", "return=representation, handling=strict, max-affected=1") } == true)
    }
    #expect(films.deleting?.all == false)
  }
}
