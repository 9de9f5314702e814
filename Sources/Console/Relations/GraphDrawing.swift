import ConsoleOutput

/// A graph of resources in boxes, left of those that they refer to. A box has a row for each field that refers to another
/// resource; a line leads from there to its box. All lines to a box join, and only those. A reference to the resource
/// itself, within a cycle, or to a resource without a box is words.
struct GraphDrawing {
  /// A box of a layer, or the row where the lines to a box further right pass it.
  private struct Item {
    let node: Int
    var isBox = true
    var top = 0

    /// The row in which lines arrive.
    var entry: Int { isBox ? top + 1 : top }
  }

  /// The widest text in a box, in columns.
  private static let widest = 28

  private let names: [String]
  /// The fields of each resource that refer to others; those with words have no target.
  private var rows: [[(text: String, target: Int?)]]
  private var layers: [[Item]] = []
  /// The targets of the lines between each layer and the next one, from left to right: each has a column.
  private var tracks: [[Int]] = []

  /// The drawing of some resources of a graph.
  init(of graph: RelationGraph, _ nodes: [Int], isASCII: Bool) {
    func cut(_ text: String) -> String { DisplayWidth.cut(Escaping.text(text), to: Self.widest) }
    names = graph.names.map(cut)
    rows = Array(repeating: [], count: names.count)
    let edges = Dictionary(grouping: graph.edges, by: \.from)
    let shown = Set(nodes)
    // The number of layers to the right of a resource.
    var levels: [Int: Int] = [:]
    var open: Set<Int> = []
    func level(of node: Int) -> Int {
      if let level = levels[node] { return level }
      open.insert(node)
      var height = 0
      for edge in edges[node] ?? [] {
        let target = shown.contains(edge.to) && !open.contains(edge.to) ? edge.to : nil
        if let target { height = max(height, level(of: target) + 1) }
        let words = target == nil ? " \(isASCII ? "->" : "→") \(graph.names[edge.to])" : ""
        rows[node].append((cut((edge.label ?? "(owner)") + words), target))
      }
      open.remove(node)
      levels[node] = height
      return height
    }
    let last = nodes.map { level(of: $0) }.max() ?? -1
    layers = Array(repeating: [], count: last + 1)
    for node in nodes { layers[last - level(of: node)].append(Item(node: node)) }
    for node in nodes {
      for target in rows[node].compactMap(\.target) {
        for passed in level(of: target) + 1..<level(of: node)
        where !layers[last - passed].contains(where: { $0.node == target }) {
          layers[last - passed].append(Item(node: target, isBox: false))
        }
      }
    }
    order()
    place()
  }

  private func targets(of item: Item) -> [Int] {
    item.isBox ? rows[item.node].compactMap(\.target) : [item.node]
  }

  private func height(of item: Item) -> Int { item.isBox ? rows[item.node].count + 3 : 1 }

  /// The rows in which the lines of a layer begin, with their targets.
  private func ports(of layer: [Item]) -> [(row: Int, target: Int)] {
    layer.flatMap { item in
      guard item.isBox else { return [(item.top, item.node)] }
      return rows[item.node].enumerated().compactMap { index, row in
        row.target.map { (item.top + 2 + index, $0) }
      }
    }
  }

