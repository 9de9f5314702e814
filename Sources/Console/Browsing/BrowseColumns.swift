import BackendKit
import ConsoleOutput

/// The columns of a screen: chosen as those of a table, each laid out once it is seen.
struct BrowseColumns {
  static let gap = 2
  /// The maximum width of a column.
  private static let most = 48

  let presentation: Presentation
  /// All columns, the identifier's first.
  private(set) var paths: [FieldPath] = []
  /// The indices of those that are shown.
  private(set) var shown: [Int] = []
  /// True if the first column stays while others scroll.
  private(set) var isPinned = false
  private var hidden: Set<FieldPath> = []
  private var sample: [Record] = []
  private var laidOut: [Int: SingleColumn] = [:]
  /// The width of the widest cell that was on the screen, by column.
  private var widest: [Int: Int] = [:]
  private let identifier: String?

  init(_ presentation: Presentation, identifier: String?) {
    (self.presentation, self.identifier) = (presentation, identifier)
    choose()
  }

  /// Forgets the records of a list.
  mutating func forget() { (sample, widest) = ([], [:]) }

  /// Forgets how wide cells were, some of which may be gone.
  mutating func forgetWidths() { widest = [:] }

  /// Takes notice of a cell; true if its column has to be wider.
  mutating func see(_ index: Int, _ width: Int) -> Bool {
    let width = min(width, Self.most)
    guard width > max(widest[index] ?? 0, column(index).width(atMost: Self.most)) else { return false }
    widest[index] = width
    return true
  }

  /// Chooses the columns again while there are too few records to know them; false if nothing is new.
  mutating func learn(_ list: BrowsedList) -> Bool {
    let count = min(list.count, 100)
    guard sample.count < count else { return false }
    sample = (0..<count).compactMap(list.record)
    (laidOut, widest) = ([:], [:])
    choose()
    return true
  }

  private mutating func choose() {
    paths = SingleColumn.paths(presentation, sample)
    if let place = paths.firstIndex(where: { $0.text == identifier }) { paths.insert(paths.remove(at: place), at: 0) }
    isPinned = paths.first?.text == identifier
    narrow()
  }

  private mutating func narrow() {
    shown = paths.indices.filter { !hidden.contains(paths[$0]) || isPinned && $0 == 0 }
  }

  func isShown(_ index: Int) -> Bool { !hidden.contains(paths[index]) }

  /// Hides a column, or shows it again; that of the identifier stays.
  mutating func hideOrShow(_ index: Int) {
    guard paths.indices.contains(index), !(isPinned && index == 0) else { return }
    if hidden.remove(paths[index]) == nil { hidden.insert(paths[index]) }
    narrow()
    if shown.isEmpty { hideOrShow(index) }
  }

  mutating func column(_ index: Int) -> SingleColumn {
    if let column = laidOut[index] { return column }
    let column = SingleColumn(paths[index], presentation, sample: sample)
    laidOut[index] = column
    return column
  }

  private mutating func width(_ place: Int, in window: Int) -> Int {
    let most = min(Self.most, max(8, window / 2))
    return max(1, min(most, max(widest[shown[place]] ?? 0, column(shown[place]).width(atMost: most))))
  }

  /// The places in `shown` that fit into a window with their widths, one of them that of the cursor. `left` is the
  /// first one beside the pinned column, and follows the cursor.
  mutating func fitting(_ window: Int, from left: inout Int, with cursor: Int) -> [(place: Int, width: Int)] {
    guard !shown.isEmpty else { return [] }
    let pinned = isPinned && shown.count > 1 ? [(place: 0, width: width(0, in: window))] : []
    let room = window - pinned.reduce(0) { $0 + $1.width + Self.gap }
    left = max(pinned.count, min(left, shown.count - 1))
    func fits(_ found: [(place: Int, width: Int)]) -> Int { found.reduce(-Self.gap) { $0 + $1.width + Self.gap } }
    if cursor >= pinned.count {
      left = min(left, cursor)
      // Only as many columns as fit are laid out, however far away the cursor is.
      var used = -Self.gap
      var first = cursor
      for place in stride(from: cursor, through: left, by: -1) {
        used += width(place, in: window) + Self.gap
        if used > room, place < cursor { break }
        first = place
      }
      left = max(left, first)
    }
    var found: [(place: Int, width: Int)] = []
    var place = left
    while place < shown.count, found.isEmpty || fits(found) + Self.gap < room {
      found.append((place, width(place, in: window)))
      place += 1
    }
    return pinned + found
  }
}
