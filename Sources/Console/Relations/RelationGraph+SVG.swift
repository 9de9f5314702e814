import BackendKit

extension RelationGraph {
  /// The graph as a picture: a resource stands to the left of those that its fields name, as far as they do not name each other in
  /// a circle.
  var svg: ShownText {
    let columns = self.columns
    let labels = names.map { DisplayWidth.cut(Visible.text($0), to: 28) }
    let boxWidth = 8 * (labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0) + 24
    let (gap, step, margin) = (200, 56, 24)
    let last = columns.max() ?? 0
    var rows = Array(repeating: 0, count: last + 1)
    var places: [(x: Int, y: Int)] = []
    for column in columns {
      places.append((margin + column * (boxWidth + gap), 80 + rows[column] * step))
      rows[column] += 1
    }
    var svg = SVG(
      title: title, width: 2 * margin + last * (boxWidth + gap) + boxWidth + 60,
      height: 100 + (rows.max() ?? 1) * step)
    svg.text(DisplayWidth.cut(Visible.text(title), to: 60), margin, 24, .name)
    for edge in edges {
      let (from, to) = (places[edge.from], places[edge.to])
      let isForward = from.x < to.x
      let (begin, end) = ((x: from.x + boxWidth, y: from.y + 16), (x: isForward ? to.x : to.x + boxWidth, y: to.y + 16))
      // Within a column, and back, the line leaves and arrives at the right.
      let bend = isForward ? (end.x - begin.x) / 2 : 50
      let second = isForward ? end.x - bend : end.x + bend
      // A line to a column further on passes above what stands between.
      let lift = columns[edge.to] > columns[edge.from] + 1 ? 56 : 0
      svg.curve(
        [
          begin, (begin.x + bend, begin.y - lift), (second, edge.from == edge.to ? end.y + 24 : end.y - lift), end,
        ], isDashed: edge.label == nil)
      svg.arrowHead(end.x, end.y, pointsRight: isForward)
      if let label = edge.label {
        svg.text(
          DisplayWidth.cut(Visible.text(label), to: 24), begin.x + (isForward ? 12 : 56),
          begin.y + (end.y - begin.y) / (isForward ? 6 : 2) - 5, .label)
      }
    }
    for (index, place) in places.enumerated() {
      svg.rectangle(place.x, place.y, boxWidth, 32, .box)
      svg.text(labels[index], place.x + boxWidth / 2, place.y + 21, .name, .middle)
    }
    return svg.document
  }

  /// The column of each resource: one further than every one that names it, bounded where they name each other in a circle.
  private var columns: [Int] {
    var columns = Array(repeating: 0, count: names.count)
    for _ in 0..<min(names.count, 6) {
      for edge in edges where edge.from != edge.to && columns[edge.to] <= columns[edge.from] {
        columns[edge.to] = min(columns[edge.from] + 1, 5)
      }
    }
    return columns
  }
}