  /// Orders the items of each layer by the mean place of their neighbors, so that few lines cross.
  private mutating func order() {
    func sort(_ layer: Int, by neighbors: (Item) -> [Int]) {
      let items = layers[layer].enumerated().map { place, item in
        let places = neighbors(item)
        return (places.isEmpty ? Double(place) : Double(places.reduce(0, +)) / Double(places.count), place, item)
      }
      layers[layer] = items.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
    for _ in 0..<3 {
      for layer in layers.indices.dropLast().reversed() {
        let next = layers[layer + 1]
        sort(layer) { item in targets(of: item).compactMap { target in next.firstIndex { $0.node == target } } }
      }
      for layer in layers.indices.dropFirst() {
        let before = layers[layer - 1]
        sort(layer) { item in before.indices.filter { targets(of: before[$0]).contains(item.node) } }
      }
    }
  }

  /// Finds the rows of all items, and the order of the lines between the layers.
  private mutating func place() {
    let heights = layers.map { $0.reduce(0) { $0 + height(of: $1) } }
    for layer in layers.indices {
      let ports = layer > 0 ? ports(of: layers[layer - 1]) : []
      let leaving = Dictionary(ports.map { ($0.row, $0.target) }, uniquingKeysWith: { first, _ in first })
      // The target whose column has to be left of another one, since a line to it leaves in the row in which the lines
      // to the other arrive.
      var left: [Int: Int] = [:]
      var row = ((heights.max() ?? 0) - heights[layer]) / 2
      for (place, item) in layers[layer].enumerated() {
        layers[layer][place].top = row
        let own = ports.filter { $0.target == item.node }.map(\.row)
        while let other = leaving[layers[layer][place].entry] {
          let entry = layers[layer][place].entry
          if other == item.node {
            // Lines that cross never join.
            if !(own.contains { $0 < entry } && own.contains { $0 > entry }) { break }
          } else if !sequence(first: other, next: { left[$0] }).contains(item.node) {
            left[item.node] = other
            break
          }
          layers[layer][place].top += 1
        }
        row = layers[layer][place].top + height(of: item)
      }
      guard layer > 0 else { continue }
      // Lines that lead down do not cross each other if the lowest goes first, and those that lead up if it goes last.
      let wanted = layers[layer].compactMap { item -> (key: Int, node: Int)? in
        let from = ports.filter { $0.target == item.node }.map(\.row)
        guard !from.isEmpty else { return nil }
        return (item.entry * from.count > from.reduce(0, +) ? -item.entry : item.entry, item.node)
      }
      var order: [Int] = []
      for (_, node) in wanted.sorted(by: { $0.key < $1.key }) {
        for target in Array(sequence(first: node, next: { left[$0] })).reversed() where !order.contains(target) {
          order.append(target)
        }
      }
      tracks.append(order)
    }
  }

  private func width(of layer: [Item]) -> Int {
    let texts = layer.filter(\.isBox).flatMap { [names[$0.node]] + rows[$0.node].map(\.text) }
    return (texts.map { DisplayWidth.columns(of: $0) }.max() ?? 0) + 4
  }

  var width: Int {
    layers.reduce(0) { $0 + width(of: $1) } + tracks.reduce(0) { $0 + 2 * $1.count + 2 }
  }

  var height: Int { layers.joined().map { $0.top + height(of: $0) }.max() ?? 0 }

  /// The drawing as lines of text.
  func text(isASCII: Bool, theme: Theme) -> EscapedText {
    var canvas = TextCanvas(width: width, height: height)
    var start = 0
    for (index, layer) in layers.enumerated() {
      let end = start + width(of: layer) - 1
      for item in layer where item.isBox {
        canvas.box(start...end, item.top...(item.top + height(of: item) - 1))
        canvas.write(names[item.node], start + 2, item.entry, painted: theme.paint(names[item.node], .name))
        for (place, row) in rows[item.node].enumerated() {
          canvas.write(row.text, start + 2, item.top + 2 + place)
        }
      }
      guard index < tracks.count else { break }
      let next = end + 2 * tracks[index].count + 3
      for (place, target) in tracks[index].enumerated() {
        let column = end + 2 * place + 2
        guard let goal = layers[index + 1].first(where: { $0.node == target }) else { continue }
        var reached = goal.entry...goal.entry
        for port in ports(of: layer) where port.target == target {
          canvas.horizontal(end...column, port.row)
          reached = min(reached.lowerBound, port.row)...max(reached.upperBound, port.row)
        }
        canvas.vertical(column, reached)
        canvas.horizontal(column...(goal.isBox ? next - 1 : next + width(of: layers[index + 1]) - 1), goal.entry)
        if goal.isBox { canvas.write(isASCII ? ">" : "►", next - 1, goal.entry) }
      }
      start = next
    }
    return EscapedText(formatted: canvas.text(isASCII: isASCII))
  }
}

/// Lines and texts at places in columns and rows.
private struct TextCanvas {
  /// The characters for lines that lead up (1), down (2), left (4) and right (8).
  private static let lines = (boxes: Array(" │││─┘┐┤─└┌├─┴┬┼"), ascii: Array(" |||-+++-+++-+++"))

  private var lines: [[Int]]
  private var texts: [[String?]]

  init(width: Int, height: Int) {
    lines = Array(repeating: Array(repeating: 0, count: width), count: height)
    texts = Array(repeating: Array(repeating: nil, count: width), count: height)
  }

  mutating func horizontal(_ columns: ClosedRange<Int>, _ row: Int) {
    for column in columns {
      lines[row][column] |= (column > columns.lowerBound ? 4 : 0) | (column < columns.upperBound ? 8 : 0)
    }
  }

  mutating func vertical(_ column: Int, _ rows: ClosedRange<Int>) {
    for row in rows { lines[row][column] |= (row > rows.lowerBound ? 1 : 0) | (row < rows.upperBound ? 2 : 0) }
  }

  mutating func box(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) {
    for row in [rows.lowerBound, rows.upperBound] { horizontal(columns, row) }
    for column in [columns.lowerBound, columns.upperBound] { vertical(column, rows) }
  }

  mutating func write(_ text: String, _ column: Int, _ row: Int, painted: String? = nil) {
    let width = DisplayWidth.columns(of: text)
    guard width > 0 else { return }
    for place in 0..<width { texts[row][column + place] = "" }
    texts[row][column] = painted ?? text
  }

  func text(isASCII: Bool) -> String {
    let characters = isASCII ? Self.lines.ascii : Self.lines.boxes
    return zip(lines, texts).map { lines, texts in
      var line = zip(lines, texts).map { $1 ?? String(characters[$0]) }
      while line.last == " " { line.removeLast() }
      return line.joined() + "\n"
    }.joined()
  }
}
