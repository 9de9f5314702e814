import BackendKit
import Testing

@testable import ServiceDescription

@Suite struct DescriptionTests {
  private func service(_ text: String) throws -> Service {
    try Description(reading: Array(text.utf8), file: "api.yaml").service()
  }

  @Test func `a resource takes the name for its path unless another one is given`() throws {
    let service = try service(
      """
      paths: {collection: "api/{resource}"}
      resources:
        todos: {}
        users: {paths: {collection: people}}
        root: {paths: {collection: /}}
      fallbackResource: {}
      """)
    #expect(service.resources.map(\.path.description) == ["api/todos", "people", ""])
    #expect(service.others?.path.description == "api")
  }

  @Test func `what is said for all resources counts for each, unless it says otherwise`() throws {
    let service = try service(
      """
      page: {style: number, parameter: page, first: 0}
      size: {parameter: size, default: 20}
      update: {clear: "null"}
      resources:
        todos: {size: {default: 50}}
        users: {page: {style: offset, parameter: offset}}
        logs: {update: null, page: {first: 1}}
      """)
    let paging = service.resources.map(\.paging)
    #expect(paging.map(\.defaultSize) == [50, 20, 20])
    #expect(paging.map(\.size) == ["size", "size", "size"])
    #expect(paging[0].number?.first == 0 && paging[1].number == nil && paging[1].offset == "offset")
    #expect(paging[2].number?.first == 1)
    #expect(service.resources.map { $0.updating != nil } == [true, true, false])
  }
}

@Suite struct KeyTests {
  static func example(_ shape: Shape, depth: Int) -> Node {
    let place = Place(file: "example")
    switch shape {
    case .text(.hook): return Node("a/b", at: place)
    case .text: return Node("a", at: place)
    case .boolean: return Node(true, at: place)
    case .integer(let range): return Node(.int(range.lowerBound), at: place)
    case .any: return Node(1, at: place)
    case .word(let words): return Node(.string(words[0].name), at: place)
    case .list(let element): return Node(place: place, content: .list([example(element, depth: depth)]))
    case .oneOrMore(let element): return example(element, depth: depth)
    case .map(let of, let element):
      let name = of == "comparison" ? "=" : "a"
      return Node(
        place: place,
        content: .map([Node.Member(name: name, place: place, node: example(element, depth: depth + 1))]))
    case .section(let name):
      let keys = depth > 12 ? [] : Section.of(name).keys
      return Node(
        place: place,
        content: .map(
          keys.map { Node.Member(name: $0.name, place: place, node: example($0.shape, depth: depth + 1)) }))
    case .either(let first, let second):
      switch second {
      case .section, .oneOrMore(.section): return example(second, depth: depth)
      default: break
      }
      return example(first, depth: depth)
    }
  }

  @Test func `every section has a reader that asks for its keys once each`() {
    #expect(Set(Section.ordered.map(\.name)) == Set(Section.Name.allCases))
    for section in Section.ordered {
      let names = section.keys.map(\.name)
      #expect(!names.isEmpty && Set(names).count == names.count, "\(section.name)")
    }
  }

  @Test func `a description with every key is taken, and read to its end`() {
    let node = Self.example(.section(.description), depth: 0)
    var check = Check()
    check.check(node, .section(.description))
    #expect(check.mistakes == [])
    let reading = Reading(isTrusted: true)
    let service = ServiceFacts(SectionNode(node, at: node.place, reading)).service(hooks: Description.noHooks)
    #expect(service.resources.map(\.name) == ["a"])
    #expect(!reading.mistakes.isEmpty, "keys that exclude each other are told")
  }
}
