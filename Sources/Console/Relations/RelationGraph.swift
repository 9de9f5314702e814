import BackendClient
import BackendKit
import ConsoleOutput

/// A relation, and the resource whose records have its field.
struct ResourceRelation: Hashable {
  let resource: String
  let relation: Relation
  /// The field of the related records that the values match; nil if unknown.
  let key: String?

  /// The relation for people: `todos.userId -> users.id`.
  var description: String {
    "\(resource).\(relation.path) -> \(relation.reference.resource)\(key.map { ".\($0)" } ?? "")"
  }

  var facts: Object {
    Object(facts: [
      ("from", resource), ("field", relation.path.text), ("to", relation.reference.resource), ("key", key),
    ])
  }
}

extension BackendDescription {
  var relations: [ResourceRelation] {
    resources.flatMap { resource in
      resource.relations.map { relation in
        let goal = self.resource(named: relation.reference.resource)
        return ResourceRelation(
          resource: resource.name, relation: relation, key: relation.reference.key ?? goal?.identifier.field)
      }
    }
  }

  /// The relations of a resource, then those of others to it.
  func relations(of resource: ResourceDescription) -> [ResourceRelation] {
    var described = self
    if !resources.contains(where: { $0.name == resource.name }) { described.resources.append(resource) }
    let all = described.relations
    return all.filter { $0.resource == resource.name }
      + all.filter { $0.resource != resource.name && $0.relation.reference.resource == resource.name }
  }
}

/// The relations of a backend's resources as a graph.
struct RelationGraph {
  static let format = "dot"

  let title: String
  let names: [String]
  /// The edges by indices of resources. Between a resource and one below its records there is no field.
  let edges: [(from: Int, to: Int, label: String?)]

  init(of backend: BackendDescription, named title: String) {
    self.title = title
    let relations = backend.relations
    var names = backend.resources.map(\.name)
    var places: [String: Int] = [:]
    func place(_ name: String) -> Int {
      // Names that differ only in case are one resource, as for commands.
      let name = backend.resource(named: name)?.name ?? name
      if let place = places[name] { return place }
      if !names.contains(name) { names.append(name) }
      places[name] = names.firstIndex(of: name) ?? 0
      return places[name] ?? 0
    }
    var edges: [(from: Int, to: Int, label: String?)] = relations.map {
      (place($0.resource), place($0.relation.reference.resource), $0.relation.path.text)
    }
    for resource in backend.resources {
      for child in resource.children {
        let (from, to) = (place(child), place(resource.name))
        if !edges.contains(where: { $0.from == from && $0.to == to }) { edges.append((from, to, nil)) }
      }
    }
    self.names = names
    self.edges = edges
  }

  /// The graph for Graphviz. Node names are generated; texts from outside are only in labels.
  var dot: EscapedText {
    var text: EscapedText = "digraph \(Self.quoted(title)) {\n  rankdir=LR;\n  node [shape=box];\n"
    for (place, name) in names.enumerated() { text += "  r\(place) [label=\(Self.quoted(name))];\n" }
    for edge in edges {
      let look = edge.label.map { "label=\(Self.quoted($0))" } ?? "style=dashed"
      text += "  r\(edge.from) -> r\(edge.to) [\(look)];\n"
    }
    return text + "}\n"
  }

  /// The maximum numbers of resources that are drawn as a whole, or tried one by one, and of names without a box.
  private static let most = (whole: 300, tried: 100, alone: 40)

  /// The resources with relations in boxes, and the names of the others. If a window has no room for all, those with the
  /// most relations go first, and a note says so.
  func drawing(columns: Int, rows: Int?, isASCII: Bool, theme: Theme) -> (text: EscapedText, note: String?) {
    let ends = edges.flatMap { $0.from == $0.to ? [$0.from] : [$0.from, $0.to] }
    let degrees = Dictionary(ends.map { ($0, 1) }, uniquingKeysWith: +)
    let related = degrees.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let alone = names.indices.filter { degrees[$0] == nil }.map { names[$0] }
    let more = alone.count > Self.most.alone ? " and \((alone.count - Self.most.alone).grouped) more" : ""
    let others: EscapedText =
      alone.isEmpty ? "" : "without relations: \(alone.prefix(Self.most.alone).joined(separator: ", "))\(more)\n"
    let last = others.fitted(to: columns)
    let room = rows.map { $0 - last.text.utf8.count { $0 == UInt8(ascii: "\n") } }
    func drawn(_ nodes: [Int]) -> GraphDrawing? {
      let drawing = GraphDrawing(of: self, nodes.sorted(), isASCII: isASCII)
      return drawing.width <= columns && drawing.height <= room ?? .max ? drawing : nil
    }
    var nodes = related
    var drawing = related.count <= Self.most.whole ? drawn(nodes) : nil
    if drawing == nil {
      nodes = []
      for node in related.prefix(Self.most.tried) {
        guard let larger = drawn(nodes + [node]) else { continue }
        drawing = larger
        nodes.append(node)
      }
    }
    let note = "\(nodes.count) of \(related.count.grouped) resources with relations are drawn"
    return (
      (drawing?.text(isASCII: isASCII, theme: theme) ?? "") + last,
      nodes.count < related.count ? "\(note); -o \(Self.format) has all" : nil
    )
  }

  /// A text in quotes. Graphviz treats two characters specially: quotes, and the backslash of its own escapes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in Escaping.text(text).unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
