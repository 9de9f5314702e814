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

  @Test func `the reference says of each preset what it was run against`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let reference = try String(
      contentsOf: root.appendingPathComponent("docs/authors/describing-a-service.md"), encoding: .utf8)
    for name in Preset.names {
      let row = try #require(reference.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }, "\(name)")
      let preset = try #require(Preset(named: name))
      let run = row.split(separator: "|")[2].trimmingCharacters(in: .whitespaces)
      let evidence = preset.isRun ? try preset.tree()["source"]?["evidence"]?.value.text : "-"
      #expect(run == evidence, "\(name)")
    }
  }

  /// The resource of a description over a preset.
  private func things(_ preset: String, _ own: String = "") throws -> Service.Resource {
    let text = "preset: \(preset)\n\(own)\nresources: {things: {}}"
    return try #require(
      try Description(reading: Array(text.utf8), file: "api.yaml").service().resources.first { $0.name == "things" })
  }

  @Test("nothing of a preset that was not run can leave out records", arguments: Preset.names)
  func likely(_ name: String) throws {
    let preset = try #require(Preset(named: name))
    guard !preset.isRun, try preset.tree()["preset"] == nil else { return }
    let file = DescriptionSource.File(name: "api.yaml", bytes: Array("preset: \(name)".utf8))
    let service = try Description(DescriptionSource(backend: "b", file: file, isTrusted: true)).service()
    for resource in service.resources + [service.others].compactMap(\.self) {
      let paging = resource.paging
      #expect((!paging.sendsWholeLists || paging.isLikely) && resource.searching == nil, "\(resource.name)")
      let isPaged =
        paging.number != nil || paging.offset != nil || paging.cursor != nil || paging.after != nil
        || paging.link != nil || paging.stretch != nil || paging.range != nil
      #expect(paging.isLikely || !isPaged, "\(resource.name)")
      #expect(resource.filters?.isLikely != false && resource.stability == .shifting, "\(resource.name)")
      #expect(resource.filters?.rows.contains { $0.fidelity == .exact } != true, "\(resource.name)")
      #expect(resource.sorting?.exact.isEmpty != false && resource.deleting?.isSoft != true, "\(resource.name)")
    }
  }

  @Test func `what a preset was run for, and what the own file says, is known`() throws {
    #expect(try things("json-server").searching?.fidelity == .superset)
    #expect(try things("docker").paging.sendsWholeLists && !things("docker").paging.isLikely)
    #expect(try things("proxmox", "page: {style: none}").paging.sendsWholeLists)
    let page = "page: {style: number, parameter: p}\nend: {when: [emptyPage]}\nsize: {maximum: 50}"
    #expect(try !things("laravel", page + "\ntotal: null").paging.isLikely)
    #expect(try things("directus", "search: {parameter: search, accuracy: exact}").searching?.fidelity == .exact)
    // Facts from a document are likely, whoever read it.
    #expect(try things("plain", "search: {parameter: q, accuracy: exact, source: document}").searching == nil)
    #expect(try things("plain", "search: {parameter: q, accuracy: exact}").searching?.fidelity == .exact)
    #expect(try things("plain", "search: {parameter: q}").searching == nil)
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
